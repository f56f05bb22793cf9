#include "backend/mpi/mpi_transport.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "backend/errors.hpp"
#include "backend/mpi/mpi_completion.hpp"
#include "backend/mpi/mpi_session.hpp"

namespace ithaca {
namespace {

struct mpi_chunks {
  std::vector<int> counts;
  std::vector<int> offsets;
};

std::size_t total(std::span<const std::size_t> bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
}

mpi_chunks as_chunks(std::span<const std::size_t> bytes) {
  mpi_chunks chunks;
  int offset = 0;
  for (const std::size_t each : bytes) {
    chunks.counts.push_back(static_cast<int>(each));
    chunks.offsets.push_back(offset);
    offset += static_cast<int>(each);
  }
  return chunks;
}

/// As a call of the group: who gives up in it has told the watch before.
mpi_communicator duplicate(const mpi_group& among) {
  try {
    return mpi_communicator::duplicate(among.native(), among.deadline(), among.watched().get());
  } catch (const exchange_broken& failure) {
    among.give_up(failure.what());
  }
}

}  // namespace

mpi_transport::mpi_transport(const mpi_group& among)
    : communicator_(duplicate(among)), timeout_(among.timeout()), looks_at_(among.watched()) {}

std::string mpi_transport::why_not(std::span<const std::size_t> send_bytes,
                                   std::span<const std::size_t> receive_bytes) const {
  constexpr auto limit = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (std::max(total(send_bytes), total(receive_bytes)) > limit) {
    return "more than 2 GiB a rank: MPI counts bytes in an int";
  }
  return "";
}

kernel_call mpi_transport::all_to_all(const std::byte* send,
                                      std::span<const std::size_t> send_bytes, std::byte* receive,
                                      std::span<const std::size_t> receive_bytes) {
  kernel_call call;
  call.name = "MPI_Ialltoallv";
  call.reads = {{send, total(send_bytes), total(send_bytes), 1}};
  call.writes = {{receive, total(receive_bytes), total(receive_bytes), 1}};
  call.host = [send, receive, out = as_chunks(send_bytes), in = as_chunks(receive_bytes),
               communicator = communicator_.native(), timeout = timeout_, looks_at = looks_at_] {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ialltoallv(send, out.counts.data(), out.offsets.data(), MPI_BYTE, receive,
                         in.counts.data(), in.offsets.data(), MPI_BYTE, communicator, &request),
          "MPI_Ialltoallv");
    complete(request, std::chrono::steady_clock::now() + timeout, "MPI_Ialltoallv", looks_at.get());
  };
  return call;
}

}  // namespace ithaca
