#include "convert/tool.hpp"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "files/program.hpp"

namespace assay::convert {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kVersionLimit{60};

Result<fs::path> locate(const ToolWords& words, const fs::path& named) {
  if (named.empty()) return program_on_path(words.name).value_or(fs::path());
  std::error_code failed;
  if (!fs::exists(named, failed)) {
    return Error{fmt::format("--{} {}: there is no such program; name the {} of {}", words.name, named.native(),
                             words.name, words.product)};
  }
  if (!can_be_run(named)) {
    return Error{fmt::format("--{} {}: is not a program that can be run; name the {} of {}", words.name, named.native(),
                             words.name, words.product)};
  }
  return fs::absolute(named);
}

/// Waits for the end of a short run; nothing when it took too long or `stop` was raised.
std::optional<Ending> wait_for(Child& child, const std::atomic<bool>& stop) {
  constexpr int kTick = 20;  // milliseconds
  const auto limit = std::chrono::steady_clock::now() + kVersionLimit;
  while (!stop && std::chrono::steady_clock::now() < limit) {
    if (const auto ending = child.ended()) return ending;
    pollfd news{child.news(), POLLIN, 0};
    poll(&news, 1, kTick);
  }
  return std::nullopt;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

/// "2022.4.2.1" of "NVIDIA Nsight Systems version 2022.4.2.1-df9881f".
std::string version_in(std::string_view text) {
  constexpr std::string_view kWord = "version ";
  const std::size_t at = in_small_letters(text).find(kWord);
  if (at == std::string::npos) return {};
  const std::string_view rest = text.substr(at + kWord.size());
  return std::string(rest.substr(0, std::min(rest.find_first_not_of("0123456789."), rest.size())));
}

/// The first text in brackets after `before`: "2026.3.1" of "... version (2026.3.1)".
std::string in_brackets_after(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  const std::size_t open = at == std::string_view::npos ? at : text.find('(', at);
  const std::size_t close = open == std::string_view::npos ? open : text.find(')', open);
  if (close == std::string_view::npos) return {};
  return std::string(text.substr(open + 1, close - open - 1));
}

/// As nsys says it ("Report was created in Nsight Systems version (A), newer than your current version (B)."), or any
/// words to that effect.
std::optional<std::string> too_old(const FoundTool& tool, std::string_view said) {
  const ToolWords& words = words_of(tool.tool);
  const std::string told = last_words(said);
  const std::string small = in_small_letters(told);
  const auto has = [&](std::string_view word) { return small.find(word) != std::string::npos; };
  const bool of_report = has("report") || has("file");
  if (!of_report || !has("version") || !(has("newer") || has("unsupported") || has("not supported"))) {
    return std::nullopt;
  }
  const std::string made_by = in_brackets_after(told, "created in");
  std::string ours = in_brackets_after(told, "current version");
  if (ours.empty()) ours = tool.version;
  const std::string program = fmt::format("{}{}{}", words.name, ours.empty() ? "" : " ", ours);
  if (!made_by.empty()) {
    return fmt::format(
        "the report was made by {} {}, for which {} is too old; install {} {} or newer, or name it with --{}",
        words.product, made_by, program, words.product, made_by, words.name);
  }
  return fmt::format("{} is too old for this report (it says: {}); install a newer {} or name one with --{}", program,
                     told, words.product, words.name);
}

std::string with_words(std::string sentence, std::string_view said) {
  const std::string words = last_words(said);
  return words.empty() ? sentence + " and said nothing" : sentence + ": " + words;
}

}  // namespace

const ToolWords& words_of(Tool tool) {
  static constexpr ToolWords kWords[] = {
      {"nsys", "Nsight Systems", ".nsys-rep and .qdrep files", "developer.nvidia.com/nsight-systems",
       "nsight-systems-cli"},
      {"ncu", "Nsight Compute", ".ncu-rep files", "developer.nvidia.com/nsight-compute", "nsight-compute"}};
  return kWords[static_cast<std::size_t>(tool)];
}

Result<FoundTool> find_tool(Tool tool, const fs::path& named, const std::atomic<bool>& stop) {
  const ToolWords& words = words_of(tool);
  const Result<fs::path> program = locate(words, named);
  if (!program) return program.error();
  if (program->empty()) return FoundTool{tool, {}, {}};
  const auto does_not_run = [&](const std::string& why) {
    return Error{fmt::format("'{} --version' {}; repair that {} or name another with --{}", program->native(), why,
                             words.product, words.name)};
  };
  const auto child = Child::start({*program, {"--version"}, {}, {}});
  if (!child) return does_not_run(child.error().sentence);
  const std::optional<Ending> ending = wait_for(**child, stop);
  if (stop) return Error{"interrupted", Exit::kInterrupted};
  if (!ending) return does_not_run(fmt::format("did not end within {} s", kVersionLimit.count()));
  if (const auto failure = failure_of({tool, *program, {}}, *ending, (*child)->said())) {
    return does_not_run("failed, " + *failure);
  }
  return FoundTool{tool, *program, version_in((*child)->said())};
}

std::string not_found(Tool tool) {
  const ToolWords& words = words_of(tool);
  return fmt::format("{} was not found in PATH, so {} cannot be converted; install {} or name it with --{} PATH",
                     words.name, words.files, words.product, words.name);
}

std::optional<std::string> failure_of(const FoundTool& tool, const Ending& ending, std::string_view said) {
  const std::string_view name = words_of(tool.tool).name;
  if (ending.signal == 0 && ending.code == 0) return std::nullopt;
  if (auto old = too_old(tool, said)) return old;
  if (ending.signal != 0) {
    return with_words(fmt::format("{} was ended by signal {} ({})", name, ending.signal, strsignal(ending.signal)),
                      said);
  }
  return with_words(fmt::format("{} failed with exit code {}", name, ending.code), said);
}

std::string empty_success(const FoundTool& tool, std::string_view problem, std::string_view said) {
  if (auto old = too_old(tool, said)) return *std::move(old);
  return with_words(fmt::format("{} reported success and {}", words_of(tool.tool).name, problem), said);
}

}  // namespace assay::convert
