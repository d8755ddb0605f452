#include "render/provenance.hpp"

#include <algorithm>
#include <map>

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
    if (said.empty()) continue;
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

std::string provenance_word(const std::string& name) { return name == "cuda" ? "CUDA" : name; }

}  // namespace assay
