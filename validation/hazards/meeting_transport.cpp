#include "validation/hazards/meeting_transport.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <vector>

namespace ithaca::validation {
namespace {

constexpr std::chrono::seconds patience{10};

}  // namespace

meeting_transport::meeting_transport(std::shared_ptr<thread_meeting> meeting, int rank,
                                     bool equal_chunks)
    : meeting_(std::move(meeting)), rank_(rank), equal_chunks_(equal_chunks) {}

std::string meeting_transport::why_not(std::span<const std::size_t> send_bytes,
                                       std::span<const std::size_t> receive_bytes) const {
  const auto differs = [&](std::size_t bytes) { return bytes != send_bytes[0]; };
  if (equal_chunks_ &&
      (std::ranges::any_of(send_bytes, differs) || std::ranges::any_of(receive_bytes, differs))) {
    return "it was promised equal chunks";
  }
  return "";
}

kernel_call meeting_transport::all_to_all(const std::byte* send,
                                          std::span<const std::size_t> send_bytes,
                                          std::byte* receive,
                                          std::span<const std::size_t> receive_bytes) {
  std::vector<const std::byte*> chunks;
  for (std::size_t peer = 0; peer < send_bytes.size(); ++peer) {
    chunks.push_back(send);
    send += send_bytes[peer];
  }
  kernel_call call;
  call.name = "meeting_all_to_all";
  call.host = [meeting = meeting_, rank = rank_, chunks, receive,
               sizes = std::vector<std::size_t>(receive_bytes.begin(), receive_bytes.end())] {
    const auto offered = meeting->meet(rank, std::as_bytes(std::span(chunks)), patience);
    std::byte* to = receive;
    for (std::size_t peer = 0; peer < sizes.size(); ++peer) {
      const std::byte* from = nullptr;
      std::memcpy(&from, offered[peer].data() + static_cast<std::size_t>(rank) * sizeof from,
                  sizeof from);
      std::memcpy(to, from, sizes[peer]);
      to += sizes[peer];
    }
    meeting->meet(rank, {}, patience);  // nobody reuses its send buffer before all have read it
  };
  return call;
}

}  // namespace ithaca::validation
