#include "marks.hpp"

#include <algorithm>
#include <array>

#include "algo/crossing_rows.hpp"
#include "algo/properties.hpp"

namespace assay::start_phases {

void each_member(const StartMarks*, auto&& use) {
  use("process", &StartMarks::process), use("origin", &StartMarks::origin), use("begin", &StartMarks::begin),
      use("driver", &StartMarks::driver), use("first_copy", &StartMarks::first_copy),
      use("copied", &StartMarks::copied), use("copied_bytes", &StartMarks::copied_bytes),
      use("first_launch", &StartMarks::first_launch), use("first_wait_end", &StartMarks::first_wait_end),
      use("first_capture", &StartMarks::first_capture), use("capture_end", &StartMarks::capture_end),
      use("captures", &StartMarks::captures), use("ready", &StartMarks::ready),
      use("ready_kind", &StartMarks::ready_kind), use("end", &StartMarks::end),
      use("generated", &StartMarks::generated), use("read_ns", &StartMarks::read_ns),
      use("read_count", &StartMarks::read_count), use("opened_count", &StartMarks::opened_count),
      use("opened_later_count", &StartMarks::opened_later_count), use("step", &StartMarks::step);
}
void each_member(const StartRange*, auto&& use) {
  use("name", &StartRange::name), use("start", &StartRange::start), use("end", &StartRange::end);
}
void each_member(const StartCompilation*, auto&& use) {
  use("process", &StartCompilation::process), use("start", &StartCompilation::start),
      use("end", &StartCompilation::end), use("backend", &StartCompilation::backend),
      use("triton", &StartCompilation::triton), use("autotuning", &StartCompilation::autotuning),
      use("function", &StartCompilation::function), use("place", &StartCompilation::place),
      use("cache", &StartCompilation::cache);
}

namespace {

using crossing::rows_of, crossing::table_of;

struct WaitEnd {
  std::int64_t time = 0;
};
void each_member(const WaitEnd*, auto&& use) { use("time", &WaitEnd::time); }

struct MissingStart {
  std::string why;
};
void each_member(const MissingStart*, auto&& use) { use("why", &MissingStart::why); }

constexpr std::string_view kRecord =
    ": record the whole program by 'nsys profile -t cuda,nvtx,osrt', without a delay and without a capture range";

template <std::size_t N>
bool begins_with_any(std::string_view name, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.starts_with(word); });
}

/// Calls that load code or build a graph, which a program does once.
constexpr std::array<std::string_view, 6> kOnce = {"cuModuleLoad",       "cuLibraryLoad", "cudaGraphInstantiate",
                                                   "cuGraphInstantiate", "hipModuleLoad", "hipGraphInstantiate"};
constexpr std::array<std::string_view, 3> kInitialize = {"cuInit", "cuModuleGetLoadingMode", "hipInit"};
constexpr std::array<std::string_view, 3> kInstantiate = {"cudaGraphInstantiate", "cuGraphInstantiate",
                                                          "hipGraphInstantiate"};
constexpr std::array<std::string_view, 3> kCapture = {"cudaStreamBeginCapture", "cuStreamBeginCapture",
                                                      "hipStreamBeginCapture"};
constexpr std::array<std::string_view, 2> kProfilerStart = {"cuProfilerStart", "cudaProfilerStart"};
constexpr std::array<std::string_view, 4> kRead = {"read", "pread", "fread", "preadv"};
constexpr std::array<std::string_view, 2> kOpen = {"open", "fopen"};

/// Reads the marks of one report.
class MarkReader {
 public:
  explicit MarkReader(const Report& report) : report_(report), calls_(*report.calls) {}

  std::optional<Start> read() {
    if (!find_thread()) return std::nullopt;
    read_calls();
    read_begin();
    // A capture that the program itself begins (cudaProfilerStart) states to begin with the process too.
    if (!initializes_ || once_.empty()) return std::nullopt;
    read_ready();
    read_copies();
    for (const std::int64_t end : start_.wait_ends) {
      if (end > marks_.first_launch && marks_.first_wait_end == kNone) marks_.first_wait_end = end;
    }
    read_files();
    read_ranges();
    read_overheads();
    return std::move(start_);
  }

 private:
  [[nodiscard]] bool is_of_process(std::uint32_t thread) const {
    return thread < report_.threads->rows && report_.threads->process[thread] == process_;
  }

  /// Rows of the process's copies in one direction, by start.
  [[nodiscard]] std::vector<std::size_t> copies_of(CopyDirection direction) const {
    std::vector<std::size_t> rows;
    const CopyTable* const copies = report_.copies;
    if (copies == nullptr || !copies->direction.present()) return rows;
    for (std::size_t c = 0; c < copies->rows; ++c) {
      if (copies->process[c] == process_ && copies->direction[c] == direction) rows.push_back(c);
    }
    return rows;
  }

  /// The thread that launches first, and its process.
  bool find_thread() {
    for (std::size_t c = 0; c < calls_.rows; ++c) {
      if (calls_.kind[c] != CallKind::kKernelLaunch && calls_.kind[c] != CallKind::kGraphLaunch) continue;
      thread_ = calls_.thread[c];
      if (thread_ >= report_.threads->rows) return false;
      process_ = report_.threads->process[thread_];
      marks_.first_launch = calls_.start[c];
      marks_.process = process_ < report_.processes->rows ? report_.processes->id[process_] : kNone;
      marks_.origin = origin_of(report_).value_or(kNone);
      return true;
    }
    return false;
  }

  void read_calls() {
    for (std::size_t c = 0; c < calls_.rows; ++c) {
      if (!is_of_process(calls_.thread[c])) continue;
      if (marks_.driver == kNone) marks_.driver = calls_.start[c];
      marks_.end = std::max(marks_.end, calls_.end[c]);
      const CallKind kind = calls_.kind[c];
      const bool waits = kind == CallKind::kDeviceSync || kind == CallKind::kStreamSync ||
                         kind == CallKind::kEventSync || kind == CallKind::kBlockingCopy;
      if (waits && calls_.thread[c] == thread_) start_.wait_ends.push_back(calls_.end[c]);
      if (kind != CallKind::kOther) continue;
      const std::string_view name = report_.string(calls_.name[c]);
      const bool once = begins_with_any(name, kOnce);
      if (once) once_.push_back(c);
      // A program that begins the capture itself is under way.
      if (calls_.start[c] == marks_.driver && begins_with_any(name, kProfilerStart)) return;
      initializes_ |= calls_.start[c] < marks_.first_launch && (once || begins_with_any(name, kInitialize));
    }
    first_call_ = marks_.driver;
    std::ranges::sort(start_.wait_ends);
  }

  void read_begin() {
    marks_.begin = marks_.driver;
    if (report_.ranges != nullptr) {
      for (std::size_t r = 0; r < report_.ranges->rows; ++r) {
        if (is_of_process(report_.ranges->thread[r])) marks_.begin = std::min(marks_.begin, report_.ranges->start[r]);
      }
    }
    if (report_.os_calls == nullptr) return;
    // The driver's own calls come before the first call that is recorded.
    constexpr std::int64_t kSetUp = 2'000'000'000;
    for (std::size_t r = 0; r < report_.os_calls->rows && report_.os_calls->start[r] < first_call_; ++r) {
      if (!is_of_process(report_.os_calls->thread[r])) continue;
      marks_.begin = std::min(marks_.begin, report_.os_calls->start[r]);
      if (marks_.driver == first_call_ && report_.os_calls->start[r] > first_call_ - kSetUp &&
          report_.string(report_.os_calls->name[r]) == "ioctl")
        marks_.driver = report_.os_calls->start[r];
    }
  }

  /// The first step, else the first result after the code that is loaded while the program starts: a call that loads
  /// code belongs to the start unless it comes when twice the time of the others has passed.
  void read_ready() {
    const StepTable* const steps = report_.steps;
    for (std::size_t s = 0; steps != nullptr && s < steps->rows; ++s) {
      if (steps->process[s] != process_ || steps->source[s] == StepSource::kWhole ||
          steps->source[s] == StepSource::kWindow)
        continue;
      marks_.ready = steps->host_start[s];
      marks_.ready_kind = std::int64_t(ReadyKind::kStep);
      marks_.step = report_.string(steps->name[s]);
      return read_captures();
    }
    std::int64_t loaded = calls_.end[once_.front()];
    for (const std::size_t c : once_) {
      if (calls_.start[c] - marks_.begin <= 2 * (loaded - marks_.begin)) loaded = std::max(loaded, calls_.end[c]);
    }
    loaded = std::max(loaded, marks_.first_launch);
    marks_.ready = loaded;
    for (const std::size_t c : copies_of(CopyDirection::kDeviceToHost)) {
      if (report_.copies->start[c] < loaded) continue;
      const auto wait = std::ranges::lower_bound(start_.wait_ends, report_.copies->end[c]);
      marks_.ready = wait == start_.wait_ends.end() ? report_.copies->end[c] : *wait;
      marks_.ready_kind = std::int64_t(ReadyKind::kResult);
      break;
    }
    read_captures();
  }

  void read_captures() {
    for (std::size_t c = 0; c < calls_.rows && calls_.start[c] < marks_.ready; ++c) {
      if (calls_.kind[c] != CallKind::kOther || !is_of_process(calls_.thread[c])) continue;
      const std::string_view name = report_.string(calls_.name[c]);
      if (marks_.first_capture == kNone && begins_with_any(name, kCapture)) marks_.first_capture = calls_.start[c];
      if (marks_.first_capture == kNone || !begins_with_any(name, kInstantiate)) continue;
      marks_.capture_end = calls_.end[c];
      ++marks_.captures;
    }
    if (marks_.captures == 0) marks_.first_capture = kNone;
  }

  /// Copies to the device before the first kernel, and the first kernel that Triton generated.
  void read_copies() {
    for (const std::size_t c : copies_of(CopyDirection::kHostToDevice)) {
      const CopyTable& copies = *report_.copies;
      if (copies.start[c] >= marks_.first_launch) break;
      if (marks_.first_copy == kNone) marks_.first_copy = copies.start[c];
      marks_.copied = std::max(marks_.copied, copies.end[c]);
      if (copies.bytes.present()) marks_.copied_bytes += std::max<std::int64_t>(copies.bytes[c], 0);
    }
    if (marks_.copied != kNone) {
      const auto wait = std::ranges::lower_bound(start_.wait_ends, marks_.copied);
      if (wait != start_.wait_ends.end() && *wait < marks_.first_launch) marks_.copied = *wait;
    }
    const KernelTable* const kernels = report_.kernels;
    if (kernels == nullptr || !kernels->name.present()) return;
    for (std::size_t k = 0; k < kernels->rows && marks_.generated == kNone; ++k) {
      if (kernels->process[k] == process_ && report_.string(kernels->name[k]).starts_with("triton_"))
        marks_.generated = kernels->start[k];
    }
  }

  void read_files() {
    if (report_.os_calls == nullptr) return;
    const HostEventTable& os = *report_.os_calls;
    const std::int64_t later = marks_.first_capture == kNone ? marks_.ready : marks_.first_capture;
    for (std::size_t r = 0; r < os.rows && os.start[r] < later; ++r) {
      if (os.thread[r] != thread_) continue;
      const std::string_view name = report_.string(os.name[r]);
      const bool before = os.start[r] < marks_.driver;
      if (begins_with_any(name, kOpen)) {
        marks_.opened_count += before ? 1 : 0;
        marks_.opened_later_count += marks_.first_wait_end != kNone && os.start[r] > marks_.first_wait_end ? 1 : 0;
      } else if (before && begins_with_any(name, kRead)) {
        ++marks_.read_count;
        marks_.read_ns += os.end[r] - os.start[r];
      }
    }
  }

  /// Each instant belongs to the range of the thread that began last.
  void read_ranges() {
    std::vector<StartRange> all;
    for (const RangeTable* const ranges : {report_.ranges, report_.spans}) {
      for (std::size_t r = 0; ranges != nullptr && r < ranges->rows; ++r) {
        const bool whole = !ranges->open.present() || ranges->open[r] == 0;
        if (whole && ranges->thread[r] == thread_ && ranges->start[r] < marks_.ready)
          all.push_back({std::string(report_.string(ranges->name[r])), ranges->start[r], ranges->end[r]});
      }
    }
    std::ranges::stable_sort(all, {}, &StartRange::start);
    std::vector<const StartRange*> open;
    std::int64_t at = marks_.begin;
    const auto advance = [&](std::int64_t to) {
      while (!open.empty() && at < to) {
        const StartRange& inner = *open.back();
        if (inner.end > at) start_.ranges.push_back({inner.name, at, std::min(inner.end, to)});
        at = std::max(at, std::min(inner.end, to));
        if (inner.end <= to) open.pop_back();
      }
      at = to;
    };
    for (const StartRange& range : all) {
      advance(range.start);
      open.push_back(&range);
    }
    advance(marks_.ready);
  }

  void read_overheads() {
    const OverheadTable* const overheads = report_.overheads;
    std::int64_t covered = marks_.begin;
    for (std::size_t r = 0; overheads != nullptr && r < overheads->rows; ++r) {
      const std::int64_t start = std::max(overheads->start[r], covered);
      if (overheads->process[r] != process_ || overheads->end[r] <= start) continue;
      start_.overheads.push_back({{}, start, overheads->end[r]});
      covered = overheads->end[r];
    }
  }

  const Report& report_;
  const CallTable& calls_;
  Start start_;
  StartMarks& marks_ = start_.marks;
  std::uint32_t thread_ = 0, process_ = 0;
  std::int64_t first_call_ = 0;
  bool initializes_ = false;       ///< the driver, or loads code, before the first launch
  std::vector<std::size_t> once_;  ///< rows of calls
};

}  // namespace

FoundStart start_of(const Report& report) {
  const auto none = [](std::string_view why) { return FoundStart{{}, std::string(why) + std::string(kRecord)}; };
  if (report.kernels == nullptr && report.calls == nullptr) return {};
  if (report.calls == nullptr || !report.calls->name.present()) return none("it has no calls of CUDA");
  if (property_of(report, "begins_with") != "process") return none("it does not state that it begins with its process");
  FoundStart found{MarkReader(report).read(), {}};
  return found.start ? found : none("no process begins in it");
}

std::vector<StartCompilation> compilations_of(const Report& report) {
  std::vector<StartCompilation> rows;
  const DeclaredTable* const head = report.table("compile_logs");
  const DeclaredTable* const table = report.table("compilations");
  const std::optional<std::int64_t> origin = origin_of(report);
  if (head == nullptr || head->rows != 1 || table == nullptr || !origin) return rows;
  const std::int64_t process = head->integers("process")[0];
  const auto starts = table->integers("start"), ends = table->integers("end");
  const auto functions = table->texts("function"), places = table->texts("place"), caches = table->texts("graph_cache");
  for (std::size_t r = 0; r < table->rows; ++r) {
    const auto cell = [&](const char* column) { return table->integers(column)[r]; };
    rows.push_back({process, *origin + starts[r], *origin + ends[r], cell("backend"), cell("triton"),
                    cell("autotuning"), std::string(report.string(functions[r])), std::string(report.string(places[r])),
                    std::string(report.string(caches[r]))});
  }
  return rows;
}

void emit_rows(const FoundStart& found, ReportSink& sink) {
  if (!found.missing.empty()) sink.study_rows(table_of("missing", std::vector{MissingStart{found.missing}}));
  if (!found.start) return;
  std::vector<WaitEnd> waits;
  for (const std::int64_t end : found.start->wait_ends) {
    // Phases look for waits of the start alone, and for the one that ends it.
    if (end <= found.start->marks.ready) waits.push_back({end});
  }
  sink.study_rows(table_of("marks", std::vector{found.start->marks}));
  sink.study_rows(table_of("ranges", found.start->ranges));
  sink.study_rows(table_of("overheads", found.start->overheads));
  sink.study_rows(table_of("waits", waits));
}

void emit_rows(const std::vector<StartCompilation>& compilations, ReportSink& sink) {
  sink.study_rows(table_of("compilations", compilations));
}

FoundStart start_from_rows(const StudyView& view, std::size_t report) {
  const auto rows = [&](const char* id) { return view.rows(report, "start_phases", id); };
  FoundStart found;
  if (rows("missing").present()) found.missing = rows_of<MissingStart>(rows("missing")).front().why;
  if (!rows("marks").present()) return found;
  found.start = {rows_of<StartMarks>(rows("marks")).front(),
                 rows_of<StartRange>(rows("ranges")),
                 rows_of<StartRange>(rows("overheads")),
                 {}};
  for (const WaitEnd& wait : rows_of<WaitEnd>(rows("waits"))) found.start->wait_ends.push_back(wait.time);
  return found;
}

std::vector<StartCompilation> compilations_from_rows(const StudyView& view, std::size_t report) {
  const auto rows = [&](const char* id) { return view.rows(report, "start_phases", id); };
  return rows("compilations").present() ? rows_of<StartCompilation>(rows("compilations"))
                                        : std::vector<StartCompilation>();
}

}  // namespace assay::start_phases
