// Reports verdicts to CI services: which service, where to write, in which format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/staged_file.hpp"
#include "result.hpp"
#include "results/stored_results.hpp"

namespace assay::ci {

/// One judged item.
struct Case {
  std::string question = {};  ///< id of the question; "compare" of profiles
  std::string claim = {};     ///< id of the claim; the subject of a budget; the series
  std::string text = {};      ///< what is claimed
  Verdict verdict = Verdict::kUntestable;
  std::string reason = {};  ///< of the verdict
  SourcePos pos = {};       ///< of the claim in its TOML; without a line: only the file is known, or nothing
  std::string result = {};  ///< outcome, as the title of an annotation; empty: the verdict and the name

  [[nodiscard]] std::string name() const { return question + ": " + claim; }
};

/// Input of a gate.
struct GateInput {
  std::vector<Case> cases = {};
  bool decided = false;         ///< whether anything is
  std::string undecided = {};   ///< sentence to use if nothing is decided
  bool open_undecides = false;  ///< an inconclusive case leaves the gate undecided: for budgets of `compare`

  [[nodiscard]] std::vector<const Case*> with(Verdict verdict) const;
};

/// The claims of all questions, in TOML order.
GateInput gate_input(const RunResult& run);

enum class GateOutcome : std::uint8_t { kPassed, kUndecided, kFailed };

/// Failed if a case is refuted; else undecided if no case is decided, or if an open case leaves it undecided.
GateOutcome gate(const GateInput& input);

/// One sentence on the failures: "2 claims refuted (a: b, c: d)".
std::string failure_text(const GateInput& input);

enum class Service : std::uint8_t { kNone, kGithub, kJunit };

struct Target {
  Service service = Service::kNone;
  std::filesystem::path file = {};  ///< of a report; empty for GitHub, which reads standard output
};

/// "github", "junit", "junit=FILE" or "none"; empty for any other text.
std::optional<Target> read_target(std::string_view text);

/// Service that this process runs on, by GITHUB_ACTIONS; empty elsewhere.
std::vector<Target> detected_targets();

/// Input of all formats. Borrows.
struct AnnotationInput {
  const GateInput& gate;
  bool gated = false;               ///< --gate: refuted claims are errors
  std::string command = {};         ///< "assay run"
  std::filesystem::path root = {};  ///< of the repository; empty: paths stay unchanged
};

/// Severity of a case: an error only with a gate that fails, since a refuted claim alone is a result.
enum class Level : std::uint8_t { kNone, kNotice, kWarning, kError };
Level level_of(const AnnotationInput& input, const Case& one);

/// `file` relative to `root` if it is below it, else unchanged.
std::string path_in(const std::filesystem::path& root, const std::string& file);

/// Root of the repository on this machine, by GITHUB_WORKSPACE or CI_PROJECT_DIR; empty elsewhere.
std::filesystem::path repository_root();

/// One workflow command per line, at most ten per level (GitHub shows no more), the worst first.
std::string workflow_commands(const AnnotationInput& input);

/// Between these two lines GitHub interprets no workflow commands.
std::string stop_commands(const std::string& token);
std::string resume_commands(const std::string& token);
/// 128 random bits in hex.
std::string fresh_token();

inline const files::OutputKind kJunitReport{.name = "a JUnit file that assay wrote",
                                            .begins = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"",
                                            .mark = "<testsuites name=\"assay "};
/// JUnit: one suite per question, one case per claim. A refuted claim is a failure; an open or untestable one is
/// skipped.
std::string junit_xml(const AnnotationInput& input);

/// Limit of GitHub for the summary of a step.
inline constexpr std::uintmax_t kStepSummaryBytes = 1024 * 1024;
/// Appends to the file; if that would exceed the limit, a sentence that names `instead`. Error (exit 3): not written.
Status append_step_summary(const std::filesystem::path& file, const std::string& markdown, const std::string& instead);

}  // namespace assay::ci
