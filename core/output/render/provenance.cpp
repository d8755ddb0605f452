#include "render/provenance.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "render/format.hpp"
#include "render/left_out.hpp"

namespace assay {
namespace {

const std::string* value_of(const std::vector<OwnedAttribute>& attributes, std::string_view name) {
  const auto at =
      std::find_if(attributes.begin(), attributes.end(), [&](const OwnedAttribute& a) { return a.name == name; });
  return at == attributes.end() ? nullptr : &at->value;
}

}  // namespace

ReportAttributes attributes_of(const QuestionRun& run) {
  ReportAttributes reports;
  for (const ReportRun& report : run.reports) {
    if (report.result.loaded) reports.push_back(&report.result.attributes);
  }
  return reports;
}

Provenance provenance_of(const ReportAttributes& reports) {
  Provenance out;
  out.reports = reports.size();
  for (const char* name : {"device", "clock", "driver", "cuda", "profiler"}) {
    std::map<std::string, std::size_t> said;
    std::size_t unknown = 0;
    for (const std::vector<OwnedAttribute>* attributes : reports) {
      const std::string* value = value_of(*attributes, name);
      ++(value == nullptr ? unknown : said[*value]);
    }
    for (const auto& [value, count] : said) out.rows.push_back({name, value, count});
    if (unknown > 0) out.rows.push_back({name, "", unknown});
  }
  for (const std::vector<OwnedAttribute>* attributes : reports) {
    const std::string* time = value_of(*attributes, "recorded");
    if (time == nullptr) continue;
    if (out.dated++ == 0) out.first = out.last = *time;
    out.first = std::min(out.first, *time);
    out.last = std::max(out.last, *time);
  }
  return out;
}

std::string provenance_line(const QuestionRun& run) {
  const std::string dates = dates_line(run);
  return dates.empty() ? dates : dates + "; " + made_with_line(attributes_of(run));
}

std::string dates_line(const QuestionRun& run) {
  const ReportAttributes reports = attributes_of(run);
  if (reports.empty()) return {};
  const Provenance provenance = provenance_of(reports);
  std::string text = counted(provenance.reports, "profile");
  if (provenance.dated > 0) {
    const std::string first = provenance.first.substr(0, provenance.first.find(' '));
    const std::string last = provenance.last.substr(0, provenance.last.find(' '));
    text += " recorded " + (first == last ? "on " + first : fmt::format("from {} to {}", first, last));
    if (provenance.dated < provenance.reports)
      text += " (" + std::to_string(provenance.reports - provenance.dated) + " without a date)";
  }
  return text;
}

std::string sources_line(const Question& question) {
  std::string text;
  for (const SourceSpec& source : question.sources)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", source.id, source.text);
  return text;
}

std::string provenance_word(const std::string& name) { return name == "cuda" ? "CUDA" : name; }

}  // namespace assay
