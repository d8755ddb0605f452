// JSON-RPC 2.0 messages, one per line: requests and responses.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace assay::mcp {

using Json = nlohmann::json;

inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601, kInvalidParams = -32602,
                     kInternalError = -32603, kResourceNotFound = -32002;

/// Longer lines and values nested more deeply are refused before parsing.
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

/// Maximum depth of brackets outside of strings.
std::size_t depth_of(std::string_view json);

/// Parses a line. Never throws, for any bytes.
std::optional<Json> parse(std::string_view line, Refusal& why);
/// A request or a notification; empty if it is neither. A response of the client counts as a notification without a
/// method.
std::optional<Request> request_of(const Json& message, Refusal& why);

Json result_message(const Json& id, Json result);
Json error_message(const Refusal& why);
/// One line of ASCII; invalid UTF-8 is replaced.
std::string line_of(const Json& message);

}  // namespace assay::mcp
