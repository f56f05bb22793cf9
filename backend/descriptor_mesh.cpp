#include "backend/descriptor_mesh.hpp"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>

#include "backend/errors.hpp"
#include "backend/host_wait.hpp"

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

/// Whether something came, or the peer went, before `deadline`.
bool poll_readable(const unique_fd& socket, clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
  pollfd readable{socket.get(), POLLIN, 0};
  const int ready = poll(&readable, 1, left.count() < 0 ? 0 : static_cast<int>(left.count()));
  if (ready < 0 && errno != EINTR) broken("waiting on a descriptor socket");
  return ready > 0;
}

void wait_readable(const unique_fd& socket, clock::time_point deadline, const std::string& whom) {
  if (poll_readable(socket, deadline)) return;
  throw exchange_broken("the descriptor socket got no answer from " + whom);
}

enum message_kind : int { hello, descriptor, goodbye, gives_up };

/// What travels; the text of `gives_up` follows.
struct message_head {
  int kind = hello;
  int rank = -1;  // whom it is of
};

/// Longer errors are cut: they are told in full by who has them.
constexpr std::size_t longest_text = 1024;

bool send_message(const unique_fd& socket, const message_head& head, const std::string& text = "",
                  const unique_fd& handed_over = {}) {
  iovec data[2] = {{const_cast<message_head*>(&head), sizeof head},
                   {const_cast<char*>(text.data()), std::min(text.size(), longest_text)}};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = data;
  message.msg_iovlen = 2;
  if (handed_over) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    const int fd = handed_over.get();
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  return sendmsg(socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

struct received {
  bool any = false;
  bool closed = false;
  message_head head = {};
  std::string text = {};
  unique_fd descriptor = {};
};

/// What has come; never waits.
received receive_message(const unique_fd& socket) {
  received result;
  char text[longest_text];
  iovec data[2] = {{&result.head, sizeof result.head}, {text, sizeof text}};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = data;
  message.msg_iovlen = 2;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = -1;
  do {
    got = recvmsg(socket.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    // A reset is told once, by a peer that went without reading all; what it sent comes after.
  } while (got < 0 && (errno == EINTR || errno == ECONNRESET));
  if (got < 0 && errno == EAGAIN) return result;
  if (got < static_cast<ssize_t>(sizeof result.head)) {
    result.closed = true;
    return result;
  }
  result.any = true;
  result.text.assign(text, static_cast<std::size_t>(got) - sizeof result.head);
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
    : rank_(rank), mutex_(std::make_unique<std::mutex>()), peers_(static_cast<std::size_t>(size)) {
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
    if (!send_message(socket, {hello, rank})) broken("nothing can be sent to " + named(peer));
    peers_[static_cast<std::size_t>(peer)].socket = std::move(socket);
  }
  for (int calls = rank + 1; calls < size; ++calls) {
    wait_readable(listener, deadline, "a higher rank");
    unique_fd socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket) broken("a peer's call was not accepted");
    wait_readable(socket, deadline, "a higher rank");
    const received call = receive_message(socket);
    if (!call.any) throw exchange_broken("a higher rank is gone: its descriptor socket is closed");
    peers_.at(static_cast<std::size_t>(call.head.rank)).socket = std::move(socket);
  }
}

descriptor_mesh::~descriptor_mesh() {
  if (mutex_ && std::uncaught_exceptions() == 0) tell_all(goodbye, rank_, "");
}

std::vector<unique_fd> descriptor_mesh::all_gather(const unique_fd& mine,
                                                   std::chrono::milliseconds timeout,
                                                   watch* looks_at) {
  const clock::time_point deadline = clock::now() + timeout;
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    if (!peers_[rank].socket) continue;
    if (!send_message(peers_[rank].socket, {descriptor, rank_}, "", mine)) {
      broken("a descriptor could not be sent to " + named(static_cast<int>(rank)));
    }
  }
  std::vector<unique_fd> descriptors(peers_.size());
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    if (!peers_[rank].socket) continue;
    descriptors[rank] = next_descriptor(rank, deadline, looks_at);
    if (!descriptors[rank]) {
      throw exchange_broken(named(static_cast<int>(rank)) + " sent no descriptor");
    }
  }
  return descriptors;
}

unique_fd descriptor_mesh::next_descriptor(std::size_t from, clock::time_point deadline,
                                           watch* looks_at) {
  const std::string whom = named(static_cast<int>(from));
  for (connection& sender = peers_[from];;) {
    {
      const std::lock_guard lock(*mutex_);
      take_in(sender);
      if (!sender.arrived.empty()) {
        unique_fd next = std::move(sender.arrived.front());
        sender.arrived.pop_front();
        return next;
      }
      if (sender.closed) throw exchange_broken(whom + " is gone: its descriptor socket is closed");
    }
    if (clock::now() >= deadline) {
      throw exchange_broken("the descriptor socket got no answer from " + whom);
    }
    // In short waits: another thread may have taken in what this one waits for.
    poll_readable(sender.socket, std::min(deadline, clock::now() + look_interval));
    require_hope(looks_at);
  }
}

void descriptor_mesh::take_in(connection& from) {
  while (!from.closed) {
    received next = receive_message(from.socket);
    if (next.closed) from.closed = true;
    if (!next.any) return;
    if (next.head.kind == descriptor) from.arrived.push_back(std::move(next.descriptor));
    if (next.head.kind == goodbye) from.left = true;
    if (next.head.kind == gives_up) {
      from.gave_up = next.head.rank;
      from.error = std::move(next.text);
    }
  }
}

std::string descriptor_mesh::who_is_gone() {
  const std::lock_guard lock(*mutex_);
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    connection& each = peers_[rank];
    if (!each.socket) continue;
    take_in(each);
    if (each.closed && !each.left && each.gave_up < 0) {
      return named(static_cast<int>(rank)) + " is gone: its process ended";
    }
  }
  // Behind: who gave up mostly did so because of one who is gone.
  const connection* failed = first_failure();
  return failed ? named(failed->gave_up) + " gave up: " + failed->error : "";
}

const descriptor_mesh::connection* descriptor_mesh::first_failure() const {
  const auto found = std::ranges::find_if(
      peers_, [&](const connection& each) { return each.gave_up >= 0 && each.gave_up != rank_; });
  return found == peers_.end() ? nullptr : &*found;
}

void descriptor_mesh::give_up(const std::string& error) {
  const std::lock_guard lock(*mutex_);
  const connection* failed = first_failure();
  if (failed)
    tell_all(gives_up, failed->gave_up, failed->error);
  else
    tell_all(gives_up, rank_, error);
}

void descriptor_mesh::tell_all(int kind, int from, const std::string& text) {
  for (const connection& each : peers_) {
    // One that can't be told sees the end of the socket.
    if (each.socket) static_cast<void>(send_message(each.socket, {kind, from}, text));
  }
}

}  // namespace ithaca
