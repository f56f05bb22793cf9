#include "bench/workload.hpp"

#include <algorithm>

#include "kernels/fill.hpp"

namespace ithaca::bench {
namespace {

/// Where a tensor starts, so that kernels may use their widest accesses.
constexpr std::size_t alignment = 256;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

kernels::tensor_shape windowed_source(const tensor_spec& spec, int rank, std::int64_t window) {
  const slice whole = spec.geometry.whole_source(rank);
  return {spec.geometry.layout.batch(), whole.rows.count + window, whole.heads.count,
          spec.geometry.layout.head_bytes()};
}

}  // namespace

std::size_t workload::source_bytes(std::span<const tensor_spec> specs, int rank,
                                   std::int64_t window) {
  std::size_t bytes = 0;
  for (const tensor_spec& spec : specs) {
    bytes += aligned(windowed_source(spec, rank, window).size_bytes());
  }
  return bytes;
}

workload::workload(device& on, std::vector<tensor_spec> specs, int rank,
                   std::vector<int> global_ranks, projection projected, std::int64_t window)
    : device_(on),
      specs_(std::move(specs)),
      rank_(rank),
      global_ranks_(std::move(global_ranks)),
      window_(window),
      sources_(on.allocate(std::max(alignment, source_bytes(specs_, rank, window)))),
      findings_(on.allocate(sizeof(kernels::check_result))) {
  std::size_t fused_row = 0;
  for (std::size_t index = 0; index < specs_.size(); ++index) {
    fused_row += source_shape(index, rank_).row_bytes();
  }
  std::size_t offset = 0;
  for (std::size_t index = 0; index < specs_.size(); ++index) {
    const kernels::tensor_shape shape = source_shape(index, rank_);
    const std::size_t row = projected == projection::fused ? fused_row : shape.row_bytes();
    views_.push_back(
        {sources_->data() + offset, {static_cast<std::size_t>(shape.rows) * row, row}});
    offset += projected == projection::fused ? shape.row_bytes() : aligned(shape.size_bytes());
  }
  reset_findings();
}

kernels::tensor_shape workload::source_shape(std::size_t index, int rank) const {
  return windowed_source(specs_[index], rank, window_);
}

kernels::tensor_shape workload::target_shape(std::size_t index) const {
  const tensor_geometry& tensor = specs_[index].geometry;
  const slice whole = tensor.whole_target(rank_);
  return {tensor.layout.batch(), whole.rows.count, whole.heads.count, tensor.layout.head_bytes()};
}

void workload::fill(stream& on, std::uint64_t iteration) const {
  for (std::size_t index = 0; index < specs_.size(); ++index) {
    const source_view view = source(index, 0);
    on.launch(
        kernels::fill(const_cast<std::byte*>(view.data), source_shape(index, rank_),
                      view.strides.batch_bytes, view.strides.row_bytes,
                      {static_cast<std::uint32_t>(global_ranks_[static_cast<std::size_t>(rank_)]),
                       static_cast<std::uint32_t>(index), iteration}),
        {specs_[index].tag, -1, 0});
  }
}

source_view workload::source(std::size_t index, std::int64_t shift) const {
  source_view view = views_[index];
  view.data += static_cast<std::size_t>(shift) * view.strides.row_bytes;
  return view;
}

slice workload::whole(std::size_t index) const {
  return specs_[index].geometry.whole_source(rank_);
}

// What must be where is written down here a second time, not taken from the exchange's plan: a
// plan that is wrong must not also be what it is checked against.
std::vector<kernels::expected_block> workload::expected(std::size_t index, std::int64_t shift,
                                                        std::uint64_t iteration) const {
  const tensor_geometry& tensor = specs_[index].geometry;
  const head_layout& layout = tensor.layout;
  std::vector<kernels::expected_block> blocks;
  for (int from = 0; from < layout.degree(); ++from) {
    const kernels::tensor_shape source = source_shape(index, from);
    kernels::expected_block block;
    block.key = {static_cast<std::uint32_t>(global_ranks_[static_cast<std::size_t>(from)]),
                 static_cast<std::uint32_t>(index), iteration};
    block.source_rows = source.rows;
    block.source_heads = source.heads;
    if (tensor.way == direction::scatter) {
      block.target_row = layout.sequence(from).begin;
      block.rows = layout.sequence(from).count;
      block.heads = layout.heads(tensor.heads, rank_).count;
      block.source_row = shift;
      block.source_head = layout.heads(tensor.heads, rank_).begin;
    } else {
      block.target_head = layout.heads(tensor.heads, from).begin;
      block.rows = layout.sequence(rank_).count;
      block.heads = layout.heads(tensor.heads, from).count;
      block.source_row = layout.sequence(rank_).begin + shift;
    }
    blocks.push_back(block);
  }
  return blocks;
}

void workload::check(stream& on, std::size_t index, const target_view& arrived, std::int64_t shift,
                     std::uint64_t iteration) const {
  on.launch(kernels::check(arrived.data, target_shape(index), expected(index, shift, iteration),
                           reinterpret_cast<kernels::check_result*>(findings_->data())),
            {specs_[index].tag, -1, 0});
}

void workload::poison(stream& on, const target_view& target) const {
  on.launch(kernels::poison(target.data, target.size_bytes), {});
}

kernels::check_result workload::findings() const {
  kernels::check_result found;
  device_.read(findings_->data(), std::as_writable_bytes(std::span(&found, 1)));
  return found;
}

void workload::reset_findings() {
  const kernels::check_result none;
  device_.write(std::as_bytes(std::span(&none, 1)), findings_->data());
}

std::uint64_t workload::checked_bytes() const {
  std::uint64_t bytes = 0;
  if (!device_.moves_bytes()) return bytes;
  for (std::size_t index = 0; index < specs_.size(); ++index) {
    bytes += target_shape(index).size_bytes();
  }
  return bytes;
}

}  // namespace ithaca::bench
