// Ranks of a job that have no profile: what holds of all ranks is not decided without them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "assay/algo/participation.hpp"
#include "assay/detail/text.hpp"
#include "assay/words.hpp"

namespace assay {

/// "rank 2 of 4 is missing" or "ranks 2 and 3 of 4 are missing"; empty: none, or their number is not known.
inline std::string missing_ranks_text(const std::set<std::size_t>& there, std::size_t world) {
  constexpr std::size_t kMaxNamed = 8;
  std::vector<std::string> missing;
  for (std::size_t rank = 0; rank < world && missing.size() <= kMaxNamed; ++rank) {
    if (!there.contains(rank)) missing.push_back(std::to_string(rank));
  }
  if (missing.empty()) return {};
  if (missing.size() > kMaxNamed) missing.back() = "others";
  return filled("{} {} of {} {} missing",
                {missing.size() == 1 ? std::string("rank") : std::string("ranks"), listed(missing),
                 std::to_string(world), missing.size() == 1 ? std::string("is") : std::string("are")});
}

/// The same of the job of a report, from all reports of the question.
inline std::string missing_ranks_text(const StudyView& view, std::size_t report) {
  std::set<std::size_t> there;
  std::size_t world = 0;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    const auto place = view.job(r) == view.job(report) ? job_rank_of(view, r) : std::nullopt;
    if (!place) continue;
    if (const auto number = number_in<std::size_t>(place->rank)) there.insert(*number);
    world = std::max(world, number_in<std::size_t>(place->world).value_or(0));
  }
  return there.empty() ? std::string() : missing_ranks_text(there, world);
}

}  // namespace assay
