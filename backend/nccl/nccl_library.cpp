#include "backend/nccl/nccl_library.hpp"

#include <dlfcn.h>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

/// Null if the library lacks it.
template <class Function>
void find(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
}

template <class Function>
void need(void* library, const char* symbol, Function& function) {
  find(library, symbol, function);
  if (!function) throw not_eligible(std::string("no NCCL since 2.19: it has no ") + symbol);
}

}  // namespace

nccl_library::nccl_library(const std::string& name) {
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw not_eligible(std::string("NCCL can't be loaded: ") + dlerror());
  need(library, "ncclGetErrorString", get_error_string);
  need(library, "ncclGetLastError", get_last_error);
  need(library, "ncclGetVersion", get_version);
  need(library, "ncclGetUniqueId", get_unique_id);
  need(library, "ncclCommInitRankConfig", comm_init_rank_config);
  need(library, "ncclCommDestroy", comm_destroy);
  need(library, "ncclCommAbort", comm_abort);
  need(library, "ncclMemAlloc", mem_alloc);
  need(library, "ncclMemFree", mem_free);
  find(library, "ncclAlltoAll", all_to_all);
  find(library, "ncclCommWindowRegister", comm_window_register);
  find(library, "ncclCommWindowDeregister", comm_window_deregister);
  if (get_version(&version_code_) != ncclSuccess) throw not_eligible("NCCL tells no version");
}

std::string nccl_library::version() const {
  return std::to_string(version_code_ / 10000) + "." + std::to_string(version_code_ / 100 % 100) +
         "." + std::to_string(version_code_ % 100);
}

}  // namespace ithaca
