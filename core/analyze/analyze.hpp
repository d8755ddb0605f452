// Stage 6, analyze: every report through every enabled analyzer, in parallel, one report's memory a worker.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "analyze/facts.hpp"
#include "discover/catalog.hpp"
#include "load/reader.hpp"
#include "plan/plan.hpp"

namespace assay {

/// Analyzers of one question, made once and shared by all workers; destroyed before their libraries.
class Analyzers {
 public:
  /// A constructor that throws fails its analyzer (a skip without report), not the run.
  static Analyzers make(const PlannedQuestion& question);
  ~Analyzers();
  Analyzers(Analyzers&&) noexcept;
  [[nodiscard]] const Analyzer* at(std::size_t planned) const;  ///< null: its constructor failed
  [[nodiscard]] const std::vector<Skip>& failures() const;

 private:
  Analyzers() = default;
  struct Destroy {
    void operator()(Analyzer* analyzer) const noexcept { analyzer->destroy(); }
  };
  std::vector<std::unique_ptr<Analyzer, Destroy>> made_;
  std::vector<Skip> failures_;
};

/// Results of stage 6: [question][entry of QuestionCatalog::entries].
struct Analysis {
  std::vector<std::vector<ReportResult>> questions;
  bool interrupted = false;
};

/// Progress callback, called from any worker, from several at once, with (reports done, reports in all). Must not
/// throw.
using Progress = std::function<void(std::size_t, std::size_t)>;

/// Each file is loaded once, whatever the number of questions; results do not depend on `jobs` (0: one
/// a core) or on timing. `stop` ends the run early (interrupt), between two reports.
Analysis analyze(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers, unsigned jobs,
                 const Progress& progress, const std::atomic<bool>& stop, Reader reader = Reader::kDirect);

}  // namespace assay
