#include "kernels/cublas/cublaslt_matmul.hpp"

#include "kernels/cublas/cublaslt_library.hpp"

namespace ithaca::kernels {

void cublaslt_matmul::multiply(const bf16_matrix& x, const bf16_matrix& w, const bf16_matrix& y,
                               void* native_stream) {
  const cublaslt_library& library = cublaslt_library::get();
  if (!handle_) {
    cublasLtHandle_t made = nullptr;
    library.check(library.create(&made), "cublasLtCreate");
    handle_.reset(made);
  }
  const cublaslt_plan& plan = plan_of(x, w, y);
  const float one = 1;
  const float zero = 0;
  library.check(library.matmul(handle_.get(), plan.operation.get(), &one, w.data, plan.w.get(),
                               x.data, plan.x.get(), &zero, y.data, plan.y.get(), y.data,
                               plan.y.get(), &plan.algorithm, workspace_.data(), workspace_.size(),
                               static_cast<cudaStream_t>(native_stream)),
                "cublasLtMatmul");
}

const cublaslt_plan& cublaslt_matmul::plan_of(const bf16_matrix& x, const bf16_matrix& w,
                                              const bf16_matrix& y) {
  const auto extent = [](std::int64_t of) { return static_cast<std::uint64_t>(of); };
  const problem key = {extent(x.rows),     extent(x.columns),  extent(w.rows),
                       x.row_bytes,        w.row_bytes,        y.row_bytes,
                       alignment_bytes(x), alignment_bytes(w), alignment_bytes(y)};
  const auto found = plans_.find(key);
  if (found != plans_.end()) return found->second;
  return plans_.emplace(key, cublaslt_plan(handle_.get(), x, w, y, workspace_.size()))
      .first->second;
}

}  // namespace ithaca::kernels
