#include "backend/mpi/mpi_group.hpp"

#include <numeric>
#include <string>

#include "backend/mpi/mpi_completion.hpp"
#include "backend/mpi/mpi_session.hpp"
#include "backend/peer_watch.hpp"
#include "backend/step.hpp"

namespace ithaca {

mpi_group::mpi_group(mpi_communicator communicator) : communicator_(std::move(communicator)) {
  check(MPI_Comm_rank(native(), &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(native(), &size_), "MPI_Comm_size");
}

std::unique_ptr<mpi_group> mpi_group::split(int color, int key) {
  barrier();  // has a deadline, which splitting has not
  const blocking_call splitting(*this, "MPI_Comm_split");
  return std::make_unique<mpi_group>(mpi_communicator::split(native(), color, key));
}

std::vector<std::vector<std::byte>> mpi_group::do_all_gather(std::span<const std::byte> mine) {
  const int my_length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(size_));
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallgather(&my_length, 1, MPI_INT, lengths.data(), 1, MPI_INT, native(), &request),
        "MPI_Iallgather");
  complete(request, deadline(), "gathering lengths", watched().get());

  std::vector<int> offsets(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
  std::vector<std::byte> all(static_cast<std::size_t>(offsets.back() + lengths.back()));
  check(MPI_Iallgatherv(mine.data(), my_length, MPI_BYTE, all.data(), lengths.data(),
                        offsets.data(), MPI_BYTE, native(), &request),
        "MPI_Iallgatherv");
  complete(request, deadline(), "gathering data", watched().get());

  std::vector<std::vector<std::byte>> parts;
  for (std::size_t each = 0; each < lengths.size(); ++each) {
    const auto begin = all.begin() + offsets[each];
    parts.emplace_back(begin, begin + lengths[each]);
  }
  return parts;
}

void mpi_group::do_barrier() {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(native(), &request), "MPI_Ibarrier");
  complete(request, deadline(), "a barrier", watched().get());
}

std::vector<unique_fd> mpi_group::do_all_gather_descriptors(const unique_fd& mine) {
  return mesh().all_gather(mine, timeout(), watched().get());
}

void mpi_group::watch_peers() {
  if (!why_not_one_host().empty()) return;
  mesh();
  set_watch(std::make_shared<peer_watch>(mesh_));
}

descriptor_mesh& mpi_group::mesh() {
  if (!mesh_) {
    mesh_ = std::make_shared<descriptor_mesh>(
        rank_, size_, [this](const std::string& text) { return all_gather_text(text); }, timeout());
  }
  return *mesh_;
}

}  // namespace ithaca
