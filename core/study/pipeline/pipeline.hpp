// The sequence of stages of every command that answers questions from reports: config -> plugins -> plan -> discover ->
// load -> analyze -> gather -> conclude. The command chooses questions, reports and settings, and uses the answer.
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
#include "pipeline/declared_metrics.hpp"
#include "pipeline/run_result.hpp"

namespace assay {

/// Maximum size of the result cache by default: 1 GiB.
inline constexpr std::uint64_t kCacheBytes = std::uint64_t{1} << 30;

struct CacheSettings {
  std::filesystem::path folder;
  std::uint64_t most_bytes = kCacheBytes;
  bool trust_times = false;  ///< a report with unchanged size, times and inode counts as unchanged
  /// If not 0: only what analyzers measure in reports of at least so many bytes, each known by its state and a sample.
  std::uint64_t least_file = 0;
};

/// For commands that are asked again of the same profile: nothing of those that are read in less than a second. Empty:
/// there is no folder for it.
std::optional<CacheSettings> cache_of_large_files();

/// How the stages run. Does not affect results, except as stated in AnalysisSettings.
struct PipelineSettings {
  std::vector<std::filesystem::path> plugin_paths = {};  ///< searched before all other folders
  bool trust_plugins = false;                            ///< libraries of [plugins] folders may be loaded
  unsigned jobs = 0;                                     ///< reports in parallel; 0: one per core
  std::optional<process::Limits> isolated = {};          ///< empty: analyzers run in this process, without limits
  std::optional<sqlite::Limits> sql = {};   ///< of each [[metric]] on each report; none: see declared_metrics.hpp
  std::optional<CacheSettings> cache = {};  ///< empty: no cache
  /// Called at the start of a long stage. The returned Progress receives updates and is destroyed when the stage ends.
  std::function<Progress()> progress = {};
  const std::atomic<bool>* stop = nullptr;  ///< when set, stops between two reports
};

/// Inputs of conclusions besides the reports.
struct Beside {
  std::function<Sheets(std::size_t)> sheets = {};  ///< of a question, called from several threads; null: by its config
  std::vector<std::vector<OwnedMetric>> metrics = {};  ///< per question, see ConcludeSettings::given; empty: none
};

/// All folders with analyzers that questions may run, in search order. Error (exit 2): a question brings libraries
/// ([plugins] folders), and neither `trusted` nor a folder named by the user (`paths`, ASSAY_PLUGIN_PATH) permits them:
/// the question may come from someone else.
Result<std::vector<std::filesystem::path>> analyzer_folders(std::span<const Question> questions,
                                                            std::span<const std::filesystem::path> paths, bool trusted);

/// Runs the stages for questions. Call the members in declaration order. Keeps no reference to anything outside
/// except `Settings::stop`.
class Pipeline {
 public:
  /// Loads the plugins, including the SQL of every [[metric]], and plans. Errors (exit 2) state their position in the
  /// configuration. After this, the only configuration errors are options that analyzers reject.
  static Result<std::unique_ptr<Pipeline>> plan(std::vector<Question> questions, PipelineSettings settings = {});
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  [[nodiscard]] const std::vector<Question>& questions() const { return questions_; }
  [[nodiscard]] const Plugins& plugins() const { return plugins_; }
  /// Set when the run is to end.
  [[nodiscard]] const std::atomic<bool>& stop() const { return *settings_.stop; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  /// Analyzers per question; constructed on first use.
  const std::vector<Analyzers>& analyzers();

  /// Restricts the columns to read, if the questions need fewer than their analyzers may want.
  void read_only(std::set<ColumnId> columns) { plan_.wanted = std::move(columns); }

  /// Finds the reports in these folders; or uses reports that were found otherwise, which may be different ones each
  /// time.
  Status discover(std::span<const std::filesystem::path> folders);
  void set_inputs(Catalog catalog);
  [[nodiscard]] const Catalog& catalog() const { return catalog_; }

  /// Digest of the content of all reports of the questions, of joined files and of sheets. Empty if unknown: without a
  /// cache, or if a file is not settled or changed during the run.
  [[nodiscard]] std::string contents() const;

  /// Checks what requires constructed analyzers and, after `discover`, the names of reports; reports all mistakes as
  /// one error (setup.hpp).
  Status check_setup();
  /// After `analyze` of all profiles: error for a window, or iterations, that no profile has.
  [[nodiscard]] Status check_windows() const;

  struct AnalyzeScope {
    const std::vector<char>* only = nullptr;  ///< flags per Catalog::files, for a shard; null: all
    TableStream* tables = nullptr;            ///< see AnalysisSettings; nothing is cached then
    bool needs_only = false;                  ///< see AnalysisSettings; nothing is cached then
  };
  /// Runs every analyzer on every report; or uses what was analyzed elsewhere. Error: interrupted.
  Status analyze(AnalyzeScope part);
  Status analyze() { return analyze(AnalyzeScope{}); }
  void set_inputs(Analysis analysis) { analysis_ = std::move(analysis); }
  [[nodiscard]] Analysis& analysis() { return analysis_; }

  /// Gathers per job. Error: interrupted.
  Status gather();

  /// The results, which borrow from this. Error: interrupted.
  Result<RunResult> conclude(const Beside& beside = {});

  /// Call after the last result was stored: warns about results that could not be stored and trims the cache.
  /// `conclude` calls it.
  void close_cache();

 private:
  Pipeline(std::vector<Question> questions, PipelineSettings settings);
  Status load_and_plan();
  [[nodiscard]] Progress begin_stage() const { return settings_.progress ? settings_.progress() : Progress(); }
  [[nodiscard]] bool stopped() const { return settings_.stop != nullptr && *settings_.stop; }
  [[nodiscard]] const process::Limits* isolated() const { return settings_.isolated ? &*settings_.isolated : nullptr; }
  const ResultCache* cache();
  const ResultCache* cache_of_conclusions();
  void learn_sheets() const;

  // Members borrow from the members declared before them.
  PipelineSettings settings_;
  std::vector<Question> questions_;
  std::unique_ptr<DeclaredMetrics> metrics_;
  Plugins plugins_;
  Plan plan_;
  std::optional<cache::Store> store_;  ///< shared by all stages
  std::unique_ptr<SeenFiles> seen_;    ///< null: nothing was discovered, or there is no cache
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
  std::optional<Catalog> catalog = {};             ///< instead of folders: reports that were found otherwise
  /// See Pipeline::read_only; null: what the analyzers want.
  std::function<std::set<ColumnId>(const Plan&)> columns = {};
  bool windows_must_exist = false;  ///< see Pipeline::check_windows
  TableStream* tables = nullptr;    ///< see AnalysisSettings
  PipelineSettings settings = {};
};

struct RequestResult {
  std::unique_ptr<Pipeline> line;
  RunResult result;  ///< borrows from `line`
};

/// Runs all stages in order. Errors as of the stages, and options that an analyzer rejects.
Result<RequestResult> answer(Request request);

}  // namespace assay
