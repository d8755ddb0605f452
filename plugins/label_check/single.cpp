// Rules on a single report: words of its name, device, compiled kernels, waiting calls.
#include <algorithm>
#include <set>

#include "assay/algo/matching.hpp"
#include "assay/words.hpp"
#include "judge.hpp"

namespace assay::labels {
namespace {

/// Values of the dim "device" of a metric's facts.
std::set<std::string> devices(const Bench& bench, std::size_t report, std::string_view metric) {
  std::set<std::string> out;
  bench.view().each_fact(static_cast<Row>(report), metric, [&](std::size_t fact) {
    out.insert(dim_value(bench.view().study().facts->dims[fact], "device").value_or(""));
  });
  return out;
}

Judgement device_judgement(const std::string& stated, const std::set<std::string>& used,
                           const std::set<std::string>& listed_devices) {
  constexpr std::string_view kUsed = "label.device_used";
  if (used.empty()) return judged(LabelVerdict::kUnverifiable, "the trace names no device that ran anything");
  const std::string ran = "device " + listed({used.begin(), used.end()}) + " ran the work";
  const auto shown = used.size() == 1 ? std::optional<double>(std::stod(*used.begin())) : std::nullopt;
  if (used.contains(stated)) return judged(LabelVerdict::kBorneOut, ran, kUsed, shown);
  if (listed_devices.contains(stated)) {
    return judged(LabelVerdict::kContradicted, filled("{}; device {} is in the profile but ran nothing", {ran, stated}),
                  kUsed, shown);
  }
  return judged(LabelVerdict::kUnverifiable,
                filled("{} and the profile lists no device {}: devices may have been renumbered", {ran, stated}),
                kUsed);
}

/// Signs of compilation in the trace; empty: unknown, which is not the same as none.
struct CompilationTrace {
  std::optional<double> kernels, graphs;

  [[nodiscard]] std::string text() const {
    const auto shown = [](std::optional<double> count, const char* what) {
      return count ? printed("%.0f ", *count) + what : std::string("nothing of ") + what;
    };
    return filled("the trace shows {} and {}", {shown(kernels, "compiled kernels"), shown(graphs, "graph launches")});
  }
  [[nodiscard]] bool known() const { return kernels && graphs; }
  [[nodiscard]] bool shows_kernels() const { return kernels && *kernels > 0; }
  [[nodiscard]] bool shows_graphs() const { return graphs && *graphs > 0; }
};

Judgement compiled_judgement(const Rules& rules, std::string_view mode, const CompilationTrace& seen) {
  const std::string_view evidence = seen.shows_graphs() ? "label.graph_launches" : "label.compiled_kernels";
  const auto verdict = [&](LabelVerdict found, const char* why = "") {
    return judged(found, seen.text() + why, evidence);
  };
  const bool some = seen.shows_kernels() || seen.shows_graphs();
  if (mode == rules.compile_base) {
    if (some) return verdict(LabelVerdict::kContradicted);
    return verdict(seen.known() ? LabelVerdict::kBorneOut : LabelVerdict::kUnverifiable);
  }
  const bool by_graphs = !rules.graph_values.empty();  // otherwise the mode does not affect them
  const bool in_graphs =
      std::find(rules.graph_values.begin(), rules.graph_values.end(), mode) != rules.graph_values.end();
  if (!some) return verdict(seen.known() ? LabelVerdict::kContradicted : LabelVerdict::kUnverifiable);
  if (!by_graphs) return verdict(LabelVerdict::kBorneOut);
  if (!seen.graphs) return verdict(LabelVerdict::kUnverifiable, ", and graphs tell the modes apart");
  if (in_graphs && !seen.shows_graphs()) return verdict(LabelVerdict::kContradicted, ", and this mode launches graphs");
  if (!in_graphs && seen.shows_graphs()) {
    return verdict(LabelVerdict::kContradicted, ", and this mode launches no graphs");
  }
  return verdict(LabelVerdict::kBorneOut);
}

/// A run waits if it has at least this many waiting calls per iteration.
constexpr double kMinSyncCalls = 0.5;

/// Waiting calls per iteration; empty if unknown.
std::optional<double> waits_per_iteration(const Bench& bench, std::size_t report) {
  const auto iterations = bench.fact(report, "iteration.count");
  if (!iterations || !(*iterations > 0)) return std::nullopt;
  std::optional<double> calls;
  bench.view().each_fact(static_cast<Row>(report), "sync.count", [&](std::size_t fact) {
    const std::string kind = dim_value(bench.view().study().facts->dims[fact], "kind").value_or("");
    const bool counts = kind == "device" || kind == "stream" || kind == "blocking_copy";
    if (!calls) calls = 0;  // calls were recorded, but none of these kinds
    if (counts) *calls += bench.view().study().facts->value[fact];
  });
  return calls ? std::optional<double>(*calls / *iterations) : std::nullopt;
}

Judgement sync_judgement(double waits, double least) {
  return judged(waits >= least ? LabelVerdict::kBorneOut : LabelVerdict::kContradicted,
                printed("%.2f waiting calls per iteration", waits), "sync.count");
}

/// An asynchronous run may wait occasionally, as long as copies still overlap kernels.
Judgement async_judgement(double waits, double least, std::optional<double> overlap) {
  std::string shows = printed("%.2f waiting calls per iteration", waits);
  if (overlap) shows += printed(", copies beside kernels %.1f %% of the copy time", 100 * *overlap);
  if (waits >= least && !overlap) {
    return judged(LabelVerdict::kUnverifiable, shows + ", and whether copies overlap kernels is unknown", "sync.count");
  }
  const bool free = waits < least || *overlap > 0;
  return judged(free ? LabelVerdict::kBorneOut : LabelVerdict::kContradicted, shows, "sync.count");
}

}  // namespace

void check_named(Bench& bench, const Rules& rules) {
  for (const NamedRule& rule : rules.named) {
    const std::size_t label = *bench.view().label(rule.label), other = *bench.view().label(rule.other);
    for (std::size_t r = 0; r < bench.reports(); ++r) {
      if (!bench.at(r, label).stated || !bench.at(r, other).stated || bench.text(r, label) != rule.value) continue;
      const std::string_view stated = bench.text(r, other);
      const std::string means = filled("{} means {} {}", {rule.value, rule.other, rule.other_value});
      if (stated == rule.other_value) {
        bench.decide(r, label,
                     judged(LabelVerdict::kUnverifiable, means + ", as the name says; a trace shows neither"));
      } else {
        bench.decide(r, label,
                     judged(LabelVerdict::kContradicted,
                            filled("{}, and the same name says {} {}", {means, rule.other, std::string(stated)})));
      }
    }
  }
}

void check_device(Bench& bench, const Rules& rules) {
  const auto label = bench.view().label(rules.device_label);
  for (std::size_t r = 0; label && r < bench.reports(); ++r) {
    if (!bench.at(r, *label).stated) continue;
    bench.decide(r, *label,
                 device_judgement(std::string(bench.text(r, *label)), devices(bench, r, "label.device_used"),
                                  devices(bench, r, "label.device_listed")));
  }
}

void check_compile(Bench& bench, const Rules& rules) {
  const auto label = bench.view().label(rules.compile_label);
  for (std::size_t r = 0; label && r < bench.reports(); ++r) {
    // Rows of graphs lack those traced by node; calls are missing in an export without API calls.
    CompilationTrace seen{bench.fact(r, "label.compiled_kernels"), bench.fact(r, "label.graph_launches")};
    const auto rows = bench.fact(r, "graph.launch_count");
    if (rows && (!seen.graphs || *rows > *seen.graphs)) seen.graphs = rows;
    if (!bench.at(r, *label).stated || (!seen.kernels && !seen.graphs)) continue;
    bench.decide(r, *label, compiled_judgement(rules, bench.text(r, *label), seen));
  }
}

void check_pipeline(Bench& bench, const Rules& rules) {
  const auto label = bench.view().label(rules.pipeline_label);
  for (std::size_t r = 0; label && r < bench.reports(); ++r) {
    const auto waits = waits_per_iteration(bench, r);
    if (!bench.at(r, *label).stated || !waits) continue;
    const std::string_view mode = bench.text(r, *label);
    const auto overlap = bench.fact(r, "gpu.overlap_ratio");
    if (mode == rules.sync_value) {
      bench.decide(r, *label, sync_judgement(*waits, kMinSyncCalls));
    } else if (mode == rules.async_value) {
      bench.decide(r, *label, async_judgement(*waits, kMinSyncCalls, overlap));
    }
  }
}

}  // namespace assay::labels
