#include "backend/nccl/nccl_exchanger.hpp"

#include <cstdlib>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "backend/nccl/nccl_transport.hpp"

namespace ithaca {

std::shared_ptr<nccl_communicator> open_nccl(group& among, const device& on, cta_policy policy) {
  std::shared_ptr<const nccl_library> library;
  std::string reason;
  try {
    if (on.kind() != device_kind::cuda) throw not_eligible("NCCL needs CUDA devices");
    if (std::getenv("NCCL_CTA_POLICY")) {
      throw not_eligible("NCCL_CTA_POLICY is set and overrules what an arm asks for: unset it");
    }
    library = std::make_shared<nccl_library>();
  } catch (const not_eligible& failure) {
    reason = failure.what();
  }
  require_eligible(among, reason);
  require_same(among, "NCCL versions", library->version());
  return std::make_shared<nccl_communicator>(std::move(library), among, on, policy);
}

std::string nccl_version(const nccl_communicator& of) { return of.library().version(); }

std::unique_ptr<exchanger> make_nccl_exchanger(group& among, device& on,
                                               std::shared_ptr<nccl_communicator> communicator,
                                               nccl_buffers buffers, packing packed) {
  return std::make_unique<packed_exchanger>(
      among, on, std::make_unique<nccl_transport>(std::move(communicator), buffers), packed);
}

}  // namespace ithaca
