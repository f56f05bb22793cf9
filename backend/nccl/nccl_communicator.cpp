#include "backend/nccl/nccl_communicator.hpp"

#include <cstring>
#include <exception>
#include <set>

#include "backend/errors.hpp"
#include "backend/nccl/nccl_check.hpp"
#include "backend/step.hpp"

namespace ithaca {
namespace {

void refuse_shared_gpus(group& among, const device& on) {
  std::set<std::string> seen;
  for (const std::string& identity : among.all_gather_text(on.identity())) {
    if (!seen.insert(identity).second) {
      throw not_eligible("two ranks share the GPU " + identity + ", which NCCL refuses");
    }
  }
}

ncclUniqueId shared_id(const nccl_library& nccl, group& among) {
  ncclUniqueId id{};
  if (among.rank() == 0) check(nccl, nccl.get_unique_id(&id), "ncclGetUniqueId");
  const auto ids = among.all_gather(std::as_bytes(std::span(&id, 1)));
  std::memcpy(&id, ids[0].data(), sizeof id);
  return id;
}

}  // namespace

nccl_communicator::nccl_communicator(std::shared_ptr<const nccl_library> nccl, group& among,
                                     const device& on, cta_policy policy)
    : nccl_(std::move(nccl)) {
  if (policy == cta_policy::zero && nccl_->version_code() < NCCL_VERSION(2, 28, 0)) {
    throw not_eligible("NCCL " + nccl_->version() + " has no copy-engine collectives: they came " +
                       "with 2.28");
  }
  if (policy == cta_policy::zero) {
    const std::string reason = among.why_not_one_host();
    if (!reason.empty()) throw not_eligible(reason + ", and copy engines reach no other host");
  }
  refuse_shared_gpus(among, on);
  const ncclUniqueId id = shared_id(*nccl_, among);
  // Names the size and version that this build knows; NCCL takes shorter ones, and of longer ones
  // what it knows itself.
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  if (policy == cta_policy::zero) config.CTAPolicy = NCCL_CTA_POLICY_ZERO;
  const blocking_call joining(among, "ncclCommInitRankConfig");
  check(*nccl_,
        nccl_->comm_init_rank_config(&communicator_, among.size(), id, among.rank(), &config),
        "ncclCommInitRankConfig");
}

nccl_communicator::~nccl_communicator() {
  // Destroying waits for peers; after an error they may never come.
  if (std::uncaught_exceptions() == 0)
    nccl_->comm_destroy(communicator_);
  else
    nccl_->comm_abort(communicator_);
}

}  // namespace ithaca
