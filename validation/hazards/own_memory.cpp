#include "validation/hazards/own_memory.hpp"

#include <utility>

namespace ithaca::validation {

class own_memory::kept_memory final : public memory {
 public:
  kept_memory(std::unique_ptr<memory> inner, std::shared_ptr<own_memory> known)
      : memory(inner->data(), inner->size_bytes()),
        inner_(std::move(inner)),
        known_(std::move(known)) {
    const std::lock_guard lock(known_->mutex_);
    known_->sizes_[data()] = size_bytes();
  }
  ~kept_memory() override {
    const std::lock_guard lock(known_->mutex_);
    known_->sizes_.erase(data());
  }

  const memory& inner() const { return *inner_; }

 private:
  std::unique_ptr<memory> inner_;
  std::shared_ptr<own_memory> known_;
};

std::unique_ptr<memory> own_memory::keep(std::unique_ptr<memory> allocated) {
  return std::make_unique<kept_memory>(std::move(allocated), shared_from_this());
}

const memory& own_memory::given(const memory& kept) {
  const auto* known = dynamic_cast<const kept_memory*>(&kept);
  return known ? known->inner() : kept;
}

bool own_memory::holds(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  const std::lock_guard lock(mutex_);
  const auto behind = sizes_.upper_bound(at);
  if (behind == sizes_.begin()) return false;
  const auto& [begin, bytes] = *std::prev(behind);
  return at < begin + bytes;
}

}  // namespace ithaca::validation
