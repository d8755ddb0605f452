#include "record/look.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "assay/output.hpp"
#include "assay/words.hpp"
#include "record/duration.hpp"

namespace assay::record {
namespace {

std::string percent_text(double part) {
  const auto percent = static_cast<int>(std::lround(100 * part));
  return percent == 0 && part > 0 ? "below 1 %" : std::to_string(percent) + " %";
}

constexpr double kMaxOverhead = 10;      ///< ratio of a run's time to its measured part
constexpr double kShortWindow = 200e-6;  ///< seconds

/// A claim as one line of text.
struct ClaimLine {
  std::string id, verdict;
  bool decided = false;
  std::string reason;  ///< of an untestable claim; may be empty
  std::vector<std::string> estimates;
  std::size_t blocks_needed = 0, most = 0;  ///< 0: not known
};

/// "c: graph 7.4x faster (14x, 5.5x, 5.1x in three blocks); 6 blocks are needed for a verdict".
std::string claim_text(const ClaimLine& line) {
  std::string text = "\n    " + line.id + ": ";
  if (line.decided) text += line.verdict + (line.estimates.empty() ? "" : ", ");
  if (line.estimates.size() == 1) text += line.estimates.front();
  if (line.decided) {
    if (line.verdict == "untestable" && !line.reason.empty()) text += ": " + line.reason;
  } else if (line.blocks_needed == 0) {
    text += line.estimates.empty() ? "too few blocks for a verdict" : "";
  } else {
    text += line.estimates.size() == 1 ? "; " : "";
    text += (line.blocks_needed > kMaxNeeded ? "more than " + std::to_string(kMaxNeeded)
                                             : std::to_string(line.blocks_needed)) +
            " blocks are needed for a verdict";
    if (line.most > 0 && line.blocks_needed > line.most)
      text += ", and at most " + std::to_string(line.most) + " are allowed";
  }
  for (std::size_t i = 0; line.estimates.size() > 1 && i < line.estimates.size(); ++i)
    text += "\n      " + line.estimates[i];
  return text;
}

ClaimLine line_of(const InterimLook::Claim& claim, std::size_t most) {
  return {claim.id, claim.verdict, claim.decided, claim.reason, claim.estimates, claim.blocks_needed, most};
}

std::string no_effect_text(const std::string& label) {
  return "the option '" + label +
         "' had no effect: its values ran the same kernels, graphs, copies and waiting calls. Check what "
         "[experiment.arguments] makes of it; if it acts on the host alone, declare changes = [] for it";
}

}  // namespace

double InterimLook::Claim::chance(std::size_t blocks) const {
  double least = in_vain ? 0 : 1;
  for (const WaitingStratum& stratum : waiting)
    least = std::min(least, sequence_chance(stratum.seen, stratum.asked, blocks / stratum.blocks_for_one));
  return least;
}

bool InterimLook::Claim::is_futile(std::size_t blocks) const {
  return in_vain || std::ranges::any_of(waiting, [&](const WaitingStratum& stratum) {
           return sequence_is_futile(stratum.seen, stratum.asked, blocks / stratum.blocks_for_one);
         });
}

std::vector<event::Claim> claims_event(const InterimLook& seen, std::size_t most) {
  std::vector<event::Claim> claims;
  for (const InterimLook::Claim& claim : seen.claims) {
    event::Claim& kept = claims.emplace_back();
    kept.question = claim.question;
    kept.id = claim.id;
    kept.verdict = claim.verdict;
    kept.decided = claim.decided;
    kept.blocks_needed = claim.blocks_needed;
    if (!claim.decided) kept.chance = claim.chance(most);
    kept.strata = claim.strata;
  }
  return claims;
}

std::string why_none_is_open(std::size_t claims, std::size_t untestable) {
  if (claims > 0 && untestable == claims)
    return "no claim can be decided: " + std::string(claims == 1 ? "it is" : "all are") +
           " untestable on these runs (the verdicts say why)";
  if (untestable == 0) return "every claim is decided";
  return fmt::format("every testable claim is decided ({} of {} untestable)", untestable, claims);
}

std::string why_ended(const InterimLook& seen, std::size_t most) {
  std::size_t open = 0, hopeless = 0, untestable = 0, needed = 0;
  double chance = 0;
  for (const InterimLook::Claim& claim : seen.claims) {
    untestable += claim.verdict == "untestable" ? 1U : 0U;
    if (claim.decided) continue;
    ++open;
    hopeless += claim.is_futile(most) ? 1U : 0U;
    chance = std::max(chance, claim.chance(most));
    needed = std::max(needed, claim.blocks_needed);
  }
  if (open == 0) return why_none_is_open(seen.claims.size(), untestable);
  if (hopeless < open) return {};
  // A probability of 0 % is not informative; the number of blocks needed is.
  constexpr double kTellsNothing = 0.005;
  const std::string odds = chance >= kTellsNothing
                               ? "probability " + (open == 1 ? std::string() : "at most ") + percent_text(chance)
                           : needed > kMaxNeeded ? "more than " + std::to_string(kMaxNeeded) + " would be needed"
                           : needed > most       ? "about " + std::to_string(needed) + " would be needed"
                                                 : "less than 1 in 200";
  return fmt::format("futile: {}{} unlikely to be decided by block {} ({})", open,
                     open == 1 ? " undecided claim is" : " undecided claims are", most, odds);
}

std::string estimate_in(const Json& stratum) {
  const auto at = stratum.find("estimate");
  return at != stratum.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::size_t decided_in(const InterimLook& seen) {
  return static_cast<std::size_t>(std::ranges::count(seen.claims, true, &InterimLook::Claim::decided));
}

std::size_t decided_in(const event::LookTaken& look) {
  return static_cast<std::size_t>(std::ranges::count(look.claims, true, &event::Claim::decided));
}

std::size_t blocks_needed(const InterimLook& seen) {
  std::size_t needed = 0;
  for (const InterimLook::Claim& claim : seen.claims)
    needed = claim.decided ? needed : std::max(needed, claim.blocks_needed);
  return needed;
}

std::string standing_of(const InterimLook& seen) {
  std::string text = fmt::format("{} of {} decided", decided_in(seen), counted(seen.claims.size(), "claim"));
  for (const InterimLook::Claim& claim : seen.claims) {
    if (!claim.decided && !claim.standing.empty()) return text + "; " + claim.standing;
  }
  return text;
}

std::string answer_text(const InterimLook& seen, std::size_t most) {
  std::string out;
  for (const InterimLook::Claim& claim : seen.claims) out += claim_text(line_of(claim, most));
  return out;
}

std::string answer_text(const event::LookTaken& look) {
  std::string out;
  for (const event::Claim& claim : look.claims) {
    ClaimLine line{claim.id, claim.verdict, claim.decided, {}, {}, claim.blocks_needed, 0};
    for (const Json& stratum : claim.strata) {
      if (const std::string text = estimate_in(stratum); !text.empty()) line.estimates.push_back(text);
      if (line.reason.empty()) line.reason = stratum.value("reason", "");
    }
    out += claim_text(line);
  }
  return out;
}

std::vector<std::string> troubles_of(const InterimLook& seen, double run_seconds) {
  std::vector<std::string> out;
  if (!seen.unread.empty()) {
    out.push_back(fmt::format("{} could not be read ({}{}); 'assay list' on the recording says why",
                              counted(seen.unread.size(), "profile"), seen.unread.front(),
                              seen.unread.size() > 1 ? ", ..." : ""));
  }
  for (const std::string& label : seen.without_effect) out.push_back(no_effect_text(label));
  if (seen.window_seconds && run_seconds > kMaxOverhead * *seen.window_seconds && run_seconds > 1) {
    out.push_back(
        fmt::format("a run takes {}, of which {} are measured: let each run do more iterations, which costs little and "
                    "makes it quieter",
                    duration_text(run_seconds), duration_text(*seen.window_seconds)));
  }
  if (seen.window_seconds && *seen.window_seconds < kShortWindow) {
    out.push_back("only " + time_text(1e9 * *seen.window_seconds) +
                  " of a run are measured, in which a few late launches of about 10 us count: measure more iterations");
  }
  return out;
}

std::string why_untestable(const InterimLook& seen) {
  const auto testable = [](const InterimLook::Claim& claim) { return claim.verdict != "untestable"; };
  if (seen.claims.empty() || std::ranges::any_of(seen.claims, testable)) return {};
  std::string text = why_none_is_open(seen.claims.size(), seen.claims.size());
  if (!seen.without_effect.empty()) return text + "; " + no_effect_text(*seen.without_effect.begin());
  return fmt::format("{}; {}: {}", text, seen.claims.front().id, seen.claims.front().reason);
}

}  // namespace assay::record
