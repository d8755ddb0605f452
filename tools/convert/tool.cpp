#include "convert/tool.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "assay/words.hpp"
#include "child/child.hpp"
#include "files/program.hpp"
#include "process/children.hpp"

namespace assay::convert {
namespace fs = std::filesystem;
namespace {

Result<fs::path> locate(const ToolWords& words, const fs::path& named) {
  if (named.empty()) return program_on_path(words.name).value_or(fs::path());
  std::error_code failed;
  if (!fs::exists(named, failed)) {
    return Error{fmt::format("--{} {}: program not found", words.name, named.native())}.advise(
        fmt::format("name the {} of {}", words.name, words.product));
  }
  if (!can_be_run(named)) {
    return Error{fmt::format("--{} {}: is not a program that can be run", words.name, named.native())}.advise(
        fmt::format("name the {} of {}", words.name, words.product));
  }
  return fs::absolute(named);
}

/// "2022.4.2.1" from "NVIDIA Nsight Systems version 2022.4.2.1-df9881f".
std::string version_in(std::string_view text) {
  constexpr std::string_view kWord = "version ";
  const std::size_t at = lower_case(text).find(kWord);
  if (at == std::string::npos) return {};
  const std::string_view rest = text.substr(at + kWord.size());
  return std::string(rest.substr(0, std::min(rest.find_first_not_of("0123456789."), rest.size())));
}

/// First text in parentheses after `before`: "2026.3.1" from "... version (2026.3.1)".
std::string in_brackets_after(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  const std::size_t open = at == std::string_view::npos ? at : text.find('(', at);
  const std::size_t close = open == std::string_view::npos ? open : text.find(')', open);
  if (close == std::string_view::npos) return {};
  return std::string(text.substr(open + 1, close - open - 1));
}

/// Matches nsys ("Report was created in Nsight Systems version (A), newer than your current version (B)."), or similar
/// messages.
std::optional<std::string> too_old(const FoundTool& tool, std::string_view said) {
  const ToolWords& words = words_of(tool.tool);
  const std::string told = process::last_words(said);
  const std::string small = lower_case(told);
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
        "the profile was made by {} {}, for which {} is too old; install {} {} or newer, or name it with --{}",
        words.product, made_by, program, words.product, made_by, words.name);
  }
  return fmt::format("{} is too old for this profile (it says: {}); install a newer {} or name one with --{}", program,
                     told, words.product, words.name);
}

std::string with_words(const std::string& sentence, std::string_view said) {
  const std::string words = process::last_words(said);
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

Result<FoundTool> find_tool(Tool tool, const fs::path& named, const std::atomic<bool>& stop,
                            std::chrono::seconds limit) {
  const ToolWords& words = words_of(tool);
  const Result<fs::path> program = locate(words, named);
  if (!program) return program.error();
  if (program->empty()) return FoundTool{tool, {}, {}};
  const auto does_not_run = [&](const std::string& why) {
    return Error{fmt::format("'{} --version' {}", program->native(), why)}.advise(
        fmt::format("repair that {} or name another with --{}", words.product, words.name));
  };
  limit = std::min(limit, kVersionLimit);
  const process::ProcessResult ended = process::run_to_end({*program, {"--version"}}, limit, &stop);
  process::end_orphans();
  const process::ExitStatus& status = ended.status;
  if (stop) return Error{"interrupted", Exit::kInterrupted};
  if (status.how == process::ExitKind::kNotStarted) return does_not_run(process::not_started(status.number));
  if (status.how == process::ExitKind::kTimedOut)
    return does_not_run(fmt::format("did not end within {} s", limit.count()));
  if (const auto failure = failure_of({tool, *program, {}}, status, ended.said)) {
    return does_not_run("failed, " + *failure);
  }
  return FoundTool{tool, *program, version_in(ended.said)};
}

std::string not_found(Tool tool) {
  const ToolWords& words = words_of(tool);
  return fmt::format("{} was not found in PATH, so {} cannot be converted; install {} or name it with --{} PATH",
                     words.name, words.files, words.product, words.name);
}

std::optional<std::string> failure_of(const FoundTool& tool, const process::ExitStatus& status, std::string_view said) {
  const std::string_view name = words_of(tool.tool).name;
  if (status.success()) return std::nullopt;
  if (auto old = too_old(tool, said)) return old;
  if (status.how == process::ExitKind::kSignalled) {
    return with_words(fmt::format("{} was ended by signal {} ({})", name, status.number, strsignal(status.number)),
                      said);
  }
  return with_words(fmt::format("{} failed with exit code {}", name, status.number), said);
}

std::string empty_success(const FoundTool& tool, std::string_view problem, std::string_view said) {
  if (auto old = too_old(tool, said)) return *std::move(old);
  return with_words(fmt::format("{} reported success and {}", words_of(tool.tool).name, problem), said);
}

}  // namespace assay::convert
