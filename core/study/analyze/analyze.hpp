// Stage 6, analyze: runs every enabled analyzer on every report, in parallel, with the memory of one report per worker.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "analyze/facts.hpp"
#include "catalog/catalog.hpp"
#include "plan/plan.hpp"
#include "process/contained.hpp"

namespace assay {

class ResultCache;
class TableStream;

/// Analyzers of one question, constructed once and shared by all workers; destroyed before their libraries.
class Analyzers {
 public:
  /// An analyzer whose constructor rejected its options, with its sentence. (One that died in its own process rejected
  /// nothing.)
  struct Refusal {
    std::string analyzer, sentence;
    [[nodiscard]] std::string reason() const { return "its constructor failed: " + sentence; }
  };

  /// A throwing constructor fails its analyzer (a skip without report), not the run; with `isolated`, so does one that
  /// fails a rehearsal in its own process.
  static Analyzers make(const PlannedQuestion& question, const process::Limits* isolated = nullptr);
  ~Analyzers();
  Analyzers(Analyzers&&) noexcept;
  [[nodiscard]] const Analyzer* at(std::size_t planned) const;  ///< null: its constructor failed
  [[nodiscard]] const std::vector<Skip>& failures() const;
  [[nodiscard]] const std::vector<Refusal>& refusals() const { return refusals_; }

 private:
  Analyzers() = default;
  struct Destroy {
    void operator()(Analyzer* analyzer) const noexcept { analyzer->destroy(); }
  };
  std::vector<std::unique_ptr<Analyzer, Destroy>> made_;
  std::vector<Skip> failures_;
  std::vector<Refusal> refusals_;
};

/// Results of stage 6: [question][entry of QuestionCatalog::entries].
struct Analysis {
  std::vector<std::vector<ReportResult>> questions;
  bool interrupted = false;
  std::size_t recalled = 0;  ///< files not read, because all of their results were cached
};

/// Progress callback with how many are done, of how many, of what: profiles, or analyzers of the only one. With none
/// done, `what` says what takes long before the first one is. Called from any worker, concurrently. Must not throw.
using Progress = std::function<void(std::size_t done, std::size_t all, const std::string& what)>;

/// How reports are analyzed. Does not affect results, unless an analyzer crashes or exceeds the limits of `isolated`:
/// that is a skip with `failed` for this analyzer and report.
struct AnalysisSettings {
  unsigned jobs = 0;  ///< reports in parallel; 0: one per core
  Progress progress = {};
  const ResultCache* cache = nullptr;         ///< null: no cache
  const process::Limits* isolated = nullptr;  ///< null: in this process, without limits
  /// Receives tables as they are emitted, from any worker; null: tables are in the results. Not with `cache` or
  /// `isolated`.
  TableStream* tables = nullptr;
  /// Flags per Catalog::files: reads only reports whose flag is set; the others have a skip: the run did not reach
  /// them. Null: all.
  const std::vector<char>* only = nullptr;
  /// Does not run analyzers: `skips` list the needs that a report does not meet. Not with `cache`.
  bool needs_only = false;
};

/// Loads each file once for all questions. `stop` ends the run early (interrupt), between two reports.
Analysis analyze(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers,
                 const std::atomic<bool>& stop, const AnalysisSettings& settings = {});

}  // namespace assay
