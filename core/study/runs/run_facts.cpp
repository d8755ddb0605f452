#include "runs/run_facts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "assay/detail/communication.hpp"
#include "assay/detail/random.hpp"
#include "assay/detail/text.hpp"
#include "assay/report.hpp"
#include "assay/words.hpp"
#include "load/load.hpp"

namespace assay {
namespace {

/// Kernels beyond these are one: a program has its time in few.
constexpr std::size_t kMaxKernels = 256;

/// Adds the shares of kernel time, and whether a kernel communicates: each name is looked at once.
void add_program(const Report& report, const KernelTable& kernels, RunFacts& facts) {
  std::unordered_map<StringId, std::uint64_t> names;
  std::unordered_map<std::uint64_t, double> times;
  const bool shaped = kernels.grid_x.present();
  double all = 0;
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    const auto [name, fresh] = names.try_emplace(kernels.name[k], 0);
    if (fresh) {
      const std::string_view text = report.string(kernels.name[k]);
      name->second = seed_of(text);
      facts.communicates = facts.communicates || communicates(text);
    }
    std::uint64_t key = name->second;
    if (shaped) {
      for (const std::int32_t blocks : {kernels.grid_x[k], kernels.grid_y[k], kernels.grid_z[k]}) {
        key ^= static_cast<std::uint32_t>(blocks);
        key = detail::splitmix(key);
      }
    }
    const auto time = static_cast<double>(kernels.end[k] - kernels.start[k]);
    times[key] += time;
    all += time;
  }
  Program& program = facts.program;
  program.assign(times.begin(), times.end());
  if (program.size() > kMaxKernels) {
    std::ranges::nth_element(program, program.begin() + kMaxKernels, std::greater{}, &Program::value_type::second);
    program.resize(kMaxKernels);
  }
  for (auto& [key, share] : program) share = all > 0 ? share / all : 0;
  std::ranges::sort(program);
}

struct Extent {
  std::int64_t first = INT64_MAX, last = INT64_MIN;

  template <class Table>
  void add(const Table* table) {
    for (std::size_t row = 0; table != nullptr && row < table->rows; ++row) {
      first = std::min(first, table->start[row]);
      last = std::max(last, table->end[row]);
    }
  }
};

/// The numbered steps of most ranges: "ProfilerStep#12", "step_3", "iteration 7".
void add_steps(const Report& report, RunFacts& facts) {
  std::map<std::string, std::set<std::int64_t>, std::less<>> numbers;
  std::set<StringId> seen;
  for (const RangeTable* table : {report.ranges, report.spans}) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      if (!seen.insert(table->name[r]).second) continue;
      const std::string_view name = report.string(table->name[r]);
      const std::size_t digits = name.find_last_not_of("0123456789") + 1;
      const std::string before = lower_case(name.substr(0, digits));
      if (digits == name.size() || (before.find("step") == before.npos && before.find("iter") == before.npos)) continue;
      if (const auto number = number_in<std::int64_t>(name.substr(digits))) numbers[before].insert(*number);
    }
  }
  for (const auto& [name, values] : numbers) {
    if (!facts.step.empty() && values.size() <= numbers[facts.step].size()) continue;
    facts.step = name;
    facts.steps.first = *values.begin();
    facts.steps.last = *values.rbegin();
  }
}

std::string_view property_of(const Report& report, std::string_view name) {
  for (std::size_t p = 0; report.properties != nullptr && p < report.properties->rows; ++p) {
    if (report.properties->name[p].view() == name) return report.properties->value[p].view();
  }
  return {};
}

void add_times(const Report& report, RunFacts& facts) {
  constexpr std::int64_t kEarliest = 1'000'000'000'000'000'000;  // 2001: what is less counts from the machine's start
  const std::int64_t origin = number_in<std::int64_t>(property_of(report, "origin_ns")).value_or(0);
  Extent extent;
  extent.add(report.kernels);
  extent.add(report.ranges);
  if (extent.first > extent.last) extent.add(report.ops);
  if (origin < kEarliest || extent.first > extent.last) return;
  facts.time.first = origin + extent.first;
  facts.time.last = origin + extent.last;
}

void add_processes(const Report& report, RunFacts& facts) {
  const auto pid_of = [&](std::uint32_t row) {
    const bool known = report.processes != nullptr && row < report.processes->rows && report.processes->id[row] > 0;
    return known ? report.processes->id[row] : 0;
  };
  std::map<std::pair<std::int64_t, std::int32_t>, std::uint64_t> kernels;
  std::set<std::int64_t> working;
  const KernelTable* table = report.kernels;
  for (std::size_t k = 0, next = 0; table != nullptr && k < table->rows; k = next) {
    for (next = k;
         next < table->rows && table->process[next] == table->process[k] && table->device[next] == table->device[k];)
      ++next;
    kernels[{pid_of(table->process[k]), table->device[k]}] += next - k;
    working.insert(pid_of(table->process[k]));
  }
  for (std::uint32_t p = 0; report.processes != nullptr && p < report.processes->rows; ++p) {
    if (!working.contains(pid_of(p))) kernels.emplace(std::pair(pid_of(p), -1), 0);
  }
  for (const auto& [place, count] : kernels) facts.places.push_back({place.first, place.second, count});
}

}  // namespace

std::vector<std::int64_t> pids_of(const RunFacts& facts) {
  std::set<std::int64_t> working, all;
  for (const ProcessOnDevice& place : facts.places) {
    if (place.pid > 0) (place.kernels > 0 ? working : all).insert(place.pid);
  }
  const std::set<std::int64_t>& pids = working.empty() ? all : working;
  return {pids.begin(), pids.end()};
}

double common_share(const Program& a, const Program& b) {
  double common = 0;
  auto at = b.begin();
  for (const auto& [key, share] : a) {
    while (at != b.end() && at->first < key) ++at;
    if (at != b.end() && at->first == key) common += std::min(share, at->second);
  }
  return common;
}

RunFacts run_facts_of(const FoundFile& file) {
  static const std::set<ColumnId> kColumns = {col::kernels, col::kernel_name, col::kernel_grid, col::kernel_correlation,
                                              col::ranges,  col::spans,       col::ops,         col::properties};
  RunFacts facts;
  const Result<Profile> profile = load_profile({file.path, file.kind}, file.name, kColumns);
  if (!profile) return facts;
  const Result<Profile::View> view = profile->view({}, {});
  if (!view) return facts;
  const Report& report = view->report();
  facts.host = property_of(report, "hostname");
  facts.job = property_of(report, "environment.SLURM_JOB_ID");
  facts.rank = number_in<std::int64_t>(property_of(report, "distributedInfo.rank")).value_or(-1);
  facts.world = number_in<std::int64_t>(property_of(report, "distributedInfo.world_size")).value_or(-1);
  add_processes(report, facts);
  add_times(report, facts);
  add_steps(report, facts);
  const KernelTable* kernels = report.kernels;
  if (kernels == nullptr || kernels->rows == 0) return facts;
  add_program(report, *kernels, facts);
  for (std::size_t k = 0; kernels->correlation.present() && k < kernels->rows; ++k) {
    const std::int64_t id = kernels->correlation[k];
    if (id <= 0) continue;
    facts.correlations.first = facts.correlations.first == 0 ? id : std::min(facts.correlations.first, id);
    facts.correlations.last = std::max(facts.correlations.last, id);
  }
  return facts;
}

}  // namespace assay
