#include "validation/hazards/one_event_device.hpp"

#include <utility>

#include "validation/hazards/wrapped_stream.hpp"

namespace ithaca::validation {
namespace {

/// Stands for the shared event.
class shared_event final : public event {
 public:
  explicit shared_event(std::shared_ptr<event> shared) : shared_(std::move(shared)) {}
  std::int64_t elapsed_ns_since(const event&) const override { return 0; }
  event& shared() const { return *shared_; }

 private:
  std::shared_ptr<event> shared_;
};

/// Has the shared event in place of those it is given.
class one_event_stream final : public wrapped_stream {
 public:
  using wrapped_stream::wrapped_stream;
  void record(event& at) override { inner().record(dynamic_cast<shared_event&>(at).shared()); }
  void wait(const event& at) override {
    inner().wait(dynamic_cast<const shared_event&>(at).shared());
  }
};

}  // namespace

std::unique_ptr<stream> one_event_device::create_stream(std::string name,
                                                        stream_priority priority) {
  auto made = inner().create_stream(name, priority);
  return std::make_unique<one_event_stream>(std::move(name), observers(), std::move(made));
}

std::unique_ptr<event> one_event_device::create_event(event_timing) {
  return std::make_unique<shared_event>(shared_);
}

}  // namespace ithaca::validation
