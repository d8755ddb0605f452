// What the claims say after a block, and whether recording on is worth it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "assay/detail/sequence.hpp"
#include "record/event.hpp"

namespace assay::record {

/// What the claims say after a block.
struct Look {
  /// A stratum that waits for more blocks.
  struct Open {
    SequenceSeen seen;
    SequenceClaim asked;
    std::size_t blocks_for_one = 1;  ///< of the recording, for one that the stratum gets
  };
  struct Claim {
    std::string question, id, verdict;
    bool decided = false;           ///< or beyond what replicating can decide
    std::size_t blocks_needed = 0;  ///< in all, as far as the spread so far tells; 0: not known
    Json strata = Json::array();
    std::vector<Open> waiting = {};

    std::string reason = {};                  ///< of the verdict
    std::vector<std::string> estimates = {};  ///< of its strata, in words (estimate_text); of a set what it says

    bool in_vain = false;  ///< it is open, and no further block decides it

    /// Probability that it is decided when so many blocks are recorded: of its open strata the least.
    [[nodiscard]] double chance(std::size_t blocks) const;
    /// Whether that is unlikely (sequence_is_futile of an open stratum).
    [[nodiscard]] bool is_futile(std::size_t blocks) const;
  };
  std::vector<Claim> claims;
  std::vector<char> open;  ///< by cell of the design: an undecided claim uses it
  /// Cells that did not run what their name says, with what the trace contradicts: no more of them is recorded.
  std::map<std::size_t, std::string> contradicted;
  std::set<std::string> without_effect;  ///< labels whose values did the same work
  std::vector<std::string> unread;       ///< profiles of runs that could not be read
  std::optional<double> window_seconds;  ///< median length of what is measured of a run
};

/// What a first look says of the runs themselves, one sentence each. `run_seconds`: what a run takes, its start
/// included.
std::vector<std::string> troubles_of(const Look& seen, double run_seconds);

/// Why no block can decide any claim, with what to change; empty: some claim can be tested.
std::string why_untestable(const Look& seen);

/// The claims as the journal keeps them. `most` blocks are what can be afforded.
std::vector<event::Claim> claims_event(const Look& seen, std::size_t most);

/// Why recording ends when no claim is open: `untestable` of `claims` could not be decided at all.
std::string why_none_is_open(std::size_t claims, std::size_t untestable);

/// Why no further block is recorded after this look; empty: one is.
std::string why_ended(const Look& seen, std::size_t most);

/// Claims that are decided, or beyond what replicating can decide.
std::size_t decided_in(const Look& seen);
std::size_t decided_in(const event::Look& look);

/// Blocks in all that the open claims need, as far as the spread so far tells; 0: not known of any.
std::size_t blocks_needed(const Look& seen);

/// The estimate of a stratum that the journal keeps; empty: it has none.
std::string estimate_in(const Json& stratum);

/// For the line of progress: "1 of 3 claims decided; graph 7.4x faster".
std::string standing_of(const Look& seen);

/// What the claims say so far: the estimate first, then how many blocks a verdict needs. One line per claim, and one
/// per stratum of several.
std::string answer_text(const Look& seen, std::size_t most);
/// Claims of a look that the journal keeps, in the words of answer_text.
std::string answer_text(const event::Look& look);

}  // namespace assay::record
