#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ithaca::traces {

/// Makes one JSON value of a parser's events.
class json_builder {
 public:
  bool empty() const { return open_.empty(); }
  std::size_t depth() const { return open_.size(); }

  void key(std::string name) { key_ = std::move(name); }
  void add(nlohmann::json value) { place(std::move(value)); }
  void open(nlohmann::json container) { open_.push_back(&place(std::move(container))); }
  /// Whether that was the outermost container.
  bool close() {
    open_.pop_back();
    return open_.empty();
  }

  /// The finished value.
  nlohmann::json take() { return std::exchange(root_, nullptr); }

 private:
  nlohmann::json& place(nlohmann::json value) {
    if (open_.empty()) return root_ = std::move(value);
    nlohmann::json& in = *open_.back();
    if (in.is_object()) return in[key_] = std::move(value);
    in.push_back(std::move(value));
    return in.back();
  }

  nlohmann::json root_;
  std::vector<nlohmann::json*> open_;
  std::string key_;
};

}  // namespace ithaca::traces
