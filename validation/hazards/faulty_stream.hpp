#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "validation/hazards/faulty_device.hpp"
#include "validation/hazards/wrapped_stream.hpp"

namespace ithaca::validation {

/// Hands its operations to another stream, less what its defects take out. The exchange's own
/// streams are told from the caller's by their names.
class faulty_stream final : public wrapped_stream {
 public:
  faulty_stream(std::string name, const observer_slot& observers, std::unique_ptr<stream> inner,
                defects with, std::shared_ptr<const own_memory> own);

  void wait(const event& at) override;
  std::uint64_t capture_id() const override;

 protected:
  bool wait_until_idle(std::chrono::steady_clock::time_point deadline, watch* looks_at) override;
  void enqueue_copy(const copy_2d& op, const operation& record) override;
  void enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                           const operation& record) override;
  void enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                          const operation& record) override;
  void enqueue_kernel(const kernel_call& call, const operation& record) override;

 private:
  /// Looks for the exact value.
  void wait_for_equality(const std::uint64_t* address, std::uint64_t value,
                         const operation_label& label);
  bool callers_own() const { return name() == "compute"; }
  bool path_works() const { return defects_.spares_probe && name() == "probe"; }
  /// Copies, or a kernel that stores into peers. `announced_later`: by an operation of its own.
  void move(std::function<void()> bytes, bool announced_later);

  defects defects_;
  std::shared_ptr<const own_memory> own_;
  void enqueue_held_waits();

  std::vector<std::function<void()>> held_back_;  // signal_before_copy: behind the next signal
  bool behind_copy_ = false;                      // no_pace_write: the latest is a copy to a peer
  std::vector<const event*> held_waits_;          // no_reader_wait: for what is not a signal
};

}  // namespace ithaca::validation
