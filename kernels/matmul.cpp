#include "kernels/matmul.hpp"

#include <cstdint>
#include <stdexcept>

#include "kernels/launch_error.hpp"
#ifdef ITHACA_WITH_BLAS
#include "kernels/blas_matmul.hpp"
#endif
#ifdef ITHACA_WITH_CUBLASLT
#include "kernels/cublas/cublaslt_library.hpp"
#include "kernels/cublas/cublaslt_matmul.hpp"
#endif

namespace ithaca::kernels {
namespace {

void validate(const bf16_matrix& x, const bf16_matrix& w, const bf16_matrix& y) {
  for (const bf16_matrix& each : {x, w, y}) each.validate();
  if (x.columns != w.columns || y.rows != x.rows || y.columns != w.rows) {
    throw std::invalid_argument("matmul: the matrices don't fit together");
  }
  if (x.columns == 0 && !y.empty()) throw std::invalid_argument("matmul: nothing to sum up");
}

void multiply_on_host([[maybe_unused]] const bf16_matrix& x, [[maybe_unused]] const bf16_matrix& w,
                      [[maybe_unused]] const bf16_matrix& y) {
#ifdef ITHACA_WITH_BLAS
  blas_multiply(x, w, y);
#else
  throw launch_error("matmul: " + why_no_matmul_on_host());
#endif
}

}  // namespace

matmul::matmul(std::span<std::byte> workspace) : workspace_(workspace) {
  if (reinterpret_cast<std::uintptr_t>(workspace.data()) % 256 != 0) {
    throw std::invalid_argument("matmul: the workspace does not begin at a multiple of 256 bytes");
  }
#ifdef ITHACA_WITH_CUBLASLT
  on_cuda_ = std::make_shared<cublaslt_matmul>(workspace);
#endif
}

kernel_call matmul::multiply(const bf16_matrix& x, const bf16_matrix& w,
                             const bf16_matrix& y) const {
  validate(x, w, y);
  kernel_call call;
  call.name = "matmul";
  if (y.empty()) {
    call.host = [] {};
    call.cuda = [](void*) {};
    return call;
  }
  call.reads = {x.range(), w.range()};
  call.writes = {y.range()};
  if (!workspace_.empty()) {
    call.writes.push_back({workspace_.data(), workspace_.size(), workspace_.size(), 1});
  }
  call.host = [=] { multiply_on_host(x, w, y); };
#ifdef ITHACA_WITH_CUBLASLT
  call.cuda = [=, on_cuda = on_cuda_](void* native_stream) {
    on_cuda->multiply(x, w, y, native_stream);
  };
#elif defined(ITHACA_WITH_CUDA)
  call.cuda = [](void*) { throw launch_error("matmul: " + why_no_matmul_on_cuda()); };
#endif
  return call;
}

std::string why_no_matmul_on_host() {
#ifdef ITHACA_WITH_BLAS
  return "";
#else
  return "this build has no BLAS: OpenBLAS was not found, or left out";
#endif
}

std::string why_no_matmul_on_cuda() {
#ifdef ITHACA_WITH_CUBLASLT
  try {
    static_cast<void>(cublaslt_library::get());
    return "";
  } catch (const launch_error& error) {
    return error.what();
  }
#else
  return "this build has no cuBLASLt: its header was not found, or it was left out";
#endif
}

}  // namespace ithaca::kernels
