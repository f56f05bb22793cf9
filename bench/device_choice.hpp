#pragma once

#include <memory>
#include <optional>

#include "backend/device.hpp"
#include "backend/group.hpp"
#include "bench/gpu_choice.hpp"

namespace ithaca::bench {

struct chosen_device {
  std::shared_ptr<device> opened;  ///< a simulated one belongs to its world
  int ordinal = 0;                 ///< CUDA: in this process's numbering
};

/// Opens this rank's device: one GPU a rank of a host where there are GPUs (`wanted` empty or
/// cuda), else the host device. Collective. Throws `invalid_use` on every rank alike when a GPU is
/// asked for and there are not enough of them.
chosen_device choose_device(std::optional<device_kind> wanted, gpu_sharing sharing, group& world);

}  // namespace ithaca::bench
