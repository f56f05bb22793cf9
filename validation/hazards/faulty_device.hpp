#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>

#include "validation/hazards/own_memory.hpp"
#include "validation/wrapped_device.hpp"

namespace ithaca::validation {

/// A mechanism of the exchange taken out, or replaced by one that is known to be wrong.
enum class fault {
  none,
  no_source_wait,      ///< the exchange's streams do not wait for the caller's
  no_sent_wait,        ///< the caller's stream does not wait for its own copies
  no_arrival_wait,     ///< the caller's stream does not wait for its peers' signals
  no_release_wait,     ///< a writer does not wait for the reader of what it overwrites
  equality_wait,       ///< a wait looks for its value exactly, instead of at least
  signal_before_copy,  ///< a signal is sent before the copies that it announces
  no_reader_wait,      ///< an arrival does not wait for the readers of what comes next
  no_pace_write,       ///< the first signal behind copies to peers is lost: with paced, the step's
  flags_stay_up,       ///< nobody takes a flag down
  no_drain,            ///< the host does not wait for the exchange's streams before memory goes
  hidden_capture,      ///< a stream that is being captured does not say so
};

/// What is wrong with a device.
struct defects {
  fault broken = fault::none;
  std::chrono::microseconds copy_delay{0};  ///< every copy and push kernel takes this much longer
  /// A push exchange looks this much later for what it awaits last.
  std::chrono::microseconds delay_before_last{0};
  bool no_memory = false;  ///< every allocation is refused
  std::size_t largest_allocation_bytes = std::numeric_limits<std::size_t>::max();
  bool no_descriptors = false;    ///< memory can't be shared by descriptor
  bool no_import = false;         ///< no peer's memory can be mapped
  bool breaks_at_import = false;  ///< the device breaks when a peer's memory is mapped
  // A path to the peers that the system reports, and that does not work.
  bool loses_copies = false;           ///< copies to peers vanish
  bool loses_stream_writes = false;    ///< values written into peers vanish
  bool refuses_stream_writes = false;  ///< values can't be written into peers
  bool spares_probe = false;           ///< the three above, but not while the path is tried
};

/// A device with defects: shows that a test notices when a mechanism is missing.
class faulty_device final : public wrapped_device {
 public:
  /// `inner` outlives it.
  faulty_device(device& inner, defects with) : wrapped_device(inner), defects_(with) {}

  std::string why_not_shared(memory_sharing how) const override;
  shared_memory export_memory(const memory& allocated) override;
  std::unique_ptr<memory> import_memory(shared_memory theirs, std::size_t bytes) override;
  std::unique_ptr<stream> create_stream(std::string name, stream_priority priority) override;

 protected:
  std::unique_ptr<memory> do_allocate(std::size_t bytes, memory_sharing how) override;

 private:
  std::shared_ptr<own_memory> own_ = std::make_shared<own_memory>();
  defects defects_;
};

}  // namespace ithaca::validation
