#pragma once

#include <nccl.h>

#include <string>

namespace ithaca {

/// NCCL as it was found at run time, so that another version can be tried without a rebuild. It
/// stays loaded: NCCL's threads do not survive an unload.
class nccl_library {
 public:
  /// What the dynamic linker is asked for where nobody names a file.
  static constexpr const char* usual_name = "libnccl.so.2";

  /// Opens `name` (a path, or a name for the dynamic linker). Throws `not_eligible` with the
  /// linker's words if there is none, or it lacks what every version since 2.19 has.
  explicit nccl_library(const std::string& name = usual_name);

  /// As NCCL counts them: 22809 for 2.28.9.
  int version_code() const { return version_code_; }
  /// E.g. "2.28.9".
  std::string version() const;

  decltype(&ncclGetErrorString) get_error_string = nullptr;
  decltype(&ncclGetLastError) get_last_error = nullptr;
  decltype(&ncclGetVersion) get_version = nullptr;
  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRankConfig) comm_init_rank_config = nullptr;
  decltype(&ncclCommDestroy) comm_destroy = nullptr;
  decltype(&ncclCommAbort) comm_abort = nullptr;
  decltype(&ncclMemAlloc) mem_alloc = nullptr;
  decltype(&ncclMemFree) mem_free = nullptr;
  decltype(&ncclAlltoAll) all_to_all = nullptr;                          ///< null before 2.28
  decltype(&ncclCommWindowRegister) comm_window_register = nullptr;      ///< null before 2.27
  decltype(&ncclCommWindowDeregister) comm_window_deregister = nullptr;  ///< null before 2.27

 private:
  int version_code_ = 0;
};

}  // namespace ithaca
