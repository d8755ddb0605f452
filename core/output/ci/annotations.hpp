// How services of continuous integration are told what was judged: which, where, and in which of their formats.
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

/// One thing that is judged.
struct Case {
  std::string question = {};  ///< id of the question; "compare" of profiles
  std::string claim = {};     ///< id of the claim; what a budget is for; the series
  std::string text = {};      ///< what is claimed
  Verdict verdict = Verdict::kUntestable;
  std::string reason = {};  ///< of the verdict
  SourcePos pos = {};       ///< of the claim in its TOML; without a line: only the file is known, or nothing
  std::string result = {};  ///< what came of it, as the title of an annotation; empty: the verdict and the name

  [[nodiscard]] std::string name() const { return question + ": " + claim; }
};

/// What a gate goes by.
struct GateInput {
  std::vector<Case> cases = {};
  bool decided = false;         ///< whether anything is
  std::string undecided = {};   ///< the sentence for it if nothing is
  bool open_undecides = false;  ///< an inconclusive case leaves the gate undecided: budgets of `compare`

  [[nodiscard]] std::vector<const Case*> with(Verdict verdict) const;
};

/// The claims of all questions, in the order of the TOML.
GateInput gate_input(const RunResult& run);

enum class GateOutcome : std::uint8_t { kPassed, kUndecided, kFailed };

/// Failed if a case is refuted; else undecided if nothing is decided, or an open case undecides.
GateOutcome gate(const GateInput& input);

/// One sentence for what fails: "2 claims refuted (a: b, c: d)".
std::string failure_text(const GateInput& input);

enum class Service : std::uint8_t { kNone, kGithub, kJunit };

struct Target {
  Service service = Service::kNone;
  std::filesystem::path file = {};  ///< of a report; GitHub reads standard output and has none
};

/// "github", "junit", "junit=FILE" or "none"; nothing: it is none of them.
std::optional<Target> read_target(std::string_view text);

/// Where this process runs: by GITHUB_ACTIONS; nothing elsewhere.
std::vector<Target> detected_targets();

/// What all formats are made from. Borrows.
struct AnnotationInput {
  const GateInput& gate;
  bool gated = false;               ///< --gate: refuted claims are errors
  std::string command = {};         ///< "assay run"
  std::filesystem::path root = {};  ///< of the repository; empty: paths stay as they are
};

/// How much is made of a case: an error only by a gate that fails, since a refuted claim alone is a result.
enum class Level : std::uint8_t { kNone, kNotice, kWarning, kError };
Level level_of(const AnnotationInput& input, const Case& one);

/// `file` as the repository has it: relative to `root` where it lies below it.
std::string path_in(const std::filesystem::path& root, const std::string& file);

/// The root of the repository on this machine, by GITHUB_WORKSPACE or CI_PROJECT_DIR; empty elsewhere.
std::filesystem::path repository_root();

/// Workflow commands, a line each: at most ten of a level, as GitHub shows no more, the worst first.
std::string workflow_commands(const AnnotationInput& input);

/// While workflow commands stand between these two lines, GitHub takes none from any other.
std::string stop_commands(const std::string& token);
std::string resume_commands(const std::string& token);
/// 128 random bits in hex.
std::string fresh_token();

inline const files::OutputKind kJunitReport{.name = "a JUnit file that assay wrote",
                                            .begins = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"",
                                            .mark = "<testsuites name=\"assay "};
/// JUnit: a suite per question, a case per claim. What is refuted is a failure; what is open or untestable is skipped.
std::string junit_xml(const AnnotationInput& input);

/// GitHub shows no summary of a step beyond this.
inline constexpr std::uintmax_t kStepSummaryBytes = 1024 * 1024;
/// Appends to the file unless it would be too long; then a sentence that names `instead`. Error (exit 3): not written.
Status append_step_summary(const std::filesystem::path& file, const std::string& markdown, const std::string& instead);

}  // namespace assay::ci
