#include "requests.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace assay::serving {
namespace {

std::int64_t& at(Latencies& out, LeftOut why) { return out.left_out[static_cast<std::size_t>(why)]; }

double ns(std::int64_t time) { return static_cast<double>(time); }

/// How a step is assigned to a request: by time within its process, or if requests overlap there within its thread, or
/// if they overlap there too by a number in both names.
enum class Telling : std::uint8_t { kProcess, kThread, kNumber };

std::uint32_t key_of(const ServedRange& range, Telling by) {
  return by == Telling::kProcess ? range.process : range.thread;
}

/// Whether requests with one key overlap in time.
bool overlap(const std::vector<ServedRange>& requests, Telling by) {
  std::map<std::uint32_t, std::int64_t> reach;
  for (const ServedRange& request : requests) {
    const auto [last, fresh] = reach.try_emplace(key_of(request, by), request.host.end);
    if (!fresh && request.host.start < last->second) return true;
    last->second = std::max(last->second, request.host.end);
  }
  return false;
}

bool contains(const ServedRange& request, const ServedStep& step) {
  return step.process == request.process && step.host.start >= request.host.start && step.host.end <= request.host.end;
}

/// Steps of each request, by start.
class StepsOfRequests {
 public:
  explicit StepsOfRequests(const Phases& phases) : of_(phases.requests.size()) {
    for (const Telling way : {Telling::kProcess, Telling::kThread, Telling::kNumber}) {
      by_ = way;
      if (way == Telling::kNumber || !overlap(phases.requests, way)) break;
    }
    by_ == Telling::kNumber ? add_by_number(phases) : add_by_time(phases);
  }
  [[nodiscard]] const std::vector<const ServedStep*>& steps_of(std::size_t request) const { return of_[request]; }
  /// Only numbers in names assign steps, and so not every step.
  [[nodiscard]] bool by_number() const { return by_ == Telling::kNumber; }

 private:
  void add_by_time(const Phases& phases) {
    std::map<std::uint32_t, std::size_t> last;  // the last request to begin
    std::size_t next = 0;
    for (const ServedStep& step : phases.steps) {
      for (; next < of_.size() && phases.requests[next].host.start <= step.host.start; ++next)
        last[key_of(phases.requests[next], by_)] = next;
      const auto request = last.find(key_of(step, by_));
      if (request != last.end() && contains(phases.requests[request->second], step))
        of_[request->second].push_back(&step);
    }
  }
  /// The number in "decode_17" is that of a token; a decode step needs two numbers, the first being the request's.
  void add_by_number(const Phases& phases) {
    std::map<std::int64_t, std::vector<std::size_t>> of_number;
    for (std::size_t r = 0; r < of_.size(); ++r) {
      if (phases.requests[r].number) of_number[*phases.requests[r].number].push_back(r);
    }
    for (const ServedStep& step : phases.steps) {
      const bool says = step.number && (step.name.kind == StepKind::kPrefill || step.several_numbers);
      const auto same = says ? of_number.find(*step.number) : of_number.end();
      for (std::size_t i = 0; same != of_number.end() && i < same->second.size(); ++i) {
        const std::size_t r = same->second[i];
        if (contains(phases.requests[r], step)) of_[r].push_back(&step);
      }
    }
  }

  std::vector<std::vector<const ServedStep*>> of_;
  Telling by_ = Telling::kProcess;
};

/// One finished request: the first token ends with the last prefill before the first decode, later ones with their
/// decode. Without a prefill the first decode produces the first token.
void add_request(const ServedRange& request, const std::vector<const ServedStep*>& steps, bool by_number,
                 const TokenRules& rules, Latencies& out) {
  out.request.push_back(ns(request.host.end - request.host.start));
  const ServedStep* prefill = nullptr;
  std::vector<std::int64_t> ends;  // of the first token, and of each decode
  for (const ServedStep* step : steps) {
    if (step->name.kind != StepKind::kDecode && ends.empty()) prefill = step;
    if (step->name.kind == StepKind::kDecode) ends.push_back(step->end);
  }
  const auto decodes = static_cast<double>(ends.size());
  if (prefill != nullptr) {
    out.ttft.push_back(ns(prefill->end - request.host.start));
    ends.insert(ends.begin(), prefill->end);
  } else {
    ++at(out, by_number ? LeftOut::kOverlapping : LeftOut::kNoPrefill);
  }
  const double counted = decodes * rules.per_range + (prefill != nullptr ? 1 : 0);
  const double tokens = rules.per_request > 0 ? rules.per_request : counted;
  if (!by_number) out.tokens += tokens;
  // Without a prefill, intervals are counted from the first decode range with all of its tokens.
  const double between = tokens - (prefill != nullptr ? 1 : rules.per_range);
  if (ends.size() >= 2 && between > 0)
    out.tpot.push_back(ns(ends.back() - ends.front()) / between);
  else if (!by_number && !ends.empty())
    ++at(out, LeftOut::kOneToken);
  for (std::size_t e = 1; e < ends.size(); ++e) out.token.push_back(ns(ends[e] - ends[e - 1]));
}

void add_steps(const std::vector<ServedStep>& steps, Latencies& out) {
  std::map<std::uint32_t, std::int64_t> reach;  // by process
  for (const ServedStep& step : steps) {
    const auto kind = static_cast<std::size_t>(step.name.kind);
    out.step[kind].push_back(ns(step.end - step.host.start));
    out.step_gpu[kind].push_back(ns(step.gpu));
    const auto [last, fresh] = reach.try_emplace(step.process, step.host.start);
    out.time[kind] += ns(std::max<std::int64_t>(0, step.end - std::max(step.host.start, last->second)));
    last->second = std::max(last->second, step.end);
    if (step.name.batch) {
      out.batch[kind] += ns(*step.name.batch);
      ++out.with_batch[kind];
    }
    if (step.name.tokens) {
      out.computed[kind] += ns(*step.name.tokens);
      ++out.with_tokens[kind];
    }
  }
}

/// For a server without request ranges: each step that decodes produces a token for every running sequence.
void add_tokens_of_steps(const std::vector<ServedStep>& steps, const TokenRules& rules, Latencies& out) {
  std::map<std::uint32_t, const ServedStep*> last;  // by process
  for (const ServedStep& step : steps) {
    if (step.name.kind == StepKind::kPrefill) continue;
    out.tokens += rules.per_range * ns(step.name.decodes.value_or(1));
    const auto [before, fresh] = last.try_emplace(step.process, &step);
    if (!fresh && step.end > before->second->end) out.token.push_back(ns(step.end - before->second->end));
    before->second = &step;
  }
}

}  // namespace

Latencies latencies_of(const Phases& phases, const TokenRules& rules) {
  Latencies out;
  add_steps(phases.steps, out);
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
  const StepsOfRequests steps(phases);
  for (std::size_t r = 0; r < phases.requests.size(); ++r) {
    const ServedRange& request = phases.requests[r];
    if (request.open) {
      ++at(out, LeftOut::kUnfinished);
      continue;
    }
    add_request(request, steps.steps_of(r), steps.by_number(), rules, out);
    first = std::min(first, request.host.start);
    end = std::max(end, request.host.end);
  }
  if (out.tokens == 0) add_tokens_of_steps(phases.steps, rules, out);  // no request has a known number of tokens
  for (std::size_t s = 0; out.request.empty() && s < phases.steps.size(); ++s) {
    first = std::min(first, phases.steps[s].host.start);
    end = std::max(end, phases.steps[s].end);
  }
  out.span = end > first ? ns(end - first) : 0;
  return out;
}

}  // namespace assay::serving
