#include "run_design.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/detail/run_order.hpp"

namespace assay::difference {
namespace {

std::vector<double> picked(const std::vector<double>& all, const std::vector<std::size_t>& runs) {
  std::vector<double> out;
  for (const std::size_t run : runs) out.push_back(all[run]);
  return out;
}

}  // namespace

RunDesign::RunDesign(const Side& before, const Side& after) {
  find_blocks(before, after);
  find_order(before, after);
}

RunValues RunDesign::values_of(const std::vector<double>& before, const std::vector<double>& after) const {
  if (!paired_) return {before, after, false, false, widening_, degrees_};
  return {picked(before, before_blocks_), picked(after, after_blocks_), true, fixed_, widening_, degrees_};
}

void RunDesign::find_blocks(const Side& before, const Side& after) {
  const auto by_block = [](const Side& side) {
    std::map<std::pair<std::string, std::string>, std::size_t> blocks;
    for (std::size_t r = 0; r < side.runs.size(); ++r) {
      const SideRun& run = side.runs[r];
      if (!run.block.empty()) blocks.emplace(std::pair(run.recording, run.block), r);
    }
    return blocks;
  };
  const auto b = by_block(before), a = by_block(after);
  for (const auto& [block, run] : b) {
    if (!a.contains(block)) continue;
    before_blocks_.push_back(run);
    after_blocks_.push_back(a.at(block));
  }
  std::map<std::string, std::size_t> used;
  for (const std::size_t run : before_blocks_) ++used[before.runs[run].recording];
  fixed_ = std::ranges::all_of(before_blocks_, [&](std::size_t run) {
    return before.runs[run].fixed_blocks == used[before.runs[run].recording];
  });
  paired_ = before_blocks_.size() >= 2 && before_blocks_.size() == before.runs.size() &&
            after_blocks_.size() == after.runs.size();
}

std::string RunDesign::order_text() const {
  if (const std::string clause = order_clause(widening_); !paired_) return clause.empty() ? clause : ", " + clause;
  return fixed_ ? ", in blocks fixed beforehand" : ", in blocks looked at after each";
}

void RunDesign::find_order(const Side& before, const Side& after) {
  const auto places_of = [](const Side& side) {
    std::vector<std::int32_t> places;
    for (const SideRun& run : side.runs) places.push_back(run.place);
    return places;
  };
  const RunOrder order = run_order(places_of(before), places_of(after));
  if (!order.known) return;
  widening_ = order.widening;
  degrees_ = std::isfinite(order.degrees) && order.widening > 1 ? std::max(0.5, order.degrees) : 0;
}

}  // namespace assay::difference
