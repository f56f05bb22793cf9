#include "bench/stage/stage_workload.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "backend/errors.hpp"
#include "kernels/compare_bf16.hpp"
#include "kernels/fill.hpp"
#include "kernels/move_regions.hpp"
#include "kernels/random_bf16.hpp"

namespace ithaca::bench {
namespace {

constexpr std::uint64_t weights_seed = 1;
constexpr std::uint64_t first_input_seed = 2;  // of rank 0
constexpr float input_scale = 1;
constexpr double rope_base = 10'000;
/// A projection that is split otherwise may round an element to the bf16 beside it, 2^-8 of it,
/// which norm and rotation carry on. Elements are about 1 in size.
constexpr kernels::bf16_tolerance tolerance{.relative = 1.0F / 32, .absolute = 1.0F / 16};

/// With it the projection of a random input has a variance of 1.
float weights_scale(std::int64_t hidden) { return 3 / std::sqrt(static_cast<float>(hidden)); }

void require_matmul(const device& on) {
  const std::string reason = on.kind() == device_kind::cuda ? kernels::why_no_matmul_on_cuda()
                                                            : kernels::why_no_matmul_on_host();
  if (!reason.empty()) throw invalid_use("a stage projects Q, K and V: " + reason);
}

std::size_t workspace_bytes(const device& on) {
  return on.kind() == device_kind::cuda ? kernels::matmul::cuda_workspace_bytes : 256;
}

}  // namespace

double stage_workload::required_bytes(const stage_sizes& sizes, int rank) {
  const auto batch = static_cast<double>(sizes.batch());
  const auto hidden = static_cast<double>(sizes.hidden_bytes());
  const auto row = static_cast<double>(sizes.row_bytes());
  double bytes = static_cast<double>(kernels::matmul::cuda_workspace_bytes);
  bytes += static_cast<double>(sizes.columns()) * hidden;
  bytes += static_cast<double>(sizes.positions() * sizes.head_dim()) * sizeof(float);
  bytes += batch * static_cast<double>(sizes.rows(rank)) * row;
  double largest = 0;
  for (int from = 0; from < sizes.layout().degree(); ++from) {
    const auto rows = batch * static_cast<double>(sizes.stored_rows(from));
    bytes += rows * row;
    largest = std::max(largest, rows * hidden);
  }
  return bytes + 2 * largest;
}

stage_workload::stage_workload(device& on, const stage_sizes& sizes, int rank,
                               std::vector<int> global_ranks, kernels::rope_style rope)
    : device_((require_matmul(on), on)),
      sizes_(sizes),
      rank_(rank),
      global_ranks_(std::move(global_ranks)),
      rope_(rope),
      compute_(on.create_stream("compute", stream_priority::normal)),
      matmul_workspace_(on.allocate(workspace_bytes(on))),
      matmul_({matmul_workspace_->data(), matmul_workspace_->size_bytes()}),
      weights_(on.allocate(static_cast<std::size_t>(sizes.columns()) * sizes.hidden_bytes())),
      norm_weights_(on.allocate(static_cast<std::size_t>(sizes.columns()) * sizeof(float))),
      cos_sin_(on.allocate(static_cast<std::size_t>(sizes.positions() * sizes.head_dim()) *
                           sizeof(float))),
      input_(on.allocate(static_cast<std::size_t>(sizes.batch()) * input_batch_bytes(rank))),
      output_(on.allocate(std::max<std::size_t>(
          256, static_cast<std::size_t>(sizes.batch()) * output_batch_bytes()))),
      findings_(on.allocate(sizeof(kernels::check_result))) {
  for (int from = 0; from < sizes_.layout().degree(); ++from) {
    expected_.push_back(
        on.allocate(static_cast<std::size_t>(sizes_.batch()) * expected_batch_bytes(from)));
  }
  reset_findings();
  fill_tables();
  compute_expected();
  fill_input(rank_, input_->data());
  finish();
}

// ---- contents -----------------------------------------------------------------------------------

void stage_workload::fill_tables() {
  const auto channels = static_cast<std::size_t>(sizes_.columns());
  std::vector<float> weights(channels);
  for (std::size_t at = 0; at < channels; ++at) {
    weights[at] = 1 + 0.25F * std::sin(static_cast<float>(at));
  }
  device_.write(std::as_bytes(std::span(weights)), norm_weights_->data());

  const auto pairs = static_cast<std::size_t>(sizes_.head_dim() / 2);
  std::vector<float> cos_sin;
  cos_sin.reserve(static_cast<std::size_t>(sizes_.positions()) * pairs * 2);
  for (std::int64_t position = 0; position < sizes_.positions(); ++position) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double angle =
          static_cast<double>(position) *
          std::pow(rope_base, -static_cast<double>(pair) / static_cast<double>(pairs));
      cos_sin.push_back(static_cast<float>(std::cos(angle)));
      cos_sin.push_back(static_cast<float>(std::sin(angle)));
    }
  }
  device_.write(std::as_bytes(std::span(cos_sin)), cos_sin_->data());

  compute_->launch(kernels::random_bf16(
                       {weights_->data(), sizes_.columns(), sizes_.hidden(), sizes_.hidden_bytes()},
                       weights_seed, weights_scale(sizes_.hidden())),
                   {});
}

void stage_workload::fill_input(int of_rank, std::byte* to) {
  const auto global = static_cast<std::uint64_t>(global_ranks_[static_cast<std::size_t>(of_rank)]);
  compute_->launch(kernels::random_bf16({to, sizes_.batch() * sizes_.stored_rows(of_rank),
                                         sizes_.hidden(), sizes_.hidden_bytes()},
                                        first_input_seed + global, input_scale),
                   {});
}

/// Every rank's rows, as that rank would compute them without an exchange.
void stage_workload::compute_expected() {
  for (int from = 0; from < sizes_.layout().degree(); ++from) {
    const std::unique_ptr<memory> input =
        device_.allocate(static_cast<std::size_t>(sizes_.batch()) * input_batch_bytes(from));
    fill_input(from, input->data());
    std::byte* const expected = expected_[static_cast<std::size_t>(from)]->data();
    const index_range rows{0, sizes_.stored_rows(from)};
    for (std::int64_t batch = 0; batch < sizes_.batch(); ++batch) {
      const auto at = static_cast<std::size_t>(batch);
      compute_->launch(
          product(input->data() + at * input_batch_bytes(from),
                  expected + at * expected_batch_bytes(from), {0, sizes_.all_heads()}, rows),
          {});
      for (const qkv_tensor tensor : {qkv_tensor::q, qkv_tensor::k}) {
        launch_norm(
            {norm_tensor(tensor, {0, sizes_.heads(tensor)}, rows,
                         expected + at * expected_batch_bytes(from), sizes_.first_position(from))},
            {});
      }
    }
    finish();  // the input goes
  }
}

void stage_workload::finish() {
  constexpr std::chrono::minutes long_enough{5};
  if (!compute_->synchronize(std::chrono::steady_clock::now() + long_enough)) {
    throw invalid_use(
        "the stage's contents could not be computed within five minutes: use a "
        "smaller shape");
  }
}

// ---- kernels of a stage -------------------------------------------------------------------------

kernel_call stage_workload::product(std::byte* input, std::byte* output, index_range heads,
                                    index_range rows) const {
  const std::int64_t dim = sizes_.head_dim();
  const auto first_column = static_cast<std::size_t>(heads.begin * dim);
  return matmul_.multiply({input, rows.count, sizes_.hidden(), sizes_.hidden_bytes()},
                          {weights_->data() + first_column * sizes_.hidden_bytes(),
                           heads.count * dim, sizes_.hidden(), sizes_.hidden_bytes()},
                          {output + static_cast<std::size_t>(heads.begin) * sizes_.head_bytes(),
                           rows.count, heads.count * dim, sizes_.row_bytes()});
}

kernels::norm_rope_tensor stage_workload::norm_tensor(qkv_tensor tensor, index_range heads,
                                                      index_range rows, std::byte* output,
                                                      std::int64_t first_position) const {
  kernels::norm_rope_tensor made;
  made.data =
      output + static_cast<std::size_t>(rows.begin) * sizes_.row_bytes() +
      static_cast<std::size_t>(sizes_.first_head(tensor) + heads.begin) * sizes_.head_bytes();
  made.row_bytes = sizes_.row_bytes();
  made.rows = rows.count;
  made.heads = heads.count;
  made.head_dim = sizes_.head_dim();
  made.first_position = first_position + rows.begin;
  made.weights = reinterpret_cast<const float*>(norm_weights_->data()) +
                 sizes_.first_head(tensor) * sizes_.head_dim();
  return made;
}

void stage_workload::launch_norm(std::vector<kernels::norm_rope_tensor> tensors,
                                 const operation_label& label) {
  compute_->launch(kernels::norm_rope(std::move(tensors), sizes_.norm(), rope_,
                                      reinterpret_cast<const float*>(cos_sin_->data()),
                                      sizes_.positions(), kernels::common_epsilon),
                   label);
}

void stage_workload::project(index_range heads, index_range rows, std::int64_t shift,
                             const operation_label& label) {
  for (std::int64_t batch = 0; batch < sizes_.batch(); ++batch) {
    const auto at = static_cast<std::size_t>(batch);
    compute_->launch(
        product(input_->data() + at * input_batch_bytes(rank_) +
                    static_cast<std::size_t>(shift + rows.begin) * sizes_.hidden_bytes(),
                output_->data() + at * output_batch_bytes() +
                    static_cast<std::size_t>(rows.begin) * sizes_.row_bytes(),
                heads, rows),
        label);
  }
}

void stage_workload::normalise(qkv_tensor tensor, index_range heads, index_range rows,
                               std::int64_t shift, const target_view& own) {
  for (std::int64_t batch = 0; batch < sizes_.batch(); ++batch) {
    kernels::norm_rope_tensor made =
        norm_tensor(tensor, heads, rows,
                    output_->data() + static_cast<std::size_t>(batch) * output_batch_bytes(),
                    sizes_.first_position(rank_) + shift);
    if (own.data != nullptr) {
      const own_place place = place_of_own(tensor, rows, batch, own);
      made.own_chunk = {place.target, place.row_bytes, place.heads.begin, place.heads.count};
    }
    launch_norm({made}, {to_string(tensor), -1, 0});
  }
}

void stage_workload::copy_own(qkv_tensor tensor, index_range rows, const target_view& own) {
  std::vector<kernels::copy_region> regions;
  for (std::int64_t batch = 0; batch < sizes_.batch(); ++batch) {
    const own_place place = place_of_own(tensor, rows, batch, own);
    const source_view from = source(tensor, place.heads.begin);
    regions.push_back({from.data + static_cast<std::size_t>(batch) * from.strides.batch_bytes +
                           static_cast<std::size_t>(rows.begin) * from.strides.row_bytes,
                       from.strides.row_bytes, place.target, place.row_bytes, place.row_bytes,
                       static_cast<std::size_t>(rows.count)});
  }
  compute_->launch(kernels::copy_own_chunk(std::move(regions)), {to_string(tensor), -1, 0});
}

stage_workload::own_place stage_workload::place_of_own(qkv_tensor tensor, index_range rows,
                                                       std::int64_t batch,
                                                       const target_view& own) const {
  const head_layout& layout = sizes_.layout();
  const index_range heads = layout.heads(set_of(tensor), rank_);
  const std::size_t row_bytes = static_cast<std::size_t>(heads.count) * sizes_.head_bytes();
  const auto row =
      static_cast<std::size_t>(batch * layout.tokens() + layout.sequence(rank_).begin + rows.begin);
  return {own.data + row * row_bytes, row_bytes, heads};
}

std::byte* stage_workload::output_beside() {
  if (!beside_) {
    beside_ = device_.allocate(std::max<std::size_t>(
        256, static_cast<std::size_t>(sizes_.batch()) * output_batch_bytes()));
    project_beside();  // norms want numbers
  }
  return beside_->data();
}

void stage_workload::project_beside() {
  std::byte* const output = output_beside();
  for (std::int64_t batch = 0; batch < sizes_.batch(); ++batch) {
    const auto at = static_cast<std::size_t>(batch);
    compute_->launch(
        product(input_->data() + at * input_batch_bytes(rank_), output + at * output_batch_bytes(),
                {0, sizes_.all_heads()}, {0, sizes_.rows(rank_)}),
        {"qkv", -1, 0});
  }
}

void stage_workload::normalise_beside() {
  std::byte* const output = output_beside();
  for (std::int64_t batch = 0; batch < sizes_.batch(); ++batch) {
    for (const qkv_tensor tensor : {qkv_tensor::q, qkv_tensor::k}) {
      launch_norm({norm_tensor(tensor, {0, sizes_.heads(tensor)}, {0, sizes_.rows(rank_)},
                               output + static_cast<std::size_t>(batch) * output_batch_bytes(),
                               sizes_.first_position(rank_))},
                  {to_string(tensor), -1, 0});
    }
  }
}

source_view stage_workload::source(qkv_tensor tensor, std::int64_t first_head) const {
  return {output_->data() + static_cast<std::size_t>(sizes_.first_head(tensor) + first_head) *
                                sizes_.head_bytes(),
          {output_batch_bytes(), sizes_.row_bytes()}};
}

// ---- what arrived -------------------------------------------------------------------------------

void stage_workload::check(qkv_tensor tensor, int part, int parts, const target_view& arrived,
                           std::int64_t shift) const {
  const head_layout layout = sizes_.layout_of_part(parts);
  const index_range heads = layout.heads(set_of(tensor), rank_);
  const std::size_t row_bytes = static_cast<std::size_t>(heads.count) * sizes_.head_bytes();
  const auto first_head = static_cast<std::size_t>(
      sizes_.first_head(tensor) + sizes_.heads_of_part(tensor, part, parts).begin + heads.begin);
  std::vector<kernels::compared_block> blocks;
  const auto launch = [&] {
    compute_->launch(
        kernels::compare_bf16(arrived.data, std::exchange(blocks, {}), tolerance,
                              reinterpret_cast<kernels::check_result*>(findings_->data())),
        {to_string(tensor), -1, 0});
  };
  for (std::int64_t batch = 0; batch < sizes_.batch(); ++batch) {
    for (int from = 0; from < layout.degree(); ++from) {
      const auto row =
          static_cast<std::size_t>(batch * layout.tokens() + layout.sequence(from).begin);
      blocks.push_back({row * row_bytes, row_bytes,
                        expected_[static_cast<std::size_t>(from)]->data() +
                            static_cast<std::size_t>(batch) * expected_batch_bytes(from) +
                            static_cast<std::size_t>(shift) * sizes_.row_bytes() +
                            first_head * sizes_.head_bytes(),
                        sizes_.row_bytes(), sizes_.rows(from), heads.count * sizes_.head_dim()});
      if (blocks.size() == kernels::max_expected_blocks) launch();
    }
  }
  if (!blocks.empty()) launch();
}

void stage_workload::poison(const target_view& target) const {
  compute_->launch(kernels::poison(target.data, target.size_bytes), {});
}

kernels::check_result stage_workload::findings() const {
  kernels::check_result found;
  device_.read(findings_->data(), std::as_writable_bytes(std::span(&found, 1)));
  return found;
}

void stage_workload::reset_findings() {
  const kernels::check_result none;
  device_.write(std::as_bytes(std::span(&none, 1)), findings_->data());
}

std::uint64_t stage_workload::checked_bytes() const {
  std::uint64_t bytes = 0;
  for (const qkv_tensor tensor : all_qkv) {
    bytes += sizes_.layout().head_parallel_bytes(set_of(tensor), rank_);
  }
  return bytes;
}

std::size_t stage_workload::input_batch_bytes(int of_rank) const {
  return static_cast<std::size_t>(sizes_.stored_rows(of_rank)) * sizes_.hidden_bytes();
}

std::size_t stage_workload::output_batch_bytes() const {
  return static_cast<std::size_t>(sizes_.rows(rank_)) * sizes_.row_bytes();
}

std::size_t stage_workload::expected_batch_bytes(int of_rank) const {
  return static_cast<std::size_t>(sizes_.stored_rows(of_rank)) * sizes_.row_bytes();
}

}  // namespace ithaca::bench
