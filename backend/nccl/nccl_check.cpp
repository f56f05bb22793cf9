#include "backend/nccl/nccl_check.hpp"

#include <string>

#include "backend/errors.hpp"

namespace ithaca {

void check(const nccl_library& nccl, ncclResult_t status, const char* what,
           const std::source_location& at) {
  if (status == ncclSuccess) return;
  throw exchange_broken(std::string(what) + " failed (" + at.file_name() + ":" +
                        std::to_string(at.line()) + "): " + nccl.get_error_string(status) + "; " +
                        nccl.get_last_error(nullptr));
}

}  // namespace ithaca
