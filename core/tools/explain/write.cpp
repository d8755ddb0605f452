#include "explain/write.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "render/text.hpp"

namespace assay::explain {
namespace {

std::string list(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string unit_text(const Explanation& e) { return e.unit + (e.unit_meaning.empty() ? "" : ": " + e.unit_meaning); }

/// "nsys: kernels, graphs; torch: kernels (not graphs)"
std::string from_text(const Explanation& e) {
  std::string out;
  for (const FilledBy& one : e.formats) {
    out += (out.empty() ? "" : "; ") + one.format + ": " + list(one.fills);
    if (!one.lacks.empty()) out += " (not " + list(one.lacks) + ")";
  }
  if (!e.source.empty()) out += (out.empty() ? "" : "; and ") + e.source;
  return out;
}

std::string better_text(const Explanation& e) {
  std::string out = e.better.empty() ? "" : e.better + " is better";
  if (e.extensive)
    out +=
        std::string(out.empty() ? "" : "; ") + "grows with the length of the run, so runs are compared per iteration";
  return out;
}

/// The value with its unit; of ratios and counts the number alone.
std::string example_text(const Explanation& e) {
  if (!e.example) return {};
  const bool bare = e.unit == "1" || e.unit == "ratio";
  return e.example->value + (bare ? "" : " " + e.unit) + (e.example->dims.empty() ? "" : " (" + e.example->dims + ")") +
         (e.example->report.empty() ? "" : " in " + e.example->report) + ", " + e.example->data;
}

std::vector<std::pair<std::string, std::string>> lines_of(const Explanation& e) {
  return {{"unit", e.unit.empty() ? "" : unit_text(e)},
          {"meaning", better_text(e)},
          {"formula", e.formula},
          {"from", from_text(e)},
          {"not", e.is_not},
          {"example", example_text(e)},
          {"analyzer", e.analyzer},
          {"metrics", list(e.metrics)}};
}

}  // namespace

void print(const Explanation& e, std::ostream& to, std::size_t width) {
  constexpr std::size_t kIndent = 12;
  const auto put = [&](std::string lead, const std::string& words) {
    for (const std::string& line : wrapped(one_line(words), width > kIndent ? width - lead.size() : words.size() + 1)) {
      to << lead << line << "\n";
      lead.assign(lead.size(), ' ');
    }
  };
  put("", e.name + " (" + e.kind + ")" + (e.title.empty() ? "" : ": " + e.title));
  put("  ", e.definition);
  for (const auto& [what, words] : lines_of(e)) {
    if (!words.empty()) put("  " + padded(what, kIndent - 2), words);
  }
}

nlohmann::ordered_json json(const Explanation& e) {
  nlohmann::ordered_json formats = nlohmann::ordered_json::array();
  for (const FilledBy& one : e.formats)
    formats.push_back({{"format", one.format}, {"fills", one.fills}, {"lacks", one.lacks}});
  nlohmann::ordered_json out = {{"kind", e.kind},       {"name", e.name},
                                {"title", e.title},     {"definition", e.definition},
                                {"unit", e.unit},       {"unit_meaning", e.unit_meaning},
                                {"better", e.better},   {"extensive", e.extensive},
                                {"formula", e.formula}, {"formats", formats},
                                {"source", e.source},   {"is_not", e.is_not},
                                {"example", nullptr},   {"analyzer", e.analyzer},
                                {"metrics", e.metrics}};
  if (e.example) {
    out["example"] = {{"value", e.example->value},
                      {"dims", e.example->dims},
                      {"report", e.example->report},
                      {"data", e.example->data}};
  }
  return out;
}

void write_reference(const std::vector<Explanation>& all, std::ostream& to) {
  to << "# Metrics and verdicts\n\n"
        "`assay explain NAME` prints the same texts, and takes an example from a result of yours with `--result OUT`. "
        "This page is made by\n`assay explain --reference`; a test holds it.\n";
  std::string kind, family;
  for (const Explanation& e : all) {
    const std::string of = e.name.substr(0, e.name.find('.'));
    if (e.kind != kind && e.kind == "verdict") to << "\n## Verdicts\n";
    if (e.kind == "metric" && of != family) to << "\n## " << of << "\n";
    kind = e.kind, family = of;
    to << "\n### `" << e.name << "`\n\n" << markdown(e.definition) << "\n\n";
    for (const auto& [what, words] : lines_of(e)) {
      if (!words.empty()) to << "- **" << what << "** " << markdown(words) << "\n";
    }
  }
}

}  // namespace assay::explain
