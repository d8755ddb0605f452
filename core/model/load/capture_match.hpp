// Finds the capture that a graph launch replays.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "load/captures.hpp"
#include "load/operator_kernels.hpp"

namespace assay::load {

/// Launches in one file's captures by time; for a file without captures the launches that ran, by thread and time.
struct CapturedSequence {
  const CaptureFile* file = nullptr;
  std::vector<StringId> kernels;       ///< names in the string pool of the replay; 0: not in the file
  std::vector<Row> ops;                ///< row of the file's ops; kNone: none
  std::vector<std::int64_t> captures;  ///< number of the capture; kNoCell: not known
  std::vector<std::int64_t> batches;   ///< number in the name of the annotation around it, such as "capture_32_FULL";
                                       ///< kNoCell: none
  std::optional<OperatorKernels> known{};  ///< of the file, if it does not name all kernels
};

/// Reads the launches of the files; adds names to `strings`.
std::vector<CapturedSequence> captured_sequences(std::span<const CaptureFile> files, StringPool& strings);

/// A stretch of a sequence.
struct CaptureMatch {
  std::size_t sequence = 0, first = 0;
};

/// A graph launch, as far as captures are compared with it.
struct ReplayedKernels {
  std::vector<StringId> names;  ///< by time
  bool in_order = false;        ///< on one stream, so that they ran in capture order
  auto operator<=>(const ReplayedKernels&) const = default;
};

/// Why a launch has no capture, for the issue.
struct MatchFailure {
  std::size_t equal = 0;         ///< names in order that the best stretch has in common with the launch
  std::size_t different = 0;     ///< stretches that fit but differ in their operators; 0: none fits
  std::size_t launches = 0;      ///< launches of the nameless capture with the nearest count; 0: there is none
  std::size_t contradicted = 0;  ///< kernels that contradict the capture with as many launches
  bool unordered = false;        ///< captures have no kernel names, and the kernels of the launch ran on several
                                 ///< streams
};

class CaptureMatcher {
 public:
  explicit CaptureMatcher(const std::vector<CapturedSequence>& sequences) : sequences_(sequences) {}

  /// The capture with these kernels in this order; a capture without names fits by its number of launches, if its
  /// operators launch no other kernels elsewhere. `numbers`: those in the names of ranges around the launch, which may
  /// include a batch size. Among equal captures returns the one after the last match, because pieces of a model are
  /// replayed in capture order. Empty if none fits, or several that differ; `failure` has the reason.
  std::optional<CaptureMatch> find(const ReplayedKernels& kernels, std::span<const std::int64_t> numbers,
                                   MatchFailure& failure);

 private:
  /// A stretch that fits; stretches of one group have operators with equal names and shapes.
  struct Fit {
    CaptureMatch match;
    std::size_t group = 0;
  };
  struct Fits {
    std::vector<Fit> all;
    MatchFailure failure;
  };
  [[nodiscard]] Fits fits_of(const ReplayedKernels& kernels) const;
  void fit_by_name(std::size_t sequence, const ReplayedKernels& kernels, Fits& to) const;
  void fit_by_order(std::size_t sequence, const ReplayedKernels& kernels, Fits& to) const;
  void group(std::vector<Fit>& fits, std::size_t length) const;
  [[nodiscard]] bool is_whole(const CaptureMatch& match, std::size_t length) const;
  [[nodiscard]] bool alike(const CaptureMatch& a, const CaptureMatch& b, std::size_t length) const;
  [[nodiscard]] std::size_t most_equal(const std::vector<StringId>& kernels) const;

  const std::vector<CapturedSequence>& sequences_;
  std::map<ReplayedKernels, Fits> known_;
  CaptureMatch last_;
};

}  // namespace assay::load
