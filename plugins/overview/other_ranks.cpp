#include "other_ranks.hpp"

#include "assay/algo/participation.hpp"
#include "assay/words.hpp"

namespace assay::overview {
namespace {

constexpr double kUneven = 1.05;  // tokens of the busiest experts relative to the mean

/// Facts of a job, which are stored with one of its ranks.
class JobFacts {
 public:
  JobFacts(const StudyView& view, const RunReports& reports) : view_(view), reports_(reports) {}

  [[nodiscard]] double most(std::string_view metric) const {
    double out = 0;
    for (const std::size_t r : reports_) out = std::max(out, view_.value(static_cast<Row>(r), metric).value_or(0));
    return out;
  }

  [[nodiscard]] std::optional<double> value(std::string_view metric) const {
    for (const std::size_t r : reports_) {
      std::optional<double> found = view_.value(static_cast<Row>(r), metric);
      if (found) return found;
      view_.each_fact(static_cast<Row>(r), metric, [&](std::size_t fact) { found = view_.study().facts->value[fact]; });
      if (found) return found;
    }
    return std::nullopt;
  }

 private:
  const StudyView& view_;
  const RunReports& reports_;
};

std::optional<OtherRanks> stage_ranks(const Facts& facts, const JobFacts& job) {
  const auto number = facts.value("stage.number"), step = job.value("pipeline.step_ns");
  const auto wait = facts.value("stage.wait_ns");
  if (!number || !wait || !step || *step <= 0) return std::nullopt;
  const auto share = [&](std::string_view metric) -> std::optional<double> {
    const auto time = facts.value(metric);
    return time ? std::optional(*time / *step) : std::nullopt;
  };
  OtherRanks out;
  out.wait = *wait / *step;
  out.transfer = share("stage.transfer_ns");
  out.stage = {share("stage.bubble_ns"), share("stage.imbalance_ns"), job.value("pipeline.ideal_bubble_ratio"),
               job.value("pipeline.microbatch_count")};
  out.lost = std::max(out.wait, std::min(out.stage->bubble.value_or(0), job.most("stage.wait_ns") / *step));
  const auto limiting = job.value("pipeline.limiting_stage"), excess = job.value("pipeline.limiting_excess_ratio");
  if (limiting && excess) {
    out.awaited = *limiting == *number;
    out.reason = filled("stage {} computes {} more than the others", {printed("%.0f", *limiting), percent(*excess, 0)});
    out.remedy = "give the slowest stage of the pipeline less work: move layers to other stages";
    out.saving = job.value("pipeline.limiting_saving_ratio");
  }
  return out;
}

std::optional<OtherRanks> collective_ranks(const Facts& facts, const JobFacts& job, const std::string& rank) {
  const auto wait = facts.value("rank.wait_exposed_ns"), step = facts.value("step.window_ns");
  if (!wait || !step || *step <= 0) return std::nullopt;
  OtherRanks out;
  out.lost = out.wait = *wait / *step;
  if (const auto exposed = facts.value("comm.exposed_ns")) out.transfer = std::max(0.0, *exposed - *wait) / *step;
  const auto hot = job.value("expert.hot_rank"), slow = job.value("straggler.rank");
  const auto uneven = job.value("expert.imbalance_ratio");
  if (const auto named = hot ? hot : slow) out.awaited = printed("%.0f", *named) == rank;
  if (hot || (uneven && *uneven >= kUneven)) {
    out.reason = filled("{} get {} the mean of the tokens", {hot ? "the experts of rank " + printed("%.0f", *hot)
                                                                 : std::string("in each layer the experts of one rank"),
                                                             printed("%.3g times", uneven.value_or(1))});
    out.remedy = "balance the router, or place hot experts on different ranks";
    out.saving = job.value("expert.even_saving_ratio");
  } else if (slow) {
    out.reason = "rank " + printed("%.0f", *slow) + " is slower than the others";
    out.remedy = "make the slow rank of the job as fast as the others";
  }
  return out;
}

}  // namespace

std::vector<std::optional<OtherRanks>> other_ranks_of(const StudyView& view, const std::vector<std::size_t>& reports) {
  std::vector<std::optional<OtherRanks>> out(view.study().reports->rows);
  for (const RunReports& run : as_runs(view, reports)) {
    const JobFacts job(view, run);
    for (const std::size_t r : run) {
      const Facts facts(view, r);
      const auto place = job_rank_of(view, r);
      out[r] = stage_ranks(facts, job);
      if (!out[r]) out[r] = collective_ranks(facts, job, place ? place->rank : "");
    }
  }
  return out;
}

}  // namespace assay::overview
