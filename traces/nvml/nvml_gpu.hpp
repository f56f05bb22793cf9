#pragma once

#include <memory>
#include <optional>
#include <string>

#include "traces/gpu_reading.hpp"
#include "traces/nvml/nvml_functions.hpp"

namespace ithaca::traces {

/// One GPU as NVML sees it. What can't be read is empty, and never an error. A reading takes
/// milliseconds and a call into the driver: not inside a timed sample.
class nvml_gpu {
 public:
  /// `uuid` as nvidia-smi writes it. Throws `std::runtime_error` in words if NVML does not know it.
  nvml_gpu(std::shared_ptr<const nvml_functions> nvml, const std::string& uuid);

  gpu_reading read() const;

  /// As Linux names it below /sys/bus/pci/devices: "0000:18:00.0".
  std::optional<std::string> pci_address() const;

  /// What joins it to another GPU, in the words of `nvidia-smi topo -m`: "NV18" is 18 NVLinks,
  /// directly or through switches; else the nearest common point: PIX one PCIe bridge, PXB several,
  /// PHB a host bridge, NODE a NUMA node, SYS the link between NUMA nodes.
  std::optional<std::string> path_to(const std::string& other_uuid) const;

 private:
  std::shared_ptr<const nvml_functions> nvml_;
  nvml_device device_ = nullptr;
};

}  // namespace ithaca::traces
