#include "backend/descriptor_mesh.hpp"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

using clock = std::chrono::steady_clock;

[[noreturn]] void broken(const std::string& what) {
  throw exchange_broken(what + ": " + std::strerror(errno));
}

std::string random_name() {
  std::uint64_t words[2] = {};
  if (getrandom(words, sizeof words, 0) != sizeof words)
    broken("no random bytes for a socket name");
  return "ithaca-" + std::to_string(words[0]) + "-" + std::to_string(words[1]);
}

unique_fd local_socket() {
  unique_fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket) broken("no local socket to exchange descriptors");
  return socket;
}

/// An abstract address starts with a zero byte; its length counts.
std::pair<sockaddr_un, socklen_t> abstract_address(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())};
}

void wait_readable(const unique_fd& socket, clock::time_point deadline, const std::string& whom) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
  pollfd readable{socket.get(), POLLIN, 0};
  const int ready = poll(&readable, 1, left.count() < 0 ? 0 : static_cast<int>(left.count()));
  if (ready == 0) throw exchange_broken("the descriptor socket got no answer from " + whom);
  if (ready < 0) broken("waiting for " + whom + " on a descriptor socket");
}

void send_message(const unique_fd& socket, int rank, const unique_fd& descriptor,
                  const std::string& whom) {
  iovec data{&rank, sizeof rank};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (descriptor) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    const int fd = descriptor.get();
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  if (sendmsg(socket.get(), &message, MSG_NOSIGNAL) != sizeof rank) {
    broken("a descriptor could not be sent to " + whom);
  }
}

struct received {
  int rank = -1;
  unique_fd descriptor;
};

received receive_message(const unique_fd& socket, clock::time_point deadline,
                         const std::string& whom) {
  wait_readable(socket, deadline, whom);
  received result;
  iovec data{&result.rank, sizeof result.rank};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(socket.get(), &message, MSG_CMSG_CLOEXEC);
  if (got == 0) throw exchange_broken(whom + " is gone: its descriptor socket is closed");
  if (got != sizeof result.rank) broken("nothing readable came from " + whom);
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message)) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    result.descriptor = unique_fd(fd);
  }
  return result;
}

std::string named(int rank) { return "rank " + std::to_string(rank); }

}  // namespace

descriptor_mesh::descriptor_mesh(int rank, int size, const text_gatherer& gather,
                                 std::chrono::milliseconds timeout)
    : rank_(rank), sockets_(static_cast<std::size_t>(size)) {
  const std::string name = random_name();
  unique_fd listener = local_socket();
  const auto [own, own_length] = abstract_address(name);
  if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&own), own_length) != 0 ||
      listen(listener.get(), size) != 0) {
    broken("no local socket to listen for peers");
  }
  const std::vector<std::string> names = gather(name);
  const clock::time_point deadline = clock::now() + timeout;

  // Each rank calls those below it and is called by those above; who calls says its rank.
  for (int peer = 0; peer < rank; ++peer) {
    unique_fd socket = local_socket();
    const auto [address, length] = abstract_address(names[static_cast<std::size_t>(peer)]);
    if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) {
      broken(named(peer) + " can't be reached by a local socket (is it on another host?)");
    }
    send_message(socket, rank, {}, named(peer));
    sockets_[static_cast<std::size_t>(peer)] = std::move(socket);
  }
  for (int calls = rank + 1; calls < size; ++calls) {
    wait_readable(listener, deadline, "a higher rank");
    unique_fd socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket) broken("a peer's call was not accepted");
    const int peer = receive_message(socket, deadline, "a higher rank").rank;
    sockets_.at(static_cast<std::size_t>(peer)) = std::move(socket);
  }
}

std::vector<unique_fd> descriptor_mesh::all_gather(const unique_fd& mine,
                                                   std::chrono::milliseconds timeout) {
  const clock::time_point deadline = clock::now() + timeout;
  for (std::size_t peer = 0; peer < sockets_.size(); ++peer) {
    if (!sockets_[peer]) continue;
    send_message(sockets_[peer], rank_, mine, named(static_cast<int>(peer)));
  }
  std::vector<unique_fd> descriptors(sockets_.size());
  for (std::size_t peer = 0; peer < sockets_.size(); ++peer) {
    if (!sockets_[peer]) continue;
    received got = receive_message(sockets_[peer], deadline, named(static_cast<int>(peer)));
    if (!got.descriptor)
      throw exchange_broken(named(static_cast<int>(peer)) + " sent no descriptor");
    descriptors[peer] = std::move(got.descriptor);
  }
  return descriptors;
}

}  // namespace ithaca
