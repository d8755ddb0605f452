// JUnit XML for the strictest schema in use: no attributes besides those of JUnit 10.
#include <fmt/core.h>

#include <map>

#include "ci/annotations.hpp"
#include "render/text.hpp"

namespace assay::ci {
namespace {

/// Any bytes as text or attribute value of XML 1.0, which permits fewer characters than Unicode has.
std::string xml(const std::string& text) {
  std::string out;
  const std::string line = one_line(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = std::string_view(line).substr(i);
    switch (line[i]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {  // U+FFFE, U+FFFF
          out += "\xEF\xBF\xBD";
          i += 2;
        } else {
          out += line[i];
        }
    }
  }
  return out;
}

std::string case_of(const AnnotationInput& input, const Case& one) {
  std::string out = fmt::format("    <testcase name=\"{}\" classname=\"{}\"", xml(one.claim), xml(one.question));
  if (one.verdict == Verdict::kSupported) return out + "/>\n";
  std::string text = one.text;
  if (!one.reason.empty()) text += (text.empty() ? "" : " - ") + one.reason;
  if (one.pos.line > 0) text += fmt::format(" ({}:{})", path_in(input.root, one.pos.file), one.pos.line);
  const std::string element = one.verdict == Verdict::kRefuted ? "failure" : "skipped";
  const std::string verdict(verdict_name(one.verdict));
  return fmt::format("{}>\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n", out, element, verdict,
                     verdict, xml(text), element);
}

struct Suite {
  std::string cases;
  std::size_t tests = 0, failed = 0, skipped = 0;
};

std::string counts(const Suite& suite) {
  return fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"0\"", suite.tests, suite.failed);
}

}  // namespace

std::string junit_xml(const AnnotationInput& input) {
  std::vector<std::pair<std::string, Suite>> suites;
  std::map<std::string, std::size_t> number;
  Suite all;
  for (const Case& one : input.gate.cases) {
    const auto [at, fresh] = number.emplace(one.question, suites.size());
    if (fresh) suites.emplace_back(one.question, Suite{});
    Suite& suite = suites[at->second].second;
    suite.cases += case_of(input, one);
    for (Suite* to : {&suite, &all}) {
      ++to->tests;
      to->failed += one.verdict == Verdict::kRefuted ? 1U : 0U;
      to->skipped += one.verdict == Verdict::kInconclusive || one.verdict == Verdict::kUntestable ? 1U : 0U;
    }
  }
  std::string out = fmt::format("{}{}\"{}>\n", kJunitReport.begins, xml(input.command), counts(all));
  for (const auto& [name, suite] : suites) {
    out += fmt::format("  <testsuite name=\"{}\"{} skipped=\"{}\">\n{}  </testsuite>\n", xml(name), counts(suite),
                       suite.skipped, suite.cases);
  }
  return out + "</testsuites>\n";
}

}  // namespace assay::ci
