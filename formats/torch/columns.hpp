// Collects the events of a trace in the requested columns, in the order of the file.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <vector>

#include "formats/torch/compile_causes.hpp"
#include "formats/torch/event.hpp"
#include "formats/torch/generated_launches.hpp"
#include "formats/torch/hosts.hpp"
#include "formats/torch/interner.hpp"
#include "formats/torch/messages.hpp"
#include "formats/torch/trace_tables.hpp"
#include "load/clean.hpp"

namespace assay::load {

class TraceColumns final : public EventSink {
 public:
  explicit TraceColumns(TableSink& out);

  void on_event(const Event& event) override;
  [[nodiscard]] bool wants_args(Category category) const override { return args_[static_cast<std::size_t>(category)]; }
  [[nodiscard]] bool wants_inputs() const override { return wants_.inputs || wants_.concrete_inputs; }
  [[nodiscard]] bool wants_sequences() const override { return wants_.sequences; }
  [[nodiscard]] bool wants_messages() const override { return wants_.declared; }

  /// Properties that every profiler writes but events lack.
  void add_issues() const;
  /// Adds tables without events that were captured nevertheless, and those that follow from several events.
  void finish();

  /// Number of events that were read.
  [[nodiscard]] std::int64_t read() const;
  /// The smallest start of all complete events that are read or counted, in ns on the clock of the file; 0 if there is
  /// none. A start of 0 among times since the epoch is ignored.
  [[nodiscard]] std::int64_t origin() const;
  [[nodiscard]] std::int64_t launches() const { return launches_; }
  [[nodiscard]] TraceTables& tables() { return tables_; }
  [[nodiscard]] Hosts& hosts() { return hosts_; }

 private:
  struct Times {
    std::int64_t start, end;
  };
  Times times_of(const Event& event);
  template <class Rows, class Ids>
  void add_core(Rows& rows, Ids& ids, const Event& event, Times times);
  void add_kernel(const Event& event, Times times);
  template <class Rows>
  void add_sized(Rows& rows, const Event& event, Times times);
  void add_copy(const Event& event, Times times);
  void add_set(const Event& event, Times times);
  void add_sync(const Event& event, Times times);
  void add_call(const Event& event, Times times);
  void add_op(const Event& event, Times times, OpKind kind);
  void add_inputs(std::size_t row, const Args& args);
  void add_range(const Event& event, Times times);
  void add_overhead(Times times);
  void add_allocation(const Event& event);
  void add_message(const Event& event, Times times);
  void add_collective(StringId name, const Args& args);
  std::uint32_t thread_of(const Event& event);
  /// Queues that are handles in memory are numbered from 1 as they come.
  std::int32_t stream_of(const Event& event);
  StringId json(std::string_view text);
  StringId intern_unescaped(std::string_view text) { return out_.intern(unescaped(text)); }
  [[nodiscard]] std::int64_t count(Category category) const { return counts_[static_cast<std::size_t>(category)]; }

  TableSink& out_;
  TraceTables tables_;
  const TraceWants& wants_ = tables_.wants;
  Hosts hosts_;
  NameInterner names_;
  CompileCauses causes_;
  std::array<std::int64_t, kCategories> counts_{};
  std::array<bool, kCategories> args_{};                            ///< wanted
  std::int64_t origin_ = std::numeric_limits<std::int64_t>::max();  ///< ignores starts of 0
  bool zero_ = false;                                               ///< there is one
  std::int64_t launches_ = 0;
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
  GeneratedLaunches generated_launches_;
  std::vector<CallName> call_names_;       ///< by name, as written in the trace
  std::vector<std::uint8_t> communicate_;  ///< by kernel name; 0: not classified yet, 1: no, 2: yes
};

}  // namespace assay::load
