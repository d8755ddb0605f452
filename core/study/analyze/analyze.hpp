// Stage 6, analyze: every report through every enabled analyzer, in parallel, one report's memory a worker.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "analyze/facts.hpp"
#include "catalog/catalog.hpp"
#include "load/reader.hpp"
#include "plan/plan.hpp"
#include "process/contained.hpp"

namespace assay {

class ResultCache;
class TableStream;

/// Analyzers of one question, made once and shared by all workers; destroyed before their libraries.
class Analyzers {
 public:
  /// An analyzer whose constructor refused its options, and its own sentence. (One that died in a process of its own
  /// refused nothing.)
  struct Refusal {
    std::string analyzer, sentence;
    [[nodiscard]] std::string reason() const { return "its constructor failed: " + sentence; }
  };

  /// A constructor that throws fails its analyzer (a skip without report), not the run; with `isolated` also one that
  /// does not come through a rehearsal in a process of its own.
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
  std::size_t recalled = 0;  ///< files that were not read, because all of their results were remembered
};

/// Progress callback, called from any worker, from several at once, with (reports done, reports in all). Must not
/// throw.
using Progress = std::function<void(std::size_t, std::size_t)>;

/// How reports are analyzed. Results depend on none of it, unless an analyzer crashes or takes more than `isolated`
/// allows: that is a skip with `failed` of this analyzer on this report.
struct AnalysisSettings {
  unsigned jobs = 0;  ///< reports at a time; 0: one a core
  Progress progress = {};
  Reader reader = Reader::kDirect;
  const ResultCache* cache = nullptr;         ///< what is remembered; null: nothing
  const process::Limits* isolated = nullptr;  ///< null: in this process, without limits
  /// Takes the tables as they are emitted, from any worker; null: they are in the results. Not with `cache` or
  /// `isolated`.
  TableStream* tables = nullptr;
  /// Flags of Catalog::files: only reports whose flag is set are read; the others' results say that the run did not
  /// come to them. Null: all.
  const std::vector<char>* only = nullptr;
  /// Analyzers are not run: `skips` say whose needs a report does not meet. Not with `cache`.
  bool needs_only = false;
};

/// Each file is loaded once, whatever the number of questions. `stop` ends the run early (interrupt), between two
/// reports.
Analysis analyze(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers,
                 const std::atomic<bool>& stop, const AnalysisSettings& settings = {});

}  // namespace assay
