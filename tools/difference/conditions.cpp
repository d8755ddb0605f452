#include "difference/conditions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::difference {
namespace {

constexpr double kAlike = 0.015;     ///< max distance of a ratio from the common one
constexpr double kNearlyAll = 0.9;   ///< of kernel time
constexpr double kMinCommon = 0.01;  ///< a common ratio closer to 1 is ignored
constexpr double kSameSize = 0.02;   ///< of launches

struct WeightedRatio {
  double ratio, weight;
};

/// The ratio below which `share` of the weight is. `all` is sorted and not empty.
double weighted_quantile(const std::vector<WeightedRatio>& all, double share) {
  double total = 0, seen = 0;
  for (const WeightedRatio& one : all) total += one.weight;
  for (const WeightedRatio& one : all) {
    seen += one.weight;
    if (seen >= share * total) return one.ratio;
  }
  return all.back().ratio;
}

void sort_by_ratio(std::vector<WeightedRatio>& all) {
  std::sort(all.begin(), all.end(), [](const WeightedRatio& a, const WeightedRatio& b) { return a.ratio < b.ratio; });
}

/// Distinct values of a side, joined.
std::string values_of(const Side& side, const std::string& name) {
  std::set<std::string> values;
  for (const RunMeasure& run : side.runs) {
    for (const auto& [known, value] : run.setup) {
      if (known == name && !value.empty()) values.insert(value);
    }
  }
  std::string out;
  for (const std::string& value : values) out += (out.empty() ? "" : ", ") + value;
  return out;
}

/// Product of the numbers in a text: blocks of a grid.
double blocks_of(const std::string& shape) {
  double product = 1;
  const std::string grid = shape.substr(0, shape.find(" of "));
  for (std::size_t at = 0; at < grid.size();) {
    product *= std::max(1.0, std::strtod(grid.c_str() + at, nullptr));
    const std::size_t next = grid.find('x', at);
    at = next == std::string::npos ? grid.size() : next + 1;
  }
  return product;
}

/// Blocks in x, y and z of "4x1x128 of 256x1x1"; empty for any other text.
std::vector<double> axes_of(const std::string& shape) {
  std::vector<double> axes;
  const std::string grid = shape.substr(0, shape.find(" of "));
  for (std::size_t at = 0; at < grid.size(); at = std::min(grid.find('x', at), grid.size() - 1) + 1)
    axes.push_back(std::strtod(grid.c_str() + at, nullptr));
  const bool whole = axes.size() == 3 && std::ranges::all_of(axes, [](double blocks) { return blocks >= 1; });
  return whole ? axes : std::vector<double>();
}

/// What differs between kernels that both sides have.
struct Partners {
  std::size_t shapes = 0, same_shapes = 0, codes = 0, same_codes = 0, inputs = 0, same_inputs = 0;
  std::int64_t compared = 0;  ///< ns of device time of kernels with known shapes on both sides
  double size = 1;            ///< blocks after / before, median weighted by time
};

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
    if (row.before != kNoItem && row.after != kNoItem) use(c.before.items[row.before], c.after.items[row.after], &row);
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
        if (tiles_of(a.key.name) == tiles && a.key.op == b.key.op) use(b, a, nullptr);
      }
    }
  }
}

Partners partners_of(const Comparison& c) {
  Partners out;
  std::vector<WeightedRatio> sizes;
  each_alike(c, [&](const Item& b, const Item& a, const AlignedItem* row) {
    if (b.key.kind != ItemKind::kKernel) return;
    if (!b.key.shape.empty() && !a.key.shape.empty()) {
      ++out.shapes, out.same_shapes += b.key.shape == a.key.shape ? 1U : 0U;
      out.compared += b.sums.device;
      sizes.push_back({blocks_of(a.key.shape) / blocks_of(b.key.shape), static_cast<double>(b.sums.device)});
    }
    if (!b.key.inputs.empty() && !a.key.inputs.empty())
      ++out.inputs, out.same_inputs += b.key.inputs == a.key.inputs ? 1U : 0U;
    if (row != nullptr && row->match == Match::kSame && b.traits.registers >= 0 && a.traits.registers >= 0)
      ++out.codes, out.same_codes += b.traits.same_code(a.traits) ? 1U : 0U;
  });
  sort_by_ratio(sizes);
  if (!sizes.empty()) out.size = weighted_quantile(sizes, 0.5);
  return out;
}

/// For the largest kernel whose grids differ in one axis only, which is how a batch is often laid out: its time per
/// block. Empty if there is none.
std::string per_block(const Comparison& c) {
  const Item *largest = nullptr, *partner = nullptr;
  std::size_t axis = 0;
  each_alike(c, [&](const Item& b, const Item& a, const AlignedItem*) {
    const std::vector<double> before = axes_of(b.key.shape), after = axes_of(a.key.shape);
    if (b.key.kind != ItemKind::kKernel || before.empty() || after.empty()) return;
    std::vector<std::size_t> differing;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] != after[i]) differing.push_back(i);
    }
    if (differing.size() != 1 || (largest != nullptr && b.sums.device <= largest->sums.device)) return;
    largest = &b, partner = &a, axis = differing.front();
  });
  if (largest == nullptr || !(largest->sums.per_call() > 0)) return {};
  const double before = largest->sums.per_call() / axes_of(largest->key.shape)[axis],
               after = partner->sums.per_call() / axes_of(partner->key.shape)[axis];
  const bool single = c.before.runs.size() == 1 && c.after.runs.size() == 1;
  return "per block in " + std::string(1, "xyz"[axis]) + " " + largest->traits.base + " takes " +
         quantity(before, "ns") + " before and " + quantity(after, "ns") + " after, " + fixed(after / before, 2) +
         " times as long (" + (single ? "one run per side, not confirmed)" : "not judged)");
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
    refuse(c, "CUDA graphs are traced " + b + " before and " + a + " after; record both the same way");
}

void add_sizes(Comparison& c) {
  const Partners partners = partners_of(c);
  const auto add = [&](const char* what, std::size_t same, std::size_t all, const std::string& note = {}) {
    if (all > 0)
      c.conditions.push_back({what, "", "", "same for " + counted_of(same, all, "kernel") + note, same == all});
  };
  const std::int64_t all = c.before.device_time();
  const double share = all > 0 ? static_cast<double>(partners.compared) / static_cast<double>(all) : 1;
  add("launch shapes", partners.same_shapes, partners.shapes,
      share < kNearlyAll ? ", " + fixed(100 * share, 0) + " % of the kernel time" : "");
  add("operator inputs", partners.same_inputs, partners.inputs);
  // Both are properties of the compiled kernel. Profiles do not record code size.
  add("registers and shared memory", partners.same_codes, partners.codes);
  // Another device uses other grids for the same work.
  if (!c.comparable || std::abs(partners.size - 1) <= kSameSize) return;
  if (std::string time = per_block(c); !time.empty()) c.unlike.push_back(std::move(time));
  refuse(c, "the same kernels run over " +
                (partners.size < 1 ? fixed(1 / partners.size, 2) + " times fewer"
                                   : fixed(partners.size, 2) + " times more") +
                " blocks after: another batch or other shapes");
}

/// What the profiles of a side contain besides times.
std::vector<std::string> recorded(const Side& side) {
  bool operators = false, inputs = false, shapes = false, registers = false, occupancy = false;
  for (const Item& item : side.items) {
    if (item.key.kind != ItemKind::kKernel) continue;
    operators = operators || !item.key.op.empty(), inputs = inputs || !item.key.inputs.empty();
    shapes = shapes || !item.key.shape.empty(), registers = registers || item.traits.registers >= 0;
    occupancy = occupancy || item.traits.occupancy >= 0;
  }
  std::vector<std::string> out;
  const auto add = [&](bool has, const char* what) {
    if (has) out.emplace_back(what);
  };
  add(operators, "operators"), add(inputs, "operator inputs"), add(shapes, "launch shapes");
  add(registers, "registers and shared memory"), add(occupancy, "occupancy");
  return out;
}

}  // namespace

void add_recorded(Comparison& c) {
  const std::vector<std::string> before = recorded(c.before), after = recorded(c.after);
  const auto add = [&](const std::string& side, const std::vector<std::string>& own,
                       const std::vector<std::string>& other) {
    std::vector<std::string> only;
    for (const std::string& what : own) {
      if (std::find(other.begin(), other.end(), what) == other.end()) only.push_back(what);
    }
    if (!only.empty()) c.unlike.push_back("only " + side + " has " + listed(only) + ", so these are not compared");
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
  if (ratios.empty()) return out;
  sort_by_ratio(ratios);
  out.ratio = weighted_quantile(ratios, 0.5);
  out.low = weighted_quantile(ratios, 0.25), out.high = weighted_quantile(ratios, 0.75);
  for (const WeightedRatio& one : ratios) near += alike(one.ratio, out.ratio) ? one.weight : 0;
  out.common = near >= kNearlyAll * total && std::abs(out.ratio - 1) >= kMinCommon;
  if (const auto all = static_cast<double>(c.before.device_time()); all > 0) out.share = total / all;
  return out;
}

void add_conditions(Comparison& c) {
  const auto compare = [&](const char* name, const char* said, bool matters) {
    const std::string b = values_of(c.before, name), a = values_of(c.after, name);
    if (b.empty() && a.empty()) return;
    const bool known = !b.empty() && !a.empty();
    c.conditions.push_back({said, b, a, !known ? "not recorded on both sides" : b == a ? "same" : "different", b == a});
    if (!known || b == a) return;
    const std::string sentence = "other " + std::string(said) + ": " + b + " before, " + a + " after";
    matters ? refuse(c, sentence) : c.unlike.push_back(sentence);
  };
  compare("device", "device", true);
  compare("clock", "greatest clock", false);
  compare("driver", "driver", false);
  compare("cuda", "CUDA version", false);
  compare("profiler", "profiler", false);
  compare("tool", "kind of profile", true);
  compare("world_size", "size of the job", true);
  add_tracing(c);
  add_sizes(c);
  const auto source = [](const Side& side) { return side.runs.front().step_source; };
  if (source(c.before) != source(c.after))
    c.unlike.push_back("a step is one of the " + source(c.before) + " before and of the " + source(c.after) + " after");
  if (const KernelSpeed speed = kernel_speed(c); speed.share > 0) {
    c.conditions.push_back(
        {std::string(kClockCondition), "", "",
         fixed(speed.ratio, 3) + "x per call (quartiles " + fixed(speed.low, 3) + " to " + fixed(speed.high, 3) + ")",
         alike(speed.ratio, 1)});
  }
}

}  // namespace assay::difference
