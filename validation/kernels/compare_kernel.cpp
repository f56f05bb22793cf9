#include "validation/kernels/compare_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "backend/errors.hpp"

namespace ithaca::validation {
namespace {

/// In front of an area: what is written there shows.
constexpr std::size_t guard_bytes = 256;
constexpr std::byte guard{0x5a};
/// What devices allocate whole.
constexpr std::size_t page_bytes = std::size_t{2} << 20;
constexpr std::chrono::seconds longest(60);

/// Some contents at the end of an allocation of their own.
class area {
 public:
  area(device& on, std::span<const std::byte> contents, std::size_t past)
      : on_(on), left_(guard_bytes + contents.size(), guard) {
    const std::size_t pages = (guard_bytes + contents.size() + 16 + page_bytes - 1) / page_bytes;
    // By handle, which on a GPU is a plain allocation: tools know its end.
    const auto how = on.why_not_shared(memory_sharing::handle).empty() ? memory_sharing::handle
                                                                       : memory_sharing::descriptor;
    memory_ = on.allocate(pages * page_bytes, how);
    // Allocations begin on 16-byte boundaries.
    at_ = memory_->data() + (pages * page_bytes - contents.size() - past) / 16 * 16 + past;
    std::ranges::copy(contents, left_.begin() + guard_bytes);
    on_.write(left_, at_ - guard_bytes);
  }

  std::byte* data() const { return at_; }
  /// What it holds now, the guard in front.
  const std::vector<std::byte>& read() {
    on_.read(at_ - guard_bytes, left_);
    return left_;
  }

 private:
  device& on_;
  std::unique_ptr<memory> memory_;
  std::byte* at_;
  std::vector<std::byte> left_;
};

/// The trial on one device.
struct trial_run {
  area source, target, words;

  trial_run(const kernel_trial& trial, device& on)
      : source(on, trial.source, trial.past),
        target(on, trial.target, trial.past),
        words(on, std::as_bytes(std::span(trial.words)), 0) {
    const std::unique_ptr<stream> runs = on.create_stream("trial", stream_priority::normal);
    runs->launch(
        trial.build({source.data(), target.data(), reinterpret_cast<std::uint64_t*>(words.data())}),
        {});
    if (!runs->synchronize(std::chrono::steady_clock::now() + longest)) {
      throw exchange_broken(
          fmt::format("{} ({}) did not end on {}", trial.kernel, trial.what, on.description()));
    }
  }
};

std::string difference(const char* where, area& subject, area& reference) {
  const std::vector<std::byte>& found = subject.read();
  const std::vector<std::byte>& right = reference.read();
  const auto [at, there] = std::ranges::mismatch(found, right);
  if (at == found.end()) return {};
  std::size_t wrong = 0;
  for (std::size_t byte = 0; byte < found.size(); ++byte) wrong += found[byte] != right[byte];
  return fmt::format("{} bytes of the {} differ, the first at {}: {:#04x} instead of {:#04x}",
                     wrong, where, at - found.begin() - static_cast<std::ptrdiff_t>(guard_bytes),
                     std::to_integer<int>(*at), std::to_integer<int>(*there));
}

}  // namespace

std::string compare_kernel(const kernel_trial& trial, device& subject, device& reference) {
  trial_run ours(trial, subject);
  trial_run theirs(trial, reference);
  for (const std::string& text : {difference("source", ours.source, theirs.source),
                                  difference("target", ours.target, theirs.target),
                                  difference("words", ours.words, theirs.words)}) {
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace ithaca::validation
