// A server of the Model Context Protocol: maps messages to responses, without doing I/O.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mcp/message.hpp"
#include "mcp/places.hpp"

namespace assay::mcp {

/// The answer of a tool: a text for the agent.
struct ToolAnswer {
  std::string text;
  bool failed = false;
};

struct Tool {
  std::string name, title, description;
  Json input;  ///< schema of the arguments: an object of texts, lists of texts and numbers
  bool read_only = true;
  std::function<ToolAnswer(const Json& arguments)> call;
};

class Server {
 public:
  Server(std::string version, AllowedFiles places, std::vector<Tool> tools, std::size_t most_bytes);

  /// The response to a line with one message, without line end; empty if no response is due. Never throws.
  std::optional<std::string> answer(std::string_view line);
  /// The response to a line that was too long to be read.
  [[nodiscard]] static std::string answer_to_too_long();

 private:
  std::string version_;
  AllowedFiles places_;
  std::vector<Tool> tools_;
  std::size_t most_bytes_;
  std::string protocol_;  ///< empty: not initialised yet

  std::optional<Json> answer_one(const Json& message);
  Json result_of(const Request& request);
  Json initialize(const Json& params);
  [[nodiscard]] Json list_tools() const;
  [[nodiscard]] Json call_tool(const Json& params) const;
  [[nodiscard]] Json list_resources(const Json& params) const;
  [[nodiscard]] Json read_resource(const Json& params) const;
};

}  // namespace assay::mcp
