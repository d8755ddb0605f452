// Caches results of reports between runs. The key covers everything a result depends on: bytes and name of the report,
// those of files joined to it, columns read, window and iterations, the analyzer with its options and library, and the
// program with its libraries. So an entry is never stale: one that is no longer requested is removed when the folder is
// trimmed.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/stored_output.hpp"
#include "cache/still_file.hpp"
#include "cache/store.hpp"
#include "catalog/catalog.hpp"
#include "plan/plan.hpp"

namespace assay {

class SeenFiles;

/// Serializes checked options: equal options give equal bytes.
std::string to_bytes(const OptionSet& options);

/// Digest of an analyzer's code and of the program with its libraries, given that `loaded` are all plugins in memory;
/// empty if the system does not provide it. Independent of other analyzers for one that is linked in.
std::optional<files::Digest> code_of(const Plugin& plugin);
std::optional<files::Digest> code_of_host(const Plugins& loaded);

/// The cache as used by one run, shared by all workers.
class ResultCache {
 public:
  /// Empty if the system cannot identify the running code. `loaded` are all plugins in memory. All must outlive it.
  /// `seen` knows the content of the run's files; null: each file is read for it. `least_file`: see CacheSettings.
  static std::optional<ResultCache> make(cache::Store& store, const Plan& plan, const Plugins& loaded,
                                         const SeenFiles* seen = nullptr, std::uint64_t least_file = 0);

  /// Looks up the output of `gather` for a job or `conclude` for a study; `seen` are the bytes of everything the
  /// analyzer sees. store_given stores it. Neither has an effect if the analyzer's code is unknown.
  [[nodiscard]] std::optional<std::string> given(Stage stage, const PlannedAnalyzer& analyzer,
                                                 std::string_view seen) const;
  void store_given(Stage stage, const PlannedAnalyzer& analyzer, std::string_view seen, std::string_view given) const;

  [[nodiscard]] const std::filesystem::path& folder() const { return store_->folder(); }

 private:
  friend class RememberedReport;
  [[nodiscard]] std::string given_key(Stage stage, const PlannedAnalyzer& analyzer, std::string_view seen) const;
  ResultCache(cache::Store& store, std::string run, const SeenFiles* seen, std::uint64_t least_file)
      : store_(&store), run_(std::move(run)), seen_(seen), least_file_(least_file) {}

  /// Content of a file and its stat fields; `report`: SQLite may keep a log next to it. Empty if it is not settled.
  [[nodiscard]] std::optional<cache::FileContent> content_of(const std::filesystem::path& file, bool report) const;
  [[nodiscard]] std::vector<cache::FileContent> contents_of(const std::filesystem::path& report,
                                                            std::span<const std::filesystem::path> joined) const;

  cache::Store* store_;
  std::string run_;  ///< part of keys common to this run
  const SeenFiles* seen_;
  std::uint64_t least_file_;
  std::map<const Plugin*, files::Digest> code_;  ///< planned plugins with known code
};

/// Cached results of one report, for one worker. Running out of memory here is not a failure: nothing is cached then.
class RememberedReport {
 public:
  /// Digests the file and those joined to it, unless `cache` is null or not for files this small. Finds and stores
  /// nothing for files that are not settled.
  RememberedReport(const ResultCache* cache, const FoundFile& file, std::span<const std::filesystem::path> joined);

  [[nodiscard]] std::optional<ViewIssues> view(const Question& question) const;
  [[nodiscard]] std::optional<AnalyzerOutput> output(const Question& question, const PlannedAnalyzer& analyzer) const;

  /// Failures are not cached.
  void remember(const Question& question, const ViewIssues& view);
  void remember(const Question& question, const PlannedAnalyzer& analyzer, const AnalyzerOutput& output);

  /// Stores the collected results if the files are unchanged since construction.
  void keep() const;

 private:
  [[nodiscard]] std::string view_key(const Question& question) const;
  /// Empty if the analyzer's code is unknown.
  [[nodiscard]] std::string output_key(const Question& question, const PlannedAnalyzer& analyzer) const;

  const ResultCache* cache_;
  const FoundFile* file_;
  std::span<const std::filesystem::path> joined_;
  std::vector<cache::FileContent> contents_;  ///< the file, then those joined to it; empty: this report is not cached
  std::vector<std::pair<std::string, std::string>> new_;
};

}  // namespace assay
