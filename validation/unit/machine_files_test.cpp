#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "bench/numa.hpp"
#include "bench/process_limits.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::bench {
namespace {

namespace fs = std::filesystem;
using cores = std::set<int>;

/// A tree of files as Linux would show it.
class machine_files : public testing::Test {
 protected:
  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }

  const temporary_folder folder_;
  const fs::path root_ = folder_.path();
};

TEST_F(machine_files, say_the_cores_of_each_numa_node) {
  write("sys/devices/system/node/node0/cpulist", "0-2,8");
  write("sys/devices/system/node/node1/cpulist", "3");
  write("sys/devices/system/node/has_cpu", "0-1");
  fs::create_directories(root_ / "sys/devices/system/node/nodes");
  const std::map<int, cores> expected = {{0, {0, 1, 2, 8}}, {1, {3}}};
  EXPECT_EQ(numa_nodes(root_), expected);
  EXPECT_TRUE(numa_nodes(root_ / "absent").empty());
}

TEST_F(machine_files, say_the_numa_node_of_a_gpu) {
  write("sys/bus/pci/devices/0000:18:00.0/numa_node", "1");
  write("sys/bus/pci/devices/0000:2a:00.0/numa_node", "-1");
  EXPECT_EQ(numa_node_of_pci("0000:18:00.0", root_), 1);
  EXPECT_FALSE(numa_node_of_pci("0000:2a:00.0", root_));
  EXPECT_FALSE(numa_node_of_pci("0000:3b:00.0", root_));
}

TEST_F(machine_files, give_the_tightest_limit_of_version_2) {
  write("proc/self/cgroup", "0::/pod/container");
  write("sys/fs/cgroup/pod/container/memory.max", "max");
  write("sys/fs/cgroup/pod/container/cpu.max", "150000 100000");
  write("sys/fs/cgroup/pod/memory.max", "1073741824");
  write("sys/fs/cgroup/pod/cpu.max", "max 100000");
  write("sys/fs/cgroup/memory.max", "2147483648");
  EXPECT_EQ(read_group_limits(root_).memory_bytes, 1u << 30);
  EXPECT_EQ(read_group_limits(root_).cpus, 1.5);
}

TEST_F(machine_files, give_the_limits_of_a_group_whose_path_is_not_seen_here) {
  write("proc/self/cgroup", "0::/outside/only");
  write("sys/fs/cgroup/memory.max", "4096");
  EXPECT_EQ(read_group_limits(root_).memory_bytes, 4096u);
}

TEST_F(machine_files, give_the_limits_of_version_1) {
  write("proc/self/cgroup", "5:memory:/a\n3:cpu,cpuacct:/a\n1:name=systemd:/a\n0::/");
  write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "8388608");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "400000");
  write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000");
  EXPECT_EQ(read_group_limits(root_).memory_bytes, 8u << 20);
  EXPECT_EQ(read_group_limits(root_).cpus, 4);
}

TEST_F(machine_files, give_no_limit_where_there_is_none) {
  EXPECT_EQ(read_group_limits(root_), reports::process_limits{});
  write("proc/self/cgroup", "5:memory:/\n3:cpu:/\n0::/\nnonsense");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  write("sys/fs/cgroup/cpu.max", "nonsense");
  EXPECT_EQ(read_group_limits(root_), reports::process_limits{});
}

TEST(parse_core_list, reads_what_linux_writes) {
  EXPECT_EQ(parse_core_list("0-3,8,10-11\n"), (cores{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_core_list("5"), cores{5});
  for (const char* none : {"", "x", "1-", "1;2", "1-x"}) {
    EXPECT_TRUE(parse_core_list(none).empty()) << none;
  }
}

}  // namespace
}  // namespace ithaca::bench
