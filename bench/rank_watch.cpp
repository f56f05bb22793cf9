#include "bench/rank_watch.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "backend/errors.hpp"
#include "backend/host_wait.hpp"
#include "reports/console/exit_codes.hpp"

namespace ithaca::bench {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// The launcher ends all ranks soon after the first that fails: time for each to say its line.
constexpr auto time_for_peers = 500ms;
/// It kills a second after it asked.
constexpr auto time_after_signal = 450ms;

sigset_t heeded_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

unique_fd require(int descriptor, const char* what) {
  if (descriptor < 0) throw invalid_use(std::string(what) + " failed: " + std::strerror(errno));
  return unique_fd(descriptor);
}

unique_fd signals_of(const sigset_t& set) {
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return require(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd");
}

/// The thread that heeds the signals.
std::atomic<pthread_t> heeding_thread;

/// Runs on a thread that does not block them: libraries make some before `main` (OpenBLAS does).
void pass_on(int signal) { pthread_kill(heeding_thread, signal); }

void handle_heeded_signals(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGTERM, SIGINT}) sigaction(signal, &action, nullptr);
}

std::string ended_by(int signal) { return std::string("ended by SIG") + sigabbrev_np(signal); }

}  // namespace

rank_watch::rank_watch(std::string program)
    : program_(std::move(program)),
      signals_(signals_of(heeded_signals())),
      wakes_(require(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")),
      thread_([this](const std::stop_token& stop) { run(stop); }) {
  heeding_thread = thread_.native_handle();
  handle_heeded_signals(pass_on);
}

rank_watch::~rank_watch() {
  handle_heeded_signals(SIG_DFL);
  thread_.request_stop();
  wake();
}

void rank_watch::begin(int rank, std::shared_ptr<watch> peers) {
  const std::lock_guard lock(mutex_);
  rank_ = rank;
  peers_ = std::move(peers);
}

std::string rank_watch::in_vain() {
  const std::lock_guard lock(mutex_);
  if (signal_ != 0) return ended_by(signal_);
  // What other threads still wait for must not hold up the end.
  if (said_) return "this rank gave up";
  return peers_ ? peers_->in_vain() : "";
}

void rank_watch::give_up(const std::string& error, const std::string& cause) {
  const std::lock_guard lock(mutex_);
  say_and_leave(signal_ != 0 ? error : "the exchange broke: " + error, cause);
}

void rank_watch::rest() {
  const std::lock_guard lock(mutex_);
  said_ = true;
}

void rank_watch::end(const std::string& error) {
  {
    const std::lock_guard lock(mutex_);
    say_and_leave(error, error);
  }
  std::this_thread::sleep_for(2 * time_for_peers);  // the watching thread ends it before
  std::_Exit(console::broken);
}

void rank_watch::say_and_leave(const std::string& text, const std::string& cause) {
  if (said_) return;
  say(text);
  // After a signal, all have had it.
  if (peers_ && signal_ == 0) peers_->give_up(text, cause);
  leave_by(clock::now() + time_for_peers);
}

void rank_watch::enter_call(const std::string& error, time_point by) {
  const std::lock_guard lock(mutex_);
  call_ = error;
  call_by_ = by;
  wake();
}

void rank_watch::leave_call() {
  const std::lock_guard lock(mutex_);
  call_by_.reset();
}

void rank_watch::run(const std::stop_token& stop) {
  std::optional<time_point> next_look;
  while (!stop.stop_requested()) {
    pollfd watched[2] = {{signals_.get(), POLLIN, 0}, {wakes_.get(), POLLIN, 0}};
    int timeout_ms = -1;
    if (next_look) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next_look - clock::now());
      timeout_ms = static_cast<int>(std::max<std::int64_t>(0, left.count()));
    }
    poll(watched, 2, timeout_ms);
    std::uint64_t woken = 0;
    [[maybe_unused]] const auto done = read(wakes_.get(), &woken, sizeof woken);
    heed_signal();
    next_look = heed_time();
  }
}

void rank_watch::heed_signal() {
  signalfd_siginfo seen{};
  if (read(signals_.get(), &seen, sizeof seen) != sizeof seen) return;
  const std::lock_guard lock(mutex_);
  if (signal_ != 0) return;
  signal_ = static_cast<int>(seen.ssi_signo);
  if_late_ = ended_by(signal_) + (call_by_ ? "; " + call_ : " in something that takes long");
  leave_by(clock::now() + time_after_signal);
}

std::optional<rank_watch::time_point> rank_watch::heed_time() {
  const std::lock_guard lock(mutex_);
  const time_point now = clock::now();
  if (call_by_ && !leave_by_) {
    const std::string gone = peers_ ? peers_->in_vain() : "";
    if (!gone.empty() || now >= *call_by_) {
      if_late_ = "the exchange broke: " + (gone.empty() ? call_ : gone + "; " + call_);
      leave_by(gone.empty() ? now : now + time_after_signal);
    }
  }
  if (leave_by_ && now >= *leave_by_) {
    if (!said_) say(if_late_);
    std::_Exit(console::broken);
  }
  if (leave_by_) return leave_by_;
  if (call_by_) return now + look_interval;
  return std::nullopt;
}

std::string rank_watch::line(const std::string& text) const {
  if (rank_ < 0) return fmt::format("{}: {}\n", program_, text);
  return fmt::format("{}: rank {}: {}\n", program_, rank_, text);
}

/// By one system call, so that the lines of several ranks do not mix; and no lock is taken that a
/// stuck thread may hold.
void rank_watch::say(const std::string& text) {
  said_ = true;
  const std::string told = line(text);
  [[maybe_unused]] const auto done = write(STDERR_FILENO, told.data(), told.size());
}

void rank_watch::leave_by(time_point when) {
  leave_by_ = leave_by_ ? std::min(*leave_by_, when) : when;
  wake();
}

void rank_watch::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto done = write(wakes_.get(), &one, sizeof one);
}

}  // namespace ithaca::bench
