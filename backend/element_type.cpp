#include "backend/element_type.hpp"

#include <array>
#include <utility>

namespace ithaca {
namespace {

struct description {
  element_type type;
  std::string_view name;
  std::size_t size_bytes;
};

constexpr std::array descriptions = {
    description{element_type::bf16, "bf16", 2}, description{element_type::fp16, "fp16", 2},
    description{element_type::fp32, "fp32", 4}, description{element_type::fp8, "fp8", 1}};

constexpr const description& describe(element_type type) {
  return descriptions[static_cast<std::size_t>(type)];
}

}  // namespace

std::size_t size_bytes(element_type type) { return describe(type).size_bytes; }

std::string_view to_string(element_type type) { return describe(type).name; }

std::optional<element_type> parse_element_type(std::string_view name) {
  for (const description& each : descriptions) {
    if (each.name == name) return each.type;
  }
  return std::nullopt;
}

}  // namespace ithaca
