// --gate and --annotations: what `run`, `merge`, `compare` and `history` report to continuous integration.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "ci/annotations.hpp"
#include "cli/command_line.hpp"

namespace assay {

struct CiOptions {
  bool gate = false;                     ///< --gate
  std::vector<std::string> annotations;  ///< --annotations as given; none: by the environment
};

/// --gate and --annotations; `gate_help` says what --gate does here.
std::vector<CLI::Option*> add_ci(CLI::App& command, CiOptions& to, const char* gate_help);

/// The options, read.
struct Ci {
  std::vector<ci::Target> targets;
  bool gated = false;
  bool asked = false;  ///< --annotations was given: a report that cannot be written is an error
  [[nodiscard]] bool to_github() const;
};

/// Error (exit 2): a word of --annotations is wrong.
Result<Ci> read_ci(const CiOptions& options);

/// While it lives, GitHub takes nothing that is printed for a command to itself: names of kernels and files are other
/// people's words.
class InertOutput {
 public:
  InertOutput(const Ci& ci, std::ostream& to);
  ~InertOutput();
  InertOutput(const InertOutput&) = delete;
  InertOutput& operator=(const InertOutput&) = delete;

 private:
  std::ostream* to_;  ///< null: it is nobody's
  std::string token_;
};

/// What a command reports to CI.
struct CiReportInput {
  std::string command = {};  ///< "assay run"
  std::string summary = {};  ///< Markdown for a page of the service
  std::string instead = {};  ///< where the rest is if the summary is too long: "see out/summary.md"
  bool rows_only = false;    ///< standard output holds CSV or JSON and nothing else
};

/// Writes to every target. Error: a report that was asked for is not written.
Status write_ci_reports(const Ci& ci, const ci::GateInput& gate, const CiReportInput& report);

/// Exit code and sentence of a gate; nothing if there is none or it passes. `failure`: the sentence if cases fail.
Status gate_status(const Ci& ci, const ci::GateInput& gate, const std::string& failure);

}  // namespace assay
