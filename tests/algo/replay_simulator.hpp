// A simulator of a process: host threads, streams, events, and a backward pass that another thread runs. A program is
// run, changed and run again; a replay of its first run has to say what the second run gives.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/testing/report_builder.hpp"

namespace assay::replay::simulated {

constexpr std::int64_t kLaunch = 3000, kDispatch = 1000, kWake = 1000, kSyncCall = 2000, kEventCall = 1500,
                       kHandOver = 4000;  // ns

struct Step {
  enum Kind {
    kCode,
    kKernel,
    kCopy,
    kStreamSync,
    kDeviceSync,
    kIteration,
    kRecord,      ///< of `event` on `stream`
    kStreamWait,  ///< of `stream` for `event`
    kEventSync,   ///< of the host for `event`
    kHand,        ///< thread 0 hands its work to thread 1 and waits; steps of thread 1 follow
    kBack,        ///< thread 1 is done
    kCollective   ///< work that ends when it has begun on all ranks, and `length` after
  } kind = kCode;
  std::int64_t call = 0, length = 0;  ///< ns of the call, and of what it launches; of code its length
  std::int32_t stream = 0, name = 0;
  std::uint32_t thread = 0;
  std::int32_t event = 0;
};
using Program = std::vector<Step>;

/// What a step became in the report: numbers as the builder gave them.
struct StepRows {
  Row call = kNone, work = kNone;
};

/// Runs a program; every wait is what the rules of the model make it.
class Simulator {
 public:
  Simulator(const Program& program, bool waits, testing::ReportBuilder* report)
      : program_(program), waits_(waits), report_(report) {
    if (report_ != nullptr) {
      report_->thread(1);
      report_->thread(2);
    }
  }

  /// Up to the next collective: when it begins here; nothing at the end of the program.
  std::optional<std::int64_t> run() {
    while (made_.size() < program_.size()) {
      made_.push_back({});
      const Step& step = program_[made_.size() - 1];
      if (step.kind == Step::kCollective) return begin_collective(step);
      run_step(step);
    }
    finish();
    return std::nullopt;
  }

  /// The collective that run() came to ends.
  void end_collective(std::int64_t end) {
    const Step& step = program_[made_.size() - 1];
    streams_[step.stream].end = end;
    if (report_ == nullptr) return;
    made_.back().work =
        report_->kernel("ncclDevKernel_AllReduce", began_, end, {.stream = step.stream, .call = made_.back().call});
    report_->collective(made_.back().work, CollectiveKind::kAllReduce);
  }

 private:
  std::int64_t begin_collective(const Step& step) {
    std::int64_t& host = host_[step.thread];
    const std::int64_t start = host;
    host += step.call;
    Stream& stream = streams_[step.stream];
    began_ = std::max(host + kLaunch, stream.end + kDispatch);
    for (const std::int64_t end : stream.awaited) began_ = std::max(began_, end + kDispatch);
    stream.awaited.clear();
    if (report_ != nullptr) made_.back().call = report_->call(CallKind::kKernelLaunch, start, host, step.thread);
    return began_;
  }

  void finish() {
    if (report_ == nullptr) return;
    for (std::size_t i = 0; i < marks_.size(); ++i)
      report_->iteration(static_cast<std::int64_t>(i), marks_[i], marks_[i] + 1);
    if (syncs_.empty()) return;
    // Which call recorded an event is known by its row, which the builder knows once it has sorted the calls.
    report_->build();
    std::vector<Row> records;
    std::vector<std::int32_t> streams;
    for (const auto& [record, stream] : syncs_) {
      records.push_back(record == kNone ? kNone : report_->row_of_call(record));
      streams.push_back(stream);
    }
    report_->cells(&SyncTable::record, records);
    report_->cells(&SyncTable::record_stream, streams);
  }

 public:
  [[nodiscard]] std::vector<std::int64_t> lengths() const {
    std::vector<std::int64_t> out;
    for (std::size_t i = 1; i < marks_.size(); ++i) out.push_back(marks_[i] - marks_[i - 1]);
    return out;
  }
  [[nodiscard]] const std::vector<StepRows>& made() const { return made_; }

 private:
  struct Stream {
    std::int64_t end = std::numeric_limits<std::int64_t>::min() / 2;
    std::vector<std::int64_t> awaited;
  };
  struct Event {
    std::int64_t end = std::numeric_limits<std::int64_t>::min() / 2;  ///< of the work that it stands for
    Row call = kNone;
    std::int32_t stream = 0;
  };

  void run_step(const Step& step) {
    std::int64_t& host = host_[step.thread];
    const std::int64_t start = host;
    const auto call = [&](CallKind kind) { return report_->call(kind, start, host_[step.thread], step.thread); };
    switch (step.kind) {
      case Step::kIteration:
        marks_.push_back(host);
        break;
      case Step::kCode:
        host += step.length;
        // Every third kind of code has a range of its own.
        if (report_ != nullptr && step.length % 3 == 0) report_->range("code", start, host, {.thread = step.thread});
        break;
      case Step::kKernel:
      case Step::kCopy:
        launch(step);
        break;
      case Step::kStreamSync:
      case Step::kDeviceSync:
        wait(step);
        break;
      case Step::kRecord: {
        host += kEventCall;
        const auto at = streams_.find(step.stream);
        Event& event = events_[step.event];
        event = {at == streams_.end() ? Event().end : at->second.end, kNone, step.stream};
        if (report_ != nullptr) made_.back().call = event.call = call(CallKind::kOther);
        break;
      }
      case Step::kStreamWait: {
        host += kEventCall;
        const Event& event = events_[step.event];
        streams_[step.stream].awaited.push_back(event.end);
        if (report_ == nullptr) break;
        made_.back().call = call(CallKind::kOther);
        report_->sync(2, start, host, {.stream = step.stream, .call = made_.back().call});
        syncs_.emplace_back(event.call, event.stream);
        break;
      }
      case Step::kEventSync: {
        const Event& event = events_[step.event];
        host = std::max(host + kSyncCall, waits_ ? event.end + kWake : 0);
        if (report_ == nullptr) break;
        made_.back().call = call(CallKind::kEventSync);
        report_->sync(1, start, host, {.stream = kNone, .call = made_.back().call});
        syncs_.emplace_back(event.call, event.stream);
        break;
      }
      case Step::kHand:
        host_[1] = std::max(host_[1], host_[0]) + kHandOver;
        handed_ = host_[1];
        if (report_ != nullptr)
          report_->op(OpKind::kOperator, "forward", host_[0] - 10, host_[0] - 5, {.sequence = ++sequence_});
        break;
      case Step::kBack:
        if (report_ != nullptr)
          report_->op(OpKind::kOperator, "backward", handed_, host_[1],
                      {.thread = 1, .sequence = sequence_, .forward_thread = 1});
        host_[0] = std::max(host_[0], host_[1]) + kHandOver;
        break;
      case Step::kCollective:
        break;
    }
  }

  void launch(const Step& step) {
    std::int64_t& host = host_[step.thread];
    const std::int64_t start = host;
    host += step.call;
    Stream& stream = streams_[step.stream];
    std::int64_t begin = std::max(host + kLaunch, stream.end + kDispatch);
    for (const std::int64_t end : stream.awaited) begin = std::max(begin, end + kDispatch);
    stream.awaited.clear();
    stream.end = begin + step.length;
    if (report_ == nullptr) return;
    const bool kernel = step.kind == Step::kKernel;
    const Row call = report_->call(kernel ? CallKind::kKernelLaunch : CallKind::kCopy, start, host, step.thread);
    made_.back().call = call;
    if (kernel)
      made_.back().work =
          report_->kernel("k" + std::to_string(step.name), begin, stream.end, {.stream = step.stream, .call = call});
    else
      report_->copy(CopyDirection::kHostToDevice, 1'000'000, begin, stream.end,
                    {.stream = step.stream,
                     .call = call,
                     .source_kind = MemoryKind::kPinned,
                     .target_kind = MemoryKind::kDevice});
  }

  void wait(const Step& step) {
    std::int64_t& host = host_[step.thread];
    const std::int64_t start = host;
    std::int64_t last = std::numeric_limits<std::int64_t>::min() / 2;
    for (const auto& [number, stream] : streams_) {
      if (step.kind == Step::kDeviceSync || number == step.stream) last = std::max(last, stream.end);
    }
    host = std::max(host + kSyncCall, waits_ ? last + kWake : 0);
    if (report_ == nullptr) return;
    const bool device = step.kind == Step::kDeviceSync;
    const Row call = report_->call(device ? CallKind::kDeviceSync : CallKind::kStreamSync, start, host, step.thread);
    made_.back().call = call;
    report_->sync(device ? 4 : 3, start, host, {.stream = device ? kNone : step.stream, .call = call});
    syncs_.emplace_back(kNone, kNone);
  }

  Program program_;
  bool waits_;
  testing::ReportBuilder* report_;
  std::int64_t began_ = 0;
  std::int64_t host_[2] = {1'000'000, 1'000'000};
  std::int64_t handed_ = 0, sequence_ = 0;
  std::map<std::int32_t, Stream> streams_;
  std::map<std::int32_t, Event> events_;
  std::vector<std::int64_t> marks_;
  std::vector<StepRows> made_;
  std::vector<std::pair<Row, std::int32_t>> syncs_;  ///< of each: the call that recorded its event, and the stream
};

/// Lengths of the iterations of a program of one rank.
inline std::vector<std::int64_t> lengths_of(const Program& program, bool waits = true) {
  Simulator simulator(program, waits, nullptr);
  simulator.run();
  return simulator.lengths();
}

/// Runs the ranks of a job, whose programs have equally many collectives.
inline void run_job(std::vector<std::unique_ptr<Simulator>>& ranks, const std::vector<std::int64_t>& lengths) {
  for (std::size_t collective = 0;; ++collective) {
    std::int64_t last = 0;
    bool done = false;
    for (auto& rank : ranks) {
      const std::optional<std::int64_t> begin = rank->run();
      done = !begin;
      last = std::max(last, begin.value_or(0));
    }
    if (done) return;
    for (auto& rank : ranks) rank->end_collective(last + lengths[collective]);
  }
}

/// The program with its steps changed.
inline Program with(Program program, const std::function<void(Step&)>& change) {
  for (Step& step : program) change(step);
  return program;
}

}  // namespace assay::replay::simulated
