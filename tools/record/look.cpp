#include "record/look.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace assay::record {
namespace {

std::string percent_text(double part) {
  const auto percent = static_cast<int>(std::lround(100 * part));
  return percent == 0 && part > 0 ? "below 1 %" : std::to_string(percent) + " %";
}

}  // namespace

double Look::Claim::chance(std::size_t blocks) const {
  double least = in_vain ? 0 : 1;
  for (const Open& stratum : waiting)
    least = std::min(least, sequence_chance(stratum.seen, stratum.asked, blocks / stratum.blocks_for_one));
  return least;
}

bool Look::Claim::is_futile(std::size_t blocks) const {
  return in_vain || std::ranges::any_of(waiting, [&](const Open& stratum) {
           return sequence_is_futile(stratum.seen, stratum.asked, blocks / stratum.blocks_for_one);
         });
}

std::vector<event::Claim> claims_event(const Look& seen, std::size_t most) {
  std::vector<event::Claim> claims;
  for (const Look::Claim& claim : seen.claims) {
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
  return "every testable claim is decided (" + std::to_string(untestable) + " of " + std::to_string(claims) +
         " untestable)";
}

std::string why_ended(const Look& seen, std::size_t most) {
  std::size_t open = 0, hopeless = 0, untestable = 0;
  double chance = 0;
  for (const Look::Claim& claim : seen.claims) {
    untestable += claim.verdict == "untestable" ? 1U : 0U;
    if (claim.decided) continue;
    ++open;
    hopeless += claim.is_futile(most) ? 1U : 0U;
    chance = std::max(chance, claim.chance(most));
  }
  if (open == 0) return why_none_is_open(seen.claims.size(), untestable);
  if (hopeless < open) return {};
  return "futile: " + std::to_string(open) + (open == 1 ? " undecided claim is" : " undecided claims are") +
         " unlikely to be decided by block " + std::to_string(most) + " (probability " + (open == 1 ? "" : "at most ") +
         percent_text(chance) + ")";
}

void print_look(const Look& seen, std::size_t block, std::size_t most, std::ostream& out) {
  out << "  look after block " << block << ":";
  for (const Look::Claim& claim : seen.claims) {
    out << "\n    " << claim.id << ": " << claim.verdict;
    if (claim.decided || claim.waiting.empty()) continue;
    if (claim.blocks_needed > 0) out << ", about " << claim.blocks_needed << " blocks would decide it";
    out << "; probability " << percent_text(claim.chance(most)) << " by block " << most;
  }
  out << std::endl;
}

}  // namespace assay::record
