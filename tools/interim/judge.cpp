#include "interim/judge.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "algo/window_metric.hpp"
#include "assay/algo/dims.hpp"
#include "assay/algo/participation.hpp"
#include "catalog/recorded_run.hpp"
#include "interim/estimate.hpp"
#include "interim/power.hpp"
#include "render/effect_json.hpp"
#include "render/metric_words.hpp"

namespace assay {
namespace {

using record::Cell;
using record::Design;
using record::InterimLook;
using record::Json;

bool is_exact(const ClaimShape& sides) { return sides.compare == "study" || sides.exact; }

/// Number of blocks of the recording behind a stratum's evidence.
std::size_t blocks_in(const std::vector<EvidenceRow>& evidence) {
  std::set<std::string> blocks;
  for (const EvidenceRow& row : evidence) {
    if (const auto run = recorded_run(row.report)) blocks.emplace(run->block);
  }
  return blocks.size();
}

/// What an inconclusive stratum waits for, if blocks decide it.
const OpenStratum* need_of(const std::vector<OpenStratum>& open, const std::string& claim,
                           const OwnedStratum& stratum) {
  std::string labels;
  for (const auto& [name, value] : stratum.labels)
    labels += fmt::format("{}{}={}", labels.empty() ? "" : " ", name, value);
  const auto at =
      std::ranges::find_if(open, [&](const OpenStratum& o) { return o.claim == claim && o.labels == labels; });
  return at == open.end() || !at->in_vain.empty() ? nullptr : &*at;
}

/// Blocks to record per block that a stratum gets: one per GPU, if the stratum is on one GPU.
std::size_t blocks_for_one(const Design& design, const Question& question, const OwnedStratum& stratum) {
  const auto at = std::ranges::find(design.questions, &question);
  if (design.gpus.size() < 2 || at == design.questions.end()) return 1;
  const auto index = static_cast<std::size_t>(at - design.questions.begin());
  const std::string label = record::gpu_label(design.experiments[index]);
  const bool of_one = std::ranges::any_of(stratum.labels, [&](const auto& named) { return named.first == label; });
  return !label.empty() && of_one ? design.gpus.size() : 1;
}

/// Whether a cell contributes to a stratum: equal labels, with either value of the label under test.
bool bears_on(const record::Values& labels, const ClaimShape& sides, const OwnedStratum& stratum) {
  for (const auto& [name, wants] : stratum.labels) {
    const std::string has = record::value_of(labels, name);
    if (name == sides.label ? has != wants && has != sides.base : has != wants) return false;
  }
  return true;
}

void open_cells(const Design& design, const Question& question, const ClaimShape& sides, const OwnedStratum& stratum,
                std::vector<char>& open) {
  for (const record::GpuCells& gpu : design.gpus) {
    for (std::size_t c = 0; c < gpu.cells.size(); ++c) {
      const Cell& cell = gpu.cells[c];
      std::vector<const record::NamedRun*> names = {&cell.run};
      for (const record::NamedRun& other : cell.also) names.push_back(&other);
      for (const record::NamedRun* name : names) {
        if (design.questions[name->question] == &question && bears_on(name->labels, sides, stratum)) open[c] = 1;
      }
    }
  }
}

/// Prefix that names a stratum among several: "batch=8: ".
std::string with_other_labels(const ClaimShape& sides, const OwnedClaim& judged, const OwnedStratum& stratum) {
  if (judged.strata.size() < 2) return {};
  std::string text;
  for (const auto& [name, value] : stratum.labels) {
    if (name != sides.label) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text.empty() ? text : text + ": ";
}

bool is_open(const OwnedStratum& stratum) { return stratum.verdict == Verdict::kInconclusive; }

Json labels_json(const OwnedStratum& stratum) {
  Json out = Json::object();
  for (const auto& [name, value] : stratum.labels) out[name] = value;
  return out;
}

InterimLook::Claim state_of(const Design& design, const Question& question, const ClaimConfig& claim,
                            const OwnedClaim& judged, const StoredQuestion& rows, const std::vector<OpenStratum>& needs,
                            std::vector<char>& open) {
  InterimLook::Claim state{question.id, claim.id, std::string(verdict_name(judged.verdict)), true, 0, Json::array()};
  const ClaimShape sides = claim_shape(claim.keys);
  state.reason = judged.reason;
  // The answer is a set, given by the reason.
  const bool is_set = sides.compare == "best" && judged.verdict != Verdict::kUntestable;
  const std::string set = is_set ? MetricWords(rows.result.metrics).in_text(judged.reason) : "";
  if (is_set) state.estimates = {state.standing = set};
  const bool waits = judged.verdict == Verdict::kInconclusive && !is_exact(sides);
  const bool any = std::ranges::any_of(judged.strata, is_open);
  state.decided = !waits;
  for (const OwnedStratum& stratum : judged.strata) {
    const bool asks = waits && (is_open(stratum) || !any);
    const OpenStratum* need = asks ? need_of(needs, claim.id, stratum) : nullptr;
    const std::size_t each = blocks_for_one(design, question, stratum);
    const std::size_t needed = need != nullptr ? need->as_seen * each : 0;
    state.in_vain = state.in_vain || (asks && effect_changed(stratum));
    if (need != nullptr) state.waiting.push_back({need->seen, need->asked, each});
    state.blocks_needed = std::max(state.blocks_needed, needed);
    if (asks) open_cells(design, question, sides, stratum, open);
    // The first stratum of a set has the whole answer.
    const bool first = &stratum == &judged.strata.front();
    const Estimate own = is_set ? Estimate{} : estimate_of(sides, stratum, rows);
    const std::string estimate = is_set && first ? set : own.size + own.blocks;
    if (!own.size.empty()) {
      const std::string labels = with_other_labels(sides, judged, stratum);
      if (state.estimates.empty()) state.standing = labels + own.size;
      state.estimates.push_back(labels + estimate);
    }
    state.strata.push_back({{"labels", labels_json(stratum)},
                            {"verdict", verdict_name(stratum.verdict)},
                            {"reason", stratum.reason},
                            {"estimate", estimate},
                            {"effect", effect_json(stratum.effect, 0, true)},
                            {"blocks", blocks_in(stratum.evidence)},
                            {"blocks_needed", needed}});
  }
  return state;
}

/// Whether the report's own trace contradicts a label; lack of confirmation, or another run, does not count.
bool is_contradicted(const StoredReport& report) {
  return !report.doubt.empty() && std::ranges::any_of(report.facts, [](const Fact& fact) {
    return fact.metric == kBeliefMetric && dim_value(fact.dims, "verdict") == "contradicted";
  });
}

/// Marks the cell of a report whose trace contradicts its name.
void find_contradicted(const Design& design, const StoredReport& report, InterimLook& look) {
  const auto run = recorded_run(report.name);
  if (!run || !is_contradicted(report)) return;
  for (const record::GpuCells& gpu : design.gpus) {
    for (std::size_t c = 0; c < gpu.cells.size(); ++c) {
      const std::string own = gpu.cells[c].run.path();
      const bool is = run->below.starts_with(own) && run->below.substr(own.size()).starts_with(".");
      if (is && !gpu.cells[c].twin) look.contradicted.emplace(c, report.name + ": " + report.doubt);
    }
  }
}

/// Finds what a first look shows and further blocks do not change: labels without effect, unreadable profiles, and the
/// length of what a run measures, in so many windows.
void find_troubles(const StoredQuestion& question, std::size_t of_run, InterimLook& look) {
  std::vector<double> windows;
  for (const StoredReport& report : question.reports) {
    if (!recorded_run(report.name)) continue;
    if (!report.loaded) look.unread.push_back(report.name);
    for (const Fact& fact : report.facts) {
      if (fact.metric == kBeliefMetric && dim_value(fact.dims, "verdict") == "not_borne_out")
        look.without_effect.emplace(dim_value(fact.dims, "label").value_or("?"));
      if (fact.metric == kWindowLengthMetric && fact.dims.empty()) windows.push_back(fact.value / 1e9);
    }
  }
  if (windows.empty()) return;
  std::nth_element(windows.begin(), windows.begin() + static_cast<std::ptrdiff_t>(windows.size() / 2), windows.end());
  look.window_seconds = static_cast<double>(of_run) * windows[windows.size() / 2];
}

}  // namespace

InterimLook look_of(const std::vector<StoredQuestion>& judged, const Design& design) {
  InterimLook look;
  look.open.assign(design.cells().size(), 0);
  for (std::size_t q = 0; q < design.questions.size(); ++q) {
    const Question* const question = design.questions[q];
    const auto rows = std::ranges::find(judged, question->id, &StoredQuestion::id);
    if (rows == judged.end()) continue;
    for (const StoredReport& report : rows->reports) find_contradicted(design, report, look);
    find_troubles(*rows, design.experiments[q].windows(), look);
    const std::vector<OpenStratum> needs = open_strata(*question, *rows, std::nullopt);
    for (const OwnedClaim& claim : rows->result.claims) {
      const auto at = std::ranges::find(question->claims, claim.id, &ClaimConfig::id);
      if (at != question->claims.end())
        look.claims.push_back(state_of(design, *question, *at, claim, *rows, needs, look.open));
    }
  }
  return look;
}

}  // namespace assay
