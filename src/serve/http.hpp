// A small web server for this machine's own browser: on 127.0.0.1 and nowhere else.
//
// It refuses requests that name another host (DNS rebinding: a page of the internet whose name was turned
// to 127.0.0.1) and those that a page of another origin sends. With a root that nobody can guess it answers only
// those who know the whole address: other users of the machine can connect, but neither read nor steer.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::serve {

struct HttpRequest {
  std::string method;  // "GET" or "POST"
  std::string path;    // without the server's root and the query, decoded
  std::map<std::string, std::string> query;
  std::string content_type, body;
};

// The next piece of a stream; waits for it. Nothing: the stream has ended.
using HttpStream = std::function<std::optional<std::string>()>;

struct HttpReply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::string_view bytes;             // instead of the body; parts of it can be asked for
  std::shared_ptr<const void> owner;  // of bytes, as long as they are being sent
  HttpStream stream;                  // instead of both
};

HttpReply reply_error(int status, const std::string& message);

// Called by several threads at once. What it throws becomes an error 500 with its message.
using HttpHandler = std::function<HttpReply(const HttpRequest&)>;

class HttpServer {
 public:
  // Listens when this returns. Port 0: any free one. `root`: "/…" that all its paths begin with, see
  // make_root(); empty: none. Throws InputError where the port is taken.
  HttpServer(int port, HttpHandler handler, const std::string& root = {});
  // Ends when all requests are done: streams must have been told to end.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  std::string address() const;  // "http://127.0.0.1:8080/", the root included

 private:
  struct Listener;  // keeps the library's header, which is heavy, in one file
  std::unique_ptr<Listener> listener_;
};

// A slash and 32 letters that nobody can guess, from the system's source of randomness.
std::string make_root();

// "a%20b" for "a b"; slashes stay as they are.
std::string encode_path(const std::string& path);

}  // namespace footfall::serve
