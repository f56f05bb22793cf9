#include "bench/stage/stage_run.hpp"

namespace ithaca::bench {

stage_run::stage_run(stage_workload& load, exchanger& transport, const chosen_schedule& by,
                     std::int64_t shift)
    : load_(load), transport_(transport), by_(by), shift_(shift) {}

index_range stage_run::all_rows() const { return {0, sizes().rows(load_.rank())}; }

std::vector<index_range> stage_run::pieces(qkv_tensor tensor) const {
  return pieces_of(by_, tensor, all_rows().count);
}

void stage_run::project_all(index_range rows) {
  if (computes()) load_.project({0, sizes().all_heads()}, rows, shift_, {"qkv", -1, 0});
}

void stage_run::project(qkv_tensor tensor, index_range rows) {
  if (computes()) {
    load_.project({sizes().first_head(tensor), sizes().heads(tensor)}, rows, shift_,
                  {to_string(tensor), -1, 0});
  }
}

void stage_run::normalise(qkv_tensor tensor, index_range rows) {
  if (!computes()) return;
  load_.normalise(tensor, {0, sizes().heads(tensor)}, rows, shift_, own_target(tensor));
}

void stage_run::normalise_part(qkv_tensor tensor, int part) {
  if (!computes()) return;
  load_.normalise(tensor, sizes().heads_of_part(tensor, part, parts()), all_rows(), shift_, {});
}

void stage_run::submit(qkv_tensor tensor, index_range rows, submit_order order) {
  const target_view own = computes() ? own_target(tensor) : target_view{};
  submit_slice(tensor, tag_of(tensor, 0, 1), rows, 0, sizes().heads(tensor), order);
  // V has no kernel that could write its own chunk on the way. Behind the submit: nobody waits for
  // it but this stream.
  if (tensor == qkv_tensor::v && own.data != nullptr) load_.copy_own(tensor, rows, own);
}

void stage_run::submit_part(qkv_tensor tensor, int part, submit_order order) {
  const index_range heads = sizes().heads_of_part(tensor, part, parts());
  submit_slice(tensor, tag_of(tensor, part, parts()), all_rows(), heads.begin, heads.count, order);
}

void stage_run::submit_slice(qkv_tensor tensor, const std::string& tag, index_range rows,
                             std::int64_t first_head, std::int64_t heads, submit_order order) {
  if (side_ == stage_side::computation) return;
  const std::int64_t before_ns = load_.on().host_now_ns();
  transport_.submit(tag, {rows, {0, heads}}, load_.source(tensor, first_head), load_.compute(),
                    order);
  submit_ns_ += load_.on().host_now_ns() - before_ns;
}

target_view stage_run::own_target(qkv_tensor tensor) {
  if (by_.settings.own == own_chunk::copied) return {};
  const auto known = acquired_.find(tensor);
  if (known != acquired_.end()) return known->second;
  return acquired_[tensor] = transport_.acquire(tag_of(tensor, 0, 1), load_.compute());
}

}  // namespace ithaca::bench
