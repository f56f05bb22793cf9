#include "reports/object_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ithaca::reports {
namespace {

[[noreturn]] void refuse_type(const std::string& place, const json& found, const char* expected) {
  refuse(place, fmt::format("is {} where {} belongs", found.type_name(), expected));
}

}  // namespace

void refuse(const std::string& place, const std::string& what) {
  throw std::invalid_argument(fmt::format("{} {}", place.empty() ? "the report" : place, what));
}

double as_number(const json& value, const std::string& place) {
  if (!value.is_number()) refuse_type(place, value, "a number");
  return value.get<double>();
}

std::int64_t as_integer(const json& value, const std::string& place) {
  if (!value.is_number_integer()) refuse_type(place, value, "a whole number");
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) {
    refuse(place, "is larger than a signed 64-bit number");
  }
  return value.get<std::int64_t>();
}

std::uint64_t as_count(const json& value, const std::string& place) {
  if (!value.is_number_integer()) refuse_type(place, value, "a whole number");
  if (!value.is_number_unsigned() && value.get<std::int64_t>() < 0) {
    refuse(place, "is negative where a count belongs");
  }
  return value.get<std::uint64_t>();
}

int as_small_count(const json& value, const std::string& place) {
  const std::uint64_t count = as_count(value, place);
  if (count > std::numeric_limits<int>::max()) refuse(place, "is too large");
  return static_cast<int>(count);
}

std::string as_text(const json& value, const std::string& place) {
  if (!value.is_string()) refuse_type(place, value, "a text");
  return value.get<std::string>();
}

const json& as_array(const json& value, const std::string& place) {
  if (!value.is_array()) refuse_type(place, value, "an array");
  return value;
}

const json& as_object(const json& value, const std::string& place) {
  if (!value.is_object()) refuse_type(place, value, "an object");
  return value;
}

json or_null(const std::optional<std::string>& text) { return text ? json(*text) : json(nullptr); }

object_reader::object_reader(const json& value, std::string place)
    : value_(as_object(value, place)), place_(std::move(place)) {}

const json& object_reader::at(const std::string& field) {
  const json* found = find(field);
  if (found == nullptr) refuse(place_, fmt::format("lacks the field \"{}\"", field));
  return *found;
}

const json* object_reader::find(const std::string& field) {
  asked_.insert(field);
  const auto found = value_.find(field);
  return found == value_.end() ? nullptr : &*found;
}

double object_reader::number(const std::string& field) {
  return as_number(at(field), place_of(field));
}

double object_reader::positive(const std::string& field) {
  const double value = number(field);
  if (!(value > 0)) refuse(place_of(field), "is not positive");
  return value;
}

std::int64_t object_reader::integer(const std::string& field) {
  return as_integer(at(field), place_of(field));
}

std::uint64_t object_reader::count(const std::string& field) {
  return as_count(at(field), place_of(field));
}

int object_reader::small_count(const std::string& field) {
  return as_small_count(at(field), place_of(field));
}

bool object_reader::boolean(const std::string& field) {
  const json& value = at(field);
  if (!value.is_boolean()) refuse_type(place_of(field), value, "true or false");
  return value.get<bool>();
}

std::string object_reader::text(const std::string& field) {
  return as_text(at(field), place_of(field));
}

std::string object_reader::one_of(const std::string& field,
                                  std::initializer_list<std::string_view> known) {
  std::string found = text(field);
  if (std::ranges::find(known, found) == known.end()) {
    refuse(place_of(field),
           fmt::format("is \"{}\" where one of {} belongs", found, fmt::join(known, ", ")));
  }
  return found;
}

std::optional<std::string> object_reader::text_or_null(const std::string& field) {
  const json& value = at(field);
  if (value.is_null()) return std::nullopt;
  return as_text(value, place_of(field));
}

const json& object_reader::array(const std::string& field) {
  return as_array(at(field), place_of(field));
}

std::string object_reader::place_of(const std::string& field) const {
  return place_.empty() ? field : place_ + "." + field;
}

void object_reader::finish() const {
  for (const auto& [field, unused] : value_.items()) {
    if (!asked_.contains(field)) refuse(place_, fmt::format("has a foreign field \"{}\"", field));
  }
}

}  // namespace ithaca::reports
