#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

#include "assay/words.hpp"
#include "predictions/ledger.hpp"
#include "render/claimed_words.hpp"

namespace assay::predictions {
namespace {

std::string now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string labels_text(const std::vector<std::pair<std::string, std::string>>& labels) {
  std::string text;
  for (const auto& [label, value] : labels) text += fmt::format("{}{}={}", text.empty() ? "" : ";", label, value);
  return text;
}

}  // namespace

std::string JudgedPrediction::kind() const {
  if (change.size() != 1) return change.empty() ? "not said" : "several";
  std::string_view text = change.front();
  text.remove_prefix(std::min(text.find_first_not_of('-'), text.size()));
  const std::size_t blank = text.find(' ');
  std::string out(text.substr(0, blank));
  if (blank == std::string_view::npos || (out != "scale" && out != "replace")) return out;
  const std::string_view what = text.substr(blank + 1);
  return out + " " + std::string(what.substr(0, what.find(':')));
}

std::vector<JudgedPrediction> judged(const RunResult& run) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<JudgedPrediction> out;
  const std::string time = now();
  for (const QuestionRun& question : run.each_question()) {
    for (const OwnedClaim& claim : question.result.claims) {
      const auto* predicted = claim_key(claim, "predicted");
      if (predicted == nullptr || predicted->empty() || !claim.claimed) continue;
      if (!std::isfinite(claim.claimed->low) || !std::isfinite(claim.claimed->high)) continue;
      for (const OwnedStratum& stratum : claim.strata) {
        if (!stratum.effect || !std::isfinite(stratum.effect->value)) continue;
        JudgedPrediction one;
        one.time = time;
        one.question = question.question.id;
        one.claim = claim.id;
        one.metric = claim.claimed->metric;
        if (const auto* change = claim_key(claim, "change")) one.change = *change;
        one.labels = labels_text(stratum.labels);
        one.predicted = std::strtod(predicted->front().c_str(), nullptr);
        one.low = claim.claimed->low;
        one.high = claim.claimed->high;
        const OwnedEffect& effect = *stratum.effect;
        one.measured = effect.value;
        one.measured_low = std::isfinite(effect.lo) ? effect.lo : kNothing;
        one.measured_high = std::isfinite(effect.hi) ? effect.hi : kNothing;
        one.verdict = verdict_name(stratum.verdict);
        out.push_back(std::move(one));
      }
    }
  }
  return out;
}

}  // namespace assay::predictions
