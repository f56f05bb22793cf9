#pragma once

namespace ithaca {

/// Makes the GPU the calling thread's current device, and leaves it so. Costs next to nothing
/// where it already is.
void make_current_device(int ordinal);

}  // namespace ithaca
