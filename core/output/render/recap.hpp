// The last lines of a long output: what it said, and where all of it stands.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/render.hpp"

namespace assay {

/// At most five lines: an answer for each question, or of many the first ones and how many more there are, verdicts,
/// and the path of report.html, the last. `width`: of the terminal.
std::vector<std::string> recap(const RunResult& run, const std::filesystem::path& out, const TerminalStyle& style);

/// `words` as a link to a file that terminals with OSC 8 open; where `links` is false only the words.
std::string linked(const std::filesystem::path& file, const std::string& words, bool links);

}  // namespace assay
