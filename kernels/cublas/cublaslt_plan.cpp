#include "kernels/cublas/cublaslt_plan.hpp"

#include <bit>

#include "kernels/cublas/cublaslt_library.hpp"
#include "kernels/launch_error.hpp"

namespace ithaca::kernels {
namespace {

cublaslt_owned<cublasLtMatrixLayoutOpaque_t> layout_of(const bf16_matrix& matrix) {
  const cublaslt_library& library = cublaslt_library::get();
  cublasLtMatrixLayout_t made = nullptr;
  // A single row may have any pitch.
  const std::size_t pitch = matrix.rows > 1 ? matrix.row_bytes : matrix.width_bytes();
  library.check(library.matrix_layout_create(
                    &made, CUDA_R_16BF, static_cast<std::uint64_t>(matrix.columns),
                    static_cast<std::uint64_t>(matrix.rows), static_cast<std::int64_t>(pitch / 2)),
                "cublasLtMatrixLayoutCreate");
  return cublaslt_owned<cublasLtMatrixLayoutOpaque_t>(made);
}

cublaslt_owned<cublasLtMatmulDescOpaque_t> make_operation() {
  const cublaslt_library& library = cublaslt_library::get();
  cublasLtMatmulDesc_t made = nullptr;
  library.check(library.matmul_desc_create(&made, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                "cublasLtMatmulDescCreate");
  cublaslt_owned<cublasLtMatmulDescOpaque_t> operation(made);
  const std::int32_t transposed = CUBLAS_OP_T;
  library.check(library.matmul_desc_set_attribute(made, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                                  sizeof transposed),
                "cublasLtMatmulDescSetAttribute");
  return operation;
}

template <class Value>
void prefer(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
            Value value) {
  const cublaslt_library& library = cublaslt_library::get();
  library.check(library.preference_set_attribute(preference, attribute, &value, sizeof value),
                "cublasLtMatmulPreferenceSetAttribute");
}

cublaslt_owned<cublasLtMatmulPreferenceOpaque_t> make_preference(const bf16_matrix& x,
                                                                 const bf16_matrix& w,
                                                                 const bf16_matrix& y,
                                                                 std::size_t workspace_bytes) {
  const cublaslt_library& library = cublaslt_library::get();
  cublasLtMatmulPreference_t made = nullptr;
  library.check(library.preference_create(&made), "cublasLtMatmulPreferenceCreate");
  cublaslt_owned<cublasLtMatmulPreferenceOpaque_t> preference(made);
  prefer(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{workspace_bytes});
  // Parts of a sum are added as floats; the other schemes round each of them to bf16.
  prefer(made, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
         std::uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
  prefer(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_bytes(w));
  prefer(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_bytes(x));
  prefer(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_bytes(y));
  prefer(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_bytes(y));
  return preference;
}

}  // namespace

void cublaslt_deleter::operator()(cublasLtContext* made) const {
  static_cast<void>(cublaslt_library::get().destroy(made));
}
void cublaslt_deleter::operator()(cublasLtMatmulDescOpaque_t* made) const {
  static_cast<void>(cublaslt_library::get().matmul_desc_destroy(made));
}
void cublaslt_deleter::operator()(cublasLtMatrixLayoutOpaque_t* made) const {
  static_cast<void>(cublaslt_library::get().matrix_layout_destroy(made));
}
void cublaslt_deleter::operator()(cublasLtMatmulPreferenceOpaque_t* made) const {
  static_cast<void>(cublaslt_library::get().preference_destroy(made));
}

cublaslt_plan::cublaslt_plan(cublasLtHandle_t handle, const bf16_matrix& x_like,
                             const bf16_matrix& w_like, const bf16_matrix& y_like,
                             std::size_t workspace_bytes)
    : operation(make_operation()),
      x(layout_of(x_like)),
      w(layout_of(w_like)),
      y(layout_of(y_like)) {
  const cublaslt_library& library = cublaslt_library::get();
  const auto preference = make_preference(x_like, w_like, y_like, workspace_bytes);
  cublasLtMatmulHeuristicResult_t choice = {};
  int choices = 0;
  library.check(
      library.matmul_algo_get_heuristic(handle, operation.get(), w.get(), x.get(), y.get(), y.get(),
                                        preference.get(), 1, &choice, &choices),
      "cublasLtMatmulAlgoGetHeuristic");
  if (choices < 1) throw launch_error("matmul: cuBLASLt knows no way for these shapes");
  library.check(choice.state, "cublasLtMatmulAlgoGetHeuristic");
  algorithm = choice.algo;
}

std::uint32_t alignment_bytes(const bf16_matrix& of) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(of.data);
  return std::uint32_t{1} << std::countr_zero(address | 256);
}

}  // namespace ithaca::kernels
