// What the claims say after a block, and whether recording on is worth it.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <map>
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
};

/// The claims as the journal keeps them. `most` blocks are what can be afforded.
std::vector<event::Claim> claims_event(const Look& seen, std::size_t most);

/// Why recording ends when no claim is open: `untestable` of `claims` could not be decided at all.
std::string why_none_is_open(std::size_t claims, std::size_t untestable);

/// Why no further block is recorded after this look; empty: one is.
std::string why_ended(const Look& seen, std::size_t most);

/// One line a claim.
void print_look(const Look& seen, std::size_t block, std::size_t most, std::ostream& out);

}  // namespace assay::record
