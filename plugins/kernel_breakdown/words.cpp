#include "words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "assay/algo/kernel_classes.hpp"
#include "assay/algo/stats.hpp"
#include "assay/detail/report_labels.hpp"
#include "assay/pair_outputs.hpp"
#include "assay/words.hpp"

namespace assay::breakdown {
namespace {

constexpr std::size_t kSpelledOut = 8;     ///< profiles listed in a text; the tables have all
constexpr std::size_t kShownOfName = 100;  ///< characters of a kernel name in a text
constexpr std::string_view kRatio = "kernel_class.time_ratio";

std::string fixed(double value, int digits) { return printed("%.*f", digits, value); }
std::string percents(double low, double high) { return low_to_high(100 * low, 100 * high, 1) + " %"; }
std::string number(double value) { return fixed(value, value == std::floor(value) ? 0 : 1); }
std::string milliseconds(double ns) { return fixed(ns / 1e6, 1); }

/// A demangled name without return type, truncated to fit a line.
std::string shown(std::string_view name) {
  if (name.starts_with("void ")) name.remove_prefix(5);
  if (name.size() <= kShownOfName) return std::string(name);
  std::size_t end = kShownOfName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U)
    --end;  // do not cut inside a UTF-8
            // character
  return std::string(name.substr(0, end)) + "…";
}

/// "a: ..., b: ..." for the first profiles, and the number of others.
template <class Describe>
std::string spelled_out(const StudyView& view, const std::vector<RunKernels>& runs, Describe&& describe) {
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), kSpelledOut); ++i) {
    text += filled("{}{}: {}.", {text.empty() ? "" : " ", report_name(view, runs[i].report), describe(runs[i])});
  }
  if (runs.size() > kSpelledOut)
    text += " " + std::to_string(runs.size() - kSpelledOut) + " more profiles are in the table.";
  return text;
}

Finding top_kernel(const StudyView& view, const std::vector<RunKernels>& runs) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  std::set<std::string_view> names;
  for (const RunKernels& run : runs) names.insert(run.top);
  finding.title = names.size() == 1
                      ? "Top kernel: " + shown(*names.begin())
                      : filled("The top kernel is not the same in all profiles: {} kernels in {} profiles",
                               {std::to_string(names.size()), std::to_string(runs.size())});
  finding.text = spelled_out(view, runs, [&](const RunKernels& run) {
    std::string text = names.size() == 1 ? "" : shown(run.top) + " with ";
    text += filled("{} of kernel time, {} launches", {percent(run.top_share), number(run.top_count)});
    if (run.top_per_iteration) text += ", " + number(*run.top_per_iteration) + " per iteration";
    return text;
  });
  for (const RunKernels& run : runs) {
    const auto fact = view.fact(static_cast<Row>(run.report), "top_kernel.time_ratio");
    if (fact) finding.evidence.push_back(static_cast<std::int64_t>(*fact));
  }
  return finding;
}

Finding product_share(const StudyView& view, const std::vector<RunKernels>& runs) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  double low = 1, high = 0, unknown_low = 1, unknown_high = 0;
  for (const RunKernels& run : runs) {
    low = std::min(low, run.product_share);
    high = std::max(high, run.product_share);
    unknown_low = std::min(unknown_low, run.unknown_share);
    unknown_high = std::max(unknown_high, run.unknown_share);
    if (run.product_fact != kNone) finding.evidence.push_back(run.product_fact);
  }
  finding.title = "Matrix products take " + percents(low, high) + " of kernel time";
  finding.text = spelled_out(view, runs, [](const RunKernels& run) {
    return filled(
        "products {}, unknown {}{}",
        {percent(run.product_share), percent(run.unknown_share),
         run.hidden_share > 0 ? ", and " + percent(run.hidden_share) + " of GPU time hidden in CUDA graphs" : ""});
  });
  finding.text += " Shares are of the summed durations of the measured kernels; " +
                  percents(unknown_low, unknown_high) + " of it is in unclassified kernels.";
  return finding;
}

Finding other_kernels(const StudyView& view, const RunKernels& run) {
  Finding finding;
  finding.labels = labels_of(view, run.report);
  finding.title = report_name(view, run.report) + ": besides matrix products";
  for (const auto& [name, share] : run.others)
    finding.text += filled("{}{} {}", {finding.text.empty() ? "" : ", ", name, percent(share)});
  finding.text = finding.text.empty() ? "No other kernels." : finding.text + ".";
  return finding;
}

Finding tensor_cores(const StudyView& view, const std::vector<RunKernels>& runs) {
  Finding finding;
  const auto range = [&](std::string_view dims) {
    double low = 1, high = 0;
    for (const RunKernels& run : runs) {
      const auto share = view.value(static_cast<Row>(run.report), "tensor_core.time_ratio", dims);
      if (!share) continue;
      low = std::min(low, *share);
      high = std::max(high, *share);
    }
    return low > high ? std::string("an unknown share") : percents(low, high);
  };
  finding.title = "Tensor cores: " + range("uses=yes") + " of kernel time";
  finding.text = filled(
      "By the kernels' names {} of kernel time is in kernels that use tensor cores, {} in kernels that do not, and {} "
      "in kernels whose names do not show it.",
      {range("uses=yes"), range("uses=no"), range("uses=unknown")});
  return finding;
}

/// Kernels launched by other threads inside named ranges, summed over the profiles.
std::vector<Finding> attributed_by_time(const StudyView& view, const std::vector<RunKernels>& runs) {
  struct Sum {
    double kernels = 0, time = 0, other_kernels = 0, other_time = 0;
    std::vector<std::int64_t> evidence;
  };
  std::map<std::string, Sum> ranges;
  const FactTable& facts = *view.study().facts;
  for (const RunKernels& run : runs) {
    const auto row = static_cast<Row>(run.report);
    view.each_fact(row, "range.other_thread_kernel_count", [&](std::size_t fact) {
      if (facts.value[fact] == 0) return;
      const std::string_view dims = facts.dims[fact];
      Sum& sum = ranges[dim_value(dims, "range").value_or("")];
      sum.other_kernels += facts.value[fact];
      sum.kernels += view.value(row, "range.kernel_count", dims).value_or(0);
      sum.time += view.value(row, "range.kernel_time_sum_ns", dims).value_or(0);
      sum.other_time += view.value(row, "range.other_thread_kernel_time_ns", dims).value_or(0);
      sum.evidence.push_back(static_cast<std::int64_t>(fact));
    });
  }
  std::vector<Finding> out;
  for (auto& [name, sum] : ranges) {
    Finding finding;
    finding.role = FindingRole::kNote;
    finding.title = "'" + name + "' runs on another thread: its kernels were attributed by time";
    finding.text = filled(
        "{} of the {} kernels counted in '{}' ({} of {} ms) were launched by other threads of the process while the "
        "range was open. Work that such a thread did for something else at the time would be counted too.",
        {number(sum.other_kernels), number(sum.kernels), name, milliseconds(sum.other_time), milliseconds(sum.time)});
    finding.evidence = std::move(sum.evidence);
    out.push_back(std::move(finding));
  }
  return out;
}

}  // namespace

std::vector<RunKernels> runs_of(const StudyView& view, const std::string& matmul) {
  std::vector<RunKernels> runs;
  const FactTable& facts = *view.study().facts;
  for (const std::size_t report : view.participants()) {
    const auto row = static_cast<Row>(report);
    const auto top = view.attribute(report, "kernel.top_name");
    if (!top) continue;
    RunKernels run;
    run.report = report;
    run.top = *top;
    run.top_share = view.value(row, "top_kernel.time_ratio").value_or(0);
    run.top_count = view.value(row, "top_kernel.count").value_or(0);
    run.hidden_share = view.value(row, "kernel_class.hidden_ratio").value_or(0);
    run.top_per_iteration = view.value(row, "top_kernel.count_per_iteration");
    view.each_fact(row, kRatio, [&](std::size_t fact) {
      const std::string_view dims = facts.dims[fact];
      if (dim_value(dims, "range")) return;
      const std::string name = dim_value(dims, "class").value_or("");
      if (name == matmul) {
        run.product_share = facts.value[fact];
        run.product_fact = static_cast<std::int64_t>(fact);
        return;
      }
      if (name == kUnknownClass) run.unknown_share = facts.value[fact];
      run.others.emplace_back(name, facts.value[fact]);
    });
    std::sort(run.others.begin(), run.others.end(), [](const auto& a, const auto& b) {
      return std::tuple(-a.second, a.first) < std::tuple(-b.second, b.first);
    });
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<Finding> findings(const StudyView& view, const std::vector<RunKernels>& runs) {
  std::vector<Finding> out = {top_kernel(view, runs), product_share(view, runs), tensor_cores(view, runs)};
  if (runs.size() <= kSpelledOut) {
    for (const RunKernels& run : runs) out.push_back(other_kernels(view, run));
  }
  for (Finding& note : attributed_by_time(view, runs)) out.push_back(std::move(note));
  return out;
}

Table share_table(const StudyView& view, const std::vector<RunKernels>& runs) {
  const auto others = [](const RunKernels& run) {
    std::string text;
    for (const auto& [name, share] : run.others) {
      if (name != kUnknownClass) text += filled("{}{} {}", {text.empty() ? "" : ", ", name, percent(share)});
    }
    return text;
  };
  Table table("class_shares", "Shares of kernel time and the top kernel, by profile");
  table.column("report", "", runs, [&](const RunKernels& run) { return view.path(run.report); })
      .column("matrix products", "ratio", runs, &RunKernels::product_share)
      .column("unknown", "ratio", runs, &RunKernels::unknown_share)
      .column("tensor cores", "ratio", runs,
              [&](const RunKernels& run) {
                return view.value(static_cast<Row>(run.report), "tensor_core.time_ratio", "uses=yes");
              })
      .column("top kernel", "", runs, [](const RunKernels& run) { return shown(run.top); })
      .column("its share", "ratio", runs, &RunKernels::top_share)
      .column("its launches", "1", runs, [](const RunKernels& run) { return static_cast<std::int64_t>(run.top_count); })
      .column("per iteration", "1", runs, &RunKernels::top_per_iteration)
      .column("other classes", "", runs, others);
  return table;
}

namespace {

/// Whether the top kernels of all runs on both sides have the same name.
bool same_top(const std::vector<RunKernels>& runs, const Stratum& stratum) {
  std::set<std::string_view> tops;
  for (const RunKernels& run : runs) {
    for (const auto* side : {&stratum.base, &stratum.treated}) {
      if (std::find(side->begin(), side->end(), run.report) != side->end()) tops.insert(run.top);
    }
  }
  return tops.size() == 1;
}

}  // namespace

Comparison compare_products(const StudyView& view, const std::vector<RunKernels>& runs, const std::string& label,
                            const std::string& matmul) {
  const PairStudy pairs = compare_pairs(
      view, {"kernel_breakdown", label_pairs(view, label, ""), {{std::string(kRatio), "class=" + matmul}}});
  Comparison out;
  out.unmatched = pairs.left_out;
  for (const PairEffect* effect : pairs.made()) {
    const LabelPair& pair = pairs.pair_of(*effect);
    const std::string base = percent(effect->base.median), treated = percent(effect->treated.median);
    Finding finding = pair_evidence(pairs, *effect);
    finding.role = FindingRole::kAnswer;
    finding.title = filled("Matrix products: {} of kernel time with {}={}, {} with {}",
                           {base, label, pair.base, treated, pair.treated});
    finding.text = filled("The class '{}' takes {} of the kernel time with {}={} and {} with {}={}: a {}",
                          {matmul, base, label, pair.base, treated, label, pair.treated, finding.text});
    out.tops.push_back({finding.labels, same_top(runs, pairs.stratum_of(*effect))});
    finding.text += out.tops.back().same ? " The kernel with the most time is the same in both."
                                         : " The kernel with the most time is different.";
    out.findings.push_back(std::move(finding));
  }
  return out;
}

}  // namespace assay::breakdown
