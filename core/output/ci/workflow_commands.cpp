// GitHub workflow commands. The runner reads "::error file=F,line=N,title=T::MESSAGE" at the start of a line. Escapes:
// % and line breaks in a message, also ':' and ',' in a property.
#include <fmt/core.h>

#include <algorithm>

#include "ci/annotations.hpp"
#include "files/random_hex.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay::ci {
namespace {

constexpr std::size_t kMaxOfLevel = 10;               ///< per level and step; GitHub shows no more
constexpr std::size_t kTitle = 200, kMessage = 4000;  ///< columns

std::string escaped(const std::string& text, std::string_view also) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (also.find(c) != std::string_view::npos)
      out += c == ':' ? "%3A" : "%2C";
    else
      out += c;
  }
  return out;
}

std::string property(const std::string& text) { return escaped(one_line(text), ":,"); }

const char* word_of(Level level) {
  return level == Level::kError ? "error" : level == Level::kWarning ? "warning" : "notice";
}

std::string command_of(const AnnotationInput& input, const Case& one, Level level) {
  std::string properties;
  if (!one.pos.file.empty()) {
    properties += "file=" + property(path_in(input.root, one.pos.file)) + ",";
    if (one.pos.line > 0) properties += fmt::format("line={},col={},", one.pos.line, std::max(one.pos.column, 1U));
  }
  const std::string verdict(verdict_name(one.verdict));
  properties += "title=" + property(shortened(one.result.empty() ? verdict + ": " + one.name() : one.result, kTitle));
  std::string message = one.text.empty() ? one.name() : one.text;
  if (one.result.empty()) message += " (" + verdict + ")";
  if (!one.reason.empty()) message += "\n" + one.reason;
  std::string lines;
  for (std::size_t from = 0; from <= message.size();) {
    const std::size_t end = std::min(message.find('\n', from), message.size());
    lines += (lines.empty() ? "" : "\n") + shortened(one_line(message.substr(from, end - from)), kMessage);
    from = end + 1;
  }
  return fmt::format("::{} {}::{}\n", word_of(level), properties, escaped(lines, ""));
}

}  // namespace

std::string workflow_commands(const AnnotationInput& input) {
  std::string out;
  for (const Level level : {Level::kError, Level::kWarning, Level::kNotice}) {
    std::vector<const Case*> of_level;
    for (const Case& one : input.gate.cases) {
      if (level_of(input, one) == level) of_level.push_back(&one);
    }
    const bool all = of_level.size() <= kMaxOfLevel;
    const std::size_t shown = all ? of_level.size() : kMaxOfLevel - 1;
    for (std::size_t i = 0; i < shown; ++i) out += command_of(input, *of_level[i], level);
    if (!all) {
      out += fmt::format("::{} title={}::and {}; the summary of the step lists them\n", word_of(level),
                         property(input.command), counted(of_level.size() - shown, "more claim"));
    }
  }
  return out;
}

std::string stop_commands(const std::string& token) { return "::stop-commands::" + token + "\n"; }
std::string resume_commands(const std::string& token) { return "::" + token + "::\n"; }

std::string fresh_token() { return "assay-" + files::random_hex(); }

}  // namespace assay::ci
