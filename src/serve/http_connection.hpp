// A client's connection, with an end to what it may send before it gets an answer: the library bounds a body, but
// neither the head of a request nor the time that one takes, so headers without end would hold a thread for ever
// and fill the memory. For http.cpp alone: the library's header is heavy.
#pragma once

#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string>

namespace footfall::serve {

class HttpConnection : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kLargestHead = 1 << 16;   // of a request [bytes]
  static constexpr std::chrono::seconds kHeadTime{10};   // for it to arrive
  static constexpr std::chrono::seconds kWholeTime{60};  // for the body too
  static constexpr std::chrono::seconds kSilence{2};     // in the middle of a request
  static constexpr std::chrono::seconds kWriteTime{30};  // that a browser may be too busy to read
  static constexpr std::chrono::seconds kKeepAlive{
      1};  // between two requests; the server's end waits for it

  explicit HttpConnection(int socket) : socket_(socket) {}
  ~HttpConnection() override {
    ::shutdown(socket_, SHUT_RDWR);
    ::close(socket_);
  }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Waits for the next request. False: there is none.
  bool begin_request() {
    start_ = Clock::now();
    head_bytes_ = line_bytes_ = 0;
    in_head_ = true;
    return next_ < filled_ || wait(POLLIN, kKeepAlive);
  }

  bool is_readable() const override { return wait(POLLIN, kSilence); }
  bool is_writable() const override { return wait(POLLOUT, kWriteTime); }

  // As recv(): −1 where the client sends too much, or nothing for too long.
  ssize_t read(char* to, std::size_t size) override {
    if (next_ == filled_) {
      const auto left = start_ + (in_head_ ? kHeadTime : kWholeTime) - Clock::now();
      if (!wait(POLLIN, std::min<Clock::duration>(left, kSilence))) return -1;
      ssize_t got = -1;
      do {
        got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
      } while (got < 0 && errno == EINTR);
      if (got <= 0) return got;
      next_ = 0;
      filled_ = static_cast<std::size_t>(got);
    }
    const std::size_t count = std::min(size, filled_ - next_);
    std::copy_n(buffer_.data() + next_, count, to);
    next_ += count;
    for (std::size_t i = 0; i < count && in_head_; ++i) follow_head(to[i]);
    return head_bytes_ > kLargestHead ? -1 : static_cast<ssize_t>(count);
  }

  ssize_t write(const char* from, std::size_t size) override {
    if (!is_writable()) return -1;
    ssize_t sent = -1;
    do {
      sent = ::send(socket_, from, size, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    get_remote_ip_and_port(ip, port);
  }
  socket_t socket() const override { return socket_; }

 private:
  // The head ends with an empty line.
  void follow_head(char c) {
    ++head_bytes_;
    if (c == '\n') {
      in_head_ = line_bytes_ > 0;
      line_bytes_ = 0;
    } else if (c != '\r') {
      ++line_bytes_;
    }
  }

  bool wait(short event, Clock::duration time) const {
    const Clock::time_point end = Clock::now() + time;
    pollfd watched{socket_, event, 0};
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
      const int found = ::poll(&watched, 1, static_cast<int>(std::max<long>(left, 0)));
      if (found >= 0 || errno != EINTR) return found > 0;
    }
  }

  int socket_;
  std::array<char, 1 << 12> buffer_{};
  std::size_t next_ = 0, filled_ = 0;  // of the buffer
  Clock::time_point start_;
  std::size_t head_bytes_ = 0, line_bytes_ = 0;
  bool in_head_ = true;
};

class BoundedServer : public httplib::Server {
 private:
  bool process_and_close_socket(socket_t socket) override {
    HttpConnection connection(socket);
    bool done = false;
    for (int left = kMostRequests; left > 0 && !done && svr_sock_ != INVALID_SOCKET; --left) {
      if (!connection.begin_request()) break;
      if (!process_request(connection, left == 1, done, nullptr)) return false;
    }
    return true;
  }
  static constexpr int kMostRequests = 100;  // of one connection
};

}  // namespace footfall::serve
