#include "pages.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "algo/page_sections.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "setup.hpp"

namespace assay::overview {
using namespace page;
namespace {

constexpr std::size_t kClasses = 6, kAdvice = 4, kCommonAdvice = 5;
constexpr double kWorthSaying = 0.01;  // of the capture
constexpr double kTracingTells = 0.1;  // of the capture, idle for launches

constexpr SectionView kRanges{.analyzer = "ranges",
                              .table = "ranges",
                              .columns =
                                  "Range=range|Count?=count|Med=median|P95?=p95|Max?=max|Share=share|GPU time=GPU|GPU "
                                  "busy?=busy|Idle within=idle|Kernels?=kernels|Launches?=launches",
                              .unknown_empty = true};
constexpr SectionView kReplays{
    .analyzer = "ranges",
    .table = "replays",
    .columns =
        "Captured in=captured in|Launched in=launched in|Replays=replays|Kernels=kernels|GPU "
        "time=GPU|Share=share",
    .rows = 12,
    .unknown_empty = true};
constexpr SectionView kPicture{.analyzer = "step_items", .table = "strip", .plot = "strip"};
constexpr SectionView kFunctions{.analyzer = "stacks",
                                 .table = "idle_functions",
                                 .columns = "function|time=GPU waits|share=of a step|inner=mostly in",
                                 .rows = 5};
constexpr SectionView kSampledIdle{
    .analyzer = "stacks",
    .table = "sampled_idle_functions",
    .columns = "function|time=GPU waits|low=from|high=to|share=of a step|outside=share outside",
    .rows = 5};
constexpr SectionView kSampledFunctions{
    .analyzer = "stacks", .table = "sampled_functions", .columns = "function|self|total|file", .rows = 12};
constexpr SectionView kFlame{.analyzer = "stacks", .table = "idle_stacks", .plot = "flame"};
constexpr SectionView kPlain{
    .analyzer = "ranges",
    .table = "plain_times",
    .columns = "Range=range|Traced=traced|Plain=without|Count=n|Ratio=traced / without|Source=from",
    .unknown_empty = true};
constexpr SectionView kAllPlain{
    .analyzer = "ranges",
    .table = "plain_times",
    .columns = "report|Range=range|Traced=traced|Plain=without|Count=n|Ratio=traced / without",
    .rows = 24,
    .unknown_empty = true};
constexpr SectionView kLatencies{.analyzer = "serving",
                                 .table = "latencies",
                                 .columns = "What=|Count=n|Med=median|P95=p95|P99=p99|Max=max",
                                 .unknown_empty = true};
constexpr SectionView kServed{.analyzer = "serving",
                              .table = "steps",
                              .columns =
                                  "Step=step|Count=count|Med=median|P95=p95|Max=max|GPU|Sequences=sequences|"
                                  "Tokens=tokens|Share=share",
                              .unknown_empty = true};
constexpr SectionView kSampled{
    .analyzer = "gpu_metrics",
    .table = "parts",
    .columns =
        "Part=|Samples=samples|SMs active=SMs|Tensor active=tensor|DRAM read|DRAM write|NVLink RX|NVLink TX|PCIe "
        "RX=PCIe in|PCIe TX=PCIe out|Clock=clock",
    .rows = 16,
    .unknown_empty = true};
constexpr SectionView kStep{.table = "step", .columns = "part=|time|share", .units = "text|ns|ratio", .half = true};
constexpr SectionView kIdle{.table = "idle", .columns = "cause=|time|share", .units = "text|ns|ratio", .half = true};
constexpr SectionView kStepIdle{.table = "step_idle",
                                .columns = "cause=|time|share|in steps|of the steps",
                                .units = "text|ns|ratio|ns|ratio",
                                .half = true};
constexpr SectionView kKernelClasses{
    .table = "classes", .columns = "class=|time|share|kernels", .units = "text|ns|ratio|1", .half = true};
constexpr SectionView kCopies{
    .table = "copies", .columns = "direction=|count|bytes|rate", .units = "text|1|bytes|bytes/s", .half = true};
constexpr SectionView kWaits{
    .table = "waits", .columns = "call=|calls|time in them|GPU idle meanwhile", .units = "text|1|ns|ns"};
constexpr SectionView kKernels{"kernel_breakdown", "top_kernels",
                               "Name=name|Class=class|Total Time=time|Time=share|Instances=count|Avg=mean", 5};
constexpr SectionView kBounds{
    "kernel_bound", "kernel_bounds",
    "Name=name|Profiled=launches|Time=time|SM=compute|Memory=memory|Occupancy=occupancy|Bound by=bound by", 12};
constexpr SectionView kRoofline{
    "kernel_bound", "kernel_bounds",
    "Name=name|Duration=duration|DRAM bytes=DRAM|L2 bytes=L2|FLOPs|Intensity=FLOP/byte|Roof=of roof", 12};
constexpr SectionView kOperators{"operator_roofline", "operator_rooflines",
                                 "Operator=operator|Shapes=shapes|Calls=calls|Total Time=time|Above roof=above roof|"
                                 "Roof=of roof|Bound by=bound by",
                                 3, "Above roof"};
constexpr SectionView kMemoryClasses{"memory", "peak_classes", "class|bytes|share|own peak"};
constexpr SectionView kMemoryStacks{"memory", "peak_stacks", "stack|bytes|share|count|class", 8};
constexpr SectionView kMemoryModules{"memory", "peak_modules", "module|bytes|share|count|class", 6};
constexpr SectionView kMemoryGrowth{"memory", "growth", "stack|per step|least|most|steps|held", 4};
constexpr SectionView kMemoryPhases{"memory", "peak_phases", "phase|peak|in step|median|times", 7};
constexpr SectionView kMemoryReserve{"memory", "reserve", "memory|bytes"};
constexpr SectionView kMemoryDifference{"memory", "difference", "by|name|before|after|difference", 14};
constexpr SectionView kJobs{"ranks", "jobs", "job|ranks|missing|period=step|slowdown=slowest rank / mean|straggler"};
constexpr SectionView kPipelines{
    "pipeline", "pipelines",
    "job|stages|microbatches?|schedule?|step|bubble|ideal bubble?=ideal|not compute?|limited by|"
    "saving=saves"};
constexpr SectionView kStages{"pipeline", "stages", "job|stage|rank|compute|transfer|bubble|warm-up?|drain?|imbalance",
                              16};
constexpr SectionView kExpertJobs{"ranks", "expert_jobs",
                                  "job|layers|most tokens / mean|hot rank|saving=even router saves"};
constexpr SectionView kExperts{"ranks", "experts", "job|rank|tokens|compute|waiting", 16};
constexpr SectionView kSchedule{.analyzer = "pipeline", .plot = "schedule"};
constexpr SectionView kUnlike{
    .table = "runs", .columns = "report=profile|unlike the others=why", .by = "unlike the others"};
constexpr SectionView kRuns{
    .table = "runs",
    .columns =
        "report=profile|step|x best|TPOT|tokens/s|GPU busy|waits for ranks|limited by|memory peak|in "
        "use at the end|duration?|kernels?"};

constexpr SectionView kPartRows{.table = "parts",
                                .columns = "process|GPU|busy=GPU busy|share|work=without communication|kernels",
                                .units = "text|text|ns|ratio|ns|1"};

struct Words {
  std::string_view name, text;
};

constexpr Words kParts[] = {
    {"cpu_exec", "host code"}, {"memcpy", "copies"}, {"memset", "memory sets"}, {"kernel", "kernels"}};
constexpr Words kAccountParts[] = {{"kernel", "kernels"},
                                   {"graph", "CUDA graphs"},
                                   {"communication", "communication that no kernel hides"},
                                   {"copy", "copies that no kernel hides"},
                                   {"set", "memory sets that no kernel hides"}};
constexpr Words kDirections[] = {{"h2d", "host to device"}, {"d2h", "device to host"}, {"d2d", "on the device"}};
constexpr Words kCalls[] = {
    {"device_sync", "waiting for the device"}, {"stream_sync", "waiting for a stream"},
    {"event_sync", "waiting for an event"},    {"pageable_copy", "async copies of pageable memory (they block)"},
    {"blocking_copy", "blocking copies"},      {"blocking_set", "blocking memory sets"}};

std::string text_of(std::span<const Words> words, const std::string& name) {
  const auto at = std::ranges::find_if(words, [&](const Words& w) { return w.name == name; });
  return at == words.end() ? name : std::string(at->text);
}

/// A share that is a lower bound, with two digits: "at least < 1 %" would carry no information.
std::string least_text(double share) {
  const double unit = share > 0 && share < 0.1 ? std::pow(10, std::floor(std::log10(100 * share)) - 1) : 1;
  return printed("%.3g %%", std::floor(100 * share / unit + 1e-9) * unit);
}

/// ", of which a step has 223"; empty: not known.
std::string launches_text(const Facts& facts, const Run& run) {
  const auto launches = facts.value("step_items.launch_count");
  return launches && *launches > 0 ? filled(", of which {} has {}", {run.a_step(), fixed(*launches, 0)}) : "";
}

/// The effect of tracing on range times in which the host only launches.
void add_tracing(const Facts& facts, const Run& run, Sections& to) {
  if (!facts.by("range.host_ns.plain", "path").empty())
    return to.section("Ranges without a profiler, by the program's own times", kPlain);
  if (facts.by("range.host_ns", "path").empty() || run.idle_for_launches() < kTracingTells) return;
  const bool by_node = facts.value("graph.node_launch_count").value_or(0) > 0;
  to.add_sentence(filled(
      by_node ? "a profiler slows launches{}, and tracing CUDA graphs per node adds about 2 us a kernel: without it "
                "ranges that wait for launches or launch graphs are shorter"
              : "a profiler slows launches{}: without it ranges that wait for launches are shorter",
      {launches_text(facts, run)}));
}

/// The program's own ranges, and work inside graphs by the ranges of their capture.
void add_ranges(const Facts& facts, const Run& run, Sections& to) {
  to.section("Ranges on the host, and what the GPU does for each", kRanges);
  add_tracing(facts, run, to);
  to.section("Inside CUDA graphs, per replay, by the ranges of their capture", kReplays);
}

/// What requests wait for, and the steps of the server.
void add_serving(const Facts& facts, Sections& to) {
  to.section("Serving", kLatencies);
  const auto tokens = facts.value("serving.tokens_per_s"), requests = facts.value("serving.requests_per_s");
  std::vector<std::string> rates;
  const auto add = [&](double rate, const char* what) {
    rates.push_back(printed(rate < 100 ? "%.3g" : "%.0f", rate) + what);
  };
  if (tokens) add(*tokens, " tokens/s");
  if (requests) add(*requests, " requests/s");
  if (!rates.empty())
    to.add_sentence(listed(rates) +
                    (facts.by("serving.step_batch", "kind").empty() ? ", of one sequence at a time" : ""));
  to.section("Steps of the server", kServed);
}

/// The time of a step by part, each instant counted once.
void add_step(const Facts& facts, const Run& run, Sections& to) {
  if (run.step_ns) {
    const std::size_t count = facts.samples("step_items.time_ns").size();
    to.section(
        filled("Where {} of {} goes (mean of {})", {run.a_step(), time_text(*run.step_ns), std::to_string(count)}),
        kStep);
    const Shares classes = facts.positive("step_items.class_ratio", "class");
    for (const auto& [name, share] : classes)
      if (classes.size() > 1) to.line({"kernels: " + name, share * *run.step_ns, share});
    for (const auto& [part, share] : facts.positive("step_items.part_ratio", "part"))
      if (part != "idle" && (part != "kernel" || classes.size() < 2))
        to.line({text_of(kAccountParts, part), share * *run.step_ns, share});
    for (const auto& [cause, share] : run.idle) {
      double rest = share;
      for (const IdlePlace& place : run.places) {  // what the profile states has names of its own
        if (cause != "stated" || place.cause != cause) continue;
        to.line({"idle: " + place.place, place.share * *run.step_ns, place.share});
        rest -= place.share;
      }
      constexpr double kSome = 1e-6;
      if (cause != "copies" && rest > kSome * share) to.line({"idle: " + waits_for(cause), rest * *run.step_ns, rest});
    }
    to.add_sentence(facts.attribute("step.found") + (run.left_out.empty() ? "" : "; " + run.left_out));
    return;
  }
  const auto steps = facts.value("step.count"), time = facts.value("step.time_ns");
  if (!steps || !time || facts.by("step.category_time_ratio", "category").empty()) return;
  const double devices = devices_of(facts);
  to.section(*steps > 1    ? filled("A step of {} (mean of {})", {time_text(*time), fixed(*steps, 0)})
             : devices > 1 ? "Time breakdown of the capture: what any of " + fixed(devices, 0) + " GPUs does"
                           : "Time breakdown of the capture (no double counting)",
             kStep);
  for (const auto& [part, share] : facts.positive("step.category_time_ratio", "category")) {
    const std::string words = part == "runtime" ? runtime_name(facts) + " calls" : text_of(kParts, part);
    to.line({words, share * *time, share});
  }
}

/// What each process does on each device: a mean hides the one that the others wait for.
void add_parts(const Run& run, Sections& to) {
  if (run.parts.size() > 1) {
    to.section("Processes and GPUs", kPartRows);
    for (const Part& part : run.parts)
      to.line({part.process, part.device, part.busy, part.busy / run.window_ns.value_or(std::nan("")), part.work,
               part.kernels});
  } else if (!run.idle_processes.empty()) {
    to.section("Processes");
  }
  if (!run.idle_processes.empty()) to.add_sentence("no GPU work: process " + run.idle_processes);
}

void add_idle(const Facts& facts, const Run& run, Sections& to) {
  if (run.step_ns) return;  // stands among the parts of a step
  const auto window = facts.value("idle.window_ns");
  if (!window || *window <= 0 || facts.by("idle.time_ns", "cause").empty()) return;
  const Shares causes = facts.positive("idle.time_ns", "cause");
  double idle = 0;
  for (const auto& [cause, time] : causes) idle += time;
  const double devices = devices_of(facts);
  const std::string of = devices > 1 ? " (mean of " + fixed(devices, 0) + " GPUs)" : "";
  const double steps = facts.value("idle.step_window_ns").value_or(0);
  double in_steps = 0;
  for (const auto& [cause, time] : facts.by("idle.step_ns", "cause")) in_steps += time;
  const bool between = steps > 0 && idle - in_steps >= kWorthSaying * *window;
  to.section(filled("GPU idle {}{}{}, waiting for",
                    {page::share_text(idle / *window), of,
                     between ? ", " + page::share_text(in_steps / steps) + " of its steps" : std::string()}),
             between ? kStepIdle : kIdle);
  for (const auto& [cause, time] : causes) {
    std::vector<page::Cell> cells{waits_for(cause), time / devices, time / *window};
    if (const double own = facts.value("idle.step_ns", "cause=" + cause).value_or(0); between) {
      cells.emplace_back(own / devices);
      cells.emplace_back(own / steps);
    }
    to.line(std::move(cells));
  }
  if (causes.empty()) to.add_sentence("never");
  if (run.others && run.others->wait >= kWorthSaying)
    to.add_sentence("and for " + page::share_text(run.others->wait) +
                    " of a step kernels that communicate wait for other ranks, which counts as busy here");
  else if (run.may_wait_for_ranks())
    to.add_sentence(
        "kernels that communicate may wait for other ranks too, which counts as busy here; their profiles show it");
}

/// Suffix for the title above kernels if graphs hide some of them.
std::string beside_graphs(const Facts& facts) {
  const double hidden = facts.value("graph.opaque_ratio").value_or(0);
  return hidden > 0 ? " (without " + page::share_text(hidden) + " of GPU time, hidden in graphs)" : std::string();
}

/// What the GPU's own counters say, and what load does to its clock.
void add_sampled(const Facts& facts, const Run& run, Sections& to) {
  if (!run.sms_active) return;
  to.section("The GPU's own counters, sampled: mean of the samples within", kSampled);
  if (const std::string clock = facts.attribute("gpu_metrics.clock"); !clock.empty()) to.add_sentence(clock);
  to.add_sentence("empty: not known, by fewer than 5 samples; a class has the samples that it filled");
}

void add_classes(const Facts& facts, Sections& to) {
  const Shares times = facts.positive("kernel_class.time_sum_ns", "class");
  if (times.empty()) return;
  to.section("Kernels by class" + beside_graphs(facts), kKernelClasses);
  double others = 0, share_of_others = 0, count_of_others = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string dims = "class=" + times[i].first;
    const double share = facts.number("kernel_class.time_ratio", dims);
    const double count = facts.number("kernel_class.count", dims);
    if (i < kClasses)
      to.line({times[i].first, times[i].second, share, count});
    else {
      others += times[i].second;
      share_of_others += share;
      count_of_others += count;
    }
  }
  if (others > 0) to.line({"all others", others, share_of_others, count_of_others});
}

void add_copies(const Facts& facts, Sections& to) {
  const Shares times = facts.by("copy.time_sum_ns", "direction");
  if (times.empty()) return;
  to.section("Copies", kCopies);
  for (const auto& [direction, time] : times) {
    const std::string dims = "direction=" + direction;
    to.line({text_of(kDirections, direction), facts.number("copy.count", dims), facts.number("copy.bytes", dims),
             facts.number("copy.bandwidth_bytes_per_s", dims)});
  }
}

/// Calls that block the host, as in the expert rules of nsys, with their costs.
void add_waits(const Facts& facts, Sections& to) {
  const double worth = kWorthSaying * facts.number("window.duration_ns");
  bool first = true;
  for (const Words& wait : kCalls) {
    const std::string dims = "wait=" + std::string(wait.name);
    const double time = facts.number("host_wait.time_ns", dims), idle = facts.number("host_wait.idle_ns", dims);
    if (!(time >= worth || idle >= worth)) continue;  // also if it is unknown
    if (std::exchange(first, false)) to.section("Calls that block the host", kWaits);
    to.line({std::string(wait.text), facts.number("host_wait.call_count", dims), time, idle});
  }
}

/// Kernels by their counters: shares of peak of SMs and memory, and the position of each launch in the roofline.
void add_counters(const Facts& facts, Sections& to) {
  to.section("Kernels by counters: share of the peak (speed of light)", kBounds);
  const auto counted = [&](const char* metric) { return !facts.by(metric, "kernel").empty(); };
  if (!counted("ncu.flops") && !counted("ncu.dram_bytes") && !counted("ncu.l2_bytes")) return;
  to.section("Kernels by counters: a launch in the roofline", kRoofline);
  const std::string roofs = facts.attribute("kernel_bound.roof");
  if (!roofs.empty()) to.add_sentence("roof: " + roofs + "; the clock is the mean, each launch counts by its own");
}

/// "MFU is of the dense bf16/fp16 peak, 989 TFLOP/s; with what is recomputed (HFU) 11 %; products are at 20 % of the
/// roof of the types that they ran in".
std::string mfu_sentence(const Facts& facts) {
  constexpr double kAsMuch = 1.05;
  std::string text = "MFU is of the " + facts.attribute("step.mfu_peak");
  const auto mfu = facts.value("step.mfu_ratio"), hfu = facts.value("step.hfu_ratio"),
             of_roof = facts.value("step.compute_roof_ratio");
  const bool recomputes = mfu && hfu && *hfu > kAsMuch * *mfu;
  if (recomputes) text += "; with what is recomputed (HFU) " + page::share_text(*hfu);
  if (hfu && of_roof && *of_roof > kAsMuch * *hfu)
    text += "; the step is at " + page::share_text(*of_roof) + " of the roof of the types that its products ran in";
  return text;
}

/// Operators farthest above their roof, and the share of possible compute that a step required.
void add_gains(const Facts& facts, Sections& to) {
  const auto mfu = facts.value("step.mfu_ratio");
  const auto above = facts.value("operator.above_roof_ns"), missing = facts.value("operator.unmodelled_time_ratio");
  if (!(above && *above > 0) && !mfu) return;
  const auto hidden = facts.value("graph.opaque_ratio");
  const bool some = !missing || *missing >= kWorthSaying || (hidden && *hidden >= kWorthSaying);
  const auto mfu_text = [&] {  // unmodelled work and work hidden in graphs may compute too
    return " (MFU " + (some ? "at least " + least_text(*mfu) : page::share_text(*mfu)) + ")";
  };
  to.section("Largest gains: time above the roof" + (mfu ? mfu_text() : std::string()), kOperators);
  if (mfu) to.add_sentence(mfu_sentence(facts));
  if (missing && *missing > 0)
    to.add_sentence("the roofline covers " + page::share_text(1 - *missing) +
                    " of the operators' GPU time; the rest has no model");
  else if (above && *above <= 0)
    to.add_sentence("no operator takes longer than its roof allows");
}

/// Owners of the memory at the peak; nothing if no allocations were recorded.
void add_memory(const Facts& facts, const Run& run, Limit limit, Sections& to) {
  const auto peak = facts.value("memory.peak_bytes");
  if (!peak && facts.value("memory.in_use_bytes"))
    to.section("Allocator when the snapshot was written", kMemoryReserve);
  if (!peak) return;
  to.section("Memory at the peak: " + quantity(*peak, "bytes"), kMemoryClasses);
  if (limit != Limit::kMemory) to.add_sentence(run.memory);  // otherwise it is the headline
  to.section("Memory by phase of a step, and in ranges", kMemoryPhases);
  to.section("Memory at the peak, by stack", kMemoryStacks);
  to.section("Memory at the peak, by module", kMemoryModules);
  to.section("Memory that grows with every step", kMemoryGrowth);
  const auto fragmented = facts.value("memory.fragmentation_ratio");
  to.section(
      "Allocator when the snapshot was written" +
          (fragmented ? "; the peak leaves " + page::share_text(*fragmented) + " of the most that was reserved unused"
                      : std::string()),
      kMemoryReserve);
}

/// "-16.3 ms (31 %)".
std::string gain_text(const Advice& advice, const Run& run) {
  return filled("{}-{} ({})",
                {advice.at_least ? "at least " : "", time_text(*advice.gain * *run.step_ns), percent(*advice.gain, 0)});
}

void add_advice(const std::vector<Advice>& advice, const Run& run, Sections& to) {
  to.section("What to try");
  std::size_t said = 0;
  for (const Advice& one : advice) {
    if (one.report != run.report || said++ >= kAdvice) continue;
    if (one.gain)
      to.add_advice({one.what, gain_text(one, run), one.command, *one.gain});
    else
      to.add_advice({filled("{}: {}", {one.what, one.because}), {}, one.command});
  }
}

/// Recommendations with the number of runs they apply to, most common first, else in the order of the runs.
void add_common_advice(const std::vector<Advice>& advice, std::size_t runs, Sections& to) {
  std::vector<std::pair<const Advice*, std::size_t>> all;
  for (const Advice& one : advice) {
    const auto known = std::ranges::find_if(all, [&](const auto& other) { return other.first->what == one.what; });
    if (known == all.end())
      all.emplace_back(&one, 1);
    else
      ++known->second;
  }
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.second > b.second; });
  to.section("What to try");
  for (std::size_t i = 0; i < std::min(all.size(), kCommonAdvice); ++i)
    to.add_advice({all[i].first->what, counted_of(all[i].second, runs, "profile"), all[i].first->command});
}

/// What power samples beside the profile say: "2,745 J at 701 W on the mean, 275 J a step".
void add_energy(const Facts& facts, const Run& run, Sections& to) {
  const auto joules = facts.value("energy.joule"), watts = facts.value("power.mean_w");
  if (!joules || !run.window_ns || *run.window_ns <= 0) return;
  std::string text = filled("{} J in the capture", {fixed(*joules, *joules < 100 ? 1 : 0)});
  if (watts) text += filled(", {} W on the mean", {fixed(*watts, 0)});
  if (run.step_ns)
    text += filled("; {} J {}", {printed("%.3g", *joules * *run.step_ns / *run.window_ns), run.a_step()});
  if (const auto token = facts.value("energy.joule_per_token"))
    text += filled("; {} J a token", {printed("%.3g", *token)});
  to.section("Energy");
  to.add_sentence(text);
}

void add_run(const Facts& facts, const Run& run, Limit limit, Sections& to) {
  to.section("The median " + (run.step_word.empty() ? "step" : run.step_word), kPicture);
  if (const std::string code = facts.attribute("stack.answer"); !code.empty()) {
    to.section("Whose code the GPU waits for", kFunctions);
    to.add_sentence(code);
    to.section("Whose code the GPU waits for, by samples, with 95 %", kSampledIdle);
    to.section("Stacks of the code that the GPU waits for", kFlame);
  }
  to.section("Functions by samples of threads", kSampledFunctions);
  add_ranges(facts, run, to);
  add_serving(facts, to);
  add_parts(run, to);
  // Where no work of a GPU was read, that it idled is not known either.
  const bool is_seen = limit != Limit::kNoWork && limit != Limit::kUnknown;
  if (is_seen) add_step(facts, run, to);
  add_energy(facts, run, to);
  if (is_seen) add_idle(facts, run, to);
  add_sampled(facts, run, to);
  add_classes(facts, to);
  add_copies(facts, to);
  add_waits(facts, to);
  to.section("Top kernels", kKernels);
  add_counters(facts, to);
  add_gains(facts, to);
  add_memory(facts, run, limit, to);
  if (limit != Limit::kMemory) add_setup(facts, to);
}

/// Ranks that differ by design.
void add_parallel(const std::vector<Run>& runs, Sections& to) {
  const auto any = [&](bool stage) {
    return std::ranges::any_of(runs, [&](const Run& r) { return r.others && r.others->stage.has_value() == stage; });
  };
  if (any(false)) {
    to.section("Layers of experts", kExpertJobs);
    to.section("Experts by rank, mean step without the first", kExperts);
  }
  to.section("Pipelines", kPipelines);
  if (any(true)) {
    to.section("Stages, mean step without the first", kStages);
    to.section("Schedule of the pipelines", kSchedule);
  }
}

}  // namespace

void emit_pages(const StudyView& view, const std::vector<Run>& runs, const std::vector<Limit>& limits,
                const std::vector<Unlike>& unlike, const std::vector<Advice>& advice, const std::string& answer,
                StudySink& sink) {
  const bool outliers = std::ranges::any_of(unlike, [](const auto& one) { return !one.reasons.empty(); });
  Sections to;
  // Who opens dumps of a hang asks about the hang first; the analyzer of hangs has said it.
  const bool hangs = std::ranges::any_of(view.participants(), [&](std::size_t report) {
    return view.attribute(report, "hang.call").value_or("none") != "none";
  });
  if (hangs) {
    to.page({}, {});
    to.section("The profiles beside the dumps");
    to.add_sentence(answer);
  } else {
    to.page({}, answer);
  }
  const bool pipeline = std::ranges::any_of(runs, [](const Run& run) { return run.others && run.others->stage; });
  if (!pipeline) to.section("Jobs", kJobs);  // pipelines have a table that says more
  add_parallel(runs, to);
  if (!hangs) add_common_advice(advice, runs.size(), to);
  if (runs.size() == 2 && !runs[0].memory.empty() && !runs[1].memory.empty())
    to.section("Memory at the peak of both", kMemoryDifference);
  to.section(by_step(runs) ? "Profiles, fastest first" : outliers ? "Profiles, outliers first" : "Profiles", kRuns);
  to.section("Unlike the others", kUnlike);
  if (runs.size() > 1) {
    if (std::ranges::any_of(
            runs, [&](const Run& run) { return !Facts(view, run.report).by("range.host_ns.plain", "path").empty(); }))
      to.section("Ranges without a profiler, by the program's own times", kAllPlain);
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    to.page(runs[r].path, headline(runs[r], limits[r]));
    add_run(Facts(view, runs[r].report), runs[r], limits[r], to);
    add_advice(advice, runs[r], to);
  }
  to.emit(sink);
}

}  // namespace assay::overview
