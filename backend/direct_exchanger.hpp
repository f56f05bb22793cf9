#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "backend/copy_lanes.hpp"
#include "backend/direct_setup.hpp"
#include "backend/event_pool.hpp"
#include "backend/exchange_ledger.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "backend/handshake.hpp"
#include "backend/own_chunk_copies.hpp"
#include "backend/peer_routes.hpp"
#include "backend/push_lane.hpp"
#include "backend/step.hpp"
#include "backend/step_pacer.hpp"
#include "backend/tensor_progress.hpp"
#include "kernels/copy_region.hpp"

namespace ithaca {

/// The exchange straight into the peers' mapped final-layout targets: pitched copies from the
/// strided source by copy engine (or stores by a push kernel), on one high-priority stream (several
/// flows out of one GPU halve its rate), then one epoch a peer by stream-memory write. Consumers
/// wait for the peers' epochs on their own stream. The own chunk's local copy runs on a stream of
/// its own, beside the peers'; with copy engines it is all that takes SMs. A push exchange instead
/// is one kernel on the caller's stream, which signals and waits itself (push_lane).
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
  /// A stream that tensors of an exchange were submitted on must live until its last submit.
  ///
  /// With `signal_words::flags` a whole exchange, from its first submit to its last release, may be
  /// captured into a graph and replayed, on all ranks alike and in the order of their other
  /// exchanges. The streams that replay it must be ordered like those that would submit it; its
  /// targets stay for good. Otherwise a capture is refused with `invalid_use`.
  void submit(std::string_view tag, const slice& part, const source_view& source, stream& on,
              submit_order order) override;
  target_view wait(std::string_view tag, stream& on) override;
  void release(std::string_view tag, stream& on) override;
  std::string why_not_captured() const override;
  bool synchronize(std::chrono::steady_clock::time_point deadline) override;
  std::size_t memory_bytes() const override { return setup_.memory_bytes(); }
  /// A hybrid's way; of the others only whether signals are staged though nobody asked for it, as
  /// the mover's name with `staged_suffix`.
  exchange_way taken() const override;
  std::string standing() const override { return ledger_.standing(); }
  std::string diagnose() override;

 private:
  struct tag_state {
    std::optional<tensor_spec> spec;
    std::shared_ptr<target> current;
    peer_routes routes;
    bool together = false;  // pushed by one kernel, with the others of its exchange
    exchange_mark last;
    tensor_progress progress;
  };

  /// What the exchange that is being submitted has enqueued.
  struct open_exchange {
    exchange_mark now;
    std::uint64_t capture = 0;
    bool on_copy_stream = false;
  };

  /// One exchange on this rank, from its last submit to its last release.
  struct completion {
    exchange_mark mark;
    std::uint64_t capture = 0;
    std::shared_ptr<event> sent;  // all copies to peers; null with a kernel, which signals it
    std::vector<std::shared_ptr<event>> own_copied;  // apart from what goes to peers
    std::shared_ptr<event> arrived;                  // flags: behind the stream that took them down
    std::vector<std::shared_ptr<event>> released = {};  // in a capture: of each tag, so far
  };

  const direct_options& options() const { return setup_.options(); }
  /// Waits until nobody uses any target.
  void drain();
  exchange_way taken_by_size() const;
  void make_current(const tensor_spec& spec, bool together);
  target_view view(const tag_state& tag) const;
  /// The exchange that has written the tag's target before, if any.
  exchange_mark before(const tag_state& tag) const;
  std::vector<exchange_mark> exchanges_before(std::span<const std::size_t> tags) const;

  void require_capturable(const tag_state& tag, std::size_t leading, std::uint64_t capture) const;
  void require_captured_alike(std::size_t tag, const stream& on) const;
  void await_released(const target_slot& slot, stream& on, std::uint64_t capture) const;
  void await_permission(const tag_state& tag, int peer, const stream& on);
  stream& copies_to(int peer) const;

  // `on`: the stream of the submit.
  void enqueue(const tag_state& tag, const peer_route& route, const source_view& source,
               stream& on);
  /// `copies` to peers, of what lies behind `source`.
  void copy(const tag_state& tag, std::span<const pitched_copy> copies, const std::byte* source,
            const stream& on);
  void push(const tag_state& tag, const peer_route& route, const source_view& source,
            const stream& on);
  void copy_own(const tag_state& tag, const peer_route& route, const source_view& source,
                stream& on);
  void gather(std::size_t tag, const peer_route& route, const source_view& source, stream& on);
  /// What was gathered, on the copy stream with the rest of its exchange.
  void push_gathered(const stream& on);
  std::vector<kernels::copy_region> regions_to_peers(const tag_state& tag, const peer_route& route,
                                                     const source_view& source) const;
  /// After the last submit.
  void complete(std::span<const std::size_t> tags, stream& on);
  completion complete_on_copy_stream(std::span<const std::size_t> tags, const stream& on);
  completion complete_by_kernel(stream& on, std::span<const exchange_mark> before);
  void await_arrival(completion& done, std::string_view tag, stream& on);
  // With arrival per tensor.
  bool by_tensor() const { return options().arrivals == arrival_scope::per_tensor; }
  void require_not_announced(const tag_state& tag, const slice& part) const;
  /// What is enqueued of the tag is all of it.
  void announce_tensor(std::size_t number);
  void announce_release(const completion& done, stream& on);

  group& group_;
  device& device_;
  std::optional<blocking_call> closing_;  // before all whose end may wait for the device
  direct_setup setup_;
  std::vector<int> peers_;  // in sending order
  std::unique_ptr<event> source_ready_;
  event_pool marks_;
  std::optional<handshake> handshake_;
  std::optional<step_pacer> pacer_;  // of copies in paced order
  exchange_ledger ledger_;
  std::vector<tag_state> tags_;  // by the ledger's number
  push_lane kernels_;
  open_exchange open_;
  std::map<std::uint64_t, completion> completions_;
  // Last: they end before the memory that they write goes.
  copy_lanes lanes_;
  own_chunk_copies own_;
  std::unique_ptr<stream> release_stream_;  // held up by no copy
};

}  // namespace ithaca
