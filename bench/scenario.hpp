#pragma once

#include <string>
#include <vector>

#include "backend/exchanger.hpp"
#include "bench/shape_choice.hpp"
#include "bench/workload.hpp"
#include "kernels/norm_rope.hpp"

namespace ithaca::bench {

/// One shape, in one element type, on Ulysses groups of one degree, one way.
struct scenario {
  shape_choice what;
  element_type type = element_type::bf16;
  int degree = 0;
  direction way = direction::scatter;
  kernels::rope_style rope = kernels::rope_style::neox;  ///< of a stage
};

/// "minimax-h3-ablation-u4 bf16 U4".
std::string to_string(const scenario& of);

/// How the scenario's tensors are divided: sequence and heads as evenly as they can be. Throws
/// `invalid_use` if the heads can't be shared.
head_layout layout_of(const scenario& of);

/// What one exchange moves, in the order of submission. Scatter: V first, since it needs no
/// preprocessing, then Q and K. Gather: the attention's output O.
std::vector<tensor_spec> specs_of(const scenario& of);

projection projection_of(const scenario& of);

/// Every combination of the chosen shapes, element types and degrees, shape by shape.
std::vector<scenario> combine(const std::vector<shape_choice>& shapes,
                              const std::vector<element_type>& types,
                              const std::vector<int>& degrees, direction way);

}  // namespace ithaca::bench
