// The straight line that every command goes which asks reports a question: config -> plugins -> plan -> discover ->
// load
// -> analyze -> gather -> conclude. A command says what it asks, of which reports and how; what it does with the answer
// is its own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "analyze/analyze.hpp"
#include "analyze/result_cache.hpp"
#include "analyze/seen_files.hpp"
#include "cache/store.hpp"
#include "metrics/metrics.hpp"
#include "pipeline/run_result.hpp"

namespace assay {

/// Maximum size of the result cache by default: 1 GiB.
inline constexpr std::uint64_t kCacheBytes = std::uint64_t{1} << 30;

struct CacheSettings {
  std::filesystem::path folder;
  std::uint64_t most_bytes = kCacheBytes;
  bool trust_times = false;  ///< a report of the same size, times and inode as when it was last read is the same
};

/// How the line is gone. Results depend on none of it but as AnalysisSettings says.
struct PipelineSettings {
  std::vector<std::filesystem::path> plugin_paths = {};  ///< searched before all other folders
  bool trust_plugins = false;                            ///< libraries of [plugins] folders may run
  unsigned jobs = 0;                                     ///< reports at a time; 0: one a core
  Reader reader = Reader::kDirect;
  std::optional<process::Limits> isolated = {};  ///< none: analyzers run in this process, without limits
  std::optional<query::Limits> sql = {};         ///< of each [[metric]] on each report; none: the defaults of guard.hpp
  std::optional<CacheSettings> cache = {};       ///< none: nothing is remembered
  /// Called as a stage begins that takes long; what it gives hears how far the stage is, and goes when the stage ends.
  std::function<Progress()> progress = {};
  const std::atomic<bool>* stop = nullptr;  ///< raised: the line ends between two reports
};

/// What joins the reports when a question is concluded.
struct Beside {
  std::function<Sheets(std::size_t)> sheets = {};  ///< of a question, from several threads; null: as its config says
  std::vector<std::vector<OwnedMetric>> metrics = {};  ///< by question, see ConcludeSettings::given; empty: none
};

/// All folders whose analyzers questions may run, in the order of the search. Error (exit 2): a question brings
/// libraries of its own ([plugins] folders), and neither `trusted` nor a folder that the user names (`paths`,
/// ASSAY_PLUGIN_PATH) allows them: a question is often somebody else's file.
Result<std::vector<std::filesystem::path>> analyzer_folders(std::span<const Question> questions,
                                                            std::span<const std::filesystem::path> paths, bool trusted);

/// Questions on their way to answers. Its members are called in the order in which they stand here; what is asked
/// holds on to nothing outside but `PipelineSettings::stop`.
class Pipeline {
 public:
  /// Loads the plugins, with the SQL of every [[metric]] among them, and plans. Errors (exit 2) name their place in the
  /// configuration. After this nothing about configuration can fail but what analyzers refuse.
  static Result<std::unique_ptr<Pipeline>> plan(std::vector<Question> questions, PipelineSettings settings = {});
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  [[nodiscard]] const std::vector<Question>& questions() const { return questions_; }
  [[nodiscard]] const Plugins& plugins() const { return plugins_; }
  /// Raised when the run is to end.
  [[nodiscard]] const std::atomic<bool>& stop() const { return *settings_.stop; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  /// Of each question; made when first asked for.
  const std::vector<Analyzers>& analyzers();

  /// Reads these columns only, where the questions need fewer than their analyzers may ask for.
  void read_only(std::set<ColumnId> columns) { plan_.wanted = std::move(columns); }

  /// The reports in these folders; or those that were found otherwise, which may be others each time.
  Status discover(std::span<const std::filesystem::path> folders);
  void set_inputs(Catalog catalog);
  [[nodiscard]] const Catalog& catalog() const { return catalog_; }

  /// Digest of all that the reports of the questions hold, and what is joined to them or named as a sheet. Empty where
  /// that is not known: without a cache, or when one of them is not at rest or changed since it was first asked for.
  [[nodiscard]] std::string contents() const;

  /// What shows only once the analyzers are made and, after `discover`, the names of reports are read: all of it as one
  /// error (setup.hpp).
  Status check_setup();
  /// After `analyze`, of all profiles: a window, or iterations, that no profile has.
  [[nodiscard]] Status check_windows() const;

  struct AnalyzeScope {
    const std::vector<char>* only = nullptr;  ///< flags of Catalog::files, of a shard; null: all
    TableStream* tables = nullptr;            ///< see AnalysisSettings; then nothing is remembered
    bool needs_only = false;                  ///< likewise
  };
  /// Every report through every analyzer; or what was analyzed elsewhere. Error: interrupted.
  Status analyze(AnalyzeScope part);
  Status analyze() { return analyze(AnalyzeScope{}); }
  void set_inputs(Analysis analysis) { analysis_ = std::move(analysis); }
  [[nodiscard]] Analysis& analysis() { return analysis_; }

  /// What analyzers gather of each job. Error: interrupted.
  Status gather();

  /// The answers, which borrow from this. Error: interrupted.
  Result<RunResult> conclude(const Beside& beside = {});

  /// When nothing more is remembered: says what could not be, and makes room. `conclude` has done it.
  void close_cache();

 private:
  Pipeline(std::vector<Question> questions, PipelineSettings settings);
  Status load_and_plan();
  [[nodiscard]] Progress begin_stage() const { return settings_.progress ? settings_.progress() : Progress(); }
  [[nodiscard]] bool stopped() const { return settings_.stop != nullptr && *settings_.stop; }
  [[nodiscard]] const process::Limits* isolated() const { return settings_.isolated ? &*settings_.isolated : nullptr; }
  const ResultCache* cache();
  void learn_sheets() const;

  // What stands later borrows from what stands before it.
  PipelineSettings settings_;
  std::vector<Question> questions_;
  query::SqlMetrics metrics_;
  Plugins plugins_;
  Plan plan_;
  std::optional<cache::Store> store_;  ///< one for all stages
  std::unique_ptr<SeenFiles> seen_;    ///< null: nothing was discovered, or nothing is remembered
  std::optional<ResultCache> cache_;
  bool cache_made_ = false;
  std::optional<std::vector<Analyzers>> analyzers_;
  Catalog catalog_;
  Analysis analysis_;
};

/// A question from end to end.
struct Request {
  std::vector<Question> questions;
  std::vector<std::filesystem::path> places = {};  ///< folders of reports
  std::optional<Catalog> catalog = {};             ///< instead of them: reports that were found otherwise
  /// See Pipeline::read_only; null: what the analyzers ask for.
  std::function<std::set<ColumnId>(const Plan&)> columns = {};
  PipelineSettings settings = {};
};

struct RequestResult {
  std::unique_ptr<Pipeline> line;
  RunResult result;  ///< borrows from `line`
};

/// All stages, one after the other. Errors: as theirs, and an analyzer that refuses its options.
Result<RequestResult> answer(Request request);

}  // namespace assay
