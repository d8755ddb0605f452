#include "conditions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <set>

#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::difference {
namespace {

constexpr double kAlike = 0.015;    ///< max distance of a ratio from the common one
constexpr double kNearlyAll = 0.9;  ///< of kernel time
constexpr std::size_t kFewKernels = 2;
constexpr double kMinCommon = 0.01;   ///< a common ratio closer to 1 is ignored
constexpr double kSameSize = 0.02;    ///< of launches
constexpr double kFewPartners = 0.1;  ///< of kernel time

struct WeightedRatio {
  double ratio, weight;
};

/// The ratio below which `share` of the weight is. `all` is not empty.
double weighted_quantile(std::vector<WeightedRatio> all, double share) {
  std::ranges::sort(all, {}, &WeightedRatio::ratio);
  double total = 0, seen = 0;
  for (const WeightedRatio& one : all) total += one.weight;
  for (const WeightedRatio& one : all) {
    seen += one.weight;
    if (seen >= share * total) return one.ratio;
  }
  return all.back().ratio;
}

/// Distinct values of a side, joined.
std::string values_of(const Side& side, const std::string& name) {
  std::set<std::string> values;
  for (const SideRun& run : side.runs)
    for (const auto& [known, value] : run.setup)
      if (known == name && !value.empty()) values.insert(value);
  std::string out;
  for (const std::string& value : values) out += (out.empty() ? "" : ", ") + value;
  return out;
}

/// Blocks in x, y and z of "4x1x128 of 256x1x1".
std::vector<double> axes_of(const std::string& shape) {
  std::vector<double> axes;
  const std::string grid = shape.substr(0, shape.find(" of "));
  for (std::size_t at = 0; at < grid.size(); at = std::min(grid.find('x', at), grid.size() - 1) + 1)
    axes.push_back(std::max(1.0, std::strtod(grid.c_str() + at, nullptr)));
  return axes;
}

}  // namespace

double blocks_of(const std::string& shape) {
  const std::vector<double> axes = axes_of(shape);
  return std::accumulate(axes.begin(), axes.end(), 1.0, std::multiplies<>());
}

bool same_size(double before, double after) { return std::abs(after / before - 1) <= kSameSize; }

namespace {

/// Sizes in a name, "128x128x16" of a GEMM: with equal tiles the number of blocks is determined by the problem.
std::vector<std::string> tiles_of(const std::string& name) {
  std::vector<std::string> tiles;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t from = name.find_first_of("0123456789", at);
    if (from == std::string::npos) break;
    const std::size_t to = std::min(name.find_first_not_of("0123456789x", from), name.size());
    if (name.find('x', from) < to) tiles.push_back(name.substr(from, to - from));
    at = to;
  }
  return tiles;
}

/// Pairs of items whose launches have equal sizes if the work is equal: partners, and kernels with other names but
/// equal tiles that replace others.
template <class Use>
void each_alike(const Comparison& c, const Use& use) {
  for (const AlignedItem& row : c.alignment.rows) {
    if (row.before != kNoItem && row.after != kNoItem) use(c.before.items[row.before], c.after.items[row.after]);
  }
  for (const Change& change : c.alignment.changes) {
    if (!change.replaced) continue;
    for (const std::uint32_t gone : change.rows) {
      if (c.alignment.rows[gone].match != Match::kGone) continue;
      const Item& b = c.before.items[c.alignment.rows[gone].before];
      const std::vector<std::string> tiles = tiles_of(b.key.name);
      for (const std::uint32_t fresh : change.rows) {
        if (c.alignment.rows[fresh].match != Match::kNew || tiles.empty()) continue;
        const Item& a = c.after.items[c.alignment.rows[fresh].after];
        if (tiles_of(a.key.name) == tiles && a.key.op == b.key.op) use(b, a);
      }
    }
  }
}

/// Blocks after over blocks before, median by time of the kernels that both sides have; 1: no shapes are known.
double size_of_launches(const Comparison& c) {
  std::vector<WeightedRatio> sizes;
  each_alike(c, [&](const Item& b, const Item& a) {
    if (b.key.kind == ItemKind::kKernel && !b.key.shape.empty() && !a.key.shape.empty())
      sizes.push_back({blocks_of(a.key.shape) / blocks_of(b.key.shape), static_cast<double>(b.sums.device)});
  });
  return sizes.empty() ? 1 : weighted_quantile(sizes, 0.5);
}

/// For the largest kernel whose grids differ in one axis only, which is how a batch is often laid out: its time per
/// block. Empty if there is none.
std::string per_block(const Comparison& c) {
  const Item *largest = nullptr, *partner = nullptr;
  std::size_t axis = 0;
  each_alike(c, [&](const Item& b, const Item& a) {
    const std::vector<double> before = axes_of(b.key.shape), after = axes_of(a.key.shape);
    if (b.key.kind != ItemKind::kKernel || before.size() != after.size()) return;
    std::vector<std::size_t> differing;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] != after[i]) differing.push_back(i);
    }
    if (differing.size() != 1 || (largest != nullptr && b.sums.device <= largest->sums.device)) return;
    largest = &b;
    partner = &a;
    axis = differing.front();
  });
  if (largest == nullptr || !(largest->sums.per_call() > 0)) return {};
  const double before = largest->sums.per_call() / axes_of(largest->key.shape)[axis],
               after = partner->sums.per_call() / axes_of(partner->key.shape)[axis];
  const bool single = c.before.runs.size() == 1 && c.after.runs.size() == 1;
  return filled("per block in {} {} takes {} before and {} after, {} times as long ({}",
                {std::string(1, "xyz"[axis]), largest->traits.base, quantity(before, "ns"), quantity(after, "ns"),
                 fixed(after / before, 2), single ? "one run per side, not confirmed)" : "not judged)"});
}

/// Reports differing work before everything else.
void refuse(Comparison& c, const std::string& why) {
  c.comparable = false;
  c.unlike.insert(c.unlike.begin(), why);
}

/// How CUDA graphs were traced: "whole" is cheaper than "by node" and hides the kernels inside; empty: none ran.
std::string graph_tracing(const Side& side) {
  if (launches_of(side).graphs == 0) return {};
  const bool whole = std::ranges::any_of(side.items, [](const Item& i) { return i.key.kind == ItemKind::kGraph; });
  return whole ? "whole" : "by node";
}

/// Times under different tracing are not comparable.
void add_tracing(Comparison& c) {
  const std::string b = graph_tracing(c.before), a = graph_tracing(c.after);
  if (!b.empty() && !a.empty() && b != a)
    refuse(c, filled("CUDA graphs are traced {} before and {} after; record both the same way", {b, a}));
  // A whole capture is as long as was recorded.
  const auto is_range = [](const Side& side) { return side.runs.front().has_steps(); };
  for (const PhaseChange& phase : c.phases) {
    const bool most = std::min(phase.before.share, phase.after.share) >= 0.5;
    const std::size_t before = phase.before.count / c.before.runs.size(),
                      after = phase.after.count / c.after.runs.size();
    if (is_range(c.before) || is_range(c.after) || !phase.is_outer() || !most || before == after) continue;
    refuse(c, filled("the captures hold {} {} before and {} after",
                     {std::to_string(before), phase.path, std::to_string(after)}));
  }
}

/// Programs without a kernel or operator in common are no two states of one.
void add_programs(Comparison& c) {
  const auto kernels = [](const Side& side) {
    std::set<std::string> names;
    for (const Item& item : side.items) {
      if (item.key.kind != ItemKind::kKernel) continue;
      names.insert(item.traits.base);
      if (!item.key.op.empty()) names.insert(item.key.op);
    }
    return names;
  };
  const std::set<std::string> before = kernels(c.before), after = kernels(c.after);
  const bool common = std::ranges::any_of(before, [&](const std::string& name) { return after.contains(name); });
  if (before.empty() || after.empty()) return;
  if (!common) return refuse(c, "no kernel in common");
  // Helpers of a framework, such as copies of elements, are in any two programs; ranges or most kernels are not.
  std::set<std::pair<bool, bool>> sides;  // that a range is on
  for (const PhaseChange& p : c.phases) sides.emplace(p.before.count > 0, p.after.count > 0);
  const double partners = std::max(c.alignment.before.partner, c.alignment.after.partner);
  if (sides == decltype(sides){{false, true}, {true, false}} && partners < kFewPartners)
    refuse(c, filled("no range in common, and kernels of {} % of the time at most", {fixed(100 * partners, 0)}));
}

/// Other devices are given other grids for the same work.
void add_sizes(Comparison& c) {
  const double size = size_of_launches(c);
  if (!c.comparable || same_size(1, size)) return;
  if (std::string time = per_block(c); !time.empty()) c.unlike.push_back(std::move(time));
  const std::string blocks =
      filled("{} times {} blocks after", {fixed(std::max(size, 1 / size), 2), size < 1 ? "fewer" : "more"});
  if (c.pace.others_alike)
    c.unlike.insert(c.unlike.begin(), filled("the kernels of rank {} run over {}, those of the other ranks do not: it "
                                             "is given another share of the work",
                                             {c.pace.rank, blocks}));
  else
    refuse(c, "the same kernels run over " + blocks + ": another batch or other shapes");
}

/// What the profiles of a side contain besides times.
std::vector<std::string> recorded(const Side& side) {
  bool operators = false, inputs = false, shapes = false, registers = false, occupancy = false;
  for (const Item& item : side.items) {
    if (item.key.kind != ItemKind::kKernel) continue;
    operators = operators || !item.key.op.empty();
    inputs = inputs || !item.key.inputs.empty();
    shapes = shapes || !item.key.shape.empty();
    registers = registers || item.traits.registers >= 0;
    occupancy = occupancy || item.traits.occupancy >= 0;
  }
  std::vector<std::string> out;
  const auto add = [&](bool has, const char* what) {
    if (has) out.emplace_back(what);
  };
  add(operators, "operators");
  add(inputs, "operator inputs");
  add(shapes, "launch shapes");
  add(registers, "registers and shared memory");
  add(occupancy, "occupancy");
  return out;
}

}  // namespace

void add_recorded(Comparison& c) {
  const std::vector<std::string> before = recorded(c.before), after = recorded(c.after);
  const auto add = [&](const std::string& side, const std::vector<std::string>& own,
                       const std::vector<std::string>& other) {
    std::vector<std::string> only;
    for (const std::string& what : own)
      if (std::ranges::find(other, what) == other.end()) only.push_back(what);
    if (!only.empty()) c.unlike.push_back(filled("only {} has {}, so these are not compared", {side, listed(only)}));
  };
  add(c.before.name, before, after);
  add(c.after.name, after, before);
}

bool alike(double ratio, double common) { return std::abs(ratio / common - 1) < kAlike; }

KernelSpeed kernel_speed(const Comparison& c) {
  std::vector<WeightedRatio> ratios;
  double total = 0, near = 0;
  for (const AlignedItem& row : c.alignment.rows) {
    if (row.match != Match::kSame) continue;
    const Item &b = c.before.items[row.before], &a = c.after.items[row.after];
    if (b.key.kind != ItemKind::kKernel || !(b.sums.per_call() > 0) || !(a.sums.per_call() > 0)) continue;
    ratios.push_back({a.sums.per_call() / b.sums.per_call(), static_cast<double>(b.sums.device)});
    total += ratios.back().weight;
  }
  KernelSpeed out;
  if (ratios.size() < kFewKernels) return out;  // one kernel's time has other reasons too, as its precision
  out.ratio = weighted_quantile(ratios, 0.5);
  for (const WeightedRatio& one : ratios) near += alike(one.ratio, out.ratio) ? one.weight : 0;
  out.common = near >= kNearlyAll * total && std::abs(out.ratio - 1) >= kMinCommon;
  return out;
}

void add_conditions(Comparison& c) {
  const auto compare = [&](const char* name, const char* said, bool matters) {
    const std::string b = values_of(c.before, name), a = values_of(c.after, name);
    if (b.empty() || a.empty() || b == a) return;
    const std::string sentence = filled("other {}: {} before, {} after", {std::string(said), b, a});
    matters ? refuse(c, sentence) : c.unlike.push_back(sentence);
  };
  compare("device", "device", true);
  compare("clock", "greatest clock", false);
  compare("driver", "driver", false);
  compare("cuda", "CUDA version", false);
  compare("profiler", "profiler", false);
  compare("format", "kind of profile", true);
  compare("world_size", "size of the job", true);
  add_tracing(c);
  add_programs(c);
  add_sizes(c);
  const auto source = [](const Side& side) {
    const SideRun& run = side.runs.front();
    return run.has_steps() ? std::string("one of the ranges") : "the " + run.step_source;
  };
  if (source(c.before) != source(c.after))
    c.unlike.push_back(filled("a step is {} before and {} after", {source(c.before), source(c.after)}));
}

}  // namespace assay::difference
