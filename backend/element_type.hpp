#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ithaca {

/// Element types of Q, K, V and O. An exchange moves them as opaque bytes.
enum class element_type { bf16, fp16, fp32, fp8 };

std::size_t size_bytes(element_type type);
std::string_view to_string(element_type type);
/// By name ("bf16", "fp16", "fp32", "fp8"); empty for any other text.
std::optional<element_type> parse_element_type(std::string_view name);

}  // namespace ithaca
