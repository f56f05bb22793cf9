#include "backend/cuda/cuda_check.hpp"

#include <string>

#include "backend/cuda/driver_api.hpp"
#include "backend/errors.hpp"

namespace ithaca {
namespace {

[[noreturn]] void fail(const char* what, const std::source_location& at, const char* name,
                       const char* text) {
  throw exchange_broken(std::string(what) + " failed (" + at.file_name() + ":" +
                        std::to_string(at.line()) + "): " + (name ? name : "unknown error") + ": " +
                        (text ? text : "no description"));
}

}  // namespace

void check(cudaError_t status, const char* what, const std::source_location& at) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // it is reported here, not by a later call
  fail(what, at, cudaGetErrorName(status), cudaGetErrorString(status));
}

void check(CUresult status, const char* what, const std::source_location& at) {
  if (status == CUDA_SUCCESS) return;
  const driver_api& driver = driver_api::get();
  const char* name = nullptr;
  const char* text = nullptr;
  driver.get_error_name(status, &name);
  driver.get_error_string(status, &text);
  fail(what, at, name, text);
}

}  // namespace ithaca
