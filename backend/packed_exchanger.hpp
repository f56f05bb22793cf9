#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "backend/exchange_ledger.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "backend/packed_transport.hpp"
#include "backend/step.hpp"
#include "backend/target_cache.hpp"
#include "kernels/move_regions.hpp"

namespace ithaca {

/// What travels in one all-to-all: all pieces of an exchange, at its last submit, or each submit
/// at once. `by_caller`: all pieces too, but nothing else: `stage` packs them and `unstage` lays
/// them out (a bare exchanger).
enum class packing { whole_exchange, each_submit, by_caller };

/// The exchange as frameworks do it: one kernel packs what every rank is to get, one all-to-all
/// moves it, one kernel lays it out, on a high-priority stream. (An exchange in very many slices
/// takes several such kernels.)
///
/// A refused `prepare` leaves all as it was, so the buffers in use are kept while larger ones are
/// made: there must be room for both. Whoever prepares the largest tensors first needs it never.
class packed_exchanger final : public exchanger {
 public:
  /// `among` and `on` outlive the exchanger.
  packed_exchanger(group& among, device& on, std::unique_ptr<packed_transport> transport,
                   packing packed = packing::whole_exchange);
  ~packed_exchanger() override;

  void prepare(std::span<const tensor_spec> specs) override;
  target_view acquire(std::string_view tag, stream& on) override;
  void stage(std::string_view tag, const slice& part, const source_view& source, stream& on,
             submit_order order) override;
  void submit(std::string_view tag, const slice& part, const source_view& source, stream& on,
              submit_order order) override;
  target_view wait(std::string_view tag, stream& on) override;
  void unstage(std::string_view tag, stream& on) override;
  void release(std::string_view tag, stream& on) override;
  bool synchronize(std::chrono::steady_clock::time_point deadline) override;
  std::size_t memory_bytes() const override;
  std::size_t padding_bytes() const override { return padding_bytes_; }
  std::string standing() const override { return ledger_.standing(); }
  std::string diagnose() override;

 private:
  struct tag_state {
    std::optional<tensor_spec> spec;
    std::shared_ptr<target> current;
    std::unique_ptr<event> released;
  };

  /// What the all-to-all sends from and receives into. The binding goes first.
  struct packed_buffers {
    std::unique_ptr<memory> send;
    std::unique_ptr<memory> receive;
    std::unique_ptr<buffer_binding> bound;
    bool hold(std::size_t send_bytes, std::size_t receive_bytes) const {
      return send && send->size_bytes() >= send_bytes && receive->size_bytes() >= receive_bytes;
    }
  };

  /// One submit, kept until the exchange is complete.
  struct piece {
    std::size_t tag;
    slice part;
    source_view source;
    /// Whether another piece takes the same way: everything is equal but the address.
    bool same_way(const piece& other) const {
      return tag == other.tag && part == other.part && source.strides == other.source.strides;
    }
    bool operator==(const piece& other) const {
      return same_way(other) && source.data == other.source.data;
    }
  };

  /// A copy of the piece at place `piece` of an exchange, out of or into a packed buffer.
  struct placed_copy {
    std::size_t piece;
    pitched_copy copy;
  };

  /// How the pieces of an exchange are packed, sent and laid out: worked out once, used for every
  /// exchange whose pieces take the same way.
  struct packing_plan {
    std::vector<piece> pieces;
    std::vector<placed_copy> pack;      // source: the piece's;  target: the send buffer
    std::vector<placed_copy> relayout;  // source: the receive buffer;  target: the tag's
    std::vector<std::size_t> send_bytes;
    std::vector<std::size_t> receive_bytes;
  };

  /// Empty, or why `specs` can't be packed by one kernel.
  std::string why_not(std::span<const tensor_spec> specs) const;
  /// `specs`, and those of the other current tags.
  std::vector<tensor_spec> current_with(std::span<const tensor_spec> specs) const;
  void allocate(std::span<const tensor_spec> specs, std::span<const tensor_spec> together,
                const std::string& request);
  /// Bound buffers of at least these sizes and those in use, on every rank. Throws as `prepare`.
  packed_buffers make_buffers(std::size_t send_bytes, std::size_t receive_bytes);
  void make_current(const tensor_spec& spec);
  /// The part of `rank`'s source that corresponds to this rank's `piece`.
  slice part_on(int rank, const piece& of) const;
  /// The copies of one piece from `from` to `to`.
  std::vector<pitched_copy> route(const piece& of, int from, int to) const;
  /// Bytes that this rank sends to others beyond those of `specs`, whose exchange this is.
  std::size_t padding_of(std::span<const tensor_spec> specs) const;
  /// Size of the chunk of `pieces` that `from` sends to `to`, padding included.
  std::size_t chunk_bytes(const std::vector<piece>& pieces, int from, int to) const;
  packing_plan make_plan(const std::vector<piece>& pieces) const;
  const packing_plan& plan(const std::vector<piece>& pieces);
  std::vector<kernels::copy_region> pack_regions(const packing_plan& way,
                                                 const std::vector<piece>& pieces) const;
  /// Of all tags, or of one.
  std::vector<kernels::copy_region> relayout_regions(const packing_plan& way,
                                                     std::optional<std::size_t> tag) const;
  /// Throws `std::logic_error` unless this submit was staged.
  void require_staged(const piece& submitted, submit_order order) const;
  void move_pieces(std::uint64_t epoch, std::string_view completing_tag);

  group& group_;
  device& device_;
  std::optional<blocking_call> closing_;  // before all whose end may wait for the device
  packing packing_;
  std::unique_ptr<packed_transport> transport_;
  packed_buffers buffers_;
  std::unique_ptr<stream> stream_;
  std::unique_ptr<event> source_ready_;
  std::unique_ptr<event> arrived_;
  target_cache cache_;
  exchange_ledger ledger_;
  std::vector<tag_state> tags_;
  std::vector<piece> pieces_;
  std::vector<piece> staged_;  // of the exchange to be submitted
  bool staged_all_ = false;
  std::vector<piece> arrived_pieces_;  // of the last exchange, for `unstage`
  std::vector<packing_plan> plans_;
  std::map<std::string, std::size_t> padding_of_;  // by request: what was made room for
  std::size_t padding_bytes_ = 0;
};

}  // namespace ithaca
