#include "ci/annotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "pipeline/outcome.hpp"
#include "render/claimed_words.hpp"
#include "render/format.hpp"
#include "some_of.hpp"

namespace assay::ci {
namespace {

bool is_decided(const Case& one) { return one.verdict == Verdict::kSupported || one.verdict == Verdict::kRefuted; }

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && std::string_view(value) == "true";
}

constexpr const char* kJunitFile = "assay-junit.xml";

}  // namespace

std::vector<const Case*> GateInput::with(Verdict verdict) const {
  std::vector<const Case*> out;
  for (const Case& one : cases) {
    if (one.verdict == verdict) out.push_back(&one);
  }
  return out;
}

GateInput gate_input(const RunResult& run) {
  GateInput out;
  for (const QuestionRun& question : run.each_question()) {
    for (const OwnedClaim& claim : question.result.claims) {
      const auto& configured = question.question.claims;
      const auto at = std::ranges::find(configured, claim.id, &ClaimConfig::id);
      const SourcePos pos = at != configured.end() ? at->pos : SourcePos{question.question.file.string()};
      out.cases.push_back({question.question.id, claim.id, claim.text, claim.verdict, verdict_reason(claim), pos});
    }
  }
  out.decided = std::ranges::any_of(out.cases, is_decided);
  out.undecided = no_decision(out.cases.size());
  return out;
}

GateOutcome gate(const GateInput& input) {
  if (!input.with(Verdict::kRefuted).empty()) return GateOutcome::kFailed;
  const bool open = input.open_undecides && !input.with(Verdict::kInconclusive).empty();
  return open || !input.decided ? GateOutcome::kUndecided : GateOutcome::kPassed;
}

std::string failure_text(const GateInput& input) {
  std::vector<std::string> names;
  for (const Case* one : input.with(Verdict::kRefuted)) names.push_back(one->name());
  return fmt::format("{} refuted ({})", counted(names.size(), "claim"), some_of(names, 5));
}

std::optional<Target> read_target(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view word = text.substr(0, equals);
  const bool names_file = equals != std::string_view::npos;
  const std::filesystem::path file = names_file ? text.substr(equals + 1) : "";
  if (names_file && file.empty()) return std::nullopt;
  if (word == "none" && !names_file) return Target{};
  if (word == "github" && !names_file) return Target{Service::kGithub};
  if (word == "junit") return Target{Service::kJunit, names_file ? file : kJunitFile};
  return std::nullopt;
}

std::vector<Target> detected_targets() {
  if (is_set("GITHUB_ACTIONS")) return {{Service::kGithub}};
  return {};
}

Level level_of(const AnnotationInput& input, const Case& one) {
  switch (one.verdict) {
    case Verdict::kSupported:
      return Level::kNone;
    case Verdict::kRefuted:
      return input.gated ? Level::kError : Level::kWarning;
    case Verdict::kInconclusive:
      return input.gate.open_undecides ? Level::kWarning : Level::kNotice;
    case Verdict::kUntestable:
      break;
  }
  return Level::kNotice;
}

std::filesystem::path repository_root() {
  for (const char* name : {"GITHUB_WORKSPACE", "CI_PROJECT_DIR"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  }
  return {};
}

std::string path_in(const std::filesystem::path& root, const std::string& file) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(file), failed);
  if (failed || root.empty()) return std::filesystem::path(file).lexically_normal().string();
  const std::filesystem::path base = std::filesystem::weakly_canonical(root, failed);
  const std::filesystem::path below = whole.lexically_relative(base);
  const bool outside = failed || below.empty() || *below.begin() == "..";
  return (outside ? std::filesystem::path(file).lexically_normal() : below).string();
}

}  // namespace assay::ci
