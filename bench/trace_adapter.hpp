#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "backend/observer.hpp"
#include "traces/enqueued_operation.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::traces {
class activity_recorder;
}

namespace ithaca::bench {

/// Observes a device from construction to `stop`, and makes timeline records of what ran: CUPTI's
/// for CUDA, the device's own otherwise. Traced passes only.
class trace_adapter final : public observer {
 public:
  /// `global_ranks`: of the group's ranks, by group rank. `scope` names the scenario and arm.
  /// Throws `invalid_use` on a CUDA device if this build has no CUPTI.
  trace_adapter(device& on, int global_rank, std::vector<int> global_ranks, std::string scope);
  ~trace_adapter() override;

  void enqueuing(const operation& op) override;
  void enqueued(const operation& op) override;
  void executed(const operation& op, std::int64_t start_ns, std::int64_t end_ns) override;

  /// Ends the observation; the device must be idle. Call it once.
  std::vector<traces::timeline_record> stop();

 private:
  traces::enqueued_operation translate(const operation& op) const;

  device& device_;
  int global_rank_;
  std::vector<int> global_ranks_;
  std::string scope_;
  std::unique_ptr<traces::activity_recorder> recorder_;  // CUDA only
  std::mutex mutex_;
  std::vector<traces::enqueued_operation> operations_;
  std::vector<traces::timeline_record> executed_;
};

}  // namespace ithaca::bench
