#include "record/rejections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "config/claim_keys.hpp"
#include "record/failure.hpp"

namespace assay::record {
namespace {

double log_choose(std::size_t n, std::size_t k) {
  const auto log_factorial = [](std::size_t m) {
    double sum = 0;
    for (std::size_t i = 2; i <= m; ++i) sum += std::log(static_cast<double>(i));
    return sum;
  };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// "of compile=none 1 of 10 attempts (throttled 1)".
std::string side_text(const SideAttempts& side) {
  std::string text =
      fmt::format("of {} {} of {}{}", side.values, side.rejected, side.made, side.made == 1 ? " attempt" : " attempts");
  std::string reasons;
  for (const auto& [reason, count] : side.reasons)
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", reason, count);
  return reasons.empty() ? text : fmt::format("{} ({})", text, reasons);
}

/// An attempt that ended by itself: labels of its run in the question, and the reason of its rejection.
struct EndedAttempt {
  Texts labels;
  bool rejected;
  std::string reason;
};

std::vector<EndedAttempt> attempts_of(const Events& events, const std::string& question) {
  std::map<std::string, const event::RunStarted*> open;
  std::vector<EndedAttempt> out;
  for (const Event& event : events.list) {
    if (const auto* start = std::get_if<event::RunStarted>(&event)) open[start->run] = start;
    const auto* end = std::get_if<event::RunEnded>(&event);
    if (end == nullptr || !open.contains(end->run)) continue;
    if (!counts(end->outcome) || open[end->run]->twin) continue;
    for (const event::RunName& name : open[end->run]->names) {
      if (name.question != question) continue;
      const bool rejected = end->outcome == Outcome::kRejected;
      out.push_back({name.labels, rejected, rejected ? end->rejected_by.value_or("rejected") : ""});
    }
  }
  return out;
}

}  // namespace

std::string Rejections::text() const { return side_text(base) + ", " + side_text(treated); }

bool Rejections::lopsided() const {
  const std::size_t all = base.made + treated.made, lost = base.rejected + treated.rejected;
  if (base.made == 0 || treated.made == 0) return false;
  const auto chance = [&](std::size_t of_base) {
    return std::exp(log_choose(base.made, of_base) + log_choose(treated.made, lost - of_base) - log_choose(all, lost));
  };
  const double seen = chance(base.rejected);
  double sum = 0;
  const std::size_t least = lost > treated.made ? lost - treated.made : 0, most = std::min(lost, base.made);
  for (std::size_t k = least; k <= most; ++k) {
    const double p = chance(k);
    if (p <= seen * (1 + 1e-9)) sum += p;
  }
  return sum < 0.05;
}

namespace {

Rejections count(const std::vector<EndedAttempt>& attempts, const ClaimShape& sides) {
  Rejections both{{sides.label + "=" + sides.base, 0, 0, {}},
                  {sides.treated.empty() ? "other values of " + sides.label
                                         : sides.label + "=" + fmt::format("{}", fmt::join(sides.treated, "|")),
                   0,
                   0,
                   {}}};
  if (sides.label.empty() || sides.base.empty()) return both;
  for (const EndedAttempt& attempt : attempts) {
    const auto at = std::ranges::find(attempt.labels, sides.label, &Texts::value_type::first);
    const std::string value = at == attempt.labels.end() ? "" : at->second;
    const bool of_treated =
        sides.treated.empty() ? value != sides.base : std::ranges::find(sides.treated, value) != sides.treated.end();
    if (value != sides.base && !of_treated) continue;
    SideAttempts& side = of_treated ? both.treated : both.base;
    ++side.made;
    if (!attempt.rejected) continue;
    ++side.rejected;
    ++side.reasons[attempt.reason];
  }
  return both;
}

}  // namespace

Rejections rejections_of(const Events& events, const Question& question, const ClaimConfig& claim) {
  return count(attempts_of(events, question.id), claim_shape(claim.keys));
}

std::vector<Rejections> rejections_of(const Events& events, const Question& question) {
  const std::vector<EndedAttempt> attempts = attempts_of(events, question.id);
  std::vector<Rejections> found;
  std::set<std::string> seen;
  for (const ClaimConfig& claim : question.claims) {
    Rejections both = count(attempts, claim_shape(claim.keys));
    if (both.base.rejected + both.treated.rejected == 0) continue;
    if (seen.insert(both.base.values + " " + both.treated.values).second) found.push_back(std::move(both));
  }
  return found;
}

std::string rejections_text(const Events& events, const Question& question) {
  std::string text;
  for (const Rejections& both : rejections_of(events, question)) {
    text += fmt::format("{}Rejected: {}.", text.empty() ? "" : " ", both.text());
    if (both.lopsided())
      text +=
          " One side is rejected far more often than the other, beyond chance: the surviving runs are a biased sample, "
          "so do not trust differences between them.";
  }
  return text;
}

Json rejections_by_cell(const Events& events) {
  Json cells = Json::object();
  std::map<std::string, std::string> cell_of;
  for (const Event& event : events.list) {
    if (const auto* start = std::get_if<event::RunStarted>(&event)) cell_of[start->run] = start->cell;
    const auto* end = std::get_if<event::RunEnded>(&event);
    if (end == nullptr || end->outcome != Outcome::kRejected) continue;
    Json& count = cells[cell_of[end->run]][end->rejected_by.value_or("rejected")];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  return cells;
}

}  // namespace assay::record
