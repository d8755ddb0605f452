// Which capture a launch of a graph replays.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "load/captures.hpp"

namespace assay::load {

/// The launches of one file's captures, by time.
struct CapturedSequence {
  const CaptureFile* file = nullptr;
  std::vector<StringId> kernels;       ///< names in the pool of the replay; 0: the file does not say
  std::vector<Row> ops;                ///< row of the file's ops; kNone: none
  std::vector<std::int64_t> captures;  ///< number of the capture; kNoCell: not known
  std::vector<std::int64_t> batches;   ///< number in the name of the annotation around it, "capture_32_FULL"; kNoCell
};

/// Reads the captured launches of the files; names become texts of `strings`.
std::vector<CapturedSequence> captured_sequences(std::span<const CaptureFile> files, StringPool& strings);

/// A stretch of a sequence.
struct CaptureMatch {
  std::size_t sequence = 0, first = 0;
};

/// Why a launch has no capture, for the issue.
struct MatchFailure {
  std::size_t equal = 0;      ///< names in order that the best stretch shares with the launch
  std::size_t different = 0;  ///< stretches that fit and differ in what they hold; 0: none fits
};

class CaptureMatcher {
 public:
  explicit CaptureMatcher(const std::vector<CapturedSequence>& sequences) : sequences_(sequences) {}

  /// The capture with these kernels in this order. `numbers`: those in the names of the ranges around the launch, among
  /// which a batch size may be. Of captures alike the one behind the last that was found: pieces of a model are
  /// replayed in the order of their capture. Empty: none fits, or several that differ; `failure` says which.
  std::optional<CaptureMatch> find(const std::vector<StringId>& kernels, std::span<const std::int64_t> numbers,
                                   MatchFailure& failure);

 private:
  std::vector<CaptureMatch> fitting(const std::vector<StringId>& kernels) const;
  [[nodiscard]] bool is_whole(const CaptureMatch& match, std::size_t length) const;
  [[nodiscard]] bool alike(const CaptureMatch& a, const CaptureMatch& b, std::size_t length) const;
  [[nodiscard]] std::size_t most_equal(const std::vector<StringId>& kernels) const;

  const std::vector<CapturedSequence>& sequences_;
  std::map<std::vector<StringId>, std::vector<CaptureMatch>> known_;
  CaptureMatch last_;
};

}  // namespace assay::load
