#include "words.hpp"

#include <algorithm>

#include "algo/missing_ranks.hpp"
#include "assay/algo/dims.hpp"
#include "assay/table_rows.hpp"

namespace assay::pipeline {
namespace {

std::optional<double> value(const StudyView& view, std::size_t report, std::string_view metric) {
  return view.value(static_cast<Row>(report), metric);
}

void add_evidence(const StudyView& view, std::size_t report, std::string_view metric, std::vector<std::int64_t>& to) {
  if (const auto fact = view.fact(static_cast<Row>(report), metric)) to.push_back(static_cast<std::int64_t>(*fact));
}

/// The profiles say how much of their messages is transfer.
bool transfers_known(const StudyView& view, const PipelineRun& run) {
  return std::ranges::all_of(
      run.ranks, [&](const StageRank& r) { return value(view, r.report, "stage.transfer_ns").has_value(); });
}

std::string schedule_of(const StudyView& view, const PipelineRun& run) {
  std::string kind = "not known";
  view.each_fact(static_cast<Row>(run.first), "pipeline.schedule",
                 [&](std::size_t fact) { kind = dim_value(view.study().facts->dims[fact], "kind").value_or(kind); });
  return kind;
}

std::string ranks_of_stage(const PipelineRun& run, std::int64_t stage) {
  std::vector<std::string> ranks;
  for (const StageRank& rank : run.ranks) {
    if (rank.stage == stage) ranks.push_back(rank.rank);
  }
  return (ranks.size() == 1 ? "rank " : "ranks ") + listed(ranks);
}

/// Share of all stages' time in a part; empty if a stage lacks it.
std::optional<double> share_of(const StudyView& view, const PipelineRun& run, std::string_view metric) {
  double sum = 0, all = 0;
  for (const StageRank& rank : run.ranks) {
    const auto part = value(view, rank.report, metric), step = value(view, run.first, "pipeline.step_ns");
    if (!part || !step) return std::nullopt;
    sum += *part;
    all += *step;
  }
  return all > 0 ? std::optional(sum / all) : std::nullopt;
}

std::string share_text(const std::optional<double>& share) { return share ? percent(*share, 0) : "an unknown share"; }

/// "stage 2 (rank 2), +64 %"; "none" if no stage limits.
std::string limit_text(const StudyView& view, const PipelineRun& run) {
  if (!run.missing.empty()) return "not known: " + run.missing;
  const auto stage = value(view, run.first, "pipeline.limiting_stage"),
             excess = value(view, run.first, "pipeline.limiting_excess_ratio");
  if (!stage) return "none";
  return filled("stage {} ({}){}", {printed("%.0f", *stage), ranks_of_stage(run, static_cast<std::int64_t>(*stage)),
                                    excess ? ", +" + percent(*excess, 0) : std::string()});
}

std::string shape_text(const StudyView& view, const PipelineRun& run) {
  std::vector<std::string> parts;
  if (const auto stages = value(view, run.first, "pipeline.stage_count"))
    parts.push_back(printed("%.0f stages", *stages));
  if (const auto microbatches = value(view, run.first, "pipeline.microbatch_count"))
    parts.push_back(printed("%.0f microbatches", *microbatches));
  parts.push_back((transfers_known(view, run) ? "" : "schedule ") + schedule_of(view, run));
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

Finding finding_of(const StudyView& view, const PipelineRun& run) {
  Finding f;
  f.role = FindingRole::kAnswer;
  const auto of_job = [&](std::string_view metric) { return share_text(value(view, run.first, metric)); };
  const auto of_stages = [&](std::string_view metric) { return share_text(share_of(view, run, metric)); };
  f.title = filled("{} is a pipeline ({}): {} of its stages' time is bubble",
                   {run.name, shape_text(view, run), of_job("pipeline.bubble_ratio")});
  f.title += !transfers_known(view, run) ? ", transfers included"
                                         : "; equal stages without transfers: " + of_job("pipeline.ideal_bubble_ratio");
  f.text =
      filled("A step takes {} (mean, without the first of the capture). {} of the stages' time is not compute",
             {time_text(value(view, run.first, "pipeline.step_ns").value()), of_job("pipeline.not_compute_ratio")});
  f.text += !transfers_known(view, run)
                ? "; the profiles do not name the other side of messages, so its parts are not known."
                : filled(": {} warm-up, {} drain, {} imbalance and {} transfers.",
                         {of_stages("stage.warm_up_ns"), of_stages("stage.drain_ns"), of_stages("stage.imbalance_ns"),
                          of_stages("stage.transfer_ns")});
  if (value(view, run.first, "pipeline.limiting_stage")) {
    f.text += " The pipeline is limited by " + limit_text(view, run) + " compute over the mean of the others";
    if (const auto saving = value(view, run.first, "pipeline.limiting_saving_ratio"))
      f.text += ": if it took as long as they do, a replay of the schedule is " + percent(*saving, 0) + " shorter";
    f.text += ".";
  } else {
    f.text += " No stage takes clearly longer than the others.";
  }
  for (const std::string_view metric : {"pipeline.bubble_ratio", "pipeline.ideal_bubble_ratio", "pipeline.step_ns",
                                        "pipeline.limiting_stage", "pipeline.limiting_saving_ratio"})
    add_evidence(view, run.first, metric, f.evidence);
  for (const StageRank& rank : run.ranks) add_evidence(view, rank.report, "stage.compute_ns", f.evidence);
  return f;
}

/// Of a job without the profiles of ranks that others send to.
Finding missing_finding(const StudyView& view, const PipelineRun& run) {
  Finding f;
  f.role = FindingRole::kAnswer;
  f.title = filled("In {} {}: stages, bubble and limit of the pipeline are not known", {run.name, run.missing});
  std::vector<std::string> compute;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    const auto time = value(view, r, "stage.compute_ns");
    const auto place = job_rank_of(view, r);
    if (!time || view.job(r) != view.job(run.first)) continue;
    compute.push_back(filled("rank {} {}", {place ? place->rank : "?", time_text(*time)}));
    add_evidence(view, r, "stage.compute_ns", f.evidence);
  }
  f.text = "The other ranks send to it or receive from it. Compute of a step: " + listed(compute) + ".";
  return f;
}

std::string lane(const StageRank& rank) { return filled("stage {}, rank {}", {std::to_string(rank.stage), rank.rank}); }

}  // namespace

std::vector<PipelineRun> pipelines_of(const StudyView& view) {
  std::vector<PipelineRun> runs;
  for (const RunReports& reports : as_runs(view, view.participants())) {
    const auto first =
        std::ranges::find_if(reports, [&](std::size_t r) { return value(view, r, "pipeline.step_ns").has_value(); });
    for (const std::size_t r : reports) {
      const auto named = [&](std::size_t) {
        if (runs.empty() || runs.back().first != r)
          runs.push_back({r, std::string(view.path(r)), {}, missing_ranks_text(view, r)});
      };
      view.each_fact(static_cast<Row>(r), "pipeline.missing_rank", named);
    }
    if (first == reports.end()) continue;
    PipelineRun run{*first, std::string(view.path(*first)), {}};
    for (const std::size_t r : reports) {
      const auto stage = value(view, r, "stage.number");
      const auto place = job_rank_of(view, r);
      if (stage) run.ranks.push_back({r, static_cast<std::int64_t>(*stage), place ? place->rank : "?"});
    }
    std::ranges::stable_sort(run.ranks, {}, &StageRank::stage);
    if (!run.ranks.empty()) runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<Finding> findings(const StudyView& view, const std::vector<PipelineRun>& runs) {
  std::vector<Finding> out;
  for (const PipelineRun& run : runs)
    out.push_back(run.missing.empty() ? finding_of(view, run) : missing_finding(view, run));
  return out;
}

Table job_table(const StudyView& view, const std::vector<PipelineRun>& runs) {
  Table table("pipelines", "Pipelines");
  const auto of_job = [&](std::string_view metric) {
    return [&view, metric](const PipelineRun& run) { return value(view, run.first, metric); };
  };
  table.column("job", "", runs, &PipelineRun::name);
  const auto count = [&](std::string_view metric) {
    return [&view, metric](const PipelineRun& run) {
      const auto known = value(view, run.first, metric);
      return known ? std::optional(static_cast<std::int64_t>(*known)) : std::nullopt;
    };
  };
  table.column("stages", "1", runs, count("pipeline.stage_count"));
  table.column("microbatches", "1", runs, count("pipeline.microbatch_count"));
  table.column("schedule", "", runs, [&](const PipelineRun& run) { return schedule_of(view, run); });
  table.column("step", "ns", runs, of_job("pipeline.step_ns"));
  table.column("bubble", "ratio", runs, of_job("pipeline.bubble_ratio"));
  table.column("ideal bubble", "ratio", runs, of_job("pipeline.ideal_bubble_ratio"));
  table.column("not compute", "ratio", runs, of_job("pipeline.not_compute_ratio"));
  table.column("limited by", "", runs, [&](const PipelineRun& run) { return limit_text(view, run); });
  table.column("saving", "", runs, [&](const PipelineRun& run) {
    const auto saving = value(view, run.first, "pipeline.limiting_saving_ratio");
    if (saving) return percent(*saving, 0);
    const bool unknown = !run.missing.empty() || value(view, run.first, "pipeline.limiting_stage");
    return std::string(unknown ? "not known" : "nothing");
  });
  table.column("equal stages", "ns", runs, of_job("pipeline.equal_step_ns"));
  return table;
}

Table stage_table(const StudyView& view, const std::vector<PipelineRun>& runs) {
  struct Cell {
    const PipelineRun* run;
    const StageRank* rank;
  };
  std::vector<Cell> cells;
  for (const PipelineRun& run : runs) {
    for (const StageRank& rank : run.ranks) cells.push_back({&run, &rank});
  }
  Table table("stages", "Stages, mean step");
  table.column("job", "", cells, [](const Cell& c) { return c.run->name; });
  table.column("stage", "", cells, [](const Cell& c) { return std::to_string(c.rank->stage); });
  table.column("rank", "", cells, [](const Cell& c) { return c.rank->rank; });
  for (const auto& [name, metric] : {std::pair{"compute", "stage.compute_ns"},
                                     {"transfer", "stage.transfer_ns"},
                                     {"bubble", "stage.bubble_ns"},
                                     {"warm-up", "stage.warm_up_ns"},
                                     {"drain", "stage.drain_ns"},
                                     {"imbalance", "stage.imbalance_ns"},
                                     {"waiting in messages", "stage.wait_ns"}})
    table.column(name, "ns", cells, [&, metric](const Cell& c) { return value(view, c.rank->report, metric); });
  return table;
}

Plot schedule_plot(const StudyView& view, const std::vector<PipelineRun>& runs) {
  TableRows<std::string, std::string, std::string, double, double> rows;
  Plot plot;
  for (const PipelineRun& run : runs) {
    for (const StageRank& rank : run.ranks) {
      const auto row = static_cast<Row>(rank.report);
      view.each_fact(row, "stage.pass_begin_ns", [&](std::size_t fact) {
        const std::string_view dims = view.study().facts->dims[fact];
        const auto end = view.fact(row, "stage.pass_end_ns", dims);
        if (!end) return;
        const auto from = view.samples(fact), to = view.samples(*end);
        for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
          rows.add(run.name, lane(rank), dim_value(dims, "pass").value_or("compute"), from[i], to[i]);
        }
        plot.evidence.push_back(static_cast<std::int64_t>(fact));
      });
    }
  }
  plot.id = "schedule";
  plot.title = "Schedule: what each stage computes, and when";
  plot.caption =
      "One bar per piece of compute in the step of median length, on one clock. Empty space is bubble or transfer: it "
      "narrows with more microbatches; if one lane is full while the others have gaps, that stage limits.";
  plot.x = {"time in the step", PlotScale::kLinear, PlotOrder::kGiven, kAxisZero | kAxisFree};
  plot.y = {"stage", PlotScale::kLinear, PlotOrder::kGiven, kAxisFree};
  plot.series_title = "pass";
  Table table = rows.table("schedule", plot.title, {{"job"}, {"stage"}, {"pass"}, {"begin", "ns"}, {"end", "ns"}});
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"end", "stage", "begin", "end", "pass", "job"}});
  return plot;
}

}  // namespace assay::pipeline
