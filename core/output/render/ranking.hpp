// What a claim of which configurations are the best concluded, as a ranked table: in `run` and `compare --best` alike.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conclude/conclude.hpp"
#include "render/text_table.hpp"

namespace assay {

struct RankedValue {
  std::string name;  ///< value of the label that the claim ranks
  double value;      ///< geometric mean over its runs, in the unit of the metric
  const OwnedStratum* stratum;
  std::vector<double> beside;  ///< means of Ranking::beside over its runs
  std::string verdict;  ///< "best", "cannot be told from the best", "slower"; empty: its runs have no known spread
};

/// The values of one combination of the other labels, best first.
struct Ranking {
  std::string label;                                        ///< whose values are ranked
  std::vector<std::pair<std::string, std::string>> labels;  ///< the others; empty: there are none, or they are equal
  std::string unit;                                         ///< of the metric
  std::vector<const OwnedMetric*> beside;                   ///< also measured in the runs of all values: their energy
  std::vector<RankedValue> rows;

  /// No value has repeats, and no other spread is known: nothing is told apart.
  [[nodiscard]] bool has_no_spread() const;
  /// "pinned is fastest at 34.8 ms a step; flash cannot be told from it (4 x 5 runs)".
  [[nodiscard]] std::string sentence(const std::string& per) const;
};

/// Of a claim with compare = "best", by the other labels; empty for other claims, and if nothing was measured. Both
/// arguments must outlive the result.
std::vector<Ranking> rankings_of(const OwnedClaim& claim, const std::vector<OwnedMetric>& metrics);

/// Columns and rows of a ranking: value, step, x of the best, what is beside, interval, runs, verdict. Columns without
/// a value are left out. `measured`: heading of the times, without the unit.
struct RankingTable {
  std::vector<TextTable::Column> columns;
  std::vector<std::vector<std::string>> rows;
};
RankingTable table_of(const Ranking& ranking, const std::string& measured);

}  // namespace assay
