#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/exchanger.hpp"
#include "bench/stage/qkv_tensor.hpp"

namespace ithaca::bench {

class stage_run;

/// What a person may set of a schedule.
struct schedule_settings {
  /// Whether the own chunk is copied by the exchanger, or written into the target by who computes
  /// it. The latter only with exchangers that allow it.
  own_chunk own = own_chunk::copied;
  /// Pieces of rows that each of `in_pieces` goes in; each piece is `shrink` times the next one.
  int pieces = 4;
  double shrink = 2;
  std::vector<qkv_tensor> in_pieces = {qkv_tensor::k};
  bool operator==(const schedule_settings&) const = default;
};

/// The order of projection, norm and scatter in a stage, under one name.
struct schedule {
  std::string_view name;
  std::string_view summary;  ///< what it is, in one line
  /// Enqueues one stage, up to its last submit.
  void (*run)(stage_run& stage);
  bool takes_pieces = false;
  bool takes_own = true;
  /// Equal parts of the heads, each an exchange of its own.
  int head_parts = 1;
};

/// Every schedule, in the order in which they are listed.
const std::vector<schedule>& schedule_table();

/// A schedule with its settings.
struct chosen_schedule {
  const schedule* what;
  schedule_settings settings;
  /// As a person types it, with every setting that is not the usual one: the same text for the
  /// same choice.
  std::string text() const;
};

/// The ranges of rows that a tensor is computed and submitted in. Throws `invalid_use` for more
/// pieces than rows.
std::vector<index_range> pieces_of(const chosen_schedule& chosen, qkv_tensor tensor,
                                   std::int64_t rows);

/// "chunked:pieces=4:shrink=2:tensors=k:own=produced". Throws `invalid_use`, in words, for an
/// unknown schedule or setting and for a value that can't be.
chosen_schedule parse_schedule(const std::string& text);

}  // namespace ithaca::bench
