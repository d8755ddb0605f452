// The tools of the server: each runs this program with --json in a separate process, with limits on time and output.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "mcp/server.hpp"

namespace assay::mcp {

struct ToolSettings {
  std::filesystem::path program;
  AllowedFiles places;
  std::optional<AllowedFiles> results;  ///< --allow-run: where `run` may write; empty: there is no `run`
  std::chrono::seconds time{60};        ///< longest time of a tool other than `run`
  std::chrono::seconds run_time{600};
  std::size_t most_bytes = 60000;  ///< of an answer
  const std::atomic<bool>* stop = nullptr;
};

std::vector<Tool> tools(const ToolSettings& settings);

}  // namespace assay::mcp
