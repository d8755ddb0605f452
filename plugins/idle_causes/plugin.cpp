// Why was the device idle? Assigns every instant without device work to the cause it waited for.
#include <map>

#include "algo/idle/idle.hpp"
#include "assay/sdk.hpp"
#include "compilation.hpp"
#include "in_steps.hpp"
#include "long_gaps.hpp"
#include "words.hpp"

namespace assay::idle {

class IdleCauses {
 public:
  static constexpr std::string_view kSummary = "Shows what an idle GPU waited for, without double counting.";
  static constexpr ColumnId kNeeds[] = {col::kernels};
  static constexpr ColumnId kWants[] = {
      col::graphs, col::copies,          col::copy_bytes, col::copy_direction, col::copy_memory_kinds,
      col::sets,   col::set_memory_kind, col::calls,      col::call_name,      col::ranges,
      col::spans,  col::steps,           col::ops};
  static constexpr OptionSpec kOptions[] = {
      {"gaps", OptionType::kBool, "false",
       "Also give tables of all gaps, and of stretches of gaps with the same cause."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"idle.time_ns", "ns", Polarity::kLowerIsBetter,
       "Time in the window in which a device ran nothing, summed over the devices that ran anything; dims: cause. Over "
       "the causes it adds up to all idle time.",
       "idle time of the GPU by cause", kExtensive},
      {"idle.window_ns", "ns", Polarity::kNeutral, "Window times the devices that ran anything in it.",
       "time in which the GPU could have worked", kExtensive},
      {"idle.step_ns", "ns", Polarity::kLowerIsBetter,
       "The same within the steps of the run, where it has any: what lies between steps is left out, and the part of a "
       "gap in a step is judged by itself; dims: cause.",
       "idle time of the GPU within steps by cause", kExtensive},
      {"idle.step_window_ns", "ns", Polarity::kNeutral, "Time of these steps times the devices.",
       "time of the steps in which the GPU could have worked", kExtensive},
      {"idle.gap_count", "1", Polarity::kNeutral,
       "Gaps without work, over the devices; dims: cause, the largest of each.", "number of idle gaps of the GPU",
       kExtensive},
      {"idle.long_gap_ns", "ns", Polarity::kLowerIsBetter,
       "Part of idle.time_ns in gaps of at least 10 ms before the last work; dims: cause.", "idle time in long gaps",
       kExtensive},
      {"idle.long_gap_count", "1", Polarity::kLowerIsBetter, "Those gaps, over the devices.", "long idle gaps",
       kExtensive},
      {"idle.long_gap_range_ns", "ns", Polarity::kNeutral,
       "Time of those gaps inside the ranges that cover most of it, by their name without numbers; of several that "
       "cover "
       "nearly as much the innermost; dims: range.",
       "idle time in long gaps inside a range", kExtensive},
      {"idle.long_gap_call_ns", "ns", Polarity::kNeutral,
       "Time of those gaps inside the API call that covers most of it, if that is half of it at least; dims: call.",
       "idle time in long gaps inside an API call", kExtensive},
      {"compile.time_ns", "ns", Polarity::kLowerIsBetter,
       "Time of the capture in which any thread compiles, by the names of ranges and functions.",
       "time in which the program is compiled", kExtensive},
      {"compile.capture_ns", "ns", Polarity::kNeutral,
       "Time of the capture, from its first range or call to the last; of a named window, its time on the host.",
       "time in which the program could be compiled", kExtensive},
      {"host_wait.call_count", "1", Polarity::kLowerIsBetter,
       "API calls of the window that block the host; dims: wait, by the expert rules of nsys: device_sync, "
       "stream_sync, event_sync, pageable_copy, blocking_copy, blocking_set.",
       "API calls that block the host", kExtensive},
      {"host_wait.time_ns", "ns", Polarity::kLowerIsBetter,
       "Summed durations of the calls that block the host; dims: wait.", "host time in calls that wait", kExtensive},
      {"host_wait.idle_ns", "ns", Polarity::kLowerIsBetter,
       "Idle device time during which the thread that launched what ended it was in such a call; dims: wait. Part of "
       "idle.time_ns of the causes launch, sync and api.",
       "idle time of the GPU while the host waits in a call", kExtensive},
  };

  explicit IdleCauses(const Options& options) : with_gaps_(options.boolean("gaps")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const std::vector<WaitKind> waits = waits_of_calls(report);
    const ThreadCalls calls(report, waits);
    WaitSums wait_sums{};
    CauseTimes sums{};
    CauseTimes counts{};
    std::map<std::int32_t, DeviceGapList> listed;
    LongGaps long_gaps;
    StepIdle in_steps(report);
    const std::size_t devices = each_gap(report, [&](std::int32_t device, const Gap& gap) {
      const CauseTimes causes = causes_of(gap, calls);
      calls.add_waits(gap, wait_sums);
      long_gaps.add(device, gap, causes);
      in_steps.add(gap, calls);
      for (std::size_t c = 0; c < kCauses; ++c) sums[c] += causes[c];
      ++counts[static_cast<std::size_t>(largest(causes))];
      if (!with_gaps_) return;
      listed[device].gaps.push_back(gap);
      listed[device].causes.push_back(causes);
    });
    if (devices == 0) return sink.skip("idle.time_ns", "no device ran anything in the window");
    const auto window = static_cast<double>(report.window->end - report.window->start);
    if (const auto [compiled, capture] = compilation_time(report); compiled > 0) {
      sink.fact("compile.time_ns", static_cast<double>(compiled));
      sink.fact("compile.capture_ns", static_cast<double>(capture));
    }
    sink.fact("idle.window_ns", window * static_cast<double>(devices));
    for (std::size_t c = 0; c < kCauses; ++c) {
      sink.fact("idle.time_ns", static_cast<double>(sums[c]), {{"cause", kCauseNames[c]}});
      sink.fact("idle.gap_count", static_cast<double>(counts[c]), {{"cause", kCauseNames[c]}});
      if (long_gaps.times()[c] > 0)
        sink.fact("idle.long_gap_ns", static_cast<double>(long_gaps.times()[c]), {{"cause", kCauseNames[c]}});
    }
    for (std::size_t c = 0; in_steps.any() && c < kCauses; ++c)
      sink.fact("idle.step_ns", static_cast<double>(in_steps.times()[c]), {{"cause", kCauseNames[c]}});
    if (in_steps.any())
      sink.fact("idle.step_window_ns", static_cast<double>(in_steps.window()) * static_cast<double>(devices));
    if (long_gaps.count() > 0) sink.fact("idle.long_gap_count", static_cast<double>(long_gaps.count()));
    if (const auto [range, time] = long_gaps.range(report); !range.empty())
      sink.fact("idle.long_gap_range_ns", static_cast<double>(time), {{"range", range}});
    if (const auto [call, time] = long_gaps.call(report); !call.empty() && 2 * time >= long_gaps.time())
      sink.fact("idle.long_gap_call_ns", static_cast<double>(time), {{"call", call}});
    emit_waits(report, waits, wait_sums, sink);
    if (with_gaps_) emit_tables(listed, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<ReportIdle> reports;
    for (const std::size_t r : view.participants()) {
      ReportIdle idle{r, view.value(static_cast<Row>(r), "idle.window_ns").value_or(0), {}, {}};
      if (idle.window <= 0) continue;
      for (std::size_t c = 0; c < kCauses; ++c) {
        const auto fact = view.fact(static_cast<Row>(r), "idle.time_ns", "cause=" + std::string(kCauseNames[c]));
        if (!fact) continue;
        idle.times[c] = study.facts->value[*fact];
        idle.evidence.push_back(static_cast<std::int64_t>(*fact));
      }
      reports.push_back(std::move(idle));
    }
    if (reports.empty()) return sink.skip(kNone, "no profile has device work, so idle time is unknown");
    for (const Finding& finding : findings(reports, view)) sink.finding(finding);
    for (const Finding& finding : wait_findings(reports, view)) sink.finding(finding);
    sink.table(cause_table(reports, view));
  }

 private:
  static constexpr std::int64_t kMaxWork = 100'000;  ///< ns between two gaps of a stretch

  /// Gaps of one device in time order, with their causes.
  struct DeviceGapList {
    std::vector<Gap> gaps;
    std::vector<CauseTimes> causes;
  };

  void emit_tables(const std::map<std::int32_t, DeviceGapList>& devices, ReportSink& sink) const {
    std::vector<Stretch> gaps, all;
    for (const auto& [device, listed] : devices) {
      const std::vector<Stretch> more = stretches(device, listed.gaps, listed.causes, kMaxWork);
      all.insert(all.end(), more.begin(), more.end());
      for (std::size_t g = 0; g < listed.gaps.size(); ++g) {
        const Interval time = listed.gaps[g].time;
        gaps.push_back({device, time.start, time.end, 1, time.end - time.start, largest(listed.causes[g])});
      }
    }
    sink.table(stretch_table("idle_gaps", "Gaps without device work", gaps));
    sink.table(stretch_table("idle_stretches", "Stretches of gaps with one cause", all));
  }

  static void emit_waits(const Report& report, const std::vector<WaitKind>& waits, WaitSums& sums, ReportSink& sink) {
    if (report.calls == nullptr) return sink.skip("host_wait.call_count", lack_of(report, WaitKind::kNone));
    add_calls(*report.calls, waits, sums);
    for (std::size_t w = 0; w < kWaits; ++w) {
      if (const std::string_view lack = lack_of(report, static_cast<WaitKind>(w)); !lack.empty()) {
        sink.skip("host_wait.call_count", lack);
        continue;
      }
      const std::vector<Dim> dims = {{"wait", kWaitNames[w]}};
      sink.fact("host_wait.call_count", static_cast<double>(sums[w].calls), dims);
      sink.fact("host_wait.time_ns", static_cast<double>(sums[w].host), dims);
      sink.fact("host_wait.idle_ns", static_cast<double>(sums[w].idle), dims);
    }
  }

  bool with_gaps_;
};

ASSAY_PLUGIN("idle_causes", "1.0.0", IdleCauses);

}  // namespace assay::idle
