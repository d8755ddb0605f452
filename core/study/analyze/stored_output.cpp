#include "analyze/stored_output.hpp"

#include <algorithm>

#include "analyze/visit_results.hpp"

namespace assay {

constexpr Severity last_of(Severity) { return Severity::kError; }

template <>
inline constexpr bool cache::kByHand<ReportResult> = true;

template <class To>
void visit(To& to, cache::EitherWay<ReportResult> auto& result) {
  auto& [loaded, lacking, facts, attributes, doubt, tables, rank_rows, study_rows, issues, skips, notes, absent] =
      result;
  static_cast<void>(notes);  // they are about how the report was read
  visit(to, loaded);
  visit(to, lacking);
  visit(to, facts);
  visit(to, attributes);
  visit(to, doubt);
  visit(to, tables);
  visit(to, rank_rows);
  visit(to, study_rows);
  visit(to, issues);
  visit(to, skips);
  visit(to, absent);
}

namespace {

bool declared(const Descriptor& by, const AnalyzerOutput& output) {
  const auto produces = [&](const Fact& fact) {
    return std::ranges::any_of(by.produces, [&](const auto& m) { return m.id == fact.metric; });
  };
  const auto has = [&](const OwnedAttribute& given) {
    return std::ranges::any_of(by.attributes, [&](const auto& a) { return a.name == given.name; });
  };
  const auto own = [&](const OwnedTable& t) { return by.id == t.analyzer; };
  return std::ranges::all_of(output.facts, produces) && std::ranges::all_of(output.attributes, has) &&
         std::ranges::all_of(output.tables, own) && std::ranges::all_of(output.rank_rows, own) &&
         std::ranges::all_of(output.study_rows, own);
}

}  // namespace

std::string to_bytes(const std::vector<OwnedTable>& tables) { return cache::written(tables); }
std::string to_bytes(const ViewIssues& view) { return cache::written(view); }
std::string to_bytes(const AnalyzerOutput& output) { return cache::written(output); }
std::string to_bytes(const ReportResult& result) { return cache::written(result); }

std::optional<ViewIssues> view_from_bytes(std::string_view bytes) { return cache::read_back<ViewIssues>(bytes); }

std::optional<AnalyzerOutput> output_from_bytes(std::string_view bytes, const Descriptor& by) {
  std::optional<AnalyzerOutput> output = cache::read_back<AnalyzerOutput>(bytes);
  if (output && !declared(by, *output)) output.reset();
  return output;
}

std::optional<ReportResult> result_from_bytes(std::string_view bytes) { return cache::read_back<ReportResult>(bytes); }

}  // namespace assay
