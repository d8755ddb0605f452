// One bound node against another: matched runs, metric by metric.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assay/algo/contrast.hpp"

namespace assay::numa {

/// One thing that is compared.
struct Measure {
  std::string metric;
  std::string dims;  ///< canonical; empty for none
  /// "copy.bandwidth_bytes_per_s h2d".
  [[nodiscard]] std::string name() const;
};

enum class Outcome {
  kEffect,        ///< the interval, which holds the spread between runs, excludes no difference
  kEquivalent,    ///< the whole interval lies within the margin of no difference
  kInconclusive,  ///< neither, or the spread between runs is not known
};

struct Comparison {
  Stratum stratum;
  std::string node;  ///< compared with the base node
  std::size_t measure = 0;
  Contrast contrast;
  Outcome outcome = Outcome::kInconclusive;
};

struct Design {
  std::string label, base;
  std::vector<Measure> measures;
  double margin = 0;  ///< equivalence: the ratio lies in 1 / (1 + margin) .. 1 + margin
};

struct Nodes {
  std::string base;
  std::vector<std::string> others;
  std::vector<Comparison> comparisons;  ///< by measure, node, stratum
  std::vector<NoiseFloor> floors;       ///< by measure
  std::vector<Unmatched> unmatched;
  double level = 0.95;  ///< at which an effect counts as found: 1 - 0.05 / number of comparisons

  [[nodiscard]] std::size_t count(std::size_t measure, Outcome outcome) const;
  [[nodiscard]] std::size_t count(Outcome outcome) const;
};

/// Without a base in the design it is the node that sorts first. Runs of one node and one program are replicates.
Nodes compare(const StudyView& view, const Design& design);

}  // namespace assay::numa
