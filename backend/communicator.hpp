#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "backend/exchanger.hpp"
#include "backend/group.hpp"

namespace ithaca {

/// A way in which a communicator may move its exchanges.
struct transport_choice {
  std::string name;
  /// Collective. Throws `not_eligible` on every rank alike if it can't be had here.
  std::function<std::unique_ptr<exchanger>()> open;
};

/// What a model holds, one for all of its attention layers: the exchanger that serves here, taken
/// from a list of choices by agreement of all ranks, and through it the stream, the targets, the
/// mappings and the signals.
///
/// `prepare` takes the first choice that can serve the tensors; one that can't is passed over on
/// every rank alike, for good, and its reason kept. That may also happen later, for new tensors,
/// between exchanges: the tags prepared before move along. The transport in use is closed when the
/// next one has agreed to serve, so that a refused `prepare` leaves all as it was. Once a tag is in
/// an exchange (from its `acquire`, `stage` or first `submit` to its `release`) on any rank,
/// nothing switches: a failure is `exchange_broken`.
class communicator final : public exchanger {
 public:
  /// `among` outlives the communicator. Throws `std::invalid_argument` without choices.
  communicator(group& among, std::vector<transport_choice> choices);

  void prepare(std::span<const tensor_spec> specs) override;
  target_view acquire(std::string_view tag, stream& on) override;
  void stage(std::string_view tag, const slice& part, const source_view& source, stream& on,
             submit_order order) override;
  void submit(std::string_view tag, const slice& part, const source_view& source, stream& on,
              submit_order order) override;
  target_view wait(std::string_view tag, stream& on) override;
  void unstage(std::string_view tag, stream& on) override;
  void release(std::string_view tag, stream& on) override;
  std::string why_not_captured() const override;
  bool synchronize(std::chrono::steady_clock::time_point deadline) override;
  std::size_t memory_bytes() const override;
  std::size_t padding_bytes() const override;
  /// The choice taken (and its own way, if it has several), and why none before it was.
  exchange_way taken() const override;
  std::string standing() const override;
  std::string diagnose() override;

  /// Gives stream, targets, mappings and signals back without meeting the other ranks, as the
  /// destructor does; the next `prepare`, on all ranks, chooses anew. Throws `std::logic_error`
  /// while a tag is in an exchange.
  void offload();

 private:
  exchanger& chosen() const;
  void require_idle(const char* call) const;
  /// Collective. Throws `not_eligible` unless no rank has a tag in an exchange.
  void require_all_idle(const std::string& refusal) const;
  /// Drops the exchanger, once everything that it enqueued has run.
  void close();

  group& group_;
  std::vector<transport_choice> choices_;
  std::size_t at_ = 0;                // the choice that serves, or is tried first
  std::vector<std::string> reasons_;  // of those before it
  std::unique_ptr<exchanger> chosen_;
  std::map<std::string, tensor_spec, std::less<>> current_;  // by tag
  std::set<std::string, std::less<>> in_exchange_;           // tags: in use, not yet released
};

}  // namespace ithaca
