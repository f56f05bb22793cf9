#include "backend/signaller.hpp"

#include <utility>
#include <vector>

#include "kernels/barrier.hpp"

namespace ithaca {

void signaller::signal(stream& at, std::span<const peer_word> words, std::uint64_t value,
                       const operation_label& mine) const {
  if (kind_ == signal_kind::kernel) {
    std::vector<signalled_word> to;
    for (const peer_word& each : words) to.push_back({each.address, value});
    if (!to.empty()) at.launch(kernels::signal(std::move(to)), {mine.tag, -1, mine.exchange});
    return;
  }
  const bool staged = kind_ == signal_kind::staged_copy;
  if (staged && !words.empty()) at.write_value(slot_, value, mine);
  for (const peer_word& each : words) {
    const operation_label label{mine.tag, each.peer, mine.exchange};
    if (staged) {
      constexpr std::size_t bytes = sizeof value;
      at.copy({reinterpret_cast<const std::byte*>(slot_), bytes,
               reinterpret_cast<std::byte*>(each.address), bytes, bytes, 1, true},
              label);
    } else {
      at.write_value(each.address, value, label);
    }
  }
}

}  // namespace ithaca
