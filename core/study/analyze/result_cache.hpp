// What is remembered of reports between runs. An entry is found again only when nothing that it rests on differs: the
// bytes and the name of the report, the same of the files joined to it, the columns read, window and iterations, the
// analyzer with its options and its library, and the program with the libraries it runs on. So an entry is never out of
// date; it is no longer asked for, and goes when the folder is trimmed.
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

/// Checked options as bytes: equal options give equal bytes.
std::string to_bytes(const OptionSet& options);

/// The code of an analyzer, and of the program with its libraries where `loaded` are all plugins in memory; nothing
/// when the system does not tell which code runs. An analyzer that is part of the program has the code of no other.
std::optional<files::Digest> code_of(const Plugin& plugin);
std::optional<files::Digest> code_of_host(const Plugins& loaded);

/// One run's side of the cache, shared by all workers.
class ResultCache {
 public:
  /// Nothing when the system does not tell which code runs. `loaded` are all plugins in memory. All must outlive it.
  /// `seen` knows what files of the run hold; null: each is read to know that.
  static std::optional<ResultCache> make(cache::Store& store, const Plan& plan, const Plugins& loaded,
                                         const SeenFiles* seen = nullptr);

  /// What `gather` of an analyzer gave for a job, or `conclude` for a study, of which `seen` are the bytes of all that
  /// it sees; and the same for keeping it. Nothing is found, and nothing kept, when the code of the analyzer is not
  /// known.
  [[nodiscard]] std::optional<std::string> given(Stage stage, const PlannedAnalyzer& analyzer,
                                                 std::string_view seen) const;
  void store_given(Stage stage, const PlannedAnalyzer& analyzer, std::string_view seen, std::string_view given) const;

  [[nodiscard]] const std::filesystem::path& folder() const { return store_->folder(); }

 private:
  friend class RememberedReport;
  [[nodiscard]] std::string given_key(Stage stage, const PlannedAnalyzer& analyzer, std::string_view seen) const;
  ResultCache(cache::Store& store, std::string run, const SeenFiles* seen)
      : store_(&store), run_(std::move(run)), seen_(seen) {}

  /// What a file holds and the state that it is in; `report`: one of which SQLite may keep a log. Nothing when it is
  /// not at rest.
  [[nodiscard]] std::optional<cache::FileContent> content_of(const std::filesystem::path& file, bool report) const;
  [[nodiscard]] std::vector<cache::FileContent> contents_of(const std::filesystem::path& report,
                                                            std::span<const std::filesystem::path> joined) const;

  cache::Store* store_;
  std::string run_;  ///< of keys: what all of this run have in common
  const SeenFiles* seen_;
  std::map<const Plugin*, files::Digest> code_;  ///< planned plugins whose code is known
};

/// What is remembered of one report, for one worker. Memory that runs out here is no failure: nothing is remembered.
class RememberedReport {
 public:
  /// Reads the whole file and those that are joined to it, unless `cache` is null. Nothing is found or kept of files
  /// that are not at rest.
  RememberedReport(const ResultCache* cache, const FoundFile& file, std::span<const std::filesystem::path> joined);

  [[nodiscard]] std::optional<ViewIssues> view(const Question& question) const;
  [[nodiscard]] std::optional<AnalyzerOutput> output(const Question& question, const PlannedAnalyzer& analyzer) const;

  /// Failures are not remembered.
  void remember(const Question& question, const ViewIssues& view);
  void remember(const Question& question, const PlannedAnalyzer& analyzer, const AnalyzerOutput& output);

  /// Keeps what was to be remembered, if the files are still what they were when this was made.
  void keep() const;

 private:
  [[nodiscard]] std::string view_key(const Question& question) const;
  /// Empty when the code of the analyzer is not known.
  [[nodiscard]] std::string output_key(const Question& question, const PlannedAnalyzer& analyzer) const;

  const ResultCache* cache_;
  const FoundFile* file_;
  std::span<const std::filesystem::path> joined_;
  std::vector<cache::FileContent> contents_;  ///< the file, then those joined; empty: this report is not cached
  std::vector<std::pair<std::string, std::string>> new_;
};

}  // namespace assay
