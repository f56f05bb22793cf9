#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "backend/device.hpp"
#include "backend/direct_options.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "backend/signal_board.hpp"
#include "backend/target_cache.hpp"

namespace ithaca {

/// What the ranks of a direct exchange come to together before they exchange: whether they can
/// here, the kind of signal that works on all paths between them, their signals, and their targets.
class direct_setup {
 public:
  /// `among` and `on` outlive it.
  direct_setup(group& among, device& on, direct_options options);

  /// Collective unless every target is known: then local and free. Allocates and maps those that
  /// are missing. `drain` sees to it that nobody uses any target; it is called before old ones go.
  /// Throws as `exchanger::prepare`, on every rank alike.
  void prepare(std::span<const tensor_spec> specs, const std::function<void()>& drain);

  /// As asked for, but for the signals, once the paths were tried.
  const direct_options& options() const { return options_; }
  /// Why signals are staged though nobody asked for it; empty: as asked for.
  const std::string& signals_staged_because() const { return signals_staged_because_; }
  /// Null before the first `prepare` that was collective.
  const signal_board* board() const { return board_ ? &*board_ : nullptr; }
  /// Null if there is none; otherwise it counts as used.
  std::shared_ptr<target> target_of(const tensor_spec& spec) { return cache_.find(describe(spec)); }
  /// Device memory of this rank.
  std::size_t memory_bytes() const;

 private:
  void allocate_and_map(std::span<const tensor_spec> specs, const std::function<void()>& drain);
  std::string why_not_here(std::span<const tensor_spec> specs);
  /// Collective: tries the paths to the peers, and comes to the kind of signal that works on them.
  /// Throws `not_eligible` on every rank alike if none does.
  void probe_paths();
  void make_room(std::span<const tensor_spec> specs, const std::function<void()>& drain);
  std::shared_ptr<target> allocate(const tensor_spec& spec);

  group& group_;
  device& device_;
  direct_options options_;
  bool probed_ = false;
  std::string signals_staged_because_;
  std::shared_ptr<memory> board_page_;
  std::optional<signal_board> board_;
  target_cache cache_;
};

}  // namespace ithaca
