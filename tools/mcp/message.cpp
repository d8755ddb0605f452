#include "mcp/message.hpp"

namespace assay::mcp {

std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0, most = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return most;
}

std::optional<Json> parse(std::string_view line, Refusal& why) {
  if (line.size() > kLongestLine) {
    why = {kInvalidRequest, "the message is longer than " + std::to_string(kLongestLine) + " bytes", nullptr};
    return std::nullopt;
  }
  if (depth_of(line) > kDeepest) {
    why = {kInvalidRequest, "the message is nested more than " + std::to_string(kDeepest) + " deep", nullptr};
    return std::nullopt;
  }
  Json value = Json::parse(line, nullptr, false);
  if (!value.is_discarded()) return value;
  why = {kParseError, "the message is no JSON; expected one message of JSON-RPC 2.0 on a line", nullptr};
  return std::nullopt;
}

std::optional<Request> request_of(const Json& message, Refusal& why) {
  why = {kInvalidRequest, "the message is no request of JSON-RPC 2.0", nullptr};
  if (!message.is_object()) return std::nullopt;
  const auto id = message.find("id");
  const bool has_id = id != message.end();
  if (has_id && !id->is_string() && !id->is_number_integer()) {
    why.sentence = "\"id\" is neither a text nor a whole number";
    return std::nullopt;
  }
  if (has_id) why.id = *id;
  const auto version = message.find("jsonrpc");
  if (version == message.end() || *version != "2.0") {
    why.sentence = "\"jsonrpc\" is not \"2.0\"";
    return std::nullopt;
  }
  Request request;
  request.notification = !has_id;
  if (has_id) request.id = *id;
  const auto method = message.find("method");
  if (method == message.end() && has_id && (message.contains("result") || message.contains("error"))) {
    request.notification = true;  // a response, which requests nothing
    return request;
  }
  if (method == message.end() || !method->is_string()) {
    why.sentence = "\"method\" is no text";
    return std::nullopt;
  }
  request.method = method->get<std::string>();
  if (const auto params = message.find("params"); params != message.end()) {
    if (!params->is_object()) {
      why.code = kInvalidParams;
      why.sentence = "\"params\" is no object";
      return std::nullopt;
    }
    request.params = *params;
  }
  return request;
}

Json result_message(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json error_message(const Refusal& why) {
  return {{"jsonrpc", "2.0"}, {"id", why.id}, {"error", {{"code", why.code}, {"message", why.sentence}}}};
}

std::string line_of(const Json& message) { return message.dump(-1, ' ', true, Json::error_handler_t::replace); }

}  // namespace assay::mcp
