// Last lines of a long output: the answers again, and where to find everything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/render.hpp"

namespace assay {

/// At most five lines: an answer per question, or the first ones and the number of the rest, verdicts, and last the
/// path of report.html. `width`: of the terminal.
std::vector<std::string> recap(const RunResult& run, const std::filesystem::path& out, const TerminalStyle& style);

/// `words` as a link to a file, for terminals with OSC 8; only the words if `links` is false.
std::string linked(const std::filesystem::path& file, const std::string& words, bool links);

}  // namespace assay
