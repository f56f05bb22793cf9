#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <stdexcept>

#include "traces/nvml/nvml_gpu.hpp"
#include "traces/nvml/throttle_reasons.hpp"

namespace ithaca::traces {
namespace {

constexpr nvml_status not_supported = 3;
constexpr nvml_status not_found = 6;

/// What the fake library knows of a GPU. NVML's functions take no context, so it is one for all.
struct fake_gpu {
  unsigned bus = 0;
  unsigned long long reasons = 0;
  std::vector<unsigned> links;  ///< by link: what it ends at
  std::string links_to;         ///< bus of the GPUs at their ends
};
std::map<std::string, fake_gpu> fakes;
nvml_status counters = nvml_success;

fake_gpu& at(nvml_device device) { return *reinterpret_cast<fake_gpu*>(device); }

nvml_pci_info pci(const std::string& bus_id, unsigned bus) {
  nvml_pci_info info = {};
  info.bus = bus;
  std::strncpy(info.bus_id, bus_id.c_str(), sizeof info.bus_id - 1);
  return info;
}

std::string bus_id(unsigned bus) { return "00000000:" + std::to_string(bus) + ":00.0"; }

nvml_functions fake_library() {
  nvml_functions nvml;
  nvml.error_string = [](nvml_status) { return "Not Found"; };
  nvml.device_by_uuid = [](const char* uuid, nvml_device* device) {
    const auto found = fakes.find(uuid);
    if (found == fakes.end()) return not_found;
    *device = reinterpret_cast<nvml_device>(&found->second);
    return nvml_success;
  };
  nvml.clock_mhz = [](nvml_device, unsigned clock, unsigned* mhz) {
    *mhz = clock == nvml_clock_sm ? 1980 : clock == nvml_clock_memory ? 3201 : 0;
    return nvml_success;
  };
  nvml.power_mw = [](nvml_device, unsigned* mw) { return *mw = 345'678, nvml_success; };
  nvml.temperature_c = [](nvml_device, unsigned, unsigned* c) { return *c = 41, nvml_success; };
  nvml.clock_reasons = [](nvml_device device, unsigned long long* bits) {
    *bits = at(device).reasons;
    return nvml_success;
  };
  nvml.violation = [](nvml_device, unsigned policy, nvml_violation_time* time) {
    *time = {1, policy == nvml_policy_power ? 700u : 900u};
    return nvml_success;
  };
  nvml.field_values = [](nvml_device, int count, nvml_field_value* values) {
    for (int i = 0; i < count; ++i) {
      values[i].status = values[i].scope == nvml_all_links ? counters : not_supported;
      values[i].type = 3;
      values[i].value.as_unsigned_long = values[i].field;
    }
    return nvml_success;
  };
  nvml.pci_info = [](nvml_device device, nvml_pci_info* info) {
    *info = pci(bus_id(at(device).bus), at(device).bus);
    return nvml_success;
  };
  nvml.common_ancestor = [](nvml_device, nvml_device, unsigned* level) {
    return *level = 40, nvml_success;
  };
  nvml.link_state = [](nvml_device device, unsigned link, unsigned* active) {
    if (link >= at(device).links.size()) return not_supported;
    return *active = 1, nvml_success;
  };
  nvml.link_remote_type = [](nvml_device device, unsigned link, unsigned* type) {
    return *type = at(device).links[link], nvml_success;
  };
  nvml.link_remote_pci = [](nvml_device device, unsigned, nvml_pci_info* info) {
    return *info = pci(at(device).links_to, 0), nvml_success;
  };
  return nvml;
}

class nvml_gpu_test : public testing::Test {
 protected:
  void SetUp() override {
    fakes = {{"GPU-a", {.bus = 0x18, .reasons = 0, .links = {}, .links_to = ""}},
             {"GPU-b", {.bus = 0x2a, .reasons = 0, .links = {}, .links_to = ""}}};
    counters = nvml_success;
  }
  nvml_gpu open() const {
    return nvml_gpu(std::make_shared<const nvml_functions>(library_), "GPU-a");
  }

  nvml_functions library_ = fake_library();
};

TEST_F(nvml_gpu_test, reads_what_there_is) {
  const gpu_reading said = open().read();
  EXPECT_EQ(said.sm_mhz, 1980);
  EXPECT_EQ(said.memory_mhz, 3201);
  EXPECT_EQ(said.power_mw, 345'678);
  EXPECT_EQ(said.temperature_c, 41);
  EXPECT_EQ(said.throttle_reasons, std::vector<std::string>{});
  EXPECT_EQ(said.power_limited_ns, 700);
  EXPECT_EQ(said.thermally_limited_ns, 900);
  EXPECT_EQ(said.nvlink_sent_bytes, 138 * 1024);
  EXPECT_EQ(said.nvlink_received_bytes, 139 * 1024);
}

TEST_F(nvml_gpu_test, leaves_out_what_the_gpu_does_not_support) {
  counters = not_supported;
  library_.power_mw = [](nvml_device, unsigned*) { return not_supported; };
  const gpu_reading said = open().read();
  EXPECT_EQ(said.sm_mhz, 1980);
  EXPECT_FALSE(said.power_mw);
  EXPECT_FALSE(said.nvlink_sent_bytes);
  EXPECT_FALSE(said.nvlink_received_bytes);
}

TEST_F(nvml_gpu_test, leaves_out_counters_of_a_type_that_it_does_not_know) {
  library_.field_values = [](nvml_device, int count, nvml_field_value* values) {
    for (int i = 0; i < count; ++i) values[i].type = 0;
    return nvml_success;
  };
  EXPECT_FALSE(open().read().nvlink_sent_bytes);
}

TEST_F(nvml_gpu_test, leaves_out_what_the_library_lacks) {
  nvml_functions bare;
  bare.error_string = library_.error_string;
  bare.device_by_uuid = library_.device_by_uuid;
  library_ = bare;
  const nvml_gpu gpu = open();
  EXPECT_EQ(gpu.read(), gpu_reading{});
  EXPECT_FALSE(gpu.pci_address());
  EXPECT_FALSE(gpu.path_to("GPU-b"));
}

TEST_F(nvml_gpu_test, says_that_it_does_not_know_a_gpu) {
  try {
    nvml_gpu(std::make_shared<const nvml_functions>(library_), "GPU-c");
    FAIL() << "accepted";
  } catch (const std::runtime_error& failure) {
    EXPECT_STREQ(failure.what(), "NVML does not know the GPU: Not Found");
  }
}

TEST_F(nvml_gpu_test, puts_throttling_into_words) {
  fakes["GPU-a"].reasons = 0x1 | 0x4 | 0x40;
  EXPECT_EQ(open().read().throttle_reasons,
            (std::vector<std::string>{"power cap", "hardware thermal slowdown"}));
}

TEST_F(nvml_gpu_test, names_its_place_as_linux_does) {
  EXPECT_EQ(open().pci_address(), "0000:18:00.0");
}

TEST_F(nvml_gpu_test, counts_links_through_a_switch) {
  fakes["GPU-a"].links = std::vector<unsigned>(18, nvml_remote_switch);
  fakes["GPU-b"].links = std::vector<unsigned>(16, nvml_remote_switch);
  EXPECT_EQ(open().path_to("GPU-b"), "NV16");
}

TEST_F(nvml_gpu_test, counts_links_straight_to_the_other_gpu_only) {
  fakes["GPU-a"].links = std::vector<unsigned>(4, nvml_remote_gpu);
  fakes["GPU-a"].links_to = bus_id(0x2a);
  EXPECT_EQ(open().path_to("GPU-b"), "NV4");
  fakes["GPU-a"].links_to = bus_id(0x2b);
  EXPECT_EQ(open().path_to("GPU-b"), "NODE");
}

TEST_F(nvml_gpu_test, names_the_common_point_where_no_link_is) {
  EXPECT_EQ(open().path_to("GPU-b"), "NODE");
  library_.common_ancestor = [](nvml_device, nvml_device, unsigned* level) {
    return *level = 10, nvml_success;
  };
  EXPECT_EQ(open().path_to("GPU-b"), "PIX");
  EXPECT_FALSE(open().path_to("GPU-c")) << "a GPU that this process can't see";
}

TEST(throttle_reasons, are_words_for_every_bit) {
  EXPECT_TRUE(throttle_reasons(0).empty());
  EXPECT_TRUE(throttle_reasons(0x1 | 0x2 | 0x100).empty())
      << "idle or set clocks are no throttling";
  EXPECT_EQ(throttle_reasons(0x7ff).size(), 8u);
  EXPECT_EQ(throttle_reasons(0x8 | 0x80),
            (std::vector<std::string>{"hardware slowdown", "power brake"}));
  EXPECT_EQ(throttle_reasons(0x3000), std::vector<std::string>{"unknown reason 0x3000"});
}

TEST(open_nvml, says_why_it_can_not_be_loaded) {
  try {
    open_nvml("libabsent-ml.so.1");
    FAIL() << "opened";
  } catch (const std::runtime_error& failure) {
    EXPECT_NE(std::string(failure.what()).find("NVML can't be loaded: libabsent-ml.so.1"),
              std::string::npos)
        << failure.what();
  }
}

TEST(open_nvml, says_what_a_library_lacks) {
  try {
    open_nvml("libc.so.6");
    FAIL() << "opened";
  } catch (const std::runtime_error& failure) {
    EXPECT_STREQ(failure.what(), "this NVML has no nvmlInit_v2");
  }
}

}  // namespace
}  // namespace ithaca::traces
