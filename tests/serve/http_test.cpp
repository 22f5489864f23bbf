// The web server: where it listens, whom it answers, what it hands out in parts.
#include "serve/http.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <thread>
#include <vector>

#include "footfall/error.hpp"

namespace footfall::serve {
namespace {

using testing::HasSubstr;

const auto kLetters = std::make_shared<const std::string>("abcdefghijklmnopqrstuvwxyz");

HttpReply answer_letters(const HttpRequest& request) {
  HttpReply reply;
  reply.type = "application/octet-stream";
  if (request.path == "/letters") {
    reply.bytes = *kLetters;
    reply.owner = kLetters;
  } else if (request.path == "/nothing") {
    reply.body = "";
  } else if (request.path == "/throw") {
    throw InputError("the reason");
  } else {
    reply.body = request.method + " " + request.path + " " + request.body;
    for (const auto& [key, value] : request.query) reply.body += " " + key + "=" + value;
  }
  return reply;
}

TEST(HttpServer, ListensOnLoopbackOnly) {
  const HttpServer server(0, answer_letters);
  EXPECT_EQ(server.address(), "http://127.0.0.1:" + std::to_string(server.port()) + "/");
  EXPECT_TRUE(httplib::Client("127.0.0.1", server.port()).Get("/"));
  // Another address of the same interface: it would answer if the server listened everywhere.
  httplib::Client other("127.0.0.2", server.port());
  other.set_connection_timeout(1);
  EXPECT_FALSE(other.Get("/"));
}

TEST(HttpServer, RefusesAPortThatIsTaken) {
  const HttpServer first(0, answer_letters);
  EXPECT_THROW(HttpServer(first.port(), answer_letters), InputError);
}

TEST(HttpServer, AnswersOnlyItsOwnPages) {
  const HttpServer server(0, answer_letters);
  httplib::Client client("127.0.0.1", server.port());
  const std::string port = std::to_string(server.port());
  const auto status = [&](const httplib::Headers& headers) {
    const auto reply = client.Get("/letters", headers);
    return reply ? reply->status : -1;
  };
  EXPECT_EQ(status({{"Host", "localhost:" + port}}), 200);
  EXPECT_EQ(status({{"Host", "example.org"}}), 403);
  EXPECT_EQ(status({{"Host", "example.org:" + port}}), 403);
  EXPECT_EQ(status({{"Host", "127.0.0.1"}}), 403);
  EXPECT_EQ(status({{"Origin", "http://127.0.0.1:" + port}}), 200);
  EXPECT_EQ(status({{"Origin", "http://example.org"}}), 403);
  EXPECT_EQ(client.Post("/order", {{"Origin", "null"}}, "x", "text/plain")->status, 403);
}

TEST(HttpServer, HandsOutParts) {
  const HttpServer server(0, answer_letters);
  httplib::Client client("127.0.0.1", server.port());
  struct Case {
    const char* range;
    int status;
    const char* body;
    const char* content_range;
  };
  for (const Case& c :
       {Case{"bytes=0-0", 206, "a", "bytes 0-0/26"}, Case{"bytes=3-6", 206, "defg", "bytes 3-6/26"},
        Case{"bytes=24-", 206, "yz", "bytes 24-25/26"},
        Case{"bytes=24-1000", 206, "yz", "bytes 24-25/26"},
        Case{"bytes=-3", 206, "xyz", "bytes 23-25/26"},
        Case{"bytes=-1000", 206, "abcdefghijklmnopqrstuvwxyz", "bytes 0-25/26"},
        Case{"bytes=26-", 416, "", "bytes */26"},
        Case{"bytes=9000000000-9000000001", 416, "", "bytes */26"},
        Case{"bytes=0-1,3-4", 416, "", ""}}) {
    const auto reply = client.Get("/letters", {{"Range", c.range}});
    ASSERT_TRUE(reply) << c.range;
    EXPECT_EQ(reply->status, c.status) << c.range;
    EXPECT_EQ(reply->body, c.body) << c.range;
    EXPECT_EQ(reply->get_header_value("Content-Range"), c.content_range) << c.range;
  }
  const auto whole = client.Get("/letters");
  EXPECT_EQ(whole->status, 200);
  EXPECT_EQ(whole->body, *kLetters);
  EXPECT_EQ(whole->get_header_value("Accept-Ranges"), "bytes");
}

TEST(HttpServer, PassesRequestsOnAndSaysWhatWentWrong) {
  const HttpServer server(0, answer_letters);
  httplib::Client client("127.0.0.1", server.port());
  EXPECT_EQ(client.Get("/a%20b/../c?x=1&y=a%26b")->body, "GET /a b/../c  x=1 y=a&b");
  EXPECT_EQ(client.Post("/p", "body", "image/png")->body, "POST /p body");
  EXPECT_EQ(client.Get("/nothing")->status, 200);
  EXPECT_EQ(client.Get("/throw")->status, 500);
  EXPECT_THAT(client.Get("/throw")->body, HasSubstr("the reason"));
  const auto page = client.Get("/", {{"Accept-Encoding", "br, gzip"}});
  EXPECT_FALSE(page->has_header("Content-Encoding"));
  EXPECT_THAT(page->get_header_value("Content-Security-Policy"), HasSubstr("default-src 'none'"));
}

TEST(HttpServer, AnswersClientsAtOnce) {
  const HttpServer server(0, answer_letters);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      httplib::Client client("127.0.0.1", server.port());
      for (int i = 0; i < 5; ++i) {
        const auto reply = client.Get(
            "/letters", {{"Range", "bytes=" + std::to_string(t) + "-" + std::to_string(t)}});
        right += reply && reply->body == kLetters->substr(t, 1) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
}

TEST(EncodePath, KeepsSlashesOnly) { EXPECT_EQ(encode_path("a b/ü?.h5"), "a%20b/%C3%BC%3F.h5"); }

}  // namespace
}  // namespace footfall::serve
