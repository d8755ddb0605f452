// `assay run --shard`.
#pragma once

#include <span>

#include "cli/answer.hpp"
#include "cli/command_line.hpp"

namespace assay {

/// --shard: only its profiles, into a part.
void add_shard(CLI::App& run, RunOptions& to, std::span<CLI::Option* const> concluding);

}  // namespace assay
