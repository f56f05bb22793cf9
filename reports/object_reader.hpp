#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/json.hpp"

namespace ithaca::reports {

/// Throws `std::invalid_argument`: "`place` `what`".
[[noreturn]] void refuse(const std::string& place, const std::string& what);

// The value as the named type; else refused, naming `place` and what was found.
double as_number(const json& value, const std::string& place);
std::int64_t as_integer(const json& value, const std::string& place);
std::uint64_t as_count(const json& value, const std::string& place);
int as_small_count(const json& value, const std::string& place);
std::string as_text(const json& value, const std::string& place);
const json& as_array(const json& value, const std::string& place);
const json& as_object(const json& value, const std::string& place);

/// The text, or JSON's null: the counterpart of `object_reader::text_or_null`.
json or_null(const std::optional<std::string>& text);

/// Reads the fields of one JSON object and refuses those that are missing, of another type or
/// foreign, naming the place: "cells[3].metrics.time_us".
class object_reader {
 public:
  /// Refuses what is no object. `value` must outlive the reader.
  object_reader(const json& value, std::string place);

  /// A field that must be there.
  const json& at(const std::string& field);
  /// A field that may be absent; then null.
  const json* find(const std::string& field);

  double number(const std::string& field);
  double positive(const std::string& field);
  std::int64_t integer(const std::string& field);
  std::uint64_t count(const std::string& field);
  int small_count(const std::string& field);
  bool boolean(const std::string& field);
  std::string text(const std::string& field);
  std::string one_of(const std::string& field, std::initializer_list<std::string_view> known);
  std::optional<std::string> text_or_null(const std::string& field);
  const json& array(const std::string& field);

  std::string place_of(const std::string& field) const;
  /// Refuses the object if it has a field that none of the calls above asked for.
  void finish() const;

 private:
  const json& value_;
  std::string place_;
  std::set<std::string> asked_;
};

}  // namespace ithaca::reports
