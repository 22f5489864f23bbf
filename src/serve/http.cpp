#include "serve/http.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <thread>
#include <utility>

#include "footfall/error.hpp"
#include "serve/http_connection.hpp"

namespace footfall::serve {
namespace {

// A stream keeps one busy, and so does an open connection that says nothing for a while.
constexpr int kThreads = 256;
constexpr std::size_t kLargestBody = 64 << 20;  // of a request [bytes]: a picture
constexpr std::size_t kPiece = 1 << 20;         // written at once [bytes]

// What the page may do: it brings its scripts along and talks to nobody but us.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: "
    "blob:; font-src data:; worker-src blob:; connect-src 'self' data: blob:; frame-ancestors "
    "'none'; base-uri 'none'; form-action 'none'";

HttpRequest translate_request(const httplib::Request& request, std::size_t root) {
  HttpRequest out;
  out.method = request.method == "HEAD" ? "GET" : request.method;
  out.path = request.path.substr(root);
  for (const auto& [key, value] : request.params) out.query.emplace(key, value);
  out.content_type = request.get_header_value("Content-Type");
  out.body = request.body;
  return out;
}

void send_stream(HttpStream stream, const std::string& type, httplib::Response& response) {
  response.set_chunked_content_provider(
      type, [next = std::move(stream)](std::size_t, httplib::DataSink& sink) {
        const std::optional<std::string> piece = next();
        if (piece) return sink.write(piece->data(), piece->size());
        sink.done();
        return true;
      });
}

// The first and last byte that are wanted; nothing: not one of them exists.
std::optional<std::pair<std::size_t, std::size_t>> find_range(const httplib::Range& range,
                                                              std::size_t size) {
  const auto total = static_cast<ssize_t>(size);
  const bool from_end = range.first < 0;  // "-500": the last 500
  const ssize_t first = from_end ? std::max<ssize_t>(0, total - range.second) : range.first;
  const ssize_t last =
      from_end || range.second < 0 ? total - 1 : std::min<ssize_t>(range.second, total - 1);
  if (first > last || (from_end && range.second <= 0)) return std::nullopt;
  return std::pair(static_cast<std::size_t>(first), static_cast<std::size_t>(last));
}

// The part of the bytes that is asked for. The library's own ranges are not bounded by the size, so we
// send them as a stream, which it leaves alone.
void send_range(HttpReply reply, const httplib::Range& range, httplib::Response& response) {
  const std::size_t size = reply.bytes.size();
  const auto found = find_range(range, size);
  if (!found) {
    response.status = 416;
    response.set_header("Content-Range", fmt::format("bytes */{}", size));
    return;
  }
  const auto [first, last] = *found;
  response.status = 206;
  response.set_header("Content-Range", fmt::format("bytes {}-{}/{}", first, last, size));
  const auto part = reply.bytes.substr(first, last - first + 1);
  response.set_chunked_content_provider(
      reply.type,
      [part, owner = std::move(reply.owner)](std::size_t offset, httplib::DataSink& sink) {
        const std::size_t count = std::min(kPiece, part.size() - offset);
        if (count == 0) {
          sink.done();
          return true;
        }
        return sink.write(part.data() + offset, count);
      });
}

void send_bytes(HttpReply reply, const httplib::Request& request, httplib::Response& response) {
  if (reply.bytes.empty()) return;
  response.set_header("Accept-Ranges", "bytes");
  if (request.ranges.size() == 1) {
    send_range(std::move(reply), request.ranges[0], response);
    return;
  }
  if (!request.ranges.empty()) {
    response.status = 416;  // several parts at once: nobody needs them
    return;
  }
  response.set_content_provider(
      reply.bytes.size(), reply.type,
      [bytes = reply.bytes, owner = std::move(reply.owner)](std::size_t offset, std::size_t length,
                                                            httplib::DataSink& sink) {
        const std::size_t count = std::min(length, kPiece);
        return sink.write(bytes.data() + offset, count);
      });
}

void send_reply(HttpReply reply, const httplib::Request& request, httplib::Response& response) {
  response.status = reply.status;
  if (reply.stream) {
    send_stream(std::move(reply.stream), reply.type, response);
    return;
  }
  if (!reply.owner) {
    // Kept as bytes too: the library would compress a text, for longer than it takes to send it.
    auto text = std::make_shared<const std::string>(std::move(reply.body));
    reply.bytes = *text;
    reply.owner = std::move(text);
  }
  send_bytes(std::move(reply), request, response);
}

}  // namespace

struct HttpServer::Listener {
  BoundedServer server;
  std::thread thread;
  std::string root;
  int port = 0;
  socket_t socket = -1;

  bool is_for_us(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    const std::string end = fmt::format(":{}", port);
    if (host != "127.0.0.1" + end && host != "localhost" + end) return false;
    return !request.has_header("Origin") || request.get_header_value("Origin") == "http://" + host;
  }
};

HttpReply reply_error(int status, const std::string& message) {
  HttpReply reply;
  reply.status = status;
  reply.body = message + "\n";
  return reply;
}

HttpServer::HttpServer(int port, HttpHandler handler, const std::string& root)
    : listener_(std::make_unique<Listener>()) {
  listener_->root = root;
  httplib::Server& server = listener_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  server.set_payload_max_length(kLargestBody);
  server.set_tcp_nodelay(true);
  server.set_socket_options([this](socket_t socket) {
    listener_->socket = socket;
    // Not SO_REUSEPORT, the library's own choice: two servers would share a port unawares.
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Content-Security-Policy", kContentPolicy}});
  server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& reply) {
    const bool has_root = request.path.starts_with(listener_->root + "/");
    if (has_root && listener_->is_for_us(request)) {
      return httplib::Server::HandlerResponse::Unhandled;
    }
    reply.status = 403;
    reply.set_content(has_root ? "This server answers pages of its own address only.\n"
                               : "Open the whole address that footfall has printed.\n",
                      "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
  const auto answer = [call = std::move(handler), root = root.size()](
                          const httplib::Request& request, httplib::Response& response) {
    HttpReply reply;
    try {
      reply = call(translate_request(request, root));
    } catch (const std::exception& error) {
      reply = reply_error(500, error.what());
    }
    send_reply(std::move(reply), request, response);
  };
  server.Get(".*", answer);
  server.Post(".*", answer);
  listener_->port = port == 0 ? server.bind_to_any_port("127.0.0.1") : port;
  if (port == 0 ? listener_->port < 0 : !server.bind_to_port("127.0.0.1", port)) {
    throw InputError(
        port == 0
            ? "no free port of 127.0.0.1 could be found"
            : fmt::format("port {} of 127.0.0.1 cannot be used: another program has it, or it "
                          "is reserved; choose another one with --port, or leave it out",
                          port));
  }
  listen(listener_->socket, kThreads);  // the library lets only five wait to be accepted
  listener_->thread = std::thread([&server] { server.listen_after_bind(); });
  while (!server.is_running()) std::this_thread::yield();  // or stop() would not see it
}

HttpServer::~HttpServer() {
  listener_->server.stop();
  listener_->thread.join();
}

int HttpServer::port() const { return listener_->port; }
std::string HttpServer::address() const {
  return fmt::format("http://127.0.0.1:{}{}/", listener_->port, listener_->root);
}

std::string make_root() {
  std::random_device random;
  std::string root = "/";
  for (int i = 0; i < 4; ++i) root += fmt::format("{:08x}", static_cast<std::uint32_t>(random()));
  return root;
}

std::string encode_path(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace footfall::serve
