#pragma once

#include <string>

namespace ithaca {

/// The UUID of a GPU as nvidia-smi writes it, "GPU-" (of a MIG instance, "MIG-") and hexadecimal
/// groups of 8-4-4-4-12: the same in every process, whatever order it sees its GPUs in.
std::string gpu_identity(int ordinal);
/// E.g. "NVIDIA H200".
std::string gpu_name(int ordinal);
/// Whether an identity names a MIG instance.
bool is_mig(const std::string& identity);

/// The text form of 16 bytes.
std::string uuid_text(const std::string& prefix, const char (&bytes)[16]);

}  // namespace ithaca
