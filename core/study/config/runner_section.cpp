#include "config/runner_section.hpp"

#include <fmt/core.h>

#include "config/label_section.hpp"

namespace assay {
namespace {

using FieldPatterns = std::vector<std::pair<std::string, std::vector<std::string>>>;

FieldPatterns read_patterns(Section section, const LabelRules& rules) {
  const std::string title = "[results.patterns] ";
  FieldPatterns out;
  for (const Section::Entry& entry : section.rest()) {
    std::vector<std::string> patterns;
    const RawValue raw = raw_value(*entry.node, entry.pos, title + entry.key);
    if (const auto* text = std::get_if<std::string>(&raw.value)) patterns = {*text};
    if (const auto* texts = std::get_if<std::vector<std::string>>(&raw.value)) patterns = *texts;
    if (patterns.empty()) {
      refuse(entry.pos, fmt::format("{}{} is {}", title, entry.key, std::string(kind_of(*entry.node))),
             "expected a pattern such as \"{depth}x{dim}\", or a list of such.");
    }
    check_patterns(rules, patterns, entry.pos);
    out.emplace_back(entry.key, std::move(patterns));
  }
  return out;
}

}  // namespace

RunnerSpec read_runner_spec(Section section, const LabelRules& rules) {
  RunnerSpec runner;
  if (section.find("files") != nullptr) runner.files = section.texts("files");
  if (auto patterns = section.table("patterns")) runner.patterns = read_patterns(std::move(*patterns), rules);
  const std::string failed = section.text("failed").value_or("leave_out");
  if (failed != "leave_out" && failed != "keep") {
    refuse(section.pos("failed"), "[results] failed is '" + failed + "'", "expected \"leave_out\" or \"keep\".");
  }
  runner.keep_failed = failed == "keep";
  section.finish();
  return runner;
}

}  // namespace assay
