#include "render/fact_rows.hpp"

#include <algorithm>
#include <tuple>

namespace assay {
namespace {

struct Sourced {
  FactRow row;
  std::string_view question;
  std::size_t number;  ///< of the question
};

auto key(const FactRow& row) {
  return std::tuple(row.report, std::string_view(row.fact->metric), std::string_view(row.dims));
}

/// `dims` with one more, kept sorted by key.
std::string with_dim(const std::string& dims, std::string_view name, std::string_view value) {
  const Dim added{name, value};
  const std::string pair = canonical_dims(Span<Dim>(&added, 1)).value();
  std::vector<std::string_view> parts;
  for (std::string_view rest = dims; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    parts.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto key_of = [](std::string_view part) { return part.substr(0, part.find('=')); };
  const auto at =
      std::find_if(parts.begin(), parts.end(), [&](std::string_view p) { return key_of(p) > key_of(pair); });
  parts.insert(at, pair);
  std::string out;
  for (const std::string_view part : parts) {
    if (!out.empty()) out += ';';
    out.append(part);
  }
  return out;
}

std::vector<Sourced> collect(const RunResult& run) {
  std::vector<Sourced> rows;
  for (const QuestionRun& question : run.each_question()) {
    const auto add = [&](std::string_view report, const Fact& fact) {
      const std::string_view unit = unit_of(question.result.metrics, fact.metric);
      rows.push_back({{report, fact.dims, unit, &fact}, question.question.id, question.number});
    };
    for (const Fact& fact : question.result.study_facts) add({}, fact);
    for (const ReportRun& report : question.reports) {
      for (const Fact& fact : report.result.facts) add(report.file.name, fact);
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Sourced& a, const Sourced& b) {
    return std::tuple_cat(key(a.row), std::tuple(a.number)) < std::tuple_cat(key(b.row), std::tuple(b.number));
  });
  return rows;
}

bool alike(const Sourced& a, const Sourced& b) {
  return a.row.fact->value == b.row.fact->value && a.row.fact->samples == b.row.fact->samples;
}

}  // namespace

std::string_view unit_of(const std::vector<OwnedMetric>& metrics, std::string_view id) {
  const auto at =
      std::lower_bound(metrics.begin(), metrics.end(), id,
                       [](const OwnedMetric& metric, std::string_view wanted) { return metric.id < wanted; });
  return at != metrics.end() && at->id == id ? std::string_view(at->unit) : std::string_view();
}

std::vector<FactRow> fact_rows(const RunResult& run) {
  std::vector<Sourced> all = collect(run);
  std::vector<FactRow> rows;
  rows.reserve(all.size());
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && key(all[end].row) == key(all[begin].row)) ++end;
    const bool study_fact_of_many = all[begin].row.report.empty() && run.questions.size() > 1;
    const bool agree =
        std::all_of(all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end),
                    [&](const Sourced& other) { return alike(all[begin], other); });
    if (agree && !study_fact_of_many) {
      rows.push_back(std::move(all[begin].row));
      continue;
    }
    for (std::size_t i = begin; i < end; ++i) {
      FactRow row = all[i].row;
      row.dims = with_dim(row.dims, "question", all[i].question);
      rows.push_back(std::move(row));
    }
  }
  std::sort(rows.begin(), rows.end(), [](const FactRow& a, const FactRow& b) { return key(a) < key(b); });
  return rows;
}

std::size_t fact_place(const std::vector<FactRow>& rows, std::string_view report, std::string_view metric,
                       const std::string& dims, std::string_view question) {
  for (const std::string& wanted : {dims, with_dim(dims, "question", question)}) {
    const auto sought = std::tuple(report, metric, std::string_view(wanted));
    const auto at = std::lower_bound(rows.begin(), rows.end(), sought,
                                     [](const FactRow& row, const auto& other) { return key(row) < other; });
    if (at != rows.end() && key(*at) == sought) return static_cast<std::size_t>(at - rows.begin());
  }
  return rows.size();
}

}  // namespace assay
