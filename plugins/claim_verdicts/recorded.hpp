// Claims about runs recorded in blocks, judged by intervals that are valid after every block.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "algo/noise/sequence.hpp"
#include "compare.hpp"

namespace assay::claims {

/// Whether the runs of the cell belong to blocks of a recording (label `block`, set by its journal).
bool is_recorded(const StudyView& view, const Stratum& cell);

/// The noise shown by all recorded series of a claim's comparison: each stratum of every claim on that metric once, and
/// for ratios the A/A pair. For steps only those of the claim itself.
class RecordedNoise {
 public:
  /// `floors` belong to `gathered`.
  RecordedNoise(const StudyView& view, std::span<const ClaimRuns> gathered, std::span<const NoiseFloor> floors);
  /// `claim` must be one of `gathered`.
  [[nodiscard]] const RecordingNoise& noise_of(const Claim& claim) const;

 private:
  using Key = std::tuple<Compare, std::string, std::string, std::string>;
  static Key key_of(const Claim& claim);

  std::map<Key, RecordingNoise> noise_;
};

struct RecordedContrast {
  Contrast contrast;
  std::string why_open;  ///< why there is no interval, or why it does not get narrower; empty: neither
  std::string lasting;   ///< what noise of several blocks widens the interval; empty: none
  bool early = false;    ///< too few blocks for an interval, unless it decides
  bool changed = false;  ///< the effect changed during the recording
  double unseen = 0;     ///< SequenceClaim::unseen of it

  /// Hides intervals that are up to 24 spreads wide and decide nothing.
  void hide_early();
};

/// The effect with a confidence sequence over the blocks of the recording: for ratios the differences of logs within
/// blocks, for levels the values themselves (logits of shares), for steps the differences within blocks and `block`
/// labels. Without the second run of the A/A pair. No bounds if the rule of the sequence gives none (sequence.hpp).
/// Empty if no block has the claimed comparison.
std::optional<RecordedContrast> recorded_contrast(const StudyView& view, const Claim& claim, const Stratum& cell,
                                                  const NoiseFloor& floor, const RecordedNoise& noise, double level);

/// The ratio between the two runs of the A/A pair with its confidence sequence at `level`, on the scale of the claim
/// (odds ratio for levels of shares); empty without such a pair.
std::optional<RecordedContrast> twin_contrast(const StudyView& view, const Claim& claim, const NoiseFloor& floor,
                                              const RecordedNoise& noise, double level);

}  // namespace assay::claims
