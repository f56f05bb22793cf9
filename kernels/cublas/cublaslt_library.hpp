#pragma once

#include <cublasLt.h>

#include <string>

namespace ithaca::kernels {

/// cuBLASLt as it was found at run time: programs start without it. It stays loaded.
class cublaslt_library {
 public:
  /// Opened by the first call that finds it, by name as the dynamic linker knows it: of the CUDA
  /// version that this was built with, else of another one since 12. Throws `launch_error` with
  /// the linker's words if there is none, or it lacks a function.
  static const cublaslt_library& get();

  /// Throws `launch_error` with what was done and the library's words, unless `status` is success.
  void check(cublasStatus_t status, const char* what) const;

  decltype(&cublasLtGetStatusString) get_status_string = nullptr;
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtDestroy) destroy = nullptr;
  decltype(&cublasLtMatmul) matmul = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) matmul_algo_get_heuristic = nullptr;
  decltype(&cublasLtMatmulDescCreate) matmul_desc_create = nullptr;
  decltype(&cublasLtMatmulDescDestroy) matmul_desc_destroy = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) matmul_desc_set_attribute = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) matrix_layout_create = nullptr;
  decltype(&cublasLtMatrixLayoutDestroy) matrix_layout_destroy = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create = nullptr;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set_attribute = nullptr;

 private:
  cublaslt_library();
};

}  // namespace ithaca::kernels
