// Builds the events, frames, blocks, segments and marks of a snapshot from the dicts of a pickle, one by one.
#pragma once

#include "snapshot.hpp"

namespace assay::memory_snapshot {

class SnapshotBuilder final : public RecordBuilder {
 public:
  explicit SnapshotBuilder(Snapshot& snapshot) : to_(snapshot) {}

  /// Assigns numbers to the names of keys; call before reading.
  static void number_words(Interner& texts);

  Value build(Kind container, std::span<const Value> values, const Pickle& pickle) override;
  Value extend(Value record, std::span<const Value> values, const Pickle& pickle) override;
  [[nodiscard]] std::size_t bytes() const override;

  /// Extracts traces, settings and the order of segments from the root. Throws Refusal if it is not a snapshot.
  void finish(Value root, const Pickle& pickle);

 private:
  Value build_dict(std::span<const Value> values, const Pickle& pickle);
  Value build_list(std::span<const Value> values, const Pickle& pickle);
  Value build_frame(std::span<const Value> values);
  Value extend_stack(std::string_view stack, std::span<const Value> values, const Pickle& pickle);
  static void extend_list(std::uint8_t type, Slice& list, std::span<const Value> values, const Pickle& pickle);
  void set_event(Event& event, Value key, Value value, const Pickle& pickle);
  void set_segment(Segment& segment, Value key, Value value, const Pickle& pickle) const;
  static void set_block(Block& block, Value key, Value value, const Pickle& pickle);
  static void set_mark(Mark& mark, Value key, Value value);
  void read_traces(Value list, const Pickle& pickle);
  void read_settings(Value dict, const Pickle& pickle);

  Snapshot& to_;
  std::vector<Slice> lists_;  // of consecutive records
  std::string scratch_;
};

}  // namespace assay::memory_snapshot
