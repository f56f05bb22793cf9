#include "validation/kernels/kernel_trial.hpp"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "kernels/check.hpp"
#include "kernels/delay.hpp"
#include "kernels/fill.hpp"
#include "kernels/move_regions.hpp"
#include "kernels/push.hpp"
#include "kernels/push_exchange.hpp"
#include "validation/kernels/bf16_trials.hpp"
#include "validation/kernels/norm_rope_trials.hpp"

namespace ithaca::validation {
namespace {

using visitor = std::function<void(const kernel_trial&)>;
using kernels::copy_region;

std::vector<std::byte> noise(std::size_t bytes, unsigned seed) {
  std::vector<std::byte> made(bytes);
  for (std::size_t at = 0; at < bytes; ++at) {
    made[at] = static_cast<std::byte>((at * 2'654'435'769u + seed) >> 24);
  }
  return made;
}

void visit_fills(const visitor& visit) {
  struct fill_case {
    kernels::tensor_shape shape;
    std::size_t batch_gap;
    std::size_t row_gap;
    std::size_t past;
  };
  const fill_case cases[] = {
      {{1, 1, 1, 1}, 0, 0, 0},        {{2, 3, 5, 7}, 0, 0, 0},     {{2, 3, 5, 7}, 11, 3, 5},
      {{3, 4, 2, 16}, 32, 48, 0},     {{3, 4, 2, 16}, 32, 48, 8},  {{2, 70, 6, 128}, 0, 256, 0},
      {{1, 3, 1, 20'000}, 0, 16, 0},  {{2, 9, 1, 3000}, 1, 0, 1},  {{2, 300, 1, 16}, 16, 0, 0},
      {{1, 2, 40, 256}, 0, 5120, 16}, {{1, 513, 28, 128}, 0, 0, 0}};
  for (const auto& [shape, batch_gap, row_gap, past] : cases) {
    const std::size_t row_stride = shape.row_bytes() + row_gap;
    const std::size_t batch_stride = static_cast<std::size_t>(shape.rows) * row_stride + batch_gap;
    const auto bytes = static_cast<std::size_t>(shape.batch) * batch_stride;
    visit({.kernel = "fill_kernel",
           .what = fmt::format("{} x {} x {} heads of {} bytes, gaps {} and {}, shifted by {}",
                               shape.batch, shape.rows, shape.heads, shape.head_bytes, batch_gap,
                               row_gap, past),
           .past = past % 16,
           .target = noise(bytes, 1),
           .build = [=](const trial_areas& at) {
             return kernels::fill(at.target, shape, batch_stride, row_stride, {3, 1, 42});
           }});
  }
}

void visit_poisons(const visitor& visit) {
  for (const std::size_t past : {0u, 1u, 7u, 8u, 15u}) {
    for (const std::size_t bytes : {1u, 15u, 16u, 17u, 100u, 5'000u, 1'000'003u}) {
      visit({.kernel = "poison_kernel",
             .what = fmt::format("{} bytes, shifted by {}", bytes, past),
             .past = past,
             .target = noise(bytes, 1),
             .build = [=](const trial_areas& at) { return kernels::poison(at.target, bytes); }});
    }
  }
}

/// Targets that hold what two ranks filled, but for some bytes.
void visit_checks(const visitor& visit) {
  for (const std::size_t head_bytes : {1u, 3u, 8u, 16u, 24u, 256u}) {
    for (const std::size_t past : {0u, 1u, 8u}) {
      const kernels::tensor_shape whole = {2, 46, 3, head_bytes};
      std::vector<kernels::expected_block> blocks;
      std::vector<std::byte> target(whole.size_bytes());
      std::int64_t row = 0;
      for (const std::int64_t rows : {5, 0, 37, 4}) {
        // A source of these heads alone: what a rank of one head share fills.
        const kernels::tensor_shape part = {whole.batch, rows, whole.heads, head_bytes};
        const pattern_key key = {static_cast<std::uint32_t>(blocks.size()), 2, 9};
        blocks.push_back({key, row, 0, rows, whole.heads, 0, 0, rows, whole.heads});
        kernels::fill(target.data() + static_cast<std::size_t>(row) * whole.row_bytes(), part,
                      whole.batch_bytes(), whole.row_bytes(), key)
            .host();
        row += rows;
      }
      for (const std::size_t wrong : {std::size_t{0}, std::size_t{1}, std::size_t{40}}) {
        std::vector<std::byte> damaged = target;
        for (std::size_t at = 0; at < wrong; ++at) {
          damaged[(at * 7919 + 11) % damaged.size()] ^= std::byte{0x10};
        }
        visit({.kernel = "check_kernel",
               .what = fmt::format("heads of {} bytes, shifted by {}, {} bytes wrong", head_bytes,
                                   past, wrong),
               .past = past,
               .target = std::move(damaged),
               .words = {0, kernels::check_result::no_mismatch},
               .build = [=](const trial_areas& at) {
                 return kernels::check(at.target, whole, blocks,
                                       reinterpret_cast<kernels::check_result*>(at.words));
               }});
      }
    }
  }
}

/// Regions of random sizes one after the other, as offsets into a source and a target.
struct random_regions {
  struct region {
    std::size_t source, source_pitch, target, target_pitch, width, height;
  };
  std::vector<region> all;
  std::size_t source_bytes = 0;
  std::size_t target_bytes = 0;

  random_regions(std::size_t count, std::size_t unit, unsigned seed) {
    std::mt19937 random(seed);
    const auto up_to = [&](std::size_t limit) {
      return static_cast<std::size_t>(random()) % (limit + 1);
    };
    for (std::size_t at = 0; at < count; ++at) {
      const std::size_t width = unit * up_to(up_to(9) == 0 ? 3000 : 40);
      const std::size_t height = up_to(12);
      const std::size_t source_pitch = width + unit * up_to(3);
      const std::size_t target_pitch = width + unit * up_to(3);
      all.push_back({source_bytes, source_pitch, target_bytes, target_pitch, width, height});
      // The last row ends with its bytes, not with its pitch.
      source_bytes += height > 0 ? (height - 1) * source_pitch + width : 0;
      target_bytes += height > 0 ? (height - 1) * target_pitch + width : 0;
    }
  }

  std::vector<copy_region> at(const trial_areas& areas) const {
    std::vector<copy_region> made;
    for (const region& each : all) {
      made.push_back({areas.source + each.source, each.source_pitch, areas.target + each.target,
                      each.target_pitch, each.width, each.height});
    }
    return made;
  }
};

/// What a kernel does with regions. Keeps its words where `trial_areas` says.
struct mover {
  const char* kernel;
  int ctas;  ///< 0: it takes as many as it wants
  std::size_t most_regions;
  kernel_call (*build)(std::vector<copy_region> regions, const trial_areas& at, int ctas);
};

kernel_call exchange_of_two(std::vector<copy_region> regions, const trial_areas& at, int ctas) {
  // Word 0 counts blocks; what is awaited, words 1 to 4, has come, one of them later than needed.
  kernel_signals signals = {.before = {{at.words + 1, 7}, {at.words + 2, 7}},
                            .after = {{at.words + 5, 8}, {at.words + 6, 8}},
                            .sent = {at.words + 7, 9},
                            .last = {{at.words + 3, 8}, {at.words + 4, 8}},
                            .ended = {at.words + 8, 10}};
  return kernels::push_exchange(std::move(regions), std::move(signals),
                                reinterpret_cast<std::uint32_t*>(at.words), ctas);
}

template <kernels::push_stores stores>
kernel_call push_by(std::vector<copy_region> regions, const trial_areas&, int ctas) {
  return kernels::push(std::move(regions), {.ctas = ctas, .stores = stores});
}

constexpr mover movers[] = {
    {"pack_kernel", 0, kernels::max_copy_regions,
     [](std::vector<copy_region> regions, const trial_areas&, int) {
       return kernels::pack(std::move(regions));
     }},
    {"relayout_kernel", 0, kernels::max_copy_regions,
     [](std::vector<copy_region> regions, const trial_areas&, int) {
       return kernels::relayout(std::move(regions));
     }},
    {"own_chunk_kernel", 0, kernels::max_copy_regions,
     [](std::vector<copy_region> regions, const trial_areas&, int) {
       return kernels::copy_own_chunk(std::move(regions));
     }},
    {"push_kernel", 1, kernels::max_copy_regions, push_by<kernels::push_stores::vector16>},
    {"push_kernel", 32, kernels::max_copy_regions, push_by<kernels::push_stores::vector16>},
    {"push_bulk_kernel", 1, kernels::max_copy_regions, push_by<kernels::push_stores::bulk>},
    {"push_bulk_kernel", 32, kernels::max_copy_regions, push_by<kernels::push_stores::bulk>},
    {"push_exchange_kernel", 1, kernels::max_exchange_regions, exchange_of_two},
    {"push_exchange_kernel", 32, kernels::max_exchange_regions, exchange_of_two},
};

void visit_movers(const visitor& visit) {
  unsigned seed = 1;
  for (const mover& each : movers) {
    const std::string kernel = each.kernel;
    const std::string why_not = kernel == "push_bulk_kernel" ? kernels::why_no_bulk_push() : "";
    for (const std::size_t count : {0u, 1u, 2u, 8u, 9u, 31u, 32u, 33u, 512u}) {
      if (count > each.most_regions) continue;
      for (const std::size_t unit : {1u, 8u, 16u}) {
        for (const std::size_t past : {0u, 3u}) {
          const random_regions regions(count, unit, ++seed);
          visit({.kernel = kernel,
                 .what = fmt::format("{} regions of multiples of {} bytes, shifted by {}{}", count,
                                     unit, past,
                                     each.ctas > 0 ? fmt::format(", {} blocks", each.ctas) : ""),
                 .past = past,
                 .source = noise(regions.source_bytes, seed),
                 .target = noise(regions.target_bytes, ~seed),
                 .words = {0, 7, 7, 8, 9, 0, 0, 0, 0},
                 .build =
                     [&regions, &each](const trial_areas& at) {
                       return each.build(regions.at(at), at, each.ctas);
                     },
                 .why_not = why_not});
        }
      }
    }
  }
}

void visit_delay(const visitor& visit) {
  visit({.kernel = "delay_kernel", .what = "100 us", .build = [](const trial_areas&) {
           return kernels::delay(std::chrono::microseconds(100));
         }});
}

}  // namespace

void each_kernel_trial(const visitor& visit) {
  visit_fills(visit);
  visit_poisons(visit);
  visit_checks(visit);
  visit_movers(visit);
  each_norm_rope_trial(visit);
  each_bf16_trial(visit);
  visit_delay(visit);
}

}  // namespace ithaca::validation
