#include "recordings/recorded.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "config/claim_keys.hpp"
#include "config/config.hpp"
#include "files/log_line.hpp"
#include "record/duration.hpp"
#include "record/journal.hpp"
#include "record/look.hpp"
#include "record/power_sampler.hpp"
#include "record/recording.hpp"
#include "record/rejections.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

/// Id of the sheet with the GPU's power during runs.
constexpr const char* kPowerSheet = "power";
/// Title of the axis of plots that show blocks as they came.
constexpr std::string_view kBlockAxis = "block";

void declare(Question& question, const char* name, LabelType type) {
  auto& labels = question.labels.labels;
  if (std::ranges::any_of(labels, [&](const LabelSpec& label) { return label.name == name; })) return;
  LabelSpec label;
  label.name = name;
  label.type = type;
  label.descriptive = true;
  label.fields = {name};
  label.pos = {question.file.string(), 1, 1};
  labels.push_back(std::move(label));
}

using record::Event;
using record::Json;
namespace event = record::event;

Json conditions_of(const Event& event) {
  if (const auto* start = std::get_if<event::RunStarted>(&event)) return start->conditions;
  if (const auto* end = std::get_if<event::RunEnded>(&event)) return end->conditions;
  return Json::object();
}

/// "sm_mhz 1755 to 1980, celsius 41 to 63": over all GPUs, before and after all runs.
std::string ranges_text(const record::Events& events) {
  std::map<std::string, std::pair<double, double>> ranges;
  for (const Event& event : events.list) {
    const Json seen = conditions_of(event);
    std::vector<Json> sources = {seen};
    for (const Json& gpu : seen.value("gpus", Json::array())) sources.push_back(gpu);
    for (const Json& source : sources) {
      for (const char* name : {"sm_mhz", "celsius", "watts", "load"}) {
        if (!source.contains(name) || !source[name].is_number()) continue;
        const double value = source[name].get<double>();
        const auto [at, fresh] = ranges.emplace(name, std::pair(value, value));
        at->second = {std::min(at->second.first, value), std::max(at->second.second, value)};
      }
    }
  }
  const std::map<std::string, const char*> words = {{"sm_mhz", "SM clock (MHz)"},
                                                    {"celsius", "GPU temperature (C)"},
                                                    {"watts", "GPU power (W)"},
                                                    {"load", "host load"}};
  std::ostringstream text;
  for (const auto& [name, range] : ranges)
    text << (text.tellp() > 0 ? ", " : "") << words.at(name) << " " << range.first << " to " << range.second;
  return text.str();
}

/// Outcome counts from the journal: "throttled in 2, failed 1".
std::string troubles_text(const record::Events& events) {
  std::map<std::string, std::size_t> counts;
  std::size_t unknown = 0, left_behind = 0;
  const std::vector<const event::RunEnded*> ends = record::all_of<event::RunEnded>(events.list);
  for (const event::RunEnded* end : ends) {
    if (end->outcome != record::Outcome::kOk) ++counts[std::string(record::outcome_name(end->outcome))];
    for (const std::string& mark : end->marks) ++counts[mark];
    unknown += end->throttling == "unknown" ? 1U : 0U;
    left_behind += end->left_behind.value_or(0);
  }
  for (const auto* left : record::all_of<event::ProcessesLeftBehind>(events.list)) left_behind += left->processes;
  std::string text;
  for (const auto& [name, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  if (text.empty()) text = "no run failed or was disturbed";
  if (unknown > 0)
    text += fmt::format("; of {} of {} it is not known whether clocks were throttled", unknown, ends.size());
  if (left_behind > 0)
    text += fmt::format("; assay ended {}{} left behind by runs", left_behind,
                        left_behind == 1 ? " process" : " processes");
  return text;
}

/// After which blocks it was looked, each once.
std::set<std::size_t> blocks_of(const std::vector<event::LookTaken>& looks) {
  std::set<std::size_t> blocks;
  for (const event::LookTaken& look : looks) blocks.insert(look.block);
  return blocks;
}

/// "Looked at after blocks 3, 4. ".
std::string looked_text(const std::vector<event::LookTaken>& looks) {
  std::string blocks;
  const std::set<std::size_t> all = blocks_of(looks);
  for (const std::size_t block : all) blocks += (blocks.empty() ? "" : ", ") + std::to_string(block);
  return fmt::format("Looked at after {}{}. ", std::string(all.size() == 1 ? "block " : "blocks "), blocks);
}

/// Where it was looked, and what the last look said of the question's claims: the estimates first.
std::string looks_text(const std::vector<event::LookTaken>& looks, const std::string& question) {
  if (looks.empty()) return {};
  std::string text = looked_text(looks);
  const event::LookTaken& last = looks.back();
  for (const event::Claim& claim : last.claims) {
    if (claim.question != question) continue;
    text += claim.id + " " + claim.verdict;
    for (const Json& stratum : claim.strata) {
      if (const std::string estimate = record::estimate_in(stratum); !estimate.empty()) text += ", " + estimate;
    }
    if (claim.blocks_needed > 0) text += " (" + std::to_string(claim.blocks_needed) + " blocks in all would decide it)";
    text += ". ";
  }
  if (last.ended) text += "It ended: " + *last.ended + ". ";
  return text;
}

/// What recording on would decide: "With about 14 blocks in all, 6 more, 'faster' would be decided. ".
std::string more_text(const event::LookTaken& last, const std::string& question) {
  std::string text;
  for (const event::Claim& claim : last.claims) {
    if (claim.question != question || claim.decided || claim.blocks_needed <= last.block) continue;
    text += claim.blocks_needed > kMaxNeeded
                ? fmt::format("'{}' would take more than {} blocks. ", claim.id, kMaxNeeded)
                : fmt::format("With about {} blocks in all, {} more, '{}' would be decided. ", claim.blocks_needed,
                              claim.blocks_needed - last.block, claim.id);
  }
  return text;
}

/// Plots over blocks get the looks as lines, and say why it stopped there and what more blocks would buy.
void mark_looks(const record::State& state, const std::string& question, std::vector<OwnedPlot>& plots) {
  if (state.looks.empty()) return;
  const event::LookTaken& last = state.looks.back();
  std::string said = " Dashed: " + looked_text(state.looks);
  if (last.ended) said += "It ended: " + *last.ended + ". ";
  said += more_text(last, question);
  said.pop_back();
  for (OwnedPlot& plot : plots) {
    if (plot.x.title != kBlockAxis) continue;
    for (const std::size_t block : blocks_of(state.looks))
      plot.references.push_back({static_cast<double>(block), static_cast<double>(block), "look"});
    plot.caption += said;
  }
}

}  // namespace

OwnedFinding recording_finding(const Recording& recording, const Question& question) {
  const auto& [events, state] = recording;
  const event::Design& design = events.begin()->design;
  OwnedFinding finding{"", FindingRole::kNote, {}, {}, std::nullopt, {}, {}};
  const bool random = design.order == "blocks";
  finding.title = fmt::format(
      "Recorded in {}{}, {}; claims have wider intervals, which hold at every look: {} runs, {} of their time",
      state.blocks.size(), state.blocks.size() == 1 ? " block" : " blocks",
      random ? "each in its own random order (seed " + std::to_string(design.seed) + ")" : "in the order of the matrix",
      state.runs.size(), duration_text(state.gpu_seconds));
  if (const std::size_t gpus = design.gpus_at_once.value_or(1); gpus > 1)
    finding.title += ", on " + std::to_string(gpus) + " GPUs at once";
  finding.text =
      "Claims are judged by a confidence sequence over blocks, which stays valid however often it is checked. Runs: " +
      troubles_text(events) + ". ";
  const std::string rejected = record::rejections_text(events, question);
  if (!rejected.empty()) finding.text += rejected + " ";
  const std::string ranges = ranges_text(events);
  if (!ranges.empty()) finding.text += "Conditions: " + ranges + ". ";
  if (state.resumed > 0) finding.text += "Resumed " + std::to_string(state.resumed) + " times. ";
  if (state.epoch > 1)
    finding.text +=
        "It has " + std::to_string(state.epoch) + " epochs, whose blocks are never compared with each other. ";
  finding.text += looks_text(state.looks, question.id);
  if (!events.damaged.empty())
    finding.text += "The journal has " + counted(events.damaged.size(), "damaged line") + ", which are left out here. ";
  finding.text.pop_back();
  return finding;
}

void doubt_one_sided(const Recording& recording, const Question& question, std::vector<OwnedClaim>& claims) {
  const auto doubt = [](Verdict& verdict, std::string& reason, const std::string& why) {
    if (verdict != Verdict::kSupported && verdict != Verdict::kRefuted) return;
    reason = fmt::format("would be {} ({}), but {}", std::string(verdict_name(verdict)), reason, why);
    verdict = Verdict::kInconclusive;
  };
  for (OwnedClaim& claim : claims) {
    const auto config = std::ranges::find(question.claims, claim.id, &ClaimConfig::id);
    if (config == question.claims.end()) continue;
    const record::Rejections rejected = record::rejections_of(recording.events, question, *config);
    if (!rejected.lopsided()) continue;
    const std::string why = "far more runs of one side were rejected, beyond chance: " + rejected.text() +
                            "; the surviving runs are a biased sample";
    for (OwnedStratum& stratum : claim.strata) doubt(stratum.verdict, stratum.reason, why);
    doubt(claim.verdict, claim.reason, why);
  }
}

std::vector<Recording> read_recordings(std::span<const fs::path> folders) {
  std::vector<Recording> out;
  for (const fs::path& folder : recordings_in(folders)) {
    Result<record::Events> events = record::read_journal(folder);
    if (!events) continue;
    for (const std::string& damaged : events->damaged) log_warning("{}", one_line(damaged));
    if (events->begin() == nullptr) continue;
    record::State state = record::state_of(*events);
    out.push_back({std::move(*events), std::move(state)});
  }
  return out;
}

std::vector<fs::path> recordings_in(std::span<const fs::path> folders) {
  std::vector<fs::path> found;
  for (const fs::path& folder : folders) {
    std::error_code failed;
    if (fs::is_regular_file(folder / record::kJournal, failed)) found.push_back(folder);
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, options, failed), end; !failed && at != end;
         at.increment(failed)) {
      // ROOT/NAME/DATE/TIME/journal.jsonl: not deeper, and there may be many profiles.
      if (at.depth() > 3) at.disable_recursion_pending();
      if (at.depth() > 0 && at->path().filename() == record::kJournal) found.push_back(at->path().parent_path());
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

namespace {

/// Whether values race, which the clocks of their runs settle sooner.
bool races(const Question& question) {
  return std::ranges::any_of(question.claims,
                             [](const ClaimConfig& claim) { return claim_shape(claim.keys).compare == "best"; });
}

/// Adds analyzers of what was sampled that the question does not have.
void add_sampled(Question& question, const SourcePos& pos) {
  const Result<Question> asked = installed_question("commands/race.toml");
  if (!asked) return;
  for (const AnalyzerConfig& analyzer : asked->analyzers) {
    if (std::ranges::find(question.analyzers, analyzer.id, &AnalyzerConfig::id) == question.analyzers.end())
      question.analyzers.push_back({analyzer.id, analyzer.options, pos});
  }
}

void declare_all(std::vector<Question>& questions, bool with_power) {
  for (Question& question : questions) {
    const SourcePos pos{question.file.string(), 1, 1};
    if (with_power && races(question)) add_sampled(question, pos);
    declare(question, "block", LabelType::kInteger);
    declare(question, "replicate", LabelType::kInteger);
    declare(question, "twin", LabelType::kText);
    const auto is_power = [](const SheetSpec& sheet) { return sheet.id == kPowerSheet; };
    if (with_power && std::ranges::none_of(question.sheets, is_power))
      question.sheets.push_back(
          {kPowerSheet, {record::kPowerCourse, std::string("**/") + record::kPowerCourse}, {}, {}, pos});
    for (const char* glob : {"failed/**", "**/failed/**", "unfinished/**", "**/unfinished/**"})
      question.reports.exclude.emplace_back(glob);
  }
}

}  // namespace

void declare_recorded(std::vector<Question>& questions, std::span<const fs::path> folders) {
  const std::vector<fs::path> recordings = recordings_in(folders);
  // If no GPU was sampled, a missing sheet is not reported.
  const auto has_power = [](const fs::path& folder) {
    std::error_code failed;
    return fs::exists(folder / record::kPowerCourse, failed);
  };
  if (!recordings.empty()) declare_all(questions, std::ranges::any_of(recordings, has_power));
}

void declare_recorded(std::vector<Question>& questions) { declare_all(questions, true); }

namespace {

/// Whether the recording is of the question; if it names none of the questions of the run, it may be of any.
bool is_of(const Recording& recording, const std::string& question, const std::vector<QuestionRun>& all) {
  const std::vector<std::string>& named = recording.events.begin()->design.questions;
  const auto names = [&](const std::string& id) { return std::ranges::find(named, id) != named.end(); };
  return names(question) ||
         std::ranges::none_of(all, [&](const QuestionRun& other) { return names(other.question.id); });
}

}  // namespace

void prepend_recordings(const std::vector<Recording>& recordings, RunResult& run) {
  const std::vector<QuestionRun> all = run.each_question();
  for (std::size_t q = 0; q < run.questions.size(); ++q) {
    std::vector<OwnedFinding> recorded;
    for (const Recording& recording : recordings) {
      if (!is_of(recording, all[q].question.id, all)) continue;
      recorded.push_back(recording_finding(recording, all[q].question));
      doubt_one_sided(recording, all[q].question, run.questions[q].claims);
      mark_looks(recording.state, all[q].question.id, run.questions[q].plots);
    }
    std::vector<OwnedFinding>& findings = run.questions[q].findings;
    findings.insert(findings.begin(), recorded.begin(), recorded.end());
  }
}

}  // namespace assay
