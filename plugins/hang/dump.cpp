#include "dump.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

namespace assay::hang {
namespace {

constexpr std::size_t kMaxOpen = 32;  // of a group
constexpr std::string_view kClosing = "nccl:coalesced", kSend = "nccl:send ", kReceive = "nccl:recv ";

bool is_p2p(const Record& record) {
  return record.operation.starts_with(kSend) || record.operation.starts_with(kReceive);
}

/// Place of the other end: 3 of "nccl:send 0->3"; kNone: the operation has none.
std::int64_t peer_of(std::string_view operation) {
  std::int64_t peer = kNone;
  const std::size_t at = operation.find_last_of("<->");
  if (at != std::string_view::npos)
    std::from_chars(operation.data() + at + 1, operation.data() + operation.size(), peer);
  return peer;
}

/// Calls with the numbers of one call: several are a batch, whose last one has its state.
struct Batch {
  std::size_t calls = 0;
  bool has_p2p = false, is_closed = false, completed = true, is_met = false;
};

class Summary {
 public:
  Summary(const std::vector<Record>& records, Dump& dump) : dump_(dump) {
    for (const Record& record : records) {
      Batch& batch = batches_[key_of(record)];
      ++batch.calls;
      batch.has_p2p = batch.has_p2p || is_p2p(record);
      if (record.operation != kClosing) continue;
      batch.is_closed = true;
      batch.completed = record.completed;
    }
  }

  void add(const Record& record) {
    GroupState& group = dump_.groups[static_cast<std::size_t>(record.group)];
    Batch& batch = batches_.at(key_of(record));
    const bool is_batch = batch.calls > 1 || batch.is_closed;
    const bool completed = is_batch ? batch.completed : record.completed;
    const bool is_first = !std::exchange(batch.is_met, true);
    const bool p2p = is_p2p(record) || (is_batch && batch.has_p2p);
    group.has_p2p = group.has_p2p || p2p || record.p2p_number > 0;
    if (is_batch && batch.has_p2p && is_first) {
      group.has_p2p_batches = true;
      ++skipped_[record.group];
    }
    const std::int64_t number = record.number - (dump_.is_complete ? skipped_[record.group] : 0);
    group.called = std::max(group.called, number);
    if (!p2p) {
      if (is_first) ++group.collectives;
      if (completed && !is_batch && !may_leave_early(record.operation))
        group.completed = std::max(group.completed, number);
    }
    // The closing call of a batch stands for none of its own.
    if (is_batch && record.operation == kClosing && batch.calls > 1) return;
    Call call{.rank = dump_.rank,
              .group = static_cast<std::size_t>(record.group),
              .number = number,
              .p2p_number = record.p2p_number,
              .operation = {},
              .types = {},
              .line = {},
              .frames = {},
              .elements = record.elements,
              .is_batch = is_batch};
    if (is_p2p(record)) add_p2p(record, completed, call);
    if (completed || ++open_[record.group] > kMaxOpen) return;
    call.operation = record.operation;
    call.types = record.types;
    call.line = record.line;
    call.frames = record.frames;
    dump_.open.push_back(std::move(call));
  }

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
  using Ends = std::tuple<std::int64_t, bool, std::int64_t>;  ///< group, whether it sends, peer
  struct Turns {
    std::size_t pair = 0;
    std::map<std::int64_t, std::int64_t> by_collective;  ///< calls after so many collectives
  };

  static Key key_of(const Record& record) { return {record.group, record.number, record.p2p_number}; }

  void add_p2p(const Record& record, bool completed, Call& call) {
    call.is_send = record.operation.starts_with(kSend);
    call.peer = peer_of(record.operation);
    const auto [at, is_new] = turns_.try_emplace({record.group, call.is_send, call.peer});
    Turns& turns = at->second;
    if (is_new) {
      turns.pair = dump_.pairs.size();
      dump_.pairs.push_back({call.group, call.peer, 0, 0, call.is_send});
    }
    Pair& pair = dump_.pairs[turns.pair];
    call.turn = ++pair.calls;
    pair.completed += completed ? 1 : 0;
    call.collectives = dump_.groups[call.group].collectives;
    call.since = ++turns.by_collective[call.collectives];
    if (call.collectives < 2) return;
    call.most_between = 0;
    for (const auto& [collectives, calls] : turns.by_collective) {
      if (collectives >= 1 && collectives < call.collectives) call.most_between = std::max(call.most_between, calls);
    }
  }

  Dump& dump_;
  std::map<Key, Batch> batches_;
  std::map<std::int64_t, std::int64_t> skipped_;
  std::map<std::int64_t, std::size_t> open_;
  std::map<Ends, Turns> turns_;
};

}  // namespace

void summarize(std::vector<Record> records, Dump& dump) {
  const auto groups = static_cast<std::int64_t>(dump.groups.size());
  // Calls of a group that the dump does not describe may be those that hang.
  const auto unknown = [&](const Record& record) {
    return record.group < 0 || record.group >= groups || record.id < 0;
  };
  if (std::erase_if(records, unknown) > 0) dump.is_damaged = true;
  std::ranges::stable_sort(records, {}, &Record::id);
  const bool any_completed = std::ranges::any_of(records, &Record::completed);
  const auto count = static_cast<std::int64_t>(records.size());
  dump.is_complete = !dump.is_damaged && count > 0 && records.front().id == 0 && records.back().id == count - 1;
  dump.has_only_open = !dump.is_complete && !any_completed;
  Summary summary(records, dump);
  for (const Record& record : records) summary.add(record);
}

bool may_leave_early(std::string_view operation) {
  return is_operation(operation, "broadcast") || is_operation(operation, "reduce") ||
         is_operation(operation, "gather") || is_operation(operation, "scatter");
}

bool is_operation(std::string_view operation, std::string_view name) {
  if (operation.starts_with("nccl:")) operation.remove_prefix(5);
  if (operation.starts_with('_')) operation.remove_prefix(1);
  if (!operation.starts_with(name)) return false;
  return name != "reduce" || !operation.starts_with("reduce_scatter");
}

std::vector<std::int64_t> members_of(std::string_view ranks) {
  std::vector<std::int64_t> members;
  for (std::size_t at = ranks.find_first_of("0123456789"); at != std::string_view::npos;) {
    const std::size_t end = std::min(ranks.find_first_not_of("0123456789", at), ranks.size());
    std::int64_t rank = kNone;
    std::from_chars(ranks.data() + at, ranks.data() + end, rank);
    members.push_back(rank);
    at = ranks.find_first_of("0123456789", end);
  }
  return members;
}

}  // namespace assay::hang
