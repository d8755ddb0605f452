#include "assay/testing/job_builder.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testing {

JobBuilder& JobBuilder::rank(std::int64_t number, std::int64_t world, std::vector<RecordedTable> rows,
                             std::string path) {
  if (path.empty()) path = "rank" + std::to_string(number) + ".sqlite";
  ranks_.push_back({number, world, std::move(rows), std::move(path)});
  return *this;
}

const Job& JobBuilder::build() {
  paths_.clear();
  numbers_.clear();
  worlds_.clear();
  table_ranks_.clear();
  views_ = {};
  std::ranges::sort(ranks_, [](const AddedRank& a, const AddedRank& b) {
    return std::tie(a.number, a.path) < std::tie(b.number, b.path);
  });
  for (AddedRank& rank : ranks_) {
    std::ranges::sort(rank.rows, [](const RecordedTable& a, const RecordedTable& b) { return a.id < b.id; });
    for (const RecordedTable& table : rank.rows) {
      views_.add(table);
      table_ranks_.push_back(static_cast<Row>(paths_.size()));
    }
    paths_.emplace_back(rank.path);
    numbers_.push_back(rank.number);
    worlds_.push_back(rank.world);
  }
  const auto column = []<class T>(const std::vector<T>& values) {
    static const T nothing{};
    return Column<T>{values.empty() ? &nothing : values.data(), values.size()};
  };
  rank_table_ = {paths_.size(), column(paths_), column(numbers_), column(worlds_)};
  row_table_ = {views_.size(), column(table_ranks_), column(views_.ids()), column(views_.tables())};
  job_ = {paths_.empty() ? Str() : paths_.front(), &rank_table_, &row_table_};
  return job_;
}

const RecordedFact* JobRecorder::fact_of(std::string_view metric, std::string_view dims, Row rank) const {
  const auto at = std::ranges::find_if(
      facts, [&](const RecordedFact& f) { return f.metric == metric && f.dims == dims && f.report == rank; });
  return at == facts.end() ? nullptr : &*at;
}

std::optional<double> JobRecorder::value(std::string_view metric, std::string_view dims, Row rank) const {
  const RecordedFact* found = fact_of(metric, dims, rank);
  return found != nullptr ? std::optional(found->value) : std::nullopt;
}

std::optional<std::string> JobRecorder::issue_of(std::string_view name) const {
  for (const auto& [rank, issue] : issues) {
    if (issue.name == name) return issue.text;
  }
  return std::nullopt;
}

std::optional<std::string> JobRecorder::skip_of(std::string_view metric) const {
  for (const RecordedSkip& skip : skips) {
    if (skip.metric == metric) return skip.reason;
  }
  return std::nullopt;
}

Emit JobRecorder::emit_fact(Row rank, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept {
  const auto finite = [](double v) { return std::isfinite(v); };
  if (std::ranges::find(declared_.metrics, metric.view()) == declared_.metrics.end()) return Emit::kUndeclared;
  if (!finite(value) || !std::ranges::all_of(samples, finite)) return Emit::kNotFinite;
  const auto canonical = dims_text(dims.view());
  if (!canonical || rank < kNone || rank >= static_cast<Row>(ranks_)) return Emit::kMalformed;
  // Facts of the job are keyed by its first rank.
  if (!seen_.emplace(std::max(rank, Row{0}), std::string(metric.view()), *canonical).second) return Emit::kDuplicate;
  facts.push_back({rank, std::string(metric.view()), *canonical, value, {samples.begin(), samples.end()}});
  return Emit::kOk;
}

Emit JobRecorder::emit_table(const TableView* table) noexcept { return add_table(*table, tables); }

void JobRecorder::emit_skip(Row rank, Str metric, Str reason) noexcept {
  skips.push_back({rank, std::string(metric.view()), std::string(reason.view())});
}

void JobRecorder::emit_issue(Row rank, Str name, Severity severity, std::int64_t count, Str text) noexcept {
  issues.push_back({rank, {std::string(name.view()), severity, count, std::string(text.view())}});
}

}  // namespace assay::testing
