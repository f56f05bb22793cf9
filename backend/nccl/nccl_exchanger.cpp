#include "backend/nccl/nccl_exchanger.hpp"

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "backend/nccl/nccl_environment.hpp"
#include "backend/nccl/nccl_transport.hpp"

namespace ithaca {

std::string nccl_file(const std::filesystem::path& named) {
  std::error_code none;
  const bool is_folder = std::filesystem::is_directory(named, none);
  const std::filesystem::path file = is_folder ? named / nccl_library::usual_name : named;
  if (!std::filesystem::is_regular_file(file, none)) {
    throw invalid_use(is_folder ? "the folder holds no libnccl.so.2" : "there is no such file");
  }
  // With a folder, so that the dynamic linker doesn't search.
  return std::filesystem::absolute(file).string();
}

std::string usable_nccl_version(const std::string& file) {
  const nccl_library library(file);
  if (library.all_to_all) return library.version();
  throw not_eligible("NCCL " + library.version() + " has no ncclAlltoAll, which came with 2.28");
}

std::shared_ptr<nccl_communicator> open_nccl(group& among, const device& on, cta_policy policy,
                                             const std::string& file) {
  std::shared_ptr<const nccl_library> library;
  std::string reason;
  try {
    if (on.kind() != device_kind::cuda) throw not_eligible("NCCL needs CUDA devices");
    reason = nccl_environment_obstacle();
    library = std::make_shared<nccl_library>(file.empty() ? nccl_library::usual_name : file);
  } catch (const not_eligible& failure) {
    reason = failure.what();
  }
  require_eligible(among, reason);
  require_same(among, "NCCL versions", library->version());
  auto opened = std::make_shared<nccl_communicator>(std::move(library), among, on, policy);
  require_eligible(among, nccl_environment_obstacle());
  return opened;
}

std::string nccl_version(const nccl_communicator& of) { return of.library().version(); }

std::unique_ptr<exchanger> make_nccl_exchanger(group& among, device& on,
                                               std::shared_ptr<nccl_communicator> communicator,
                                               nccl_buffers buffers, packing packed) {
  return std::make_unique<packed_exchanger>(
      among, on, std::make_unique<nccl_transport>(std::move(communicator), buffers), packed);
}

}  // namespace ithaca
