// Interim look: verdicts of the claims after a block, and whether to record on.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "algo/noise/sequence.hpp"
#include "record/event.hpp"

namespace assay::record {

/// State of the claims after a block.
struct InterimLook {
  /// A stratum that waits for more blocks.
  struct WaitingStratum {
    SequenceSeen seen;
    SequenceClaim asked;
    std::size_t blocks_for_one = 1;  ///< blocks to record per block of this stratum
  };
  struct Claim {
    std::string question, id, verdict;
    bool decided = false;           ///< or undecidable by repeating runs
    std::size_t blocks_needed = 0;  ///< in total, according to the spread so far; 0: unknown
    Json strata = Json::array();
    std::vector<WaitingStratum> waiting = {};

    std::string reason = {};                  ///< of the verdict
    std::vector<std::string> estimates = {};  ///< of its strata, in words (Estimate); for a set its present
                                              ///< content
    std::string standing = {};                ///< the first of them without its blocks

    bool in_vain = false;  ///< open, and no further block decides it

    /// Probability of a decision with this many blocks: the minimum over its open strata.
    [[nodiscard]] double chance(std::size_t blocks) const;
    /// Whether a decision is unlikely (sequence_is_futile for an open stratum).
    [[nodiscard]] bool is_futile(std::size_t blocks) const;
  };
  std::vector<Claim> claims;
  std::vector<char> open;  ///< per cell of the design: used by an undecided claim
  /// Cells whose trace contradicts their name, with the contradiction: not recorded further.
  std::map<std::size_t, std::string> contradicted;
  std::set<std::string> without_effect;  ///< labels whose values did the same work
  std::vector<std::string> unread;       ///< unreadable profiles of runs
  std::optional<double> window_seconds;  ///< median length of the measured part of a run
};

/// Remarks of a first look on the runs themselves, one sentence each. `run_seconds`: duration of a run, including its
/// start.
std::vector<std::string> troubles_of(const InterimLook& seen, double run_seconds);

/// Why no block can decide any claim, with what to change; empty: some claim can be tested.
std::string why_untestable(const InterimLook& seen);

/// The claims as stored in the journal. `most`: affordable number of blocks.
std::vector<event::Claim> claims_event(const InterimLook& seen, std::size_t most);

/// Why recording ends without open claims: `untestable` of `claims` cannot be decided at all.
std::string why_none_is_open(std::size_t claims, std::size_t untestable);

/// Why no further block is recorded after this look; empty: one is.
std::string why_ended(const InterimLook& seen, std::size_t most);

/// Claims that are decided, or beyond what replicating can decide.
std::size_t decided_in(const InterimLook& seen);
std::size_t decided_in(const event::LookTaken& look);

/// Total blocks that the open claims need, estimated from the spread so far; 0: unknown for all of them.
std::size_t blocks_needed(const InterimLook& seen);

/// The estimate of a stratum that the journal keeps; empty: it has none.
std::string estimate_in(const Json& stratum);

/// For the progress line: "1 of 3 claims decided; graph 7.4x faster".
std::string standing_of(const InterimLook& seen);

/// The claims so far: the estimate, then the number of blocks needed for a verdict. One line per claim, and one per
/// stratum if there are several.
std::string answer_text(const InterimLook& seen, std::size_t most);
/// Like answer_text, for a look stored in the journal.
std::string answer_text(const event::LookTaken& look);

}  // namespace assay::record
