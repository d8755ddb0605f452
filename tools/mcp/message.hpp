// Lines of JSON-RPC 2.0: what a client sends, and what it is answered.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace assay::mcp {

using Json = nlohmann::json;

inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601, kInvalidParams = -32602,
                     kInternalError = -32603, kResourceNotFound = -32002;

/// Longer lines, and values nested more deeply, are refused before they are read.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20, kDeepest = 64;

struct Request {
  Json id = nullptr;  ///< null: a notification
  bool notification = false;
  std::string method;
  Json params = Json::object();
};

/// What is wrong with a message.
struct Refusal {
  int code = kInvalidRequest;
  std::string sentence;
  Json id = nullptr;
};

/// Greatest depth of brackets outside of texts.
std::size_t depth_of(std::string_view json);

/// The value of a line. Never throws, whatever the bytes.
std::optional<Json> parse(std::string_view line, Refusal& why);
/// A request or a notification; nothing where it is neither. A response of the client is a notification without a
/// method.
std::optional<Request> request_of(const Json& message, Refusal& why);

Json result_message(const Json& id, Json result);
Json error_message(const Refusal& why);
/// On one line, in ASCII; bytes that are no UTF-8 are replaced.
std::string line_of(const Json& message);

}  // namespace assay::mcp
