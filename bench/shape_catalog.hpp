#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/shape.hpp"

namespace ithaca::bench {

/// The named shapes of one file:
/// `{"note": text, "shapes": [{"name", "tokens", "heads", "head_dim", ...}]}`.
///
/// A shape may leave out `batch` (1), `kv_heads` (as many as heads), `hidden` (heads times head
/// size), `qk_norm` ("none"), `qkv_projection` ("split"), `verified` (false) and the texts. The
/// model's `layers` and `steps` may stand there for readers.
class shape_catalog {
 public:
  /// Throws `invalid_use`, naming the file and where possible the shape and the field, for a file
  /// that can't be read or parsed, a missing, foreign or wrong field, or a name that occurs twice.
  static shape_catalog load(const std::filesystem::path& file);

  const std::vector<shape>& shapes() const { return shapes_; }
  std::vector<std::string> names() const;
  /// Throws `invalid_use` with a suggestion for an unknown name.
  const shape& find(std::string_view name) const;

 private:
  explicit shape_catalog(std::vector<shape> shapes) : shapes_(std::move(shapes)) {}
  std::vector<shape> shapes_;
};

}  // namespace ithaca::bench
