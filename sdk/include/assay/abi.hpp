// The binary boundary between the assay host and an analyzer plugin.
//
// A plugin is a shared library that exports exactly one symbol, `assay_plugin`: a constant-initialised `Descriptor`. No
// code of the plugin runs when it is loaded. The host reads the descriptor, performs the handshake below, and only then
// calls into the plugin, through the two small interfaces `Factory` and `Analyzer`.
//
// Handshake, in this order; each failure is one sentence naming the file, both versions and the fix:
// 1. the library opens and exports `assay_plugin`;
// 2. `magic` is kMagic;
// 3. `abi_major` equals the host's kAbiMajor;
// 4. `abi_minor` is not above the host's kAbiMinor (an older plugin runs on a newer host, not the reverse);
// 5. `sizes`: no structure is larger than the host's, and none that the plugin lays out is smaller than in the first
//    version of this major;
// 6. id, version and stages are present, names are unique, and no other loaded plugin has the id.
// `magic`, `abi_major` and `abi_minor` have the same offsets in every major version, so that step 3 can always be read.
//
// Growth within a major version:
// - What the HOST LAYS OUT and the plugin reads (Report, Study and their tables, OptionValue, Window) may append
//   members at the end. Tables are reached by pointer and contain columns, never arrays of structs, so a new member
//   shifts nothing that a plugin knows.
// - What the HOST IMPLEMENTS (ReportSink, StudySink, Options, ErrorSink) may append virtual functions at the end.
// - What the PLUGIN LAYS OUT as constants (Descriptor, MetricSpec, OptionSpec, AttributeSpec) may append members at the
//   end, with a default that means what their absence meant. `sizes` has the size of each when the plugin was built:
//   the host walks the arrays by it and reads its own copies, with defaults for members that the plugin lacks. A
//   structure has no padding at its end (`reserved` fills it), so that a new member never overlaps unnamed bytes of an
//   older plugin.
// - What the PLUGIN IMPLEMENTS (Analyzer) may append virtual functions at the end; each belongs to a bit of `stages`,
//   and the host calls it only if that bit is set.
// - What the plugin passes in a call by address (FindingView, TableView, VerdictView, PlotView) begins with
//   `struct_size`; the host reads no further than that, so these may append members too. Arrays in them (columns,
//   strata, layers, references) come with the size of their elements and are walked by it. Members by value (Effect,
//   PlotAxisView) have `reserved` members, which are 0 until they get a meaning.
// - Frozen: Str, Span, Column, Dim, LabelValue, AbiSizes and DeclaredColumn, except their reserved members.
// - A member is never removed, reordered or given another meaning within a major. Numbers of enumerators are fixed.
//
// Rules for both sides:
// - Signatures use scalars, the PODs here and in report/study/output/options.hpp, and `Str` and `Span`, never a
//   standard library type: those differ between standard libraries and build modes.
// - No exception crosses: every virtual and function pointer is `noexcept`. The adapter in plugin.hpp catches what an
//   author throws and passes on its text.
// - Inputs are borrowed for the duration of the call. The host copies outputs before the call returns.
// - An Analyzer is destroyed by the plugin that constructed it, before its library is unloaded.
// - `analyze` and `gather` may be called on one Analyzer from many threads at once, each with its own Report or Job and
//   sink; `conclude` is called from one thread, after every `analyze` and `gather` has returned.
#pragma once

#if __cplusplus < 202002L
#error \
    "assay's SDK needs C++20: compile with -std=c++20 (in CMake assay_add_plugin() or linking assay::sdk asks for it)"
#endif

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace assay {

/// Version of this boundary. The major changes if something above is broken, the minor if something is appended.
inline constexpr std::uint32_t kAbiMajor = 1;
inline constexpr std::uint32_t kAbiMinor = 0;

/// First eight bytes of every descriptor: "ASSAYPLG", read as a little-endian number.
inline constexpr std::uint64_t kMagic = 0x474C505941535341ULL;

/// Name of the one exported symbol.
inline constexpr const char* kPluginSymbol = "assay_plugin";

/// Marks a parameter that the result borrows from; clang then warns about temporaries.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define ASSAY_LIFETIMEBOUND [[clang::lifetimebound]]
#endif
#endif
#ifndef ASSAY_LIFETIMEBOUND
#define ASSAY_LIFETIMEBOUND
#endif

/// A borrowed UTF-8 string, not zero-terminated, with a layout that is independent of the standard library.
struct Str {
  const char* data = "";
  std::uint64_t size = 0;

  constexpr Str() = default;
  constexpr Str(const char* text, std::uint64_t length) : data(text), size(length) {}
  constexpr Str(std::string_view text ASSAY_LIFETIMEBOUND)  // NOLINT: implicit by design
      : data(text.data()), size(text.size()) {}
  constexpr Str(const char* text) : Str(std::string_view(text)) {}  // NOLINT: implicit by design
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  constexpr Str(const Text& text ASSAY_LIFETIMEBOUND)  // NOLINT: implicit by design
      : Str(std::string_view(text)) {}

  /// Borrows the text; valid as long as its owner.
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {data, static_cast<std::size_t>(size)}; }
  constexpr operator std::string_view() const noexcept { return view(); }  // NOLINT: implicit by design
  [[nodiscard]] constexpr bool empty() const noexcept { return size == 0; }
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  friend constexpr bool operator==(Str a, const Text& b) noexcept {
    return a.view() == std::string_view(b);
  }
};

/// A borrowed contiguous sequence of `size` elements; `data` may be null if it is empty. Indices are unchecked.
template <class T>
struct Span {
  const T* data = nullptr;
  std::uint64_t size = 0;

  constexpr Span() = default;
  constexpr Span(const T* first, std::uint64_t count) : data(first), size(count) {}
  template <class Range>
    requires std::convertible_to<const Range&, std::span<const T>>
  constexpr Span(const Range& range) {  // NOLINT: implicit by design
    const std::span<const T> view(range);
    data = view.data();
    size = view.size();
  }

  [[nodiscard]] constexpr std::span<const T> view() const noexcept { return {data, static_cast<std::size_t>(size)}; }
  constexpr operator std::span<const T>() const noexcept { return view(); }  // NOLINT: implicit by design
  [[nodiscard]] constexpr const T* begin() const noexcept { return data; }
  [[nodiscard]] constexpr const T* end() const noexcept { return data + size; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size == 0; }
  constexpr const T& operator[](std::uint64_t i) const noexcept { return data[i]; }
};

/// Which of two values of a metric is better.
enum class Polarity : std::uint32_t { kNeutral = 0, kHigherIsBetter = 1, kLowerIsBetter = 2 };

/// Declares a metric. A fact of an undeclared metric is refused (Emit::kUndeclared).
struct MetricSpec {
  Str id;    ///< dotted lower-case name, e.g. "gpu.kernel_busy_ratio"; unique over all loaded plugins
  Str unit;  ///< "ns", "ratio" (0..1), "bytes", "bytes/s", "1" (a count), "1/s", "us", "MiB/s", ...
  Polarity polarity = Polarity::kNeutral;
  Str definition;  ///< one sentence: what is measured, over what
  Str title = {};  ///< short title for people, without the id: "GPU busy time of an iteration"
  /// Whether the value grows with the length of the run: twice the iterations, about twice the value (a sum, a count, a
  /// length). Runs are compared per iteration, or if both have equally many; never as they are.
  bool extensive = false;
  std::uint8_t reserved[7] = {};
};

/// For MetricSpec::extensive, to make lists of metrics readable.
inline constexpr bool kExtensive = true;

/// Declares a text attribute of a report (a fingerprint, for instance).
struct AttributeSpec {
  Str name;        ///< as emitted
  Str definition;  ///< one sentence
};

/// Type of an option in TOML. Metrics, labels and their lists are checked against the existing ones when the run is
/// planned.
enum class OptionType : std::uint32_t {
  kBool = 0,
  kInteger = 1,
  kNumber = 2,
  kText = 3,
  kTextList = 4,
  kNumberList = 5,
  kMetric = 6,  ///< id of a metric that an enabled analyzer produces; counts as consumed
  kMetricList = 7,
  kLabel = 8,  ///< name of a declared label
  kLabelList = 9,
  kConditionList = 10,  ///< texts "label=value" or "label=a|b" whose labels are declared
};

/// Declares an option of an analyzer (or a key of a [[claim]] that it judges).
struct OptionSpec {
  Str name;
  OptionType type = OptionType::kText;
  Str default_value;  ///< as text: "dim", "0.8", "true"; lists comma-separated: "dim, px"; empty: not set
  Str doc;            ///< one sentence
  Str choices = {};   ///< permitted texts separated by '|'; empty: any
  double minimum = -std::numeric_limits<double>::infinity();  ///< for numbers; inclusive
  double maximum = std::numeric_limits<double>::infinity();   ///< inclusive

  /// A copy restricted to least..most, inclusive: option::number("share", "0.5", "...").within(0, 1).
  [[nodiscard]] constexpr OptionSpec within(double least, double most) const {
    OptionSpec bounded = *this;
    bounded.minimum = least;
    bounded.maximum = most;
    return bounded;
  }
};

/// Numeric options, to be followed by `within`; the default is a text: option::number("share", "0.5", "...").
namespace option {
constexpr OptionSpec number(Str name, Str default_value, Str doc) {
  return {name, OptionType::kNumber, default_value, doc};
}
constexpr OptionSpec integer(Str name, Str default_value, Str doc) {
  return {name, OptionType::kInteger, default_value, doc};
}
}  // namespace option

/// Id of a table or column of the report model: table in the high byte, column in the low one (report.hpp, `col`).
enum class ColumnId : std::uint16_t {};

/// Bits of Descriptor::stages.
enum Stage : std::uint32_t {
  kStageAnalyze = 1,   ///< per report
  kStageConclude = 2,  ///< once per question
  kStageJudge = 4,     ///< conclude also returns verdicts on the [[claim]]s
  kStageGather = 8,    ///< once per job of several ranks, between the other two
};

struct Report;
struct Study;
class ReportSink;
class StudySink;
class Options;
struct Job;     ///< the ranks of one job; laid out by the host (job.hpp)
class JobSink;  ///< receives the output of `gather`; implemented by the host (job.hpp)

/// Receives the sentence that explains a failure.
class ErrorSink {
 public:
  /// Only the first sentence of a call counts.
  virtual void fail(Str sentence) noexcept = 0;

 protected:
  ~ErrorSink() = default;
};

/// Interface of a plugin, implemented for it by ASSAY_PLUGIN. False means failed, after a call of `errors.fail`. The
/// host calls a stage only if its bit is in Descriptor::stages.
class Analyzer {
 public:
  /// Called on many threads at once, with one report each.
  virtual bool analyze(const Report& report, ReportSink& sink, ErrorSink& errors) const noexcept = 0;
  /// Called on many threads at once, with one job of several ranks each, after every `analyze`.
  virtual bool gather(const Job& job, JobSink& sink, ErrorSink& errors) const noexcept = 0;
  /// Called by one thread, at most once per question (its output may be cached), after every `gather`.
  virtual bool conclude(const Study& study, StudySink& sink, ErrorSink& errors) const noexcept = 0;
  /// Deletes the analyzer, with the allocator of the plugin. Called once, last.
  virtual void destroy() noexcept = 0;

 protected:
  ~Analyzer() = default;
};

/// Constructs an analyzer from checked options, which live as long as it does; null after `errors.fail`.
using Factory = Analyzer* (*)(const Options& options, ErrorSink& errors) noexcept;

/// Checks what the specs of claim keys cannot express (valid combinations) when the run is planned: false after
/// `errors.fail`.
using ClaimCheck = bool (*)(const Options& keys, ErrorSink& errors) noexcept;

/// Descriptor::build: whether the file with ASSAY_PLUGIN was compiled with optimization; kNotSaid for plugins from
/// before 2.3.
enum class Build : std::uint64_t { kNotSaid = 0, kOptimised = 1, kNotOptimised = 2 };
#if defined(__OPTIMIZE__)
inline constexpr Build kBuild = Build::kOptimised;
#else
inline constexpr Build kBuild = Build::kNotOptimised;
#endif

/// Sizes in bytes of the structures that cross the boundary, as compiled into the plugin.
struct AbiSizes {
  // laid out by the plugin: the host reads no further
  std::uint32_t descriptor = 0;
  std::uint32_t metric_spec = 0;     ///< stride of `produces`
  std::uint32_t option_spec = 0;     ///< stride of `options` and of `claim_keys`
  std::uint32_t attribute_spec = 0;  ///< stride of `attributes`
  // laid out by the host: must not be larger than the host's
  std::uint32_t report = 0;
  std::uint32_t study = 0;
  std::uint32_t option_value = 0;
  std::uint32_t window = 0;
  std::uint32_t reserved[8] = {};  ///< for future structures; 0: unknown to the plugin
};

/// The exported constant; lives as long as the library is loaded.
struct Descriptor {
  std::uint64_t magic = kMagic;
  std::uint32_t abi_major = kAbiMajor;
  std::uint32_t abi_minor = kAbiMinor;
  AbiSizes sizes;
  Str cxx_abi;               ///< compiler and standard library of the plugin, for messages and `assay plugins`
  Str id;                    ///< also the name of its TOML table
  Str version;               ///< of the analyzer, "1.2.3"
  Str summary;               ///< one sentence
  std::uint32_t stages = 0;  ///< Stage bits
  std::uint32_t reserved = 0;
  Span<ColumnId> needs;  ///< a report without one of these is skipped, and the skip is recorded
  Span<ColumnId> wants;  ///< read if present
  Span<OptionSpec> options;
  Span<MetricSpec> produces;
  Span<AttributeSpec> attributes;
  /// Names of metrics and attributes that `conclude` reads: each needs an enabled producer, which concludes first.
  /// "?name": may lack a producer. "^name": as emitted by `analyze`, so that its producer need not conclude first.
  Span<Str> consumes;
  Span<OptionSpec> claim_keys;       ///< for a judge: keys of [[claim]]
  Factory create = nullptr;          ///< never null in a valid plugin
  ClaimCheck check_claim = nullptr;  ///< for a judge; null: the specs suffice
  Build build = Build::kNotSaid;
};

/// kCxxAbi: compiler and standard library of the translation unit that includes this, "gcc 12.2.0, libstdc++".
#if defined(__clang__)
#define ASSAY_COMPILER_ "clang " __clang_version__
#elif defined(__GNUC__)
#define ASSAY_COMPILER_ "gcc " __VERSION__
#else
#define ASSAY_COMPILER_ "unknown compiler"
#endif
#if defined(_LIBCPP_VERSION)
#define ASSAY_STDLIB_ "libc++"
#elif defined(_GLIBCXX_RELEASE)
#define ASSAY_STDLIB_ "libstdc++"
#else
#define ASSAY_STDLIB_ "unknown standard library"
#endif
inline constexpr std::string_view kCxxAbi = ASSAY_COMPILER_ ", " ASSAY_STDLIB_;

}  // namespace assay
