// Reads what NVIDIA's trtexec writes of an engine of TensorRT: --exportTimes (one object for each inference) and
// --exportProfile (one for each layer). Of one run they are one profile.
//   [ { "startEnqMs" : 500.296, "endEnqMs" : 500.714, "startH2dMs" : 499.666, ..., "latencyMs" : 2.21939 }, ...
//   [ { "count" : 1384 }, { "name" : "conv1 + relu1", "timeMs" : 51.2, "averageMs" : 0.037, "percentage" : 1.9 }, ...
// The parser is its own because this is not always JSON: trtexec does not escape names, and a share of nothing is nan.
#include "assay/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {
using namespace assay;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kTimes = "trtexec --loadEngine=NET.plan --exportTimes=NET.times.json";
constexpr std::string_view kProfile =
    "trtexec --loadEngine=NET.plan --separateProfileRun --exportProfile=NET.profile.json";

[[noreturn]] void refuse(const std::string& problem) { throw std::runtime_error(problem + "; run trtexec again"); }

/// Keys of both files in small letters, because the spelling of H2d differs between files; cells are in their order.
constexpr std::array<std::string_view, 17> kKeys = {
    "startenqms", "endenqms",  "starth2dms", "endh2dms",   "startcomputems", "endcomputems",
    "startd2hms", "endd2hms",  "h2dms",      "computems",  "d2hms",          "latencyms",
    "timems",     "averagems", "medianms",   "percentage", "count"};
using Cell = std::size_t;
constexpr Cell kEnqueue = 0, kEnqueueEnd = 1, kIn = 2, kInEnd = 3, kCompute = 4, kComputeEnd = 5, kOut = 6, kOutEnd = 7,
               kInTime = 8, kComputeTime = 9, kOutTime = 10, kLatency = 11, kTime = 12, kMean = 13, kMedian = 14,
               kShare = 15, kCount = 16;

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return small;
}

/// kKeys.size(): another key.
Cell cell_of(std::string_view key) {
  std::string small = small_letters(key);
  for (const auto& [old, name] : {std::pair("inms", "h2dms"), std::pair("outms", "d2hms")})  // TensorRT 7
    if (small.ends_with(old)) small.replace(small.size() - std::string_view(old).size(), std::string::npos, name);
  return static_cast<Cell>(std::ranges::find(kKeys, small) - kKeys.begin());
}

/// Nothing for what cannot be the time of a run: nan, or more than a year.
std::optional<std::int64_t> nanoseconds(double ms) {
  return std::abs(ms) < 3.2e10 ? std::optional<std::int64_t>(std::llround(ms * 1e6)) : std::nullopt;
}

/// An inference or a layer. Times are ms; NaN where the file has none.
struct Object {
  std::array<double, kKeys.size()> cells;
  std::optional<std::string> name;  // of a layer
  Object() { cells.fill(kUnknown); }
  double operator[](Cell cell) const { return cells[cell]; }
  [[nodiscard]] bool possible() const {
    bool all = nanoseconds(cells[kCompute]).has_value();
    for (const Cell c : {kEnqueue, kIn, kCompute, kOut})
      all &= std::isnan(cells[c]) || (nanoseconds(cells[c]) && nanoseconds(cells[c + 1]) && cells[c] <= cells[c + 1]);
    return all;
  }
  /// When the host began to enqueue the inference: at the latest when the device began it.
  [[nodiscard]] double begin() const { return std::fmin(cells[kEnqueue], std::fmin(cells[kIn], cells[kCompute])); }
};

struct Content {
  std::vector<Object> inferences, layers;
  double count = kUnknown;           // inferences that the layers were measured in
  std::int64_t bad = 0, others = 0;  // inferences that are left out, and keys
};

/// Reads a list of flat objects. What is wrong is a sentence with the line.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  Content read() {
    if (text_.empty()) refuse("it is empty");
    expect('[');
    if (!accept(']')) {
      do {
        object();
      } while (accept(','));
      expect(']');
    }
    if (peek() != '\0') refuse(line() + " goes on after the end of the list");
    if (content_.inferences.empty() && content_.layers.empty()) refuse("it has no times that can be, nor layers");
    return std::move(content_);
  }

 private:
  void object() {
    Object read;
    expect('{');
    do {
      const std::string key = text();
      const Cell cell = cell_of(key);
      expect(':');
      const std::optional<std::string> word = peek() == '"' ? std::optional(text()) : std::nullopt;
      const double value = word ? kUnknown : number();
      if (key == "name") read.name = word;
      if (cell < kKeys.size()) read.cells[cell] = value;
      content_.others += key != "name" && cell == kKeys.size() ? 1 : 0;
    } while (accept(','));
    expect('}');
    content_.count = std::fmax(content_.count, read[kCount]);
    if (read.name)
      content_.layers.push_back(std::move(read));
    else if (read.possible())
      content_.inferences.push_back(read);
    else if (std::isnan(read[kCount]))
      ++content_.bad;
  }
  char peek() {
    at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    const bool is = peek() == c;
    at_ += is ? 1 : 0;
    return is;
  }
  void expect(char c) {
    if (accept(c)) return;
    refuse_end();
    refuse(line() + " has no '" + c + "' where trtexec writes one");
  }
  double number() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(",}] \t\r\n", at_), text_.size());
    refuse_end();
    double value = kUnknown;
    const auto [stop, error] = std::from_chars(text_.data() + begin, text_.data() + at_, value);
    if (stop != text_.data() + at_ || begin == at_) refuse(line() + " has no number where trtexec writes one");
    return error == std::errc() ? value : kUnknown;  // beyond the range of double: a time that cannot be, like nan
  }
  std::string text() {
    expect('"');
    std::string value;
    while (at_ < text_.size() && !closes()) value += text_[at_++];
    refuse_end();
    ++at_;
    return value;
  }
  /// A quotation mark ends a text if what follows goes on with the object: names may hold others.
  [[nodiscard]] bool closes() const {
    const std::size_t next = text_.find_first_not_of(kSpace, at_ + 1);
    return text_[at_] == '"' && (next == text_.npos || std::string_view(":,}").find(text_[next]) != text_.npos);
  }
  void refuse_end() const {
    if (at_ == text_.size()) refuse("it is cut off in " + line());
  }
  [[nodiscard]] std::string line() const {
    return "line " + std::to_string(1 + std::ranges::count(text_.substr(0, at_), '\n'));
  }
  std::string_view text_;
  std::size_t at_ = 0;
  Content content_;
};

std::string text_of(std::string_view path) {
  std::stringstream bytes;
  bytes << std::ifstream(std::string(path), std::ios::binary).rdbuf();
  return std::move(bytes).str();
}

/// trtexec prints six digits: half of the last one of a time.
double rounding(double ms) { return ms == 0 ? 0 : 0.5 * std::pow(10, std::floor(std::log10(std::abs(ms))) - 5); }

/// Of two printed times and their difference, the latter has more digits where both agree.
double length(double start, double end, double printed) {
  return std::abs(printed - (end - start)) <= 2.1 * rounding(end) + 1e-6 ? printed : end - start;
}

auto time_of(Cell cell) {
  return [cell](const Object& object) { return nanoseconds(object[cell]).value_or(kNoCell); };
}

std::string whole(double number) { return std::to_string(std::llround(number)); }

/// trtexec takes times on the host and on the device from two clocks, which start one after the other and drift. It
/// enqueues an inference and its copy together, so that few begin before: 1 in 20, whose enqueuing was interrupted.
void use_one_clock(std::span<Object> all, Tables& out) {
  const auto behind = [](std::span<const Object> part) {
    std::vector<double> leads;
    for (const Object& i : part) leads.push_back(std::fmax(0, i[kEnqueue] - i.begin()));
    std::ranges::sort(leads);
    return leads[leads.size() * 19 / 20];
  };
  const std::size_t half = all.size() / 2;
  const double first = behind(half < 20 ? all : all.first(half)), last = half < 20 ? first : behind(all.subspan(half));
  if (first + last == 0) return;
  const double middle = all[half / 2][kCompute], apart = std::max(1.0, 2 * (all[half][kCompute] - middle));
  for (Object& i : all)
    for (Cell cell = kIn; cell <= kOutEnd; ++cell)
      i.cells[cell] += std::max(0.0, first + (last - first) / apart * (i[cell] - middle));
  out.sink().issue("two_clocks", Severity::kInfo, 0,
                   "Times on the device are up to " + whole(std::max(first, last) * 1000) +
                       " us later than printed, as its clock is behind the host's.");
}

class Trtexec {
 public:
  static constexpr std::string_view kSummary = "Times of inferences and of layers, as NVIDIA's trtexec writes them.";
  // ".json" because people name files freely. The longest end counts: net.times.json and net.profile.json are "net".
  // None is telling: other programs write times.json, too.
  static constexpr Str kEnds[] = {".json",        ".times.json",   "_times.json",
                                  ".timing.json", ".profile.json", "_profile.json"};
  static constexpr Str kGlobs[] = {"**/*.json"};
  static constexpr FileNames kNames = {kEnds, {}, {}, kGlobs, "trtexec file", "times or layers of trtexec (.json)"};
  static constexpr std::uint32_t kTraits = kTraitPages;
  static constexpr FormatPart kReads[] = {
      {"startComputeMs, endComputeMs, computeMs", "kernels, one for each inference"},
      {"startH2dMs to d2hMs", "copies, if their time is not 0"},
      {"startEnqMs, endEnqMs", "calls, and ranges 'inference 0' to the next"},
      {"latencyMs", "trt_inferences"},
      {"name, timeMs, averageMs, medianMs, percentage", "trt_layers"}};
  static constexpr FormatPart kPassesOver[] = {{"other keys", "their number is in the issue passed_over"}};
  static constexpr ColumnId kFills[] = {col::kernels, col::kernel_name, col::copies, col::copy_direction,
                                        col::calls,   col::call_name,   col::ranges, col::properties};
  static constexpr ColumnSpec kInferences[] = {
      {.name = "latency", .unit = "ns", .doc = "Copies and computing, without the time between them."}};
  static constexpr ColumnSpec kLayers[] = {
      {.name = "name", .kind = CellKind::kText, .role = CellRole::kLabel, .doc = "Of the layer."},
      {.name = "time", .unit = "ns", .doc = "Of all inferences."},
      {.name = "mean", .unit = "ns", .doc = "Of an inference."},
      {.name = "median", .unit = "ns", .doc = "Of an inference; older versions do not print it."},
      {.name = "share", .kind = CellKind::kReal, .unit = "%", .doc = "Of all layers' time."}};
  static constexpr TableSpec kTables[] = {
      {"trt_inferences", "latencies", "Of inference 0 and the following.", kInferences},
      {"trt_layers", "layers of the engine", "Time of each layer, in the order in which they run.", kLayers}};
  static constexpr std::string_view kAgain = "run trtexec again";
  static constexpr CaptureSpec kCaptures[] = {
      {"times of inferences", kTimes, col::kernels},
      {"layers", kProfile, col::declared},
      {"the engine's own kernels", "nsys profile -t cuda,nvtx -o NET trtexec --loadEngine=NET.plan", col::kernel_grid}};

  static bool sniff(const FormatFile& file) {
    const std::string head = packed(file.head);
    const std::size_t end = std::min(head.find('}'), head.size());
    if (head.starts_with("[{") && head.substr(0, end).find("\"startcomputems\":") != std::string::npos) return true;
    if (!head.starts_with("[{\"count\":") || !head.substr(end).starts_with("},{\"name\":\"")) return false;
    // The name of a fused layer may be longer than the head.
    return head.find("\"timems\":", end) != std::string::npos || head.find("\",\"", end) == std::string::npos;
  }
  static void identify(const FormatFile&, IdentitySink& out) { out.add("profiler", "trtexec"); }

  static void explain(const FormatFile& file, ExplanationSink& out) {
    const std::string head = packed(file.head);
    const auto is = [&](std::string_view problem, std::string_view remedy) {
      out.explain("This file " + std::string(problem), "run " + std::string(remedy), true);
    };
    if (head.starts_with("{\"layers\":[")) is("lists layers of an engine (--exportLayerInfo), without times", kProfile);
    if (head.starts_with("&&&&runningtensorrt.trtexec")) is("is what trtexec printed, not what it exported", kTimes);
    if (head == "[{\"count\":0}]") is("is a profile of trtexec without a layer", kProfile);
    if ((head.empty() || head == "[" || head == "[]") && file.path.view().ends_with("times.json"))
      is("has no inference", kTimes);
  }

  static void load(const FormatRequest& file, Tables& out) {
    std::vector<Str> paths{file.path};
    paths.insert(paths.end(), file.also.begin(), file.also.end());
    Content all;
    for (const Str path : paths) try {
        const std::string text = text_of(path);
        Content one = Parser(text).read();
        for (const auto part : {&Content::inferences, &Content::layers}) {
          if (!(one.*part).empty() && !(all.*part).empty())
            throw std::runtime_error("another file of this name has the same; keep one");
          if (!(one.*part).empty()) all.*part = std::move(one.*part);
        }
        all.count = std::fmax(all.count, one.count), all.bad += one.bad, all.others += one.others;
      } catch (const std::exception& problem) {
        if (paths.size() == 1) throw;
        const std::string name(path.view().substr(path.view().rfind('/') + 1));
        throw std::runtime_error("of '" + name + "', " + problem.what());
      }
    if (!all.inferences.empty()) fill_times(all.inferences, out);
    if (!all.layers.empty()) fill_layers(all, out);
    if (all.bad > 0)
      out.sink().issue("bad_time", Severity::kWarning, all.bad, "Inferences without times that can be are left out.");
    out.sink().passed_over("kind", "unknown keys", all.others);
  }

 private:
  struct Event {
    std::int64_t start, end, correlation;
    std::int32_t stream = 0;
    CopyDirection direction = CopyDirection::kUnknown;
    CallKind kind = CallKind::kOther;
    StringId name = 0;
  };
  template <class Table>
  static RowsOf<Table> fill(Tables& out, ColumnId table, const std::vector<Event>& from) {
    auto rows = out.rows<Table>(table, from.size());
    std::ranges::transform(from, rows[&Table::start].begin(), &Event::start);
    std::ranges::transform(from, rows[&Table::end].begin(), &Event::end);
    std::ranges::transform(from, rows[&Table::correlation].begin(), &Event::correlation);
    if constexpr (requires { &Table::stream; })
      std::ranges::transform(from, rows[&Table::stream].begin(), &Event::stream);
    return rows;
  }

  static void fill_times(std::vector<Object>& all, Tables& out) {
    use_one_clock(all, out);
    std::ranges::stable_sort(all, {}, &Object::begin);
    std::vector<Event> kernels, copies;
    std::vector<std::int64_t> done;          // when each inference ended
    std::vector<double> ends, printed_ends;  // of the last inference on each of --streams, exact and as printed
    for (std::size_t n = 0; n < all.size(); ++n) {
      const Object& i = all[n];
      // The file does not say on which stream: on the first whose last inference has ended. Each has three of CUDA.
      std::size_t lane = 0;
      while (lane < ends.size() && printed_ends[lane] > i[kCompute]) ++lane;
      if (lane == ends.size()) ends.push_back(i[kCompute]), printed_ends.push_back(i[kCompute]);
      // A stream runs one after the other: what overlaps by rounding is moved behind the last.
      const double start = std::clamp(ends[lane], i[kCompute], i[kCompute] + 4 * rounding(i[kCompute]));
      ends[lane] = start + length(i[kCompute], i[kComputeEnd], i[kComputeTime]);
      printed_ends[lane] = i[kComputeEnd];
      const std::int64_t id = static_cast<std::int64_t>(n) + 1;
      const auto stream = static_cast<std::int32_t>(3 * lane);
      std::int64_t last = *nanoseconds(ends[lane]);
      kernels.push_back({*nanoseconds(start), last, id, stream + 1});
      const auto copy = [&](Cell from, Cell time, std::int32_t on, CopyDirection direction) {
        const double taken = length(i[from], i[from + 1], i[time]);
        if (!(taken > 0)) return;  // 0: --noDataTransfers
        copies.push_back({*nanoseconds(i[from]), *nanoseconds(i[from] + taken), id, stream + on, direction});
        last = std::max(last, copies.back().end);
      };
      copy(kIn, kInTime, 0, CopyDirection::kHostToDevice);
      copy(kOut, kOutTime, 2, CopyDirection::kDeviceToHost);
      done.push_back(last);
    }
    auto rows = fill<KernelTable>(out, col::kernels, kernels);
    std::ranges::fill(rows[&KernelTable::name], out.intern("TensorRT"));
    auto copied = fill<CopyTable>(out, col::copies, copies);
    std::ranges::transform(copies, copied[&CopyTable::direction].begin(), &Event::direction);
    fill_host(all, std::move(done), out);
    out.sink().add_device({});
    const auto latency = out.declared("trt_inferences", all.size()).integers("latency");
    std::ranges::transform(all, latency.begin(), time_of(kLatency));
    if (const double step = 2 * rounding(all.back()[kCompute]); step > 0.001)
      out.sink().issue(
          "coarse_times", Severity::kInfo, 0,
          "Times at the end are printed to " + whole(step * 1000) + " us; only durations on the device are exact.");
  }

  /// A range for each turn of trtexec's loop, to the begin of the next, and in it the two calls that a turn consists
  /// of: it enqueues, and waits for an inference to end. The file has the first; the wait ends with the last inference
  /// that ended before the next turn.
  static void fill_host(const std::vector<Object>& all, std::vector<std::int64_t> done, Tables& out) {
    std::vector<Event> calls;
    std::ranges::sort(done);
    auto ranges = out.rows<RangeTable>(col::ranges, all.size());
    const auto start = ranges[&RangeTable::start], end = ranges[&RangeTable::end];
    const auto name = ranges[&RangeTable::name];
    const StringId enqueue = out.intern("enqueueV3"), wait = out.intern("cudaEventSynchronize");
    for (std::size_t n = 0; n < all.size(); ++n) {
      start[n] = *nanoseconds(all[n].begin());
      end[n] = n + 1 < all.size() ? *nanoseconds(all[n + 1].begin()) : std::max(start[n], done.back());
      name[n] = out.intern("inference " + std::to_string(n));
      if (std::isnan(all[n][kEnqueue])) continue;
      const std::int64_t enqueued = *nanoseconds(all[n][kEnqueueEnd]);
      calls.push_back({start[n], enqueued, static_cast<std::int64_t>(n) + 1, 0, {}, CallKind::kKernelLaunch, enqueue});
      const auto later = std::ranges::upper_bound(done, end[n]);
      if (const std::int64_t waited = later == done.begin() ? 0 : *(later - 1); waited > enqueued)
        calls.push_back({enqueued, waited, 0, 0, {}, CallKind::kEventSync, wait});
    }
    if (calls.empty()) return;
    auto rows = fill<CallTable>(out, col::calls, calls);
    std::ranges::transform(calls, rows[&CallTable::name].begin(), &Event::name);
    std::ranges::transform(calls, rows[&CallTable::kind].begin(), &Event::kind);
  }

  static void fill_layers(const Content& content, Tables& out) {
    auto rows = out.declared("trt_layers", content.layers.size());
    const auto name = rows.texts("name").begin();
    std::ranges::transform(content.layers, name, [&](const Object& l) { return out.intern(*l.name); });
    std::ranges::transform(content.layers, rows.reals("share").begin(), [](const Object& l) { return l[kShare]; });
    for (const auto& [column, cell] : {std::pair("time", kTime), {"mean", kMean}, {"median", kMedian}})
      std::ranges::transform(content.layers, rows.integers(column).begin(), time_of(cell));
    if (nanoseconds(content.count)) out.sink().add_property("trtexec.profiled_inferences", whole(content.count));
  }

  /// In small letters and without space, for comparing.
  static std::string packed(std::string_view text) {
    std::string kept = small_letters(text);
    std::erase_if(kept, [](char c) { return kSpace.find(c) != std::string_view::npos; });
    return kept;
  }
};
}  // namespace

ASSAY_FORMAT("trtexec", "0.1.0", Trtexec);
