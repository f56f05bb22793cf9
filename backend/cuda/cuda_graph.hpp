#pragma once

#include <cuda_runtime_api.h>

#include "backend/stream.hpp"

namespace ithaca {

/// Captured operations, ready to be launched.
class cuda_graph final : public graph {
 public:
  /// Takes `captured`, and instantiates it on the current device.
  explicit cuda_graph(cudaGraph_t captured);
  ~cuda_graph() override;
  cuda_graph(const cuda_graph&) = delete;
  cuda_graph& operator=(const cuda_graph&) = delete;

  cudaGraphExec_t executable() const { return executable_; }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace ithaca
