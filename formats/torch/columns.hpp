// Collects the events of a trace in the requested columns.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <vector>

#include "formats/torch/event.hpp"
#include "formats/torch/generated_launches.hpp"
#include "formats/torch/hosts.hpp"
#include "formats/torch/interner.hpp"
#include "formats/torch/messages.hpp"
#include "load/clean.hpp"
#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// What is read from a trace.
struct TraceWants {
  explicit TraceWants(const WantedColumns& wanted);
  bool kernels, copies, sets, syncs, overheads, allocations;
  bool calls, ops;  ///< also if something requested is linked to them
  bool op_links;    ///< links from kernels or calls to operators
  bool collectives;
  bool messages;
  bool intervals;  ///< lifetimes of allocations, with the surrounding operators
};

/// Fills the tables of a store in file order. A requested table exists once an event of its category has occurred;
/// `ranges` always exists.
class TraceColumns final : public EventSink {
 public:
  TraceColumns(Profile::Store& store, const WantedColumns& wanted);

  void on_event(const Event& event) override;
  [[nodiscard]] bool wants_args(Category category) const override;
  [[nodiscard]] bool wants_inputs() const override;
  [[nodiscard]] bool wants_sequences() const override;
  [[nodiscard]] bool wants_messages() const override { return wants_.messages; }

  /// Properties that every profiler writes but events lack.
  void add_issues(std::vector<Issue>& issues) const;

  /// Number of events of a category.
  [[nodiscard]] std::int64_t count(Category category) const { return counts_[static_cast<std::size_t>(category)]; }
  [[nodiscard]] std::int64_t read() const;
  /// The smallest start of all complete events that are read or counted, in ns on the clock of the file. A start of 0
  /// among times since the epoch is ignored.
  [[nodiscard]] std::int64_t origin() const {
    return zero_ && origin_ < kEpochTimes ? std::min(origin_, std::int64_t{0}) : origin_;
  }
  [[nodiscard]] const TraceWants& wants() const { return wants_; }
  /// Sends and receives so far; moves them out.
  [[nodiscard]] MessageCells release_messages() { return std::move(messages_); }
  [[nodiscard]] const std::vector<GeneratedLaunch>& generated_launches() const { return generated_launches_; }
  [[nodiscard]] const Hosts& hosts() const { return hosts_; }

 private:
  struct Times {
    std::int64_t start, end;
  };
  Times times_of(const Event& event);
  void add_core(EventRows& rows, const Event& event, Times times);
  void add_kernel(const Event& event, Times times);
  void add_copy(const Event& event, Times times);
  void add_set(const Event& event, Times times);
  void add_sync(const Event& event, Times times);
  void add_call(const Event& event, Times times);
  void add_op(const Event& event, Times times, OpKind kind);
  void add_range(const Event& event, Times times);
  void add_overhead(Times times);
  void add_allocation(const Event& event);
  void add_message(const Event& event, Times times);
  void add_generated_launch(const Event& event);
  void add_collective(KernelRows& kernels, StringId name, const Args& args);
  std::uint32_t thread_of(const Event& event);
  /// Queues that are handles in memory are numbered from 1 as they come.
  std::int32_t stream_of(const Event& event);
  StringId short_name(StringId name);
  StringId json(std::string_view text);

  Profile::Store& store_;
  const WantedColumns& wanted_;
  TraceWants wants_;
  Hosts hosts_;
  NameInterner names_;
  std::array<std::int64_t, kCategories> counts_{};
  std::int64_t origin_ = std::numeric_limits<std::int64_t>::max();  ///< ignores starts of 0
  bool zero_ = false;                                               ///< there is one
  struct CallName {
    StringId name = 0;
    CallKind kind = CallKind::kOther;
    bool known = false;
  };
  /// Counts of events without properties that every profiler writes.
  struct Lacking {
    std::int64_t names = 0, threads = 0, devices = 0, copy_sizes = 0, numbers = 0;
    /// A property that some events have and others lack.
    struct Some {
      std::int64_t lack = 0, have = 0;
      void note(bool has) { ++(has ? have : lack); }
    };
    Some shapes, work_links, call_links, host_ids;
  };
  Lacking lacking_;
  std::map<std::int64_t, std::int32_t> queues_;
  MessageCells messages_;
  std::vector<GeneratedLaunch> generated_launches_;
  std::vector<CallName> call_names_;       ///< by name, as written in the trace
  std::vector<StringId> short_names_;      ///< by name; 0: not made yet
  std::vector<std::uint8_t> communicate_;  ///< by kernel name; 0: not classified yet, 1: no, 2: yes
};

}  // namespace assay::load
