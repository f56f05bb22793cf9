#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "backend/exchange_ledger.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "backend/signal_board.hpp"
#include "backend/target_cache.hpp"

namespace ithaca {

/// In which order a rank sends to its peers. Rotated (rank + 1, rank + 2, ...) keeps receivers
/// apart; naive (0, 1, ...) makes all ranks send to the same one at a time.
enum class peer_order { rotated, naive };

/// How a writer knows that a target is free. With `handshake` its readers say so; with `external`
/// the caller vouches for it (a collective between two uses of a tag) and guarantee 3 is off.
enum class target_reuse { handshake, external };

/// What moves the bytes. A push kernel stores into the peers' targets from `push_ctas` thread
/// blocks: it starts sooner than a copy engine, and takes SMs while it runs.
enum class mover { copy_engine, push_kernel };

struct direct_options {
  peer_order order = peer_order::rotated;
  target_reuse reuse = target_reuse::handshake;
  mover moves = mover::copy_engine;
  int push_ctas = 64;
};

/// The exchange straight into the peers' mapped final-layout targets: pitched copies from the
/// strided source by copy engine (or stores by a push kernel), on one high-priority stream (several
/// flows out of one GPU halve its rate), then one epoch a peer by stream-memory write. Consumers
/// wait for the peers' epochs on their own stream. With copy engines no SM takes part but for the
/// own chunk, whose local copy runs on a stream of its own, beside the peers' copies.
///
/// Arrival relies on observed behaviour: the header asks for a remote-write flush that these GPUs
/// report as unsupported. A checker that reads right behind `wait` is part of every measured run.
class direct_exchanger final : public exchanger {
 public:
  /// `among` and `on` outlive the exchanger.
  direct_exchanger(group& among, device& on, direct_options options = {});
  ~direct_exchanger() override;

  void prepare(std::span<const tensor_spec> specs) override;
  target_view acquire(std::string_view tag, stream& on) override;
  void submit(std::string_view tag, const slice& part, const source_view& source, stream& on,
              submit_order order) override;
  target_view wait(std::string_view tag, stream& on) override;
  void release(std::string_view tag, stream& on) override;
  bool synchronize(std::chrono::steady_clock::time_point deadline) override;
  std::size_t memory_bytes() const override;
  std::string diagnose() override;

 private:
  /// The copies of one slice: peers' in sending order, the own chunk apart.
  struct routed_plan {
    slice part;
    tensor_strides strides;
    std::vector<pitched_copy> to_peers;
    std::vector<pitched_copy> own;
  };

  /// Where a rank reads that a target's previous contents are given up.
  struct release_signal {
    std::size_t completing_tag = 0;
    std::uint64_t epoch = 0;
  };

  struct tag_state {
    std::optional<tensor_spec> spec;
    std::shared_ptr<target> current;
    std::vector<routed_plan> plans;
    release_signal free_when;
    std::unique_ptr<event> released;  // on this rank
  };

  /// One exchange on this rank, from its last submit to its last release.
  struct completion {
    std::size_t completing_tag = 0;
    std::unique_ptr<event> sent;         // all copies to peers, and the signals
    std::unique_ptr<event> own_copied;   // null: no own chunk was copied
    std::vector<const stream*> ordered;  // streams that already wait for it
  };

  void allocate_and_map(std::span<const tensor_spec> specs);
  void open_board();
  std::string why_not_here(std::span<const tensor_spec> specs);
  void make_current(const tensor_spec& spec);
  const routed_plan& plan(tag_state& tag, const slice& part, const tensor_strides& strides) const;
  void copy(const tag_state& tag, const routed_plan& routed, const source_view& source,
            std::uint64_t epoch);
  void push(const tag_state& tag, const routed_plan& routed, const source_view& source,
            std::uint64_t epoch);
  void await_peer_release(const release_signal& signal, int peer, const operation_label& label);
  void publish(std::uint64_t epoch, std::size_t completing_tag, std::vector<std::size_t> tags);
  void announce_release(std::uint64_t epoch, std::size_t completing_tag);
  std::vector<int> peers_in_order() const;

  group& group_;
  device& device_;
  direct_options options_;
  std::unique_ptr<stream> copy_stream_;
  std::unique_ptr<stream> own_stream_;
  std::unique_ptr<event> source_ready_;
  std::shared_ptr<memory> board_page_;
  std::optional<signal_board> board_;
  target_cache cache_;
  exchange_ledger ledger_;
  std::vector<tag_state> tags_;  // by the ledger's number
  std::map<std::uint64_t, completion> completions_;
  std::vector<std::unique_ptr<event>> spare_events_;
  std::vector<std::vector<std::uint64_t>> release_seen_;  // [tag][peer], on the copy stream
  bool own_copy_open_ = false;  // the open exchange has copied an own chunk
};

}  // namespace ithaca
