#include "backend/step.hpp"

#include <utility>

namespace ithaca {

step::step(const group& in, std::function<std::string()> describe)
    : told_(in.watched()), describe_(std::move(describe)) {
  if (told_) told_->steps_.push_back(&describe_);
}

step::~step() {
  if (told_) std::erase(told_->steps_, &describe_);
}

blocking_call::blocking_call(const group& in, const std::string& name) : told_(in.watched()) {
  if (told_) told_->enter_call(told_->with_steps(name + " ran out of time"), in.deadline());
}

blocking_call::~blocking_call() {
  if (told_) told_->leave_call();
}

}  // namespace ithaca
