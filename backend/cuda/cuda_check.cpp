#include "backend/cuda/cuda_check.hpp"

#include <string>

#include "backend/cuda/driver_api.hpp"
#include "backend/errors.hpp"

namespace ithaca {
namespace {

std::string in_words(const char* name, const char* text) {
  return std::string(name ? name : "unknown error") + ": " + (text ? text : "no description");
}

std::string in_words(cudaError_t status) {
  static_cast<void>(cudaGetLastError());  // it is reported here, not by a later call
  return in_words(cudaGetErrorName(status), cudaGetErrorString(status));
}

std::string in_words(CUresult status) {
  const driver_api& driver = driver_api::get();
  const char* name = nullptr;
  const char* text = nullptr;
  driver.get_error_name(status, &name);
  driver.get_error_string(status, &text);
  return in_words(name, text);
}

[[noreturn]] void fail(const char* what, const std::source_location& at, const std::string& words) {
  throw exchange_broken(std::string(what) + " failed (" + at.file_name() + ":" +
                        std::to_string(at.line()) + "): " + words);
}

}  // namespace

void check(cudaError_t status, const char* what, const std::source_location& at) {
  if (status != cudaSuccess) fail(what, at, in_words(status));
}

void check(CUresult status, const char* what, const std::source_location& at) {
  if (status != CUDA_SUCCESS) fail(what, at, in_words(status));
}

void check_served(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw invalid_use(std::string(what) + ": " + in_words(status));
}

void check_served(CUresult status, const char* what) {
  if (status != CUDA_SUCCESS) throw invalid_use(std::string(what) + ": " + in_words(status));
}

}  // namespace ithaca
