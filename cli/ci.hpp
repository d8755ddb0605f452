// --gate and --annotations: how `run`, `merge`, `compare` and `history` report to continuous integration.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "ci/annotations.hpp"
#include "cli/command_line.hpp"

namespace assay {

struct CiOptions {
  bool gate = false;                     ///< --gate
  std::vector<std::string> annotations;  ///< --annotations as given; empty: from the environment
};

/// Adds --gate and --annotations; `gate_help` describes --gate for this command.
std::vector<CLI::Option*> add_ci(CLI::App& command, CiOptions& to, const char* gate_help);

/// The options, read.
struct Ci {
  std::vector<ci::Target> targets;
  bool gated = false;
  bool asked = false;  ///< --annotations was given, so a report that cannot be written is an error
  [[nodiscard]] bool to_github() const;
};

/// Error (exit 2): a word of --annotations is invalid.
Result<Ci> read_ci(const CiOptions& options);

/// While alive, keeps GitHub from interpreting printed lines as workflow commands: kernel and file names are untrusted.
class InertOutput {
 public:
  InertOutput(const Ci& ci, std::ostream& to);
  ~InertOutput();
  InertOutput(const InertOutput&) = delete;
  InertOutput& operator=(const InertOutput&) = delete;

 private:
  std::ostream* to_;  ///< null: not on GitHub
  std::string token_;
};

/// What a command reports to CI.
struct CiReportInput {
  std::string command = {};  ///< "assay run"
  std::string summary = {};  ///< Markdown for a page of the service
  std::string instead = {};  ///< where to find the rest if the summary is too long: "see out/summary.md"
  bool rows_only = false;    ///< standard output contains only CSV or JSON
};

/// Writes to every target. Error: a requested report cannot be written.
Status write_ci_reports(const Ci& ci, const ci::GateInput& gate, const CiReportInput& report);

/// Exit code and sentence of a gate; ok if there is none or it passes. `failure`: the sentence if cases fail.
Status gate_status(const Ci& ci, const ci::GateInput& gate, const std::string& failure);

}  // namespace assay
