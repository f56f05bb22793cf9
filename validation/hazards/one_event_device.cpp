#include "validation/hazards/one_event_device.hpp"

#include <utility>

#include "backend/stream.hpp"

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

/// Hands everything to another stream, with the shared event in place of those it is given.
class one_event_stream final : public stream {
 public:
  one_event_stream(std::string name, const observer_slot& observers, std::unique_ptr<stream> inner)
      : stream(std::move(name), observers), inner_(std::move(inner)) {}

  void record(event& at) override { inner_->record(dynamic_cast<shared_event&>(at).shared()); }
  void wait(const event& at) override {
    inner_->wait(dynamic_cast<const shared_event&>(at).shared());
  }
  bool idle() override { return inner_->idle(); }

 protected:
  bool wait_until_idle(std::chrono::steady_clock::time_point deadline, watch* looks_at) override {
    return inner_->synchronize(deadline, looks_at);
  }
  bool always_described() const override { return true; }
  void enqueue_copy(const copy_2d& op, const operation& record) override {
    inner_->copy(op, label_of(record));
  }
  void enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                           const operation& record) override {
    inner_->write_value(address, value, label_of(record));
  }
  void enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                          const operation& record) override {
    inner_->wait_value(address, value, label_of(record));
  }
  void enqueue_kernel(const kernel_call& call, const operation& record) override {
    inner_->launch(call, label_of(record));
  }

 private:
  static operation_label label_of(const operation& record) {
    return {record.tag, record.peer, record.exchange};
  }

  std::unique_ptr<stream> inner_;
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
