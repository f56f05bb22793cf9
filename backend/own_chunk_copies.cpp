#include "backend/own_chunk_copies.hpp"

#include <utility>

#include "kernels/move_regions.hpp"

namespace ithaca {

void own_chunk_copies::enqueue(const submitted& what,
                               const std::function<void(stream&)>& await_free) {
  switch (way_) {
    case own_chunk_way::own_stream:
      stream_->wait(what.ready);
      await_free(*stream_);
      copy(what, *stream_);
      on_stream_ = true;
      break;
    case own_chunk_way::copy_stream:
      await_free(what.copy_stream);
      copy(what, what.copy_stream);
      break;
    case own_chunk_way::kernel: {
      await_free(what.caller);
      std::vector<kernels::copy_region> regions;
      for (const pitched_copy& each : what.copies) {
        regions.push_back({what.source + each.source_offset, each.source_pitch,
                           what.target + each.target_offset, each.target_pitch, each.width,
                           each.height});
      }
      what.caller.launch(kernels::copy_own_chunk(std::move(regions)), what.label);
      kernels_.push_back(marks_.recorded(what.caller));
      break;
    }
  }
}

void own_chunk_copies::copy(const submitted& what, stream& at) {
  for (const pitched_copy& each : what.copies) {
    at.copy({what.source + each.source_offset, each.source_pitch, what.target + each.target_offset,
             each.target_pitch, each.width, each.height, false},
            what.label);
  }
}

std::vector<std::shared_ptr<event>> own_chunk_copies::marks() {
  std::vector<std::shared_ptr<event>> all = kernels_;
  if (on_stream_) all.push_back(marks_.recorded(*stream_));
  return all;
}

void own_chunk_copies::close() {
  kernels_.clear();
  on_stream_ = false;
}

}  // namespace ithaca
