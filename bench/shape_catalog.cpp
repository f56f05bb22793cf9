#include "bench/shape_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "backend/errors.hpp"
#include "reports/console/nearest_name.hpp"

namespace ithaca::bench {
namespace {

using nlohmann::json;

json parse_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw invalid_use(fmt::format("{} is a folder: give a file of shapes", file.string()));
  }
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)) {
    throw invalid_use(fmt::format("{} is no regular file: give a file of shapes", file.string()));
  }
  std::ifstream stream(file);
  if (!stream) {
    throw invalid_use(
        fmt::format("{} can't be read: {}", file.string(), std::generic_category().message(errno)));
  }
  try {
    return json::parse(stream);
  } catch (const json::parse_error& wrong) {
    throw invalid_use(fmt::format("{} is no JSON: {}", file.string(), wrong.what()));
  } catch (const json::out_of_range& wrong) {
    throw invalid_use(
        fmt::format("{} holds a number that is too large: {}", file.string(), wrong.what()));
  } catch (const std::ios_base::failure& unreadable) {
    throw invalid_use(fmt::format("{} can't be read: {}", file.string(), unreadable.what()));
  }
}

/// Reads the fields of one shape, and knows the place for the message when one is wrong.
class shape_reader {
 public:
  shape_reader(const json& from, std::string file, std::size_t index)
      : from_(from), file_(std::move(file)), place_(fmt::format("{}: shapes[{}]", file_, index)) {
    if (!from_.is_object()) fail("is no object");
  }

  shape read() {
    shape to;
    to.name = text("name", nullptr);
    place_ += fmt::format(" '{}'", to.name);
    to.batch = integer("batch", 1);
    to.tokens = integer("tokens");
    to.heads = integer("heads");
    to.head_dim = integer("head_dim");
    to.kv_heads = integer("kv_heads", to.heads);
    const bool has_hidden = from_.contains("hidden");
    to.hidden = has_hidden ? integer("hidden") : 1;
    to.qk_norm = text("qk_norm", "none");
    to.qkv_projection = text("qkv_projection", "split");
    to.verified = boolean("verified", false);
    to.tokens_note = text("tokens_note", "");
    to.source = text("source", "");
    integer("layers", 0);
    integer("steps", 0);
    for (const auto& [field, unused] : from_.items()) {
      if (std::ranges::find(asked_, field) == asked_.end()) {
        fail(fmt::format("has an unknown field '{}'{}", field,
                         console::did_you_mean(field, asked_)));
      }
    }
    check_here(to);
    // Checked before they are multiplied.
    if (!has_hidden) to.hidden = to.heads * to.head_dim;
    return to;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw invalid_use(place_ + " " + what); }

  void check_here(const shape& of) const {
    try {
      check(of);
    } catch (const invalid_use& error) {
      throw invalid_use(file_ + ": " + error.what());
    }
  }

  const json* find(const std::string& field) {
    asked_.push_back(field);
    const auto found = from_.find(field);
    return found == from_.end() ? nullptr : &*found;
  }

  std::int64_t integer(const std::string& field) {
    if (!from_.contains(field)) fail(fmt::format("lacks '{}'", field));
    return integer(field, 0);
  }

  std::int64_t integer(const std::string& field, std::int64_t otherwise) {
    const json* found = find(field);
    if (found == nullptr) return otherwise;
    if (!found->is_number_integer()) fail(fmt::format("has a '{}' that is no whole number", field));
    if (found->is_number_unsigned() && found->get<std::uint64_t>() > INT64_MAX) {
      fail(fmt::format("has a '{}' that is too large", field));
    }
    return found->get<std::int64_t>();
  }

  /// A null `otherwise` demands the field.
  std::string text(const std::string& field, const char* otherwise) {
    const json* found = find(field);
    if (found == nullptr && otherwise == nullptr) fail(fmt::format("lacks '{}'", field));
    if (found == nullptr) return otherwise;
    if (!found->is_string()) fail(fmt::format("has a '{}' that is no text", field));
    return found->get<std::string>();
  }

  bool boolean(const std::string& field, bool otherwise) {
    const json* found = find(field);
    if (found == nullptr) return otherwise;
    if (!found->is_boolean()) fail(fmt::format("has a '{}' that is not true or false", field));
    return found->get<bool>();
  }

  const json& from_;
  std::string file_;
  std::string place_;
  std::vector<std::string> asked_;
};

}  // namespace

shape_catalog shape_catalog::load(const std::filesystem::path& file) {
  const json parsed = parse_file(file);
  const auto list = parsed.is_object() ? parsed.find("shapes") : parsed.end();
  if (!parsed.is_object() || list == parsed.end() || !list->is_array() || list->empty()) {
    throw invalid_use(fmt::format("{} holds no list of \"shapes\"", file.string()));
  }
  std::vector<shape> shapes;
  std::set<std::string> seen;
  for (std::size_t at = 0; at < list->size(); ++at) {
    const std::string place = fmt::format("{}: shapes[{}]", file.string(), at);
    shapes.push_back(shape_reader((*list)[at], file.string(), at).read());
    const std::string& name = shapes.back().name;
    if (!seen.insert(name).second) {
      throw invalid_use(fmt::format("{} '{}' has a name that occurs before", place, name));
    }
    if (name == "all") throw invalid_use(fmt::format("{}: 'all' can't name a shape", place));
  }
  return shape_catalog(std::move(shapes));
}

std::vector<std::string> shape_catalog::names() const {
  std::vector<std::string> names;
  for (const shape& each : shapes_) names.push_back(each.name);
  return names;
}

const shape& shape_catalog::find(std::string_view name) const {
  const auto found = std::ranges::find(shapes_, name, &shape::name);
  if (found == shapes_.end()) {
    throw invalid_use(
        fmt::format("there is no shape '{}'{}", name, console::did_you_mean(name, names())));
  }
  return *found;
}

}  // namespace ithaca::bench
