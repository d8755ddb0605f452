#include <fmt/core.h>

#include <map>

#include "render/outputs.hpp"

namespace assay {
namespace {

std::string without_extension(std::string_view name) {
  const std::size_t dot = name.rfind('.'), slash = name.rfind('/');
  const bool has_extension = dot != std::string_view::npos && (slash == std::string_view::npos || dot > slash + 1);
  return std::string(has_extension ? name.substr(0, dot) : name);
}

/// Adds the text under the first free of increasingly long names: files may share a stem, questions a report, and
/// analyzers a suffix.
void add(std::map<std::string, std::string>& texts, const std::string& question, const OwnedTextFile& file) {
  const std::string names[] = {without_extension(file.report), file.report, file.report + "." + question,
                               fmt::format("{}.{}.{}", file.report, question, file.analyzer)};
  for (const std::string& name : names) {
    const auto [at, added] = texts.try_emplace("reports/" + name + file.suffix, file.content);
    if (added || at->second == file.content) return;
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> text_files(const RunResult& run) {
  std::map<std::string, std::string> texts;
  for (const QuestionRun& question : run.each_question()) {
    for (const OwnedTextFile& file : question.result.text_files) add(texts, question.question.id, file);
  }
  return {texts.begin(), texts.end()};
}

}  // namespace assay
