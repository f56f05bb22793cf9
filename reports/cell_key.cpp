#include "reports/cell_key.hpp"

#include <fmt/format.h>

namespace ithaca::reports {
bool cell_key::same_scenario(const cell_key& other) const {
  cell_key with_my_arm = other;
  with_my_arm.arm = arm;
  return *this == with_my_arm;
}

std::string to_string(const cell_key& key) {
  return fmt::format("{} {} {} {} U{} {} {} {}", key.command, key.device, key.shape, key.dtype,
                     key.degree, key.schedule, key.arm, key.mode);
}

void write_fields(const cell_key& from, json& to) {
  to["command"] = from.command;
  to["device"] = from.device;
  to["shape"] = from.shape;
  to["dtype"] = from.dtype;
  to["degree"] = from.degree;
  to["schedule"] = from.schedule;
  to["arm"] = from.arm;
  to["mode"] = from.mode;
}

cell_key read_cell_key(object_reader& reader) {
  cell_key key;
  key.command = reader.text("command");
  key.device = reader.one_of("device", {"cuda", "host", "sim"});
  key.shape = reader.text("shape");
  key.dtype = reader.text("dtype");
  key.degree = reader.small_count("degree");
  key.schedule = reader.text("schedule");
  key.arm = reader.text("arm");
  key.mode = reader.one_of("mode", {isolated_mode, pipelined_mode, compute_only_mode,
                                    communication_only_mode, exchange_beside_mode});
  return key;
}

}  // namespace ithaca::reports
