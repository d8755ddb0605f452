// Whose code keeps the GPU waiting: functions of idle time, exact by traces with stacks, else by samples.
#include <algorithm>

#include "assay/algo/dims.hpp"
#include "assay/quantity.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "idle_stacks.hpp"
#include "samples.hpp"

namespace assay::stacks {
namespace {

constexpr const char* kIdleTime = "stack.idle_ns";
constexpr std::size_t kNamed = 3;
constexpr std::size_t kMaxStacks = 2000;  ///< of the flame graph

/// "the GPU waits 7 ms a step for host code", and how it is known, or why not whose.
std::string answer(const IdleCode& code) {
  std::string text =
      filled("the GPU waits {} {} for host code", {time_text(code.idle), code.found ? "a step" : "of the capture"});
  if (!code.lack.empty()) return text + "; " + code.lack;
  if (code.exact) return text;
  return filled("{}; functions by {} of it, bounds with 95 %", {text, counted(code.inside, "sample")});
}

/// "; read_rows (stacks.py:9) 4 ms, tokenize (stacks.py:8) 2 ms".
std::string named_text(const StudyView& view, Row report) {
  std::vector<std::pair<double, std::string>> functions;
  view.each_fact(report, kIdleTime, [&](std::size_t fact) {
    functions.emplace_back(view.study().facts->value[fact],
                           dim_value(view.study().facts->dims[fact], "function").value_or(""));
  });
  std::ranges::stable_sort(functions, std::ranges::greater(), [](const auto& of) { return of.first; });
  std::string text;
  for (std::size_t f = 0; f < std::min(kNamed, functions.size()); ++f)
    text += filled("{} {} {}", {f == 0 ? ":" : ",", functions[f].second, time_text(functions[f].first)});
  return text;
}

}  // namespace

class Stacks {
 public:
  static constexpr std::string_view kSummary =
      "Shows whose code keeps the GPU waiting: functions with file and line, exact or by samples.";
  static constexpr ColumnId kWants[] = {col::kernels,   col::kernel_name, col::graphs, col::copies,   col::sets,
                                        col::calls,     col::call_name,   col::ranges, col::spans,    col::steps,
                                        col::overheads, col::causes,      col::ops,    col::declared, col::collectives};
  static constexpr MetricSpec kProduces[] = {
      {kIdleTime, "ns", Polarity::kLowerIsBetter,
       "Time of a mean step in which the device waits for the host's own code in a function of the program; of samples "
       "an estimate; dims: function.",
       "time that the device waits for a function"}};
  static constexpr AttributeSpec kAttributes[] = {
      {"stack.answer", "Whose code the device waits for, or why that is not known, a sentence."}};

  static constexpr Str kConsumes[] = {kIdleTime};

  explicit Stacks(const Options& /*options*/) {}

  void analyze(const Report& report, ReportSink& sink) const {
    if (report.kernels == nullptr) {
      const std::vector<SampledFunction> sampled = sampled_functions(report);
      if (!sampled.empty()) emit_sampled(sampled, sink);
    }
    const IdleCode code = idle_code_of(report);
    if (code.functions.empty() && code.lack.empty())
      return sink.skip("stack.*", "no stacks of the host's code are here", SkipCause::kNoFramework);
    sink.attribute("stack.answer", answer(code));
    if (code.functions.empty()) return;
    for (const IdleFunction& one : code.functions) sink.fact(kIdleTime, one.time, {{"function", one.text}});
    emit_tables(code, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    for (const std::size_t report : view.participants()) {
      const auto text = view.attribute(report, "stack.answer");
      if (!text) continue;
      Finding finding;
      finding.role = FindingRole::kAnswer;
      finding.title = filled("{}: {}{}", {view.path(report), *text, named_text(view, static_cast<Row>(report))});
      finding.text = "Of a mean step; the functions with all that they call, helpers left to their callers.";
      sink.finding(finding);
    }
  }

 private:
  static void emit_sampled(const std::vector<SampledFunction>& sampled, ReportSink& sink) {
    Table table("sampled_functions", "Functions by samples of threads");
    table.column("function", "", sampled, &SampledFunction::text)
        .column("self", "ratio", sampled, &SampledFunction::self)
        .column("total", "ratio", sampled, &SampledFunction::total)
        .column("file", "", sampled, &SampledFunction::file);
    sink.table(table);
  }
  static void emit_tables(const IdleCode& code, ReportSink& sink) {
    Table table(code.exact ? "idle_functions" : "sampled_idle_functions",
                "Functions that the device waits for, a mean step");
    table.column("function", "", code.functions, &IdleFunction::text)
        .column("time", "ns", code.functions, &IdleFunction::time)
        .column("share", "ratio", code.functions,
                [&](const IdleFunction& f) { return code.step > 0 ? f.time / code.step : 0; });
    if (code.exact)
      table.column("inner", "", code.functions, &IdleFunction::inner);
    else
      table.column("low", "ns", code.functions, &IdleFunction::low)
          .column("high", "ns", code.functions, &IdleFunction::high)
          .column("outside", "ratio", code.functions, &IdleFunction::outside);
    table.column("file", "", code.functions, &IdleFunction::file);
    sink.table(table);
    std::vector<IdleStack> shown(code.stacks.begin(), code.stacks.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                                kMaxStacks, code.stacks.size())));
    Table stacks("idle_stacks", "Stacks of the code that the device waits for, a mean step");
    stacks.column("stack", "", shown, &IdleStack::text).column("time", "ns", shown, &IdleStack::time);
    sink.table(stacks);
  }
};

ASSAY_PLUGIN("stacks", "1.0.0", Stacks);

}  // namespace assay::stacks
