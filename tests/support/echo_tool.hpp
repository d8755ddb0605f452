// A tool of the Model Context Protocol for tests: a text, and perhaps a number from 1 to 9.
#pragma once

#include "mcp/server.hpp"

namespace assay::mcp {

template <class Call>
Tool echo_tool(Call call) {
  return {
      "echo",
      "Echo",
      "Says it again.",
      {{"type", "object"},
       {"properties", {{"text", {{"type", "string"}}}, {"n", {{"type", "integer"}, {"minimum", 1}, {"maximum", 9}}}}},
       {"required", {"text"}}},
      true,
      std::move(call)};
}

}  // namespace assay::mcp
