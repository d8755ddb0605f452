// JUnit XML for the strictest schema in use: no attributes besides those of JUnit 10.
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
  std::string out = "    <testcase name=\"" + xml(one.claim) + "\" classname=\"" + xml(one.question) + "\"";
  if (one.verdict == Verdict::kSupported) return out + "/>\n";
  std::string text = one.text;
  if (!one.reason.empty()) text += (text.empty() ? "" : " - ") + one.reason;
  if (one.pos.line > 0) text += " (" + path_in(input.root, one.pos.file) + ":" + std::to_string(one.pos.line) + ")";
  const std::string element = one.verdict == Verdict::kRefuted ? "failure" : "skipped";
  const std::string verdict(verdict_name(one.verdict));
  return out + ">\n      <" + element + " type=\"" + verdict + "\" message=\"" + verdict + "\">" + xml(text) + "</" +
         element + ">\n    </testcase>\n";
}

struct Suite {
  std::string cases;
  std::size_t tests = 0, failed = 0, skipped = 0;
};

std::string counts(const Suite& suite) {
  return " tests=\"" + std::to_string(suite.tests) + "\" failures=\"" + std::to_string(suite.failed) +
         "\" errors=\"0\"";
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
  std::string out = kJunitReport.begins + xml(input.command) + "\"" + counts(all) + ">\n";
  for (const auto& [name, suite] : suites) {
    out += "  <testsuite name=\"" + xml(name) + "\"" + counts(suite) + " skipped=\"" + std::to_string(suite.skipped) +
           "\">\n" + suite.cases + "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace assay::ci
