// --gate, --policy and --annotations: what `run`, `merge`, `compare`, `history` and `gate` tell continuous
// integration.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "ci/annotations.hpp"
#include "cli/command_line.hpp"

namespace assay {

struct CiOptions {
  bool gate = false;                     ///< --gate
  std::filesystem::path policy;          ///< --policy; empty: that of the command
  std::vector<std::string> annotations;  ///< --annotations as given; none: by the environment
};

/// --gate, --policy, --annotations; `gate_help` says what --gate does here.
std::vector<CLI::Option*> add_ci(CLI::App& command, CiOptions& to, const char* gate_help);
/// --policy and --annotations alone.
CLI::Option* add_policy(CLI::App& command, CiOptions& to);
CLI::Option* add_annotations(CLI::App& command, CiOptions& to);

/// The options, read.
struct Ci {
  ci::Policy policy;
  std::vector<ci::Target> targets;
  bool gated = false;
  bool asked = false;  ///< --annotations was given: a report that cannot be written is an error
  [[nodiscard]] bool to_github() const;
};

/// `base` is what the command does without a policy. Error (exit 2): the policy or a word of --annotations is wrong.
Result<Ci> read_ci(const CiOptions& options, const ci::Policy& base = {});

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

/// What a command has to tell.
struct ToTell {
  std::string command = {};  ///< "assay run"
  std::string summary = {};  ///< Markdown for a page of the service
  std::string instead = {};  ///< where the rest is if the summary is too long: "see out/summary.md"
  std::string place = {};    ///< what stands for the file of a claim that has none
  bool quiet = false;        ///< no lines on standard output
  bool rows_only = false;    ///< standard output holds CSV or JSON and nothing else
};

/// Prints the lines of a policy, and writes to every target. Error: a report that was asked for is not written.
Status tell_ci(const Ci& ci, const ci::GateResult& gate, const ToTell& words);

/// Exit code and sentence of a gate; nothing where there is none or it passes. `failure`: the sentence where cases
/// fail.
Status gate_status(const Ci& ci, const ci::GateResult& gate, const ci::Judged& judged, const std::string& failure);

}  // namespace assay
