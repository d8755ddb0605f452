#include "expert_words.hpp"

#include <algorithm>

#include "algo/missing_ranks.hpp"
#include "assay/algo/dims.hpp"

namespace assay::ranks {
namespace {

constexpr double kUneven = 1.05;  // imbalance from which a finding mentions it

std::optional<double> value(const StudyView& view, std::size_t report, std::string_view metric) {
  return view.value(static_cast<Row>(report), metric);
}

std::string rank_of(const StudyView& view, std::size_t report) {
  const auto place = job_rank_of(view, report);
  return place ? place->rank : "?";
}

Finding finding_of(const StudyView& view, const JobRun& job, double imbalance) {
  Finding f;
  f.role = FindingRole::kAnswer;
  const auto hot = value(view, job.first, "expert.hot_rank"),
             saving = value(view, job.first, "expert.even_saving_ratio");
  const std::string times = printed("%.3g times", imbalance) + " the mean of the tokens";
  f.title = hot ? filled("In {} the experts of rank {} get {}", {job.name, printed("%.0f", *hot), times})
                : filled("In {} the experts with most tokens get {}, on another rank by layer", {job.name, times});
  std::optional<double> wait;
  for (const std::size_t r : job.reports) {
    const auto own = value(view, r, "expert.wait_ns");
    if (own && (!wait || *own > *wait)) wait = own;
  }
  const auto layers = value(view, job.first, "expert.layer_count");
  f.text = (layers ? printed("In %.0f layers the", *layers) : std::string("The")) +
           " ranks with fewer tokens wait for the one with most, " +
           (wait ? "up to " + time_text(*wait) + " per step." : "for a time that is not known.");
  if (saving)
    f.text += " If the router gave every rank the mean, a step would be about " + percent(*saving, 0) +
              " shorter, with compute and transfers proportional to the tokens.";
  for (const std::string_view metric : {"expert.imbalance_ratio", "expert.hot_rank", "expert.even_saving_ratio"}) {
    if (const auto fact = view.fact(static_cast<Row>(job.first), metric))
      f.evidence.push_back(static_cast<std::int64_t>(*fact));
  }
  return f;
}

/// The experts of ranks without a profile, from what the others send.
Finding unseen_finding(const StudyView& view, const JobRun& job, double share) {
  Finding f;
  f.role = FindingRole::kAnswer;
  f.title = filled("In {} {}: its experts get {} of the tokens if it sends as many as the others",
                   {job.name, missing_ranks_text(view, job.first), percent(share, 1)});
  f.text = filled(
      "At least {} of what the others send goes there: none of them gets it. How uneven the experts are and what an "
      "even router saves is not decided without that profile.",
      {percent(value(view, job.first, "expert.unseen_sent_ratio").value_or(0), 0)});
  return f;
}

}  // namespace

std::vector<Finding> expert_findings(const StudyView& view, const std::vector<JobRun>& jobs) {
  std::vector<Finding> out;
  for (const JobRun& job : jobs) {
    const auto imbalance = value(view, job.first, "expert.imbalance_ratio");
    if (imbalance && *imbalance >= kUneven) out.push_back(finding_of(view, job, *imbalance));
    if (const auto unseen = value(view, job.first, "expert.unseen_ratio"))
      out.push_back(unseen_finding(view, job, *unseen));
  }
  return out;
}

Table expert_job_table(const StudyView& view, const std::vector<JobRun>& jobs) {
  std::vector<JobRun> rows;
  std::ranges::copy_if(jobs, std::back_inserter(rows), [&](const JobRun& job) {
    return value(view, job.first, "expert.imbalance_ratio") || value(view, job.first, "expert.unseen_ratio");
  });
  Table table("expert_jobs", "Layers of experts");
  const auto of_job = [&](std::string_view metric) {
    return [&view, metric](const JobRun& job) { return value(view, job.first, metric); };
  };
  table.column("job", "", rows, &JobRun::name);
  table.column("layers", "1", rows, [&](const JobRun& job) {
    const auto layers = value(view, job.first, "expert.layer_count");
    return layers ? std::optional(static_cast<std::int64_t>(*layers)) : std::nullopt;
  });
  table.column("most tokens / mean", "1", rows, of_job("expert.imbalance_ratio"));
  table.column("hot rank", "", rows, [&](const JobRun& job) {
    const auto hot = value(view, job.first, "expert.hot_rank"), unseen = value(view, job.first, "expert.unseen_ratio");
    if (const std::string missing = missing_ranks_text(view, job.first); unseen && !missing.empty())
      return filled("{}: it gets {}", {missing, percent(*unseen, 1)});
    if (!value(view, job.first, "expert.imbalance_ratio")) return std::string("not known");
    const bool even = value(view, job.first, "expert.imbalance_ratio").value_or(1) < kUneven;
    return hot ? "rank " + printed("%.0f", *hot) : std::string(even ? "none" : "another one by layer");
  });
  table.column("saving", "ratio", rows, of_job("expert.even_saving_ratio"));
  return table;
}

Table expert_table(const StudyView& view, const std::vector<JobRun>& jobs) {
  std::vector<std::pair<const JobRun*, std::size_t>> rows;
  for (const JobRun& job : jobs) {
    for (const std::size_t r : job.reports) {
      if (value(view, r, "expert.tokens_bytes")) rows.emplace_back(&job, r);
    }
  }
  Table table("experts", "Experts by rank, mean step");
  const auto of_rank = [&](std::string_view metric) {
    return [&view, metric](const auto& row) { return value(view, row.second, metric); };
  };
  table.column("job", "", rows, [](const auto& row) { return row.first->name; });
  table.column("rank", "", rows, [&](const auto& row) { return rank_of(view, row.second); });
  table.column("tokens", "bytes", rows, of_rank("expert.tokens_bytes"));
  table.column("compute", "ns", rows, of_rank("expert.compute_ns"));
  table.column("waiting", "ns", rows, of_rank("expert.wait_ns"));
  return table;
}

Table layer_table(const StudyView& view, const std::vector<JobRun>& jobs) {
  struct Layer {
    std::string job, layer;
    double imbalance;
  };
  std::vector<Layer> layers;
  for (const JobRun& job : jobs) {
    view.each_fact(static_cast<Row>(job.first), "expert.layer_imbalance_ratio", [&](std::size_t fact) {
      layers.push_back({job.name, dim_value(view.study().facts->dims[fact], "layer").value_or("?"),
                        view.study().facts->value[fact]});
    });
  }
  Table table("expert_layers", "Imbalance of the experts by layer");
  table.column("job", "", layers, &Layer::job).column("layer", "", layers, &Layer::layer);
  table.column("most tokens / mean", "1", layers, &Layer::imbalance);
  return table;
}

}  // namespace assay::ranks
