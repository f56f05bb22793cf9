#include "backend/exchange_ledger.hpp"

#include <algorithm>
#include <stdexcept>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

[[noreturn]] void out_of_order(const char* call, const std::string& tag, const char* remedy) {
  throw std::logic_error(std::string(call) + "(" + tag + ") is out of order: " + remedy);
}

}  // namespace

std::size_t exchange_ledger::declare(std::string_view tag) {
  const auto found = std::ranges::find(entries_, tag, &entry::name);
  if (found != entries_.end()) return static_cast<std::size_t>(found - entries_.begin());
  entries_.push_back({std::string(tag), phase::free, 0});
  return entries_.size() - 1;
}

std::size_t exchange_ledger::number(std::string_view tag) const {
  const auto found = std::ranges::find(entries_, tag, &entry::name);
  if (found == entries_.end()) {
    throw std::logic_error("tag " + std::string(tag) + " was never prepared: call prepare first");
  }
  return static_cast<std::size_t>(found - entries_.begin());
}

void exchange_ledger::require_intact() const {
  if (broken_) throw exchange_broken("an earlier call on this exchanger failed in mid-exchange");
}

void exchange_ledger::require_free(std::size_t tag, const char* call) const {
  require_intact();
  if (entries_[tag].at != phase::free) {
    out_of_order(call, name(tag), "release the contents of its last exchange first");
  }
}

void exchange_ledger::require_arrived(std::size_t tag, const char* call) const {
  if (entries_[tag].at != phase::arrived) out_of_order(call, name(tag), "wait for it first");
}

std::uint64_t exchange_ledger::submit(std::size_t tag, submit_order order) {
  require_intact();
  entry& mine = entries_[tag];
  if (mine.at == phase::free) {
    // One signal gives an exchange's targets back, so its tags come back together.
    if (mine.exchange != 0 && !all_released(mine.exchange)) {
      out_of_order("submit", mine.name, "release the other tags of its last exchange first");
    }
    mine.at = phase::submitting;
    mine.exchange = next_;
    open_tags_.push_back(tag);
  } else if (mine.at != phase::submitting) {
    out_of_order("submit", mine.name, "wait for and release its last exchange first");
  }
  if (order == submit_order::last) {
    for (const std::size_t each : open_tags_) entries_[each].at = phase::complete;
    open_tags_.clear();
    ++next_;
  }
  return mine.exchange;
}

std::uint64_t exchange_ledger::wait(std::size_t tag) {
  require_intact();
  entry& mine = entries_[tag];
  if (mine.at == phase::free) out_of_order("wait", mine.name, "submit it first");
  if (mine.at == phase::submitting) {
    out_of_order("wait", mine.name, "the exchange's last submit has not been made");
  }
  mine.at = phase::arrived;
  return mine.exchange;
}

std::uint64_t exchange_ledger::release(std::size_t tag) {
  require_intact();
  require_arrived(tag, "release");
  entry& mine = entries_[tag];
  mine.at = phase::free;
  return mine.exchange;
}

bool exchange_ledger::all_released(std::uint64_t exchange) const {
  return std::ranges::none_of(entries_, [&](const entry& each) {
    return each.exchange == exchange && each.at != phase::free;
  });
}

std::string exchange_ledger::standing() const {
  return latest() == 0 ? "epoch 0 (no tag was submitted yet)" : in_words(latest());
}

std::string exchange_ledger::in_words(std::uint64_t exchange) const {
  std::string tags;
  int count = 0;
  for (const entry& each : entries_) {
    if (each.exchange != exchange) continue;
    tags += (tags.empty() ? "" : ", ") + each.name;
    ++count;
  }
  const std::string epoch = "epoch " + std::to_string(exchange);
  return count == 0 ? epoch : epoch + (count == 1 ? " (tag " : " (tags ") + tags + ")";
}

}  // namespace ithaca
