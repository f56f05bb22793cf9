#pragma once

#include "kernels/norm_rope_work.hpp"

namespace ithaca::kernels {

/// The host form of `norm_rope`, on the calling thread.
void norm_rope_on_host(const norm_rope_work& work);

}  // namespace ithaca::kernels
