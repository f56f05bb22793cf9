#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ithaca {

/// What happens to an environment variable that NCCL reads. Refused is what would silently make an
/// arm another one than its name says. What tunes NCCL, or lets an arm say by itself that it can't
/// run, is recorded in the report, as every NCCL_* variable is.
enum class setting_treatment { refused, recorded };

struct nccl_setting {
  std::string_view name;
  setting_treatment treatment;
  std::string_view harmless;  ///< refused but for this value, which is NCCL's own; empty: always
  std::string_view why;
};

/// The variables that touch an arm here, each with its treatment.
std::span<const nccl_setting> nccl_settings();

/// Empty, or the refused variable that this process has set, with what to do. NCCL makes its
/// configuration files environment when it opens its first communicator: ask again then.
std::string nccl_environment_obstacle();

}  // namespace ithaca
