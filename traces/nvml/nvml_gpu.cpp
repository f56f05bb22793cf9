#include "traces/nvml/nvml_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "traces/nvml/throttle_reasons.hpp"

namespace ithaca::traces {
namespace {

/// `ask` is a function of NVML that answers through its last argument. Empty if the library lacks
/// it, or it answers with an error.
template <class Answer, class Function, class... Arguments>
std::optional<Answer> answer(Function ask, Arguments... about) {
  Answer said{};
  if (!ask || ask(about..., &said) != nvml_success) return std::nullopt;
  return said;
}

std::optional<std::int64_t> number(std::optional<unsigned> said) {
  if (!said) return std::nullopt;
  return *said;
}

std::optional<std::int64_t> limited_ns(const nvml_functions& nvml, nvml_device of,
                                       unsigned policy) {
  const auto said = answer<nvml_violation_time>(nvml.violation, of, policy);
  if (!said) return std::nullopt;
  return static_cast<std::int64_t>(said->violation_ns);
}

std::optional<std::int64_t> bytes_of(const nvml_field_value& kib) {
  if (kib.status != nvml_success) return std::nullopt;
  switch (kib.type) {
    case 1:
      return std::int64_t{kib.value.as_unsigned} * 1024;
    case 2:
    case 3:
      return static_cast<std::int64_t>(kib.value.as_unsigned_long) * 1024;
    default:
      return std::nullopt;
  }
}

void read_nvlink(const nvml_functions& nvml, nvml_device of, gpu_reading& into) {
  std::array<nvml_field_value, 2> kib = {};
  kib[0].field = nvml_field_nvlink_data_sent;
  kib[1].field = nvml_field_nvlink_data_received;
  for (nvml_field_value& each : kib) each.scope = nvml_all_links;
  if (!nvml.field_values || nvml.field_values(of, kib.size(), kib.data()) != nvml_success) return;
  into.nvlink_sent_bytes = bytes_of(kib[0]);
  into.nvlink_received_bytes = bytes_of(kib[1]);
}

/// Active NVLinks that end at a switch, and at the GPU on the bus `peer`.
struct link_count {
  int to_switches = 0;
  int to_peer = 0;
};

link_count count_links(const nvml_functions& nvml, nvml_device of, std::string_view peer) {
  link_count count;
  for (unsigned link = 0; link < nvml_most_links; ++link) {
    if (answer<unsigned>(nvml.link_state, of, link).value_or(0) == 0) continue;
    const auto type = answer<unsigned>(nvml.link_remote_type, of, link);
    if (type == nvml_remote_switch) ++count.to_switches;
    if (type != nvml_remote_gpu) continue;
    const auto remote = answer<nvml_pci_info>(nvml.link_remote_pci, of, link);
    if (remote && remote->bus_id == peer) ++count.to_peer;
  }
  return count;
}

const char* words_of(unsigned level) {
  switch (level) {
    case 0:
      return "board";
    case 10:
      return "PIX";
    case 20:
      return "PXB";
    case 30:
      return "PHB";
    case 40:
      return "NODE";
    default:
      return "SYS";
  }
}

}  // namespace

nvml_gpu::nvml_gpu(std::shared_ptr<const nvml_functions> nvml, const std::string& uuid)
    : nvml_(std::move(nvml)) {
  const nvml_status status = nvml_->device_by_uuid(uuid.c_str(), &device_);
  if (status != nvml_success) {
    throw std::runtime_error("NVML does not know the GPU: " +
                             std::string(nvml_->error_string(status)));
  }
}

gpu_reading nvml_gpu::read() const {
  gpu_reading said;
  said.sm_mhz = number(answer<unsigned>(nvml_->clock_mhz, device_, nvml_clock_sm));
  said.memory_mhz = number(answer<unsigned>(nvml_->clock_mhz, device_, nvml_clock_memory));
  said.power_mw = number(answer<unsigned>(nvml_->power_mw, device_));
  said.temperature_c =
      number(answer<unsigned>(nvml_->temperature_c, device_, nvml_temperature_gpu));
  if (const auto bits = answer<unsigned long long>(nvml_->clock_reasons, device_)) {
    said.throttle_reasons = throttle_reasons(*bits);
  }
  said.power_limited_ns = limited_ns(*nvml_, device_, nvml_policy_power);
  said.thermally_limited_ns = limited_ns(*nvml_, device_, nvml_policy_thermal);
  read_nvlink(*nvml_, device_, said);
  return said;
}

std::optional<std::string> nvml_gpu::pci_address() const {
  const auto at = answer<nvml_pci_info>(nvml_->pci_info, device_);
  if (!at) return std::nullopt;
  return fmt::format("{:04x}:{:02x}:{:02x}.0", at->domain, at->bus, at->device);
}

std::optional<std::string> nvml_gpu::path_to(const std::string& other_uuid) const {
  const auto other = answer<nvml_device>(nvml_->device_by_uuid, other_uuid.c_str());
  if (!other) return std::nullopt;
  const auto peer = answer<nvml_pci_info>(nvml_->pci_info, *other);
  const link_count mine = count_links(*nvml_, device_, peer ? peer->bus_id : "");
  const link_count theirs = count_links(*nvml_, *other, "");
  const int lanes = mine.to_peer + std::min(mine.to_switches, theirs.to_switches);
  if (lanes > 0) return "NV" + std::to_string(lanes);
  const auto level = answer<unsigned>(nvml_->common_ancestor, device_, *other);
  if (!level) return std::nullopt;
  return words_of(*level);
}

}  // namespace ithaca::traces
