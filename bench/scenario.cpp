#include "bench/scenario.hpp"

namespace ithaca::bench {

std::string to_string(const scenario& of) {
  return of.what.chosen.name + " " + std::string(to_string(of.type)) + " U" +
         std::to_string(of.degree);
}

head_layout layout_of(const scenario& of) {
  const shape& shape = of.what.chosen;
  return head_layout({shape.batch, even_shares(shape.tokens, of.degree), shape.heads,
                      shape.kv_heads, shape.head_dim, of.type});
}

std::vector<tensor_spec> specs_of(const scenario& of) {
  const head_layout layout = layout_of(of);
  if (of.way == direction::gather) return {{"o", {layout, head_set::query, direction::gather}}};
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}}};
}

projection projection_of(const scenario& of) {
  return of.what.chosen.qkv_projection == "fused" ? projection::fused : projection::split;
}

std::vector<scenario> combine(const std::vector<shape_choice>& shapes,
                              const std::vector<element_type>& types,
                              const std::vector<int>& degrees, direction way) {
  std::vector<scenario> all;
  for (const shape_choice& shape : shapes) {
    for (const element_type type : types) {
      for (const int degree : degrees) all.push_back({shape, type, degree, way});
    }
  }
  return all;
}

}  // namespace ithaca::bench
