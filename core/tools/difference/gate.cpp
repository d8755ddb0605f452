#include "difference/gate.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "assay/quantity.hpp"
#include "difference/answer.hpp"

namespace assay::compare {
namespace {
using difference::Kind;

constexpr const char* kThings[] = {"step", "kernels", "copies", "communication", "idle"};

bool counts(const std::string& what, Kind kind) {
  return what == "kernels"         ? kind == Kind::kKernel || kind == Kind::kGraph
         : what == "copies"        ? kind == Kind::kCopy || kind == Kind::kSet
         : what == "communication" ? kind == Kind::kCommunication
         : what == "idle"          ? kind == Kind::kIdle
                                   : true;
}

/// ns a step of each run.
std::vector<double> values_of(const difference::Side& side, const std::string& what) {
  std::vector<double> values;
  for (std::size_t r = 0; r < side.runs.size(); ++r) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < side.items.size(); ++i) {
      if (counts(what, side.items[i].key.kind)) sum += side.wall[i][r];
    }
    values.push_back(static_cast<double>(sum) / static_cast<double>(side.runs[r].steps()));
  }
  return values;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

Result<Budget> read_budget(const std::string& text) {
  const auto refuse = [&](const std::string& why) {
    return Error{"--allow: '" + text + "' " + why + "; expected such as step=+2%, kernels=+0.5ms or idle=0"};
  };
  const std::size_t at = text.find('=');
  if (at == std::string::npos) return refuse("says no amount");
  Budget budget{text.substr(0, at), 0, 0, text};
  if (std::find(std::begin(kThings), std::end(kThings), budget.what) == std::end(kThings))
    return refuse("names none of step, kernels, copies, communication and idle");
  std::string amount = text.substr(at + 1);
  if (amount.starts_with('+')) amount.erase(0, 1);
  double value = 0;
  const auto [end, problem] = std::from_chars(amount.data(), amount.data() + amount.size(), value);
  const std::string unit(end, static_cast<const char*>(amount.data() + amount.size()));
  if (problem != std::errc() || !std::isfinite(value)) return refuse("has no number");
  if (unit == "%") {
    budget.share = value / 100;
  } else if (unit == "ns" || unit == "us" || unit == "ms" || unit == "s") {
    budget.ns = value * (unit == "ns" ? 1 : unit == "us" ? 1e3 : unit == "ms" ? 1e6 : 1e9);
  } else if (!(unit.empty() && value == 0)) {
    return refuse("has no unit that is known (%, ns, us, ms, s)");
  }
  return budget;
}

Result<GateAnswer> gate(const difference::Comparison& c, const std::vector<Budget>& given) {
  if (!c.comparable)
    return Error{"--gate: the sides are unlike (" + c.unlike.front() + "), so nothing can be said of worse or better"};
  const std::vector<Budget> budgets = given.empty() ? std::vector<Budget>{{"step", 0, 0, "step=0"}} : given;
  GateAnswer out;
  for (const Budget& budget : budgets) {
    const difference::RunValues values{values_of(c.before, budget.what), values_of(c.after, budget.what)};
    const double error = c.step_error / static_cast<double>(budgets.size());
    const difference::Judged judged = difference::judge(values, 32, error);
    if (!judged.half)
      return Error{"--gate: one run a side has no spread to tell a change from noise; give at least 2 runs of each"};
    const double before = mean_of(values.before), allowed = budget.ns + budget.share * before;
    const bool worse = judged.difference - *judged.half > allowed;
    const auto time = [](double ns) { return difference::signed_time(static_cast<std::int64_t>(std::llround(ns))); };
    out.sentence += (out.sentence.empty() ? "" : "; ") + budget.what + " " + time(judged.difference) + " [" +
                    time(judged.difference - *judged.half) + ", " + time(judged.difference + *judged.half) + "] of " +
                    quantity(before, "ns") + ", allowed " + time(allowed) + ": " +
                    (worse                                         ? "worse"
                     : judged.difference + *judged.half <= allowed ? "within"
                                                                   : "not shown to be worse");
    out.passed = out.passed && !worse;
  }
  out.sentence = std::string(out.passed ? "Gate passed: " : "Gate failed: ") + out.sentence;
  return out;
}

}  // namespace assay::compare
