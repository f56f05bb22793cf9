#include "backend/cuda/cuda_graph.hpp"

#include "backend/cuda/cuda_check.hpp"

namespace ithaca {

cuda_graph::cuda_graph(cudaGraph_t captured) {
  const cudaError_t status = cudaGraphInstantiate(&executable_, captured, 0);
  static_cast<void>(cudaGraphDestroy(captured));
  check(status, "cudaGraphInstantiate");
}

cuda_graph::~cuda_graph() { static_cast<void>(cudaGraphExecDestroy(executable_)); }

}  // namespace ithaca
