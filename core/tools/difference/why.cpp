#include "difference/why.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "assay/quantity.hpp"

namespace assay::difference {
namespace {

constexpr double kAlike = 0.015;       ///< ratios this near to the common one are alike
constexpr double kNearlyAll = 0.9;     ///< of kernel time
constexpr double kLeastCommon = 0.01;  ///< a common ratio nearer to 1 says nothing

struct Weighted {
  double ratio, weight;
};

/// Median by weight.
double weighted_median(std::vector<Weighted>& all) {
  std::sort(all.begin(), all.end(), [](const Weighted& a, const Weighted& b) { return a.ratio < b.ratio; });
  double total = 0, seen = 0;
  for (const Weighted& one : all) total += one.weight;
  for (const Weighted& one : all) {
    seen += one.weight;
    if (seen >= total / 2) return one.ratio;
  }
  return 1;
}

double per_call(const Item& item) {
  return item.sums.count > 0 ? static_cast<double>(item.sums.device) / static_cast<double>(item.sums.count) : 0;
}

std::string percent(double share) { return fixed(100 * share, 0) + " %"; }

std::string from_to(const std::string& what, std::int32_t before, std::int32_t after) {
  return what + " " + std::to_string(before) + " to " + std::to_string(after);
}

/// Registers and shared memory belong to the compiled kernel.
std::string other_code(const Traits& b, const Traits& a) {
  std::string out;
  const auto add = [&](const char* what, std::int32_t before, std::int32_t after) {
    if (before >= 0 && after >= 0 && before != after) out += (out.empty() ? "" : ", ") + from_to(what, before, after);
  };
  add("registers", b.registers, a.registers);
  add("static shared memory", b.static_shared, a.static_shared);
  add("dynamic shared memory", b.dynamic_shared, a.dynamic_shared);
  return out;
}

void explain_partners(const Item& b, const Item& a, const AlignedItem& row, std::vector<std::string>& why) {
  if (b.key.shape != a.key.shape && !b.key.shape.empty() && !a.key.shape.empty())
    why.push_back((b.key.kind == Kind::kCopy ? "other size: " : "other launch shape: ") + b.key.shape + " to " +
                  a.key.shape);
  if (row.match == Match::kOtherTemplate) why.emplace_back("other template arguments");
  if (row.match == Match::kMoved && b.key.path != a.key.path)
    why.push_back("launched in " + (a.key.path.empty() ? std::string("the step") : a.key.path) + ", before in " +
                  (b.key.path.empty() ? std::string("the step") : b.key.path));
  if (b.key.inputs != a.key.inputs && !b.key.inputs.empty() && !a.key.inputs.empty())
    why.push_back("other inputs: " + b.key.inputs + " to " + a.key.inputs);
  if (const std::string code = other_code(b.traits, a.traits); !code.empty()) why.push_back("other code: " + code);
  if (b.traits.occupancy >= 0 && a.traits.occupancy >= 0 && std::abs(b.traits.occupancy - a.traits.occupancy) > 0.02) {
    why.push_back("occupancy " + percent(b.traits.occupancy) + " to " + percent(a.traits.occupancy));
  }
  if (b.traits.memory != a.traits.memory && !b.traits.memory.empty() && !a.traits.memory.empty())
    why.push_back("host memory " + b.traits.memory + " to " + a.traits.memory);
  if (b.key.kind == Kind::kCopy && b.sums.count > 0 && a.sums.count > 0) {
    const auto hidden = [](const Item& item) {
      return item.sums.device > 0 ? 1 - static_cast<double>(item.sums.wall) / static_cast<double>(item.sums.device) : 0;
    };
    if (std::abs(hidden(a) - hidden(b)) > 0.1)
      why.push_back(percent(hidden(b)) + " to " + percent(hidden(a)) + " of it hidden beside kernels");
  }
  const auto share = [](std::int64_t part, std::int64_t all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
  };
  const double bound_b = share(b.sums.launch_bound, b.sums.count), bound_a = share(a.sums.launch_bound, a.sums.count);
  if (std::abs(bound_a - bound_b) > 0.2)
    why.push_back(percent(bound_b) + " to " + percent(bound_a) + " of its launches waited for the host");
  const double beside_b = share(b.sums.beside_communication, b.sums.device),
               beside_a = share(a.sums.beside_communication, a.sums.device);
  if (std::abs(beside_a - beside_b) > 0.1)
    why.push_back(percent(beside_b) + " to " + percent(beside_a) + " of its time beside a collective");
}

std::string counted_calls(double count) { return fixed(count, count < 10 && count != std::floor(count) ? 1 : 0); }

void explain_idle(const Comparison& c, const Item& item, std::vector<std::string>& why) {
  for (const WaitChange& wait : c.waits) {
    const bool own = wait.name == item.key.name && wait.place == item.key.path;
    if (!own || std::abs(wait.after - wait.before) < 0.01) continue;
    why.push_back(wait.after == 0 ? wait.name + " is gone (" + counted_calls(wait.before) + " a step)"
                  : wait.before == 0
                      ? wait.name + " is new (" + counted_calls(wait.after) + " a step)"
                      : wait.name + " " + counted_calls(wait.before) + " to " + counted_calls(wait.after) + " a step");
  }
  if (why.empty() && item.key.op == "host") why.emplace_back("host code: record with Python stacks to see which");
}

std::string value_of(const RunMeasure& run, const std::string& name) {
  const auto at = std::find_if(run.setup.begin(), run.setup.end(), [&](const auto& s) { return s.first == name; });
  return at == run.setup.end() ? std::string() : at->second;
}

/// The different values of a side, joined.
std::string values_of(const Side& side, const std::string& name) {
  std::set<std::string> values;
  for (const RunMeasure& run : side.runs) values.insert(value_of(run, name));
  values.erase("");
  std::string out;
  for (const std::string& value : values) out += (out.empty() ? "" : ", ") + value;
  return out;
}

/// Product of the numbers of a text: blocks of a grid.
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

/// How many times as many blocks the same kernels have; 1 where most have the same.
double size_ratio(const Comparison& c) {
  std::vector<Weighted> ratios;
  for (const AlignedItem& row : c.alignment.rows) {
    if (row.before == kNoItem || row.after == kNoItem) continue;
    const Item &b = c.before.items[row.before], &a = c.after.items[row.after];
    if (b.key.kind != Kind::kKernel || b.key.shape.empty() || a.key.shape.empty()) continue;
    ratios.push_back({blocks_of(a.key.shape) / blocks_of(b.key.shape), static_cast<double>(b.sums.device)});
  }
  return ratios.empty() ? 1 : weighted_median(ratios);
}

}  // namespace

double common_ratio(const Side& before, const Side& after, const Alignment& alignment) {
  std::vector<Weighted> ratios;
  double all = 0, alike = 0;
  for (const AlignedItem& row : alignment.rows) {
    if (row.match != Match::kSame) continue;
    const Item &b = before.items[row.before], &a = after.items[row.after];
    if (b.key.kind != Kind::kKernel || !(per_call(b) > 0) || !(per_call(a) > 0)) continue;
    ratios.push_back({per_call(a) / per_call(b), static_cast<double>(b.sums.device)});
  }
  const double common = weighted_median(ratios);
  for (const Weighted& one : ratios) {
    all += one.weight;
    if (std::abs(one.ratio / common - 1) < kAlike) alike += one.weight;
  }
  return all > 0 && alike >= kNearlyAll * all && std::abs(common - 1) >= kLeastCommon ? common : 1;
}

void add_reasons(Comparison& c) {
  const double common = common_ratio(c.before, c.after, c.alignment);
  for (Finding& finding : c.findings) {
    const Change& change = c.alignment.changes[finding.change];
    const bool single = change.rows.size() == 1;
    for (const std::uint32_t r : change.rows) {
      const AlignedItem& row = c.alignment.rows[r];
      const Item* b = row.before == kNoItem ? nullptr : &c.before.items[row.before];
      const Item* a = row.after == kNoItem ? nullptr : &c.after.items[row.after];
      if ((b != nullptr ? b : a)->key.kind == Kind::kIdle) {
        if (finding.why.empty()) explain_idle(c, *(b != nullptr ? b : a), finding.why);
      } else if (b != nullptr && a != nullptr && single) {
        explain_partners(*b, *a, row, finding.why);
        const double ratio = per_call(*b) > 0 ? per_call(*a) / per_call(*b) : 1;
        if (finding.why.empty() && common != 1 && std::abs(ratio / common - 1) < kAlike)
          finding.why.push_back("all kernels alike are " + fixed(100 * std::abs(common - 1), 1) + " % " +
                                (common > 1 ? "slower" : "faster") + ": other clock or power state, or other device");
      }
    }
    if (finding.why.empty() && finding.told && !change.replaced && !finding.structural)
      finding.why.emplace_back("not known from these profiles: record clocks, or counters with Nsight Compute");
  }
}

void add_unlike(Comparison& c) {
  const auto compare = [&](const char* name, const char* said, bool matters) {
    const std::string b = values_of(c.before, name), a = values_of(c.after, name);
    if (b.empty() || a.empty() || b == a) return;
    c.unlike.push_back(std::string(said) + ": " + b + " before, " + a + " after");
    if (matters) c.comparable = false;
  };
  compare("device", "other device", true);
  compare("clock", "other greatest clock", false);
  compare("driver", "other driver", false);
  compare("cuda", "other CUDA version", false);
  compare("tool", "recorded by another tool", false);
  compare("world_size", "other size of the job", true);
  // Other devices are given other grids for the same work.
  const double size = c.comparable ? size_ratio(c) : 1;
  if (std::abs(size - 1) > 0.02) {
    c.comparable = false;
    c.unlike.push_back("the same kernels run over " +
                       (size < 1 ? fixed(1 / size, 2) + " times fewer" : fixed(size, 2) + " times more") +
                       " blocks after: another batch or other shapes");
  }
  const auto source = [](const Side& side) { return side.runs.front().step_source; };
  if (source(c.before) != source(c.after))
    c.unlike.push_back("a step is one of the " + source(c.before) + " before and of the " + source(c.after) + " after");
}

}  // namespace assay::difference
