#include "backend/communicator.hpp"

#include <stdexcept>
#include <utility>

#include "backend/errors.hpp"
#include "backend/host_wait.hpp"
#include "backend/step.hpp"

namespace ithaca {
namespace {

std::string joined(const std::vector<std::string>& reasons) {
  std::string text;
  for (const std::string& each : reasons) text += (text.empty() ? "" : "; ") + each;
  return text;
}

}  // namespace

communicator::communicator(group& among, std::vector<transport_choice> choices)
    : group_(among), choices_(std::move(choices)) {
  if (choices_.empty()) throw std::invalid_argument("a communicator needs a transport to choose");
}

void communicator::prepare(std::span<const tensor_spec> specs) {
  if (specs.empty()) return;
  auto wanted = current_;
  for (const tensor_spec& spec : specs) wanted.insert_or_assign(spec.tag, spec);
  std::vector<tensor_spec> all;
  for (const auto& [tag, spec] : wanted) all.push_back(spec);

  // What is in use stays until another choice has agreed to serve: a refusal changes nothing.
  std::vector<std::string> reasons = reasons_;
  for (std::size_t at = at_;; ++at) {
    try {
      if (chosen_ && at == at_) {
        chosen_->prepare(specs);
      } else {
        std::unique_ptr<exchanger> opened = choices_[at].open();
        opened->prepare(all);
        close();
        chosen_ = std::move(opened);
        at_ = at;
        reasons_ = std::move(reasons);
      }
      current_ = std::move(wanted);
      return;
    } catch (const not_eligible& refusal) {
      // Refused on every rank: all of them go on to the same next choice, or stop here.
      reasons.push_back(choices_[at].name + ": " + refusal.what());
    }
    if (chosen_ && at == at_) require_all_idle(reasons.back());
    if (at + 1 == choices_.size()) throw not_eligible(joined(reasons));
  }
}

void communicator::require_all_idle(const std::string& refusal) const {
  // Ranks need not be at the same point between their waits and releases.
  if (group_.agree(in_exchange_.empty())) return;
  throw not_eligible(refusal + "; another transport can be taken only between exchanges: " +
                     (in_exchange_.empty() ? "another rank has yet to release a tag"
                                           : "release tag " + *in_exchange_.begin() + " first"));
}

target_view communicator::acquire(std::string_view tag, stream& on) {
  const target_view mine = chosen().acquire(tag, on);
  in_exchange_.emplace(tag);
  return mine;
}

void communicator::stage(std::string_view tag, const slice& part, const source_view& source,
                         stream& on, submit_order order) {
  chosen().stage(tag, part, source, on, order);
  in_exchange_.emplace(tag);
}

void communicator::submit(std::string_view tag, const slice& part, const source_view& source,
                          stream& on, submit_order order) {
  chosen().submit(tag, part, source, on, order);
  in_exchange_.emplace(tag);
}

target_view communicator::wait(std::string_view tag, stream& on) { return chosen().wait(tag, on); }

void communicator::unstage(std::string_view tag, stream& on) { chosen().unstage(tag, on); }

void communicator::release(std::string_view tag, stream& on) {
  chosen().release(tag, on);
  if (const auto at = in_exchange_.find(tag); at != in_exchange_.end()) in_exchange_.erase(at);
}

std::string communicator::why_not_captured() const {
  return chosen_ ? chosen_->why_not_captured() : "no tensor was prepared: call prepare first";
}

bool communicator::synchronize(std::chrono::steady_clock::time_point deadline) {
  return !chosen_ || chosen_->synchronize(deadline);
}

std::size_t communicator::memory_bytes() const { return chosen_ ? chosen_->memory_bytes() : 0; }

std::size_t communicator::padding_bytes() const { return chosen_ ? chosen_->padding_bytes() : 0; }

exchange_way communicator::taken() const {
  if (!chosen_) return {};
  const exchange_way inner = chosen_->taken();
  std::string why = reasons_.empty() ? "the first choice" : "passed over: " + joined(reasons_);
  if (!inner.why.empty()) why += "; " + inner.why;
  return {inner.name.empty() ? choices_[at_].name : choices_[at_].name + "/" + inner.name, why};
}

std::string communicator::standing() const {
  return chosen_ ? chosen_->standing() : "no exchange was prepared";
}

std::string communicator::diagnose() {
  if (!chosen_) return "no exchange was prepared";
  return choices_[at_].name + ": " + chosen_->diagnose();
}

void communicator::offload() {
  require_idle("offload");
  close();
  current_.clear();
  reasons_.clear();
  at_ = 0;
}

exchanger& communicator::chosen() const {
  if (!chosen_) throw std::logic_error("no tensor was prepared: call prepare first");
  return *chosen_;
}

void communicator::require_idle(const char* call) const {
  if (in_exchange_.empty()) return;
  throw std::logic_error(std::string(call) + " is out of order: release tag " +
                         *in_exchange_.begin() + " first");
}

void communicator::close() {
  if (!chosen_) return;
  const step closing(group_, [] { return "closing a transport"; });
  require_done(
      group_, [&] { return chosen_->synchronize(group_.deadline()); },
      [&] { return chosen_->diagnose(); });
  chosen_.reset();
}

}  // namespace ithaca
