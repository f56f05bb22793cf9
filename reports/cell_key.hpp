#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "reports/json.hpp"
#include "reports/object_reader.hpp"

namespace ithaca::reports {

/// The device whose times are a model's: they are marked wherever they are shown.
inline constexpr std::string_view simulated_device = "sim";

// What a sample is of. A stage's cell is isolated; the parts that it consists of have modes of
// their own.
inline constexpr std::string_view isolated_mode = "isolated";
inline constexpr std::string_view pipelined_mode = "pipelined";
inline constexpr std::string_view compute_only_mode = "compute-only";
inline constexpr std::string_view communication_only_mode = "communication-only";
inline constexpr std::string_view exchange_beside_mode = "exchange-beside";

/// What identifies a cell in a report: one arm in one scenario and mode.
struct cell_key {
  std::string command;
  std::string device;  ///< "cuda", "host" or "sim"
  std::string shape;
  std::string dtype;
  int degree = 0;
  std::string schedule;  ///< "exchange" where nothing but the exchange runs
  std::string arm;       ///< "none" where nothing is exchanged
  std::string mode;      ///< one of the modes above

  auto operator<=>(const cell_key&) const = default;
  /// Whether two cells differ in nothing but the arm.
  bool same_scenario(const cell_key& other) const;
};

inline bool is_simulated(const cell_key& of) { return of.device == simulated_device; }

/// "scatter host 1x64x8x16 bf16 U2 exchange copy-engine isolated".
std::string to_string(const cell_key& key);

/// Adds the key's fields to the object `to`.
void write_fields(const cell_key& from, json& to);
/// Reads the key's fields; `reader` may hold others.
cell_key read_cell_key(object_reader& reader);

}  // namespace ithaca::reports
