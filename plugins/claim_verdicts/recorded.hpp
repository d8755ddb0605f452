// Claims about runs that were recorded in blocks, judged by intervals that may be looked at after every block.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "assay/detail/sequence.hpp"
#include "compare.hpp"

namespace assay::claims {

/// Whether runs of the cell stand in blocks of a recording (the label `block`, which its journal gives).
bool is_recorded(const StudyView& view, const Stratum& cell);

/// What all recorded series of what a claim compares show of their noise: each stratum of every claim on that metric,
/// once, and of ratios the A/A pair. Of steps only those of the claim itself.
class RecordedNoise {
 public:
  /// `floors` are those of `gathered`.
  RecordedNoise(const StudyView& view, std::span<const ClaimRuns> gathered, std::span<const NoiseFloor> floors);
  /// `claim` is one of `gathered`.
  [[nodiscard]] const RecordingNoise& noise_of(const Claim& claim) const;

 private:
  using Key = std::tuple<Compare, std::string, std::string, std::string>;
  static Key key_of(const Claim& claim);

  std::map<Key, RecordingNoise> noise_;
};

struct RecordedContrast {
  Contrast contrast;
  std::string why_open;  ///< why there is no interval, or why it gets no narrower now; empty: neither
  bool early = false;    ///< too few blocks for an interval, unless it decides
  bool changed = false;  ///< the effect changed while it was recorded
  double unseen = 0;     ///< SequenceClaim::unseen of it

  /// No interval is shown that is 20 spreads wide and decides nothing.
  void hide_early();
};

/// The effect with a confidence sequence over the blocks of the recording: of ratios the differences of logs within
/// blocks, of levels the values themselves (logits of shares), of steps the differences within
/// blocks and `block` labels. The second of the A/A pair counts nowhere here. No bounds where the rule of the sequence
/// gives none (sequence.hpp). Nothing when no block has what the claim compares.
std::optional<RecordedContrast> recorded_contrast(const StudyView& view, const Claim& claim, const Stratum& cell,
                                                  const NoiseFloor& floor, const RecordedNoise& noise, double level);

/// The ratio between both runs of the A/A pair with its confidence sequence at `level`, on the scale of the claim (of
/// levels of shares the odds ratio); nothing without such a pair.
std::optional<RecordedContrast> twin_contrast(const StudyView& view, const Claim& claim, const NoiseFloor& floor,
                                              const RecordedNoise& noise, double level);

}  // namespace assay::claims
