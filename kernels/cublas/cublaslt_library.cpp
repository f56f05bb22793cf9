#include "kernels/cublas/cublaslt_library.hpp"

#include <dlfcn.h>

#include "kernels/launch_error.hpp"

namespace ithaca::kernels {
namespace {

void* open_library() {
  std::string first_reason;
  for (const int major : {CUBLAS_VER_MAJOR, 13, 12}) {
    const std::string name = "libcublasLt.so." + std::to_string(major);
    if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    if (first_reason.empty()) first_reason = dlerror();
  }
  throw launch_error("cuBLASLt can't be loaded: " + first_reason);
}

template <class Function>
void need(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (!function) throw launch_error(std::string("no cuBLASLt since 12: it has no ") + symbol);
}

}  // namespace

cublaslt_library::cublaslt_library() {
  void* const library = open_library();
  need(library, "cublasLtGetStatusString", get_status_string);
  need(library, "cublasLtCreate", create);
  need(library, "cublasLtDestroy", destroy);
  need(library, "cublasLtMatmul", matmul);
  need(library, "cublasLtMatmulAlgoGetHeuristic", matmul_algo_get_heuristic);
  need(library, "cublasLtMatmulDescCreate", matmul_desc_create);
  need(library, "cublasLtMatmulDescDestroy", matmul_desc_destroy);
  need(library, "cublasLtMatmulDescSetAttribute", matmul_desc_set_attribute);
  need(library, "cublasLtMatrixLayoutCreate", matrix_layout_create);
  need(library, "cublasLtMatrixLayoutDestroy", matrix_layout_destroy);
  need(library, "cublasLtMatmulPreferenceCreate", preference_create);
  need(library, "cublasLtMatmulPreferenceDestroy", preference_destroy);
  need(library, "cublasLtMatmulPreferenceSetAttribute", preference_set_attribute);
}

const cublaslt_library& cublaslt_library::get() {
  static const cublaslt_library library;
  return library;
}

void cublaslt_library::check(cublasStatus_t status, const char* what) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw launch_error(std::string("matmul: ") + what + ": " + get_status_string(status));
}

}  // namespace ithaca::kernels
