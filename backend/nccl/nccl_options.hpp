#pragma once

namespace ithaca {

/// How many SMs NCCL may take: as it sees fit, or none where its copy-engine path serves.
enum class cta_policy { standard, zero };

/// Whether NCCL is handed plain memory, or memory inside windows that all ranks have registered:
/// without them its zero-copy and copy-engine paths are not taken.
enum class nccl_buffers { plain, windows };

}  // namespace ithaca
