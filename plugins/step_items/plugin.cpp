// What a step is made of: items that share its time to the nanosecond, each with its place in the program.
#include <algorithm>
#include <map>
#include <utility>

#include "algo/page_sections.hpp"
#include "algo/step_items.hpp"
#include "assay/sdk.hpp"
#include "budget.hpp"
#include "measure.hpp"
#include "phases.hpp"
#include "picture.hpp"
#include "rows.hpp"
#include "step_ranges.hpp"

namespace assay::step_items {
namespace {

constexpr MetricSpec kMetrics[] = {
    {"step_items.time_ns", "ns", Polarity::kLowerIsBetter,
     "Time of a step, which its items share: from its start, or the last one's end, to the start of the next one, or "
     "the "
     "end of the work it launched; mean over the whole steps that nothing disturbs, each as a sample.",
     "time of a step"},
    {"step_items.launch_count", "1", Polarity::kNeutral, "Calls of a step that launch kernels or graphs; mean.",
     "launches of a step"},
    {"step_items.part_ratio", "ratio", Polarity::kNeutral,
     "Share of a step: kernels, graphs, communication that no kernel hides, copies and sets beside neither, idle; the "
     "parts sum to 1; mean over the devices; dims: part",
     "share of a step"},
    {"step_items.class_ratio", "ratio", Polarity::kNeutral,
     "Share of a step in kernels of a class, which sum to the part kernels of step_items.part_ratio; dims: class",
     "share of a step in a class of kernels"},
    {"step_items.idle_ratio", "ratio", Polarity::kLowerIsBetter,
     "Share of a step in which the device is idle for a cause, read on the thread that launches the work that ends it; "
     "dims: cause",
     "idle share of a step"},
    {"step_items.idle_place_ratio", "ratio", Polarity::kLowerIsBetter,
     "Part of step_items.idle_ratio in one place, from 1 % of a step: of host code the function or innermost range, of "
     "calls their name; dims: cause, place",
     "idle share of a step in one place"},
    {"step_items.long_idle_ratio", "ratio", Polarity::kLowerIsBetter,
     "Part of step_items.idle_ratio in idle times of 10 ms and more; dims: cause",
     "share of a step in long idle times"},
};
constexpr AttributeSpec kAttributeSpecs[] = {
    {"step.word", "What a step is called: step, or as its ranges are; capture or window where no range is a step."},
    {"step.name", "Folded name of the ranges that are steps."},
    {"step.found", "Which ranges are the steps, and how they were found."},
    {"step.left_out", "Which steps the account leaves out, and why."}};

/// Whether the question names steps and the profile has none of them.
bool names_absent_steps(const Report& report) {
  return std::ranges::any_of(report.issues->name, [](Str name) { return name.view() == "no_iterations"; });
}

/// Of an idle item: the call, the stated cause, or for host code the function or innermost range; empty: none.
std::string_view place_of(const ItemKey& key) {
  if (key.op == "sync" || key.op == "api" || key.op == "stated") return key.name;
  if (key.op != "host" && key.op != "between") return {};
  const std::string_view path = key.path;
  return path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
}

void emit_shares(const RunMeasure& run, ReportSink& sink) {
  constexpr double kLeastPlace = 0.01;
  std::map<std::string_view, std::int64_t> parts, causes, classes;
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> places;
  for (const Item& item : run.items) {
    parts[kind_name(item.key.kind)] += item.sums.wall;
    if (item.key.kind == ItemKind::kKernel) classes[item.traits.kernel_class] += item.sums.wall;
    if (item.key.kind != ItemKind::kIdle) continue;
    causes[item.key.op] += item.sums.wall;
    if (const std::string_view place = place_of(item.key); !place.empty())
      places[{item.key.op, place}] += item.sums.wall;
  }
  const auto time = static_cast<double>(run.time);
  if (time <= 0) return;
  for (const auto& [part, ns] : parts)
    sink.fact("step_items.part_ratio", static_cast<double>(ns) / time, {}, {{"part", part}});
  for (const auto& [name, ns] : classes)
    sink.fact("step_items.class_ratio", static_cast<double>(ns) / time, {}, {{"class", name}});
  for (const auto& [cause, ns] : causes)
    sink.fact("step_items.idle_ratio", static_cast<double>(ns) / time, {}, {{"cause", cause}});
  for (const auto& [at, ns] : places) {
    const double share = static_cast<double>(ns) / time;
    if (share >= kLeastPlace)
      sink.fact("step_items.idle_place_ratio", share, {}, {{"cause", at.first}, {"place", at.second}});
  }
  for (const auto& [cause, ns] : run.long_idle)
    sink.fact("step_items.long_idle_ratio", ns / time, {}, {{"cause", cause}});
  sink.attribute(page::kStepWord, run.step_word);
  if (run.has_steps()) {
    const auto steps = static_cast<double>(run.step_times.size());
    sink.fact("step_items.launch_count", static_cast<double>(run.launch_calls.all) / steps);
    sink.attribute("step.name", run.step_name);
  }
  if (run.has_steps()) sink.attribute("step.found", found_text(run.step_name, run.step_source));
  if (!run.left_out.empty()) sink.attribute("step.left_out", run.left_out);
}

}  // namespace

class StepItems {
 public:
  static constexpr std::string_view kSummary =
      "Splits steps into items (kernels, copies, idle causes by their place in the program) that sum to them exactly.";
  static constexpr ColumnId kWants[] = {col::kernels,
                                        col::kernel_name,
                                        col::kernel_short_name,
                                        col::kernel_grid,
                                        col::kernel_block,
                                        col::kernel_op,
                                        col::kernel_registers,
                                        col::kernel_shared,
                                        col::kernel_occupancy,
                                        col::kernel_profiled,
                                        col::profiled,
                                        col::counters,
                                        col::graphs,
                                        col::graph_id,
                                        col::copies,
                                        col::copy_bytes,
                                        col::copy_direction,
                                        col::copy_memory_kinds,
                                        col::sets,
                                        col::set_bytes,
                                        col::calls,
                                        col::call_name,
                                        col::call_range,
                                        col::call_op,
                                        col::ranges,
                                        col::spans,
                                        col::steps,
                                        col::overheads,
                                        col::causes,
                                        col::ops,
                                        col::op_python_ids,
                                        col::op_inputs,
                                        col::collectives,
                                        col::devices};
  static constexpr OptionSpec kOptions[] = {
      {"rules", OptionType::kTextList, "", "Rules 'class: word | word & !word' for the class of a kernel."},
      {"own_rules", OptionType::kTextList, "", "Rules of your own, tried before 'rules'."},
      {"picture", OptionType::kBool, "false", "Also emit the picture of the median step that pages draw."},
      {"pages", OptionType::kBool, "false", "Also emit the page that 'assay budget' draws."}};
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {kStepTime};

  explicit StepItems(const Options& options)
      : classes_(kernel_rules_of(options)), picture_(options.boolean("picture")), pages_(options.boolean("pages")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    constexpr std::string_view kAll = "step_items.*";
    if (report.kernels == nullptr && report.graphs == nullptr)
      return sink.skip(kAll, "it holds no device work; record the GPU too");
    if (names_absent_steps(report))
      return sink.skip(kAll, "it has none of the ranges that are steps", SkipCause::kNoIterations);
    const step::Steps steps = step::steps_of(report);
    if (steps.kept.empty()) return sink.skip(kAll, "nothing was launched in it");
    std::vector<Phase> phases = phases_of(report, steps);  // before the account, as each takes most of the memory
    const account::Account account(report, steps.kept);
    RunMeasure run = measure_run(report, steps, account, classes_);
    run.phases = std::move(phases);
    const std::vector<double> times(run.step_times.begin(), run.step_times.end());
    sink.fact(kStepTime, static_cast<double>(run.time) / static_cast<double>(times.size()), times);
    emit_shares(run, sink);
    emit_rows(run, sink);
    if (picture_) emit_picture(report, steps, account, classes_, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<RunGroup> groups;
    for (const auto& alike : alike_groups(view, {}).groups) {
      const std::vector<JobRun> runs = runs_of(view, alike.runs);
      if (!runs.empty()) groups.push_back({labels_text(alike.labels), budget_of(view, runs)});
    }
    if (groups.empty()) return sink.skip(kNone, "no profile has steps, so there is nothing to split");
    if (groups.size() == 1) groups.front().name.clear();
    emit_budgets(groups, pages_, sink);
  }

 private:
  NameRules classes_;
  bool picture_, pages_;
};

ASSAY_PLUGIN("step_items", "1.0.0", StepItems);

}  // namespace assay::step_items
