#include "timeline/job_clocks.hpp"

#include <algorithm>
#include <map>

namespace assay {
namespace {

const OwnedTable::Column& column(const OwnedTable& table, std::string_view name) {
  static const OwnedTable::Column kNoColumn{};
  const OwnedTable::Column* found = table.find(name);
  return found == nullptr ? kNoColumn : *found;
}

/// Sets the clocks; returns of each row of the table the rank that it is of.
std::vector<std::size_t> set_clocks(const OwnedTable& table, const std::vector<std::string>& reports, JobClocks& job) {
  std::map<std::string_view, std::size_t> rank_of;
  for (std::size_t r = 0; r < reports.size(); ++r) rank_of.emplace(reports[r], r);
  std::vector<std::size_t> ranks;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ranks.push_back(rank_of.at(column(table, "report").texts[row]));
    RankInTrace& rank = job.ranks[ranks.back()];
    const bool aligned = column(table, "aligned").integers[row] != 0;
    rank.clock.base = column(table, "base").integers[row];
    if (aligned) {
      rank.clock.offset = column(table, "offset").integers[row];
      rank.clock.slope = column(table, "slope").numbers[row];
      rank.clock.pivot = column(table, "pivot").integers[row];
      ++job.aligned;
    }
    rank.alignment = column(table, "alignment").texts[row];
  }
  return ranks;
}

/// One collective on its ranks: the arrow goes through them as they came.
void add_collective(std::vector<std::pair<std::size_t, SharedCollective>>& on_ranks, JobClocks& job) {
  const auto came = [&](const auto& one) {
    return std::pair(job.ranks[one.first].clock.of(one.second.start), one.first);
  };
  std::sort(on_ranks.begin(), on_ranks.end(), [&](const auto& a, const auto& b) { return came(a) < came(b); });
  for (std::size_t i = 0; i < on_ranks.size() && on_ranks.size() > 1; ++i) {
    auto& [rank, collective] = on_ranks[i];
    collective.part = i == 0 ? ArrowPart::kBegin : i + 1 == on_ranks.size() ? ArrowPart::kEnd : ArrowPart::kThrough;
    job.ranks[rank].collectives.push_back(collective);
  }
  on_ranks.clear();
}

}  // namespace

JobClocks job_clocks(const OwnedTable* clocks, const OwnedTable* matched, const std::vector<std::string>& reports) {
  JobClocks job;
  job.ranks.resize(reports.size());
  for (RankInTrace& rank : job.ranks) rank.alignment = "not aligned: no collective of the ranks was matched";
  if (clocks == nullptr || matched == nullptr) return job;
  const std::vector<std::size_t> ranks = set_clocks(*clocks, reports, job);
  const auto &number = column(*matched, "collective").integers, &clock = column(*matched, "clock").integers,
             &start = column(*matched, "start").integers, &end = column(*matched, "end").integers,
             &wait = column(*matched, "wait").integers;
  std::vector<std::pair<std::size_t, SharedCollective>> on_ranks;
  for (std::size_t row = 0; row < matched->rows(); ++row) {
    if (row > 0 && number[row] != number[row - 1]) add_collective(on_ranks, job);
    job.collectives = std::max(job.collectives, number[row] + 1);
    on_ranks.emplace_back(ranks[static_cast<std::size_t>(clock[row])],
                          SharedCollective{start[row], end[row], number[row] + 1, ArrowPart::kBegin, wait[row]});
  }
  add_collective(on_ranks, job);
  return job;
}

}  // namespace assay
