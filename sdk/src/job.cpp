#include "assay/job.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace assay {

void JobSink::fact(RowArg rank, std::string_view metric, double value, const Dims& dims) {
  fact(rank, metric, value, {}, dims);
}

void JobSink::fact(RowArg rank, std::string_view metric, double value, std::span<const double> samples,
                   const Dims& dims) {
  const auto emit = [&](Span<Dim> views) { return emit_fact(rank.row, metric, views, value, samples); };
  check_emit(dims.with_view(emit), "fact", metric);
}

void JobSink::table(const Table& table) {
  table.with_view([&](const TableView& view) { check_emit(emit_table(&view), "table", view.id); });
}

void JobSink::issue(RowArg rank, std::string_view name, Severity severity, std::int64_t count, std::string_view text) {
  emit_issue(rank.row, name, severity, count, text);
}

std::optional<std::int64_t> JobView::rank(std::size_t row) const {
  const std::int64_t number = job_->ranks->rank[row];
  return number == kNoInteger ? std::nullopt : std::optional(number);
}

const TableView* JobView::find(std::size_t rank, std::string_view id) const {
  const RankRowTable& t = *job_->tables;
  std::size_t lo = 0, hi = static_cast<std::size_t>(t.rows);
  while (lo < hi) {
    const std::size_t mid = lo + (hi - lo) / 2;
    const auto of = static_cast<std::size_t>(t.rank[mid]);
    const bool before = of != rank ? of < rank : t.id[mid].view() < id;
    before ? lo = mid + 1 : hi = mid;
  }
  return lo < t.rows && static_cast<std::size_t>(t.rank[lo]) == rank && t.id[lo] == id ? t.table[lo] : nullptr;
}

}  // namespace assay
