#include "backend/group.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>

#include "backend/errors.hpp"
#include "backend/host/host_identity.hpp"

namespace ithaca {
namespace {

using namespace std::chrono_literals;

/// What the device tells is worth this wait, when it may answer nobody.
constexpr auto inspection_limit = 200ms;

/// Who is gone. An error that a dead peer caused may be seen before its end is.
std::string who_is_gone(watch& by) {
  std::string reason = by.in_vain();
  for (int look = 0; reason.empty() && look < 3; ++look) {
    std::this_thread::sleep_for(20ms);
    reason = by.in_vain();
  }
  return reason;
}

/// The reason and what came of it, where one does not say the other too.
std::string joined(const std::string& reason, const std::string& error) {
  if (reason.find(error) != std::string::npos || error.find(reason) != std::string::npos) {
    return error;
  }
  return reason + "; " + error;
}

std::string looked_up(const std::function<std::string()>& where) {
  if (!where) return "";
  try {
    return where();
  } catch (const std::exception& failure) {
    return std::string("where it stands can't be read: ") + failure.what();
  }
}

}  // namespace

void group::give_up(const std::string& error, const std::function<std::string()>& where) const {
  if (!watch_) {
    throw exchange_broken(told_once(error, looked_up(where)));
  }
  const std::string cause = joined(who_is_gone(*watch_), error);
  watch_->enter_call(watch_->with_steps(cause),
                     std::chrono::steady_clock::now() + inspection_limit);
  const std::string inspected = told_once(cause, looked_up(where));
  watch_->leave_call();
  const std::string text = watch_->with_steps(inspected);
  watch_->give_up(text, cause);
  throw exchange_broken(text);
}

template <class Call>
auto group::collective(Call call) {
  ++collective_count_;
  try {
    return call();
  } catch (const exchange_broken& failure) {
    give_up(failure.what());
  }
}

std::vector<std::vector<std::byte>> group::all_gather(std::span<const std::byte> mine) {
  return collective([&] { return do_all_gather(mine); });
}

void group::barrier() {
  collective([&] { do_barrier(); });
}

bool group::agree(bool mine) { return maximum(mine ? 0 : 1) == 0; }

std::int64_t group::maximum(std::int64_t mine) {
  return std::ranges::max(all_gather_numbers(mine));
}

std::int64_t group::sum(std::int64_t mine) {
  const std::vector<std::int64_t> all = all_gather_numbers(mine);
  return std::accumulate(all.begin(), all.end(), std::int64_t{0});
}

std::vector<std::int64_t> group::all_gather_numbers(std::int64_t mine) {
  std::vector<std::int64_t> numbers;
  for (const auto& bytes : all_gather(std::as_bytes(std::span(&mine, 1)))) {
    std::memcpy(&numbers.emplace_back(), bytes.data(), sizeof mine);
  }
  return numbers;
}

std::vector<std::string> group::all_gather_text(const std::string& mine) {
  std::vector<std::string> texts;
  for (const auto& bytes : all_gather(std::as_bytes(std::span(mine)))) {
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return texts;
}

const std::vector<int>& group::hosts() {
  if (!hosts_.empty()) return hosts_;
  std::vector<std::string> names;
  for (const std::string& name : all_gather_text(host_name())) {
    const auto known = std::ranges::find(names, name);
    hosts_.push_back(static_cast<int>(known - names.begin()));
    if (known == names.end()) names.push_back(name);
  }
  return hosts_;
}

std::string group::why_not_one_host() {
  const int count = std::ranges::max(hosts()) + 1;
  return count == 1 ? "" : "the ranks are on " + std::to_string(count) + " different hosts";
}

std::string group::host_name() const { return host_identity(); }

std::vector<unique_fd> group::all_gather_descriptors(const unique_fd& mine) {
  if (std::string reason = why_not_one_host(); !reason.empty()) throw not_eligible(reason);
  return collective([&] { return do_all_gather_descriptors(mine); });
}

}  // namespace ithaca
