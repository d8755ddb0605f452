// Lines to the server of the Model Context Protocol: each is answered with a message of JSON-RPC on one line, or not at
// all; nothing is thrown, and no file outside of the root is read.
#include <cstdlib>

#include "mcp/bounded.hpp"
#include "mcp/server.hpp"
#include "support/echo_tool.hpp"

namespace assay::fuzz_of_mcp {

/// An empty folder, which nothing below can be read of.
const mcp::AllowedFiles& nowhere() {
  static const mcp::AllowedFiles places = [] {
    std::string name = (std::filesystem::temp_directory_path() / "assay-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    auto made = mcp::AllowedFiles::below({name});
    std::filesystem::remove(name);
    if (!made) std::abort();
    return *made;
  }();
  return places;
}

mcp::Tool tool() {
  return mcp::echo_tool(
      [](const mcp::Json& arguments) { return mcp::ToolAnswer{mcp::fenced(mcp::bounded(arguments, 500)), false}; });
}

extern "C" int mcp_fuzz(const std::uint8_t* data, std::size_t size) {
  mcp::Server server("fuzz", nowhere(), {tool()}, 1000);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::optional<std::string> answer = server.answer(line);
    if (!answer) continue;
    if (answer->find('\n') != std::string::npos) std::abort();
    const mcp::Json message = mcp::Json::parse(*answer, nullptr, false);
    if (message.is_discarded()) std::abort();
    const auto sound = [](const mcp::Json& one) {
      return one.is_object() && one.value("jsonrpc", "") == "2.0" && one.contains("result") != one.contains("error");
    };
    if (message.is_array() ? message.empty() || !std::all_of(message.begin(), message.end(), sound) : !sound(message))
      std::abort();
    if (answer->find("\"contents\"") != std::string::npos && message.is_object() && message.contains("result") &&
        message["result"].contains("contents"))
      std::abort();
  }
  return 0;
}

}  // namespace assay::fuzz_of_mcp
