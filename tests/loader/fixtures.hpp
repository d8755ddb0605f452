// Small worlds for the tests of plugins, analyze and conclude.
#pragma once

#include "analyze/analyze.hpp"
#include "assay/plugin.hpp"
#include "conclude/conclude.hpp"
#include "support/test.hpp"

namespace assay {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace assay

namespace assay::fixture {

/// A test plugin's library.
std::filesystem::path test_plugin(const std::string& name);

/// Copies test plugins into a folder.
void add_plugins(const TempFolder& to, std::initializer_list<std::string> names);

/// Writes an nsys export that holds these kernels (start, end) and their launches.
void write_export(const std::filesystem::path& file, const std::vector<std::pair<std::int64_t, std::int64_t>>& kernels);

/// A Report of some kernels, without profile.
class TinyReport {
 public:
  explicit TinyReport(const std::vector<std::pair<std::int64_t, std::int64_t>>& kernels);
  TinyReport(const TinyReport&) = delete;
  TinyReport& operator=(const TinyReport&) = delete;
  KernelTable kernels;
  IssueTable issues;
  Window window;
  Report report;

 private:
  std::vector<std::int64_t> start_, end_;
  std::vector<std::int32_t> device_, stream_;
  std::vector<std::uint32_t> process_;
  std::vector<Row> call_;
  std::vector<Membership> membership_;
};

inline constexpr MetricSpec kScriptedMetrics[3][2] = {
    {{"a.time", "ns", Polarity::kLowerIsBetter, "Time."}, {"a.share", "ratio", Polarity::kNeutral, "Share."}},
    {{"b.time", "ns", Polarity::kLowerIsBetter, "Time."}, {"b.share", "ratio", Polarity::kNeutral, "Share."}},
    {{"c.time", "ns", Polarity::kLowerIsBetter, "Time."}, {"c.share", "ratio", Polarity::kNeutral, "Share."}},
};

/// An analyzer that does what the test says.
template <int N>
struct ScriptedAnalyzer {
  static constexpr std::string_view kSummary = "Does what the test says.";
  static constexpr ColumnId kWants[] = {col::kernels};
  static constexpr auto& kProduces = kScriptedMetrics[N];
  static constexpr AttributeSpec kAttributes[] = {{N == 0   ? "a.print"
                                                   : N == 1 ? "b.print"
                                                            : "c.print",
                                                   "A fingerprint."}};
  static inline std::function<void()> on_construct = [] {};
  static inline std::function<void(const Report&, ReportSink&)> on_analyze = [](const Report&, ReportSink&) {};
  static inline std::function<void(const Study&, StudySink&)> on_conclude = [](const Study&, StudySink&) {};

  explicit ScriptedAnalyzer(const Options&) { on_construct(); }
  void analyze(const Report& report, ReportSink& sink) const { on_analyze(report, sink); }
  void conclude(const Study& study, StudySink& sink) const { on_conclude(study, sink); }

  static void reset() {
    on_construct = [] {};
    on_analyze = [](const Report&, ReportSink&) {};
    on_conclude = [](const Study&, StudySink&) {};
  }
};

using A = ScriptedAnalyzer<0>;
using B = ScriptedAnalyzer<1>;
struct Judge : ScriptedAnalyzer<2> {
  static constexpr OptionSpec kClaimKeys[] = {{"metric", OptionType::kText, "", "What is claimed of."}};
  using ScriptedAnalyzer<2>::ScriptedAnalyzer;
};

inline constexpr Descriptor kA = detail::describe<A>("a", "1.0.0");
inline constexpr Descriptor kB = detail::describe<B>("b", "1.0.0");
inline constexpr Descriptor kJudge = detail::describe<Judge>("judge", "1.0.0");

/// One question over some reports, with a label "size" that is the report's place.
class World {
 public:
  World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const Plugin& add_linked(const Descriptor& descriptor);  ///< enables it, last in order
  void enable(const Plugin& plugin);
  void add_report(std::string name, std::filesystem::path file = {});
  void add_claim(std::string id);  ///< judged by the analyzer enabled last
  /// Runs analyze over the reports' files.
  Analysis analyze(unsigned jobs = 1);
  /// Runs conclude over `results`.
  QuestionResult conclude();

  Question question;
  Plan plan;
  Catalog catalog;
  std::vector<ReportResult> results;  ///< of the one question; loaded and empty until analyze

 private:
  [[nodiscard]] PlannedQuestion& planned() { return plan.questions.front(); }
  std::vector<std::unique_ptr<Plugin>> linked_;
  std::vector<std::unique_ptr<ClaimConfig>> claims_;
};

/// Everything of a result as text, for comparison.
std::string text_of_result(const ReportResult& result);

}  // namespace assay::fixture
