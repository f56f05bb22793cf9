#include "backend/nccl/nccl_environment.hpp"

#include <array>
#include <cstdlib>

namespace ithaca {
namespace {

using enum setting_treatment;

constexpr std::array settings = {
    nccl_setting{"NCCL_CTA_POLICY", refused, "", "it overrules what an arm asks for"},
    nccl_setting{"NCCL_P2P_DISABLE", refused, "0",
                 "it sends NCCL through host memory, where others go from GPU to GPU"},
    nccl_setting{"NCCL_P2P_LEVEL", refused, "SYS",
                 "it can send NCCL through host memory, where others go from GPU to GPU"},
    nccl_setting{"NCCL_P2P_USE_CUDA_MEMCPY", refused, "0",
                 "it moves by copy engine what an arm says that a kernel moves"},
    nccl_setting{"NCCL_COMM_BLOCKING", refused, "1",
                 "it lets NCCL's calls return before they are done"},
    nccl_setting{"NCCL_COMM_ID", refused, "", "it gives all communicators one address"},
    nccl_setting{"NCCL_CUMEM_ENABLE", recorded, "", "0: no windows, which their arms say"},
    nccl_setting{"NCCL_WIN_ENABLE", recorded, "", "0: no windows, which their arms say"},
    nccl_setting{"NCCL_LOCAL_REGISTER", recorded, "", "only for buffers registered one by one"},
    nccl_setting{"NCCL_SYM_CE_THRESHOLD", recorded, "", "only for all-gathers"},
    nccl_setting{"NCCL_SYM_KERNEL", recorded, "", "tunes: which kernel serves windows"},
    nccl_setting{"NCCL_ALGO", recorded, "", "an all-to-all knows no choice of algorithm"},
    nccl_setting{"NCCL_PROTO", recorded, "", "tunes: the protocol of small chunks"},
    nccl_setting{"NCCL_MIN_CTAS", recorded, "", "tunes: SMs taken"},
    nccl_setting{"NCCL_MAX_CTAS", recorded, "", "tunes: SMs taken"},
    nccl_setting{"NCCL_NVLS_ENABLE", recorded, "", "an all-to-all reduces nothing in the switch"},
};

}  // namespace

std::span<const nccl_setting> nccl_settings() { return settings; }

std::string nccl_environment_obstacle() {
  for (const nccl_setting& each : settings) {
    if (each.treatment == recorded) continue;
    const char* const text = std::getenv(each.name.data());
    const std::string_view value = text ? text : "";
    if (value.empty() || value == each.harmless) continue;
    return std::string(each.name) + " is set, and " + std::string(each.why) + ": unset it";
  }
  return "";
}

}  // namespace ithaca
