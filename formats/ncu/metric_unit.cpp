#include "formats/ncu/metric_unit.hpp"

#include <algorithm>
#include <array>

namespace assay::ncu {
namespace {

struct Rule {
  std::string_view part;  ///< part of the name before the rollup
  std::string_view unit;
};

/// The first matching rule applies, so whole names and exceptions precede the general words.
constexpr Rule kRules[] = {
    {"device__", ""},
    {"nvlink__", ""},
    {"numa__", ""},
    {"c2clink__", ""},
    {"launch__sm_count", "SM"},
    {"launch__thread_count", "thread"},
    {"launch__occupancy_limit", "block"},
    {"launch__block_dim", "block"},
    {"launch__cluster_max_potential_size", "block"},
    {"launch__cluster_max_active", "cluster"},
    {"launch__registers_per_thread", "register/thread"},
    {"launch__shared_mem_per_block", "byte/block"},
    {"launch__shared_mem_config_size", "byte"},
    {"launch__persisting_l2_cache_size", "byte"},
    {"launch__occupancy_cluster", "%"},
    {"launch__", ""},
    {"ctas_launched", "block"},
    {"derived__pct_occupancy_per_block_size", "%"},
    {"derived__pct_occupancy_per_register_count", "%/register"},
    {"derived__pct_occupancy_per_shared_mem_size", "%/byte"},
    {"derived__pct_occupancy_per_barrier_count", ""},
    {"_pct", "%"},
    {"time_duration", "ns"},
    {"interval_time", "ns"},
    {"profiler__timestamp", ""},
    {"merged_samples", "sample"},
    {"passes", "pass"},
    {"buffer_size_bytes", "byte"},
    {"dropped_bytes", "byte"},
    {"interval_cycles", "cycle"},
    {"bytes_per_sector", "byte/sector"},
    {"latency_per_inst_issued", "cycle"},
    {"warps_active_per_inst_executed", "cycle"},
    {"thread_inst_executed_per_inst_executed", ""},
    {"thread_inst_executed_pred_on_per_inst_executed", ""},
    {"explicit_evict_type", ""},
    {"per_issue_active", "inst"},
    {"inst_executed_op_branch", "inst"},
    {"branch", "branches"},
    {"stalled_no_instructions", "inst"},
    {"theoretical_sectors_global_excessive", "sector"},
    {"memory_l1_conflicts", ""},
    {"wavefronts_shared_excessive", ""},
    {"memory_l2_theoretical_sectors", "sectors"},
    {"memory_l1_wavefronts", "sectors"},
    {"memory_l1_tag_requests", "sectors"},
    {"per_opcode", ""},
    {"derived__avg_thread", "thread"},
    {"derived__derivative_avg_thread", "thread"},
    {"derived__sm__sass_thread", "thread"},
    {"derived__smsp__sass_thread", "thread"},
    {"compression", ""},
    {"average_xbar2gpc_sectors", ""},
    {"xbar2gcc_sectors", ""},
    {"lsu_writeback_bytes", ""},
    {"_bytes", "byte"},
    {"_sectors", "sector"},
    {"lts__t_requests", "request"},
    {"gcc__cache_requests", "request"},
    {"sm__icc_requests", "cycle"},
    {"smsp__imc_requests", "cycle"},
    {"_requests", ""},
    {"inst_executed", "inst"},
    {"inst_issued", "inst"},
    {"warps", "warp"},
    {"cycles", "cycle"},
    {"writeback_active", "cycle"},
};

/// Units per second and per cycle of a counted quantity.
struct Rates {
  std::string_view unit, per_second, per_cycle;
};
constexpr Rates kRates[] = {{"byte", "byte/s", "byte/cycle"},
                            {"sector", "sector/s", "sector/cycle"},
                            {"inst", "inst/s", "inst/cycle"},
                            {"request", "request/s", "request/cycle"},
                            {"cycle", "hz", ""},
                            {"warp", "warp/s", "warp"}};

/// A sampled metric such as "SM_A.TriageCompute.l1tex__..." without the source of the samples.
std::string_view without_source(std::string_view name) {
  constexpr std::string_view kTriage = ".Triage";
  const std::size_t at = name.find(kTriage);
  const std::size_t end = at == std::string_view::npos ? at : name.find('.', at + kTriage.size());
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

std::string_view word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('.'), rest.size());
  const std::string_view first = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return first;
}

}  // namespace

std::string_view unit_of_metric(std::string_view name) {
  std::string_view rest = without_source(name);
  const std::string_view root = word(rest);
  constexpr std::array<std::string_view, 4> kRollups = {"avg", "max", "min", "sum"};
  std::string_view submetric = word(rest);
  if (std::ranges::find(kRollups, submetric) != kRollups.end()) submetric = word(rest);
  if (submetric.starts_with("pct")) return "%";
  const auto* rule =
      std::ranges::find_if(kRules, [&](const Rule& one) { return root.find(one.part) != std::string_view::npos; });
  const std::string_view unit = rule == std::end(kRules) ? std::string_view() : rule->unit;
  // The values of these two are bytes, as the second row of a CSV also says.
  if (root == "derived__lts__lts2xbar_bytes") return unit;
  const auto* rates = std::ranges::find_if(kRates, [&](const Rates& one) { return one.unit == unit; });
  if (rates == std::end(kRates)) return unit;
  if (submetric == "per_second") return rates->per_second;
  return submetric.starts_with("per_cycle") || submetric.starts_with("peak_sustained") ? rates->per_cycle : unit;
}

}  // namespace assay::ncu
