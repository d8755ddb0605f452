#include <algorithm>
#include <optional>

#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/run_options.hpp"
#include "config/config.hpp"
#include "pipeline/run_record.hpp"
#include "recordings/recorded.hpp"
#include "render/format.hpp"
#include "results/write_outputs.hpp"
#include "shards/make_part.hpp"
#include "shards/merge_parts.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct MergeOptions {
  std::vector<fs::path> parts;  ///< files, or folders of them
  RunOptions run;               ///< its configs: replacements for those of the parts
  bool partial = false;
};

Result<std::vector<fs::path>> part_files(const std::vector<fs::path>& places) {
  std::vector<fs::path> found;
  for (const fs::path& place : places) {
    std::error_code failed;
    if (!fs::is_directory(place, failed)) {
      found.push_back(place);
      continue;
    }
    const std::size_t before = found.size();
    for (fs::directory_iterator at(place, failed), end; !failed && at != end; at.increment(failed)) {
      if (at->path().extension() == ".part") found.push_back(at->path());
    }
    if (found.size() == before)
      return Error{"no part in '" + place.string() + "'"}
          .at(place.string())
          .advise("'assay run ... --shard K/N -o PARTS' writes them");
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// The question of a part: as named, relative to the folder in which the shard ran.
Result<std::vector<fs::path>> configs_of(const ShardPart& part, const std::vector<fs::path>& given) {
  if (!given.empty()) return given;
  std::vector<fs::path> configs;
  for (const std::string& named : part.configs) {
    configs.push_back(fs::path(part.folder) / named);
    std::error_code failed;
    if (!fs::exists(configs.back(), failed))
      return Error{"the question of the parts is no longer in '" + configs.back().string() + "'"}
          .at(configs.back().string())
          .advise("name it with --config");
  }
  return configs;
}

std::vector<Recording> recordings_of(const std::vector<JournalLines>& journals) {
  std::vector<Recording> recordings;
  for (const JournalLines& lines : journals) {
    Recording recording;
    for (const std::string& text : lines) {
      record::JournalLine line = record::read_line(text);
      if (line.event)
        recording.events.list.push_back(*std::move(line.event));
      else
        recording.events.damaged.push_back(line.problem);
    }
    if (recording.events.begin() == nullptr) continue;
    recording.state = record::state_of(recording.events);
    recordings.push_back(std::move(recording));
  }
  return recordings;
}

/// With --partial, first of all: what the answers do not cover.
std::vector<OwnedFinding> incomplete(const MergedParts& merged, std::size_t question) {
  if (merged.missing.empty()) return {};
  OwnedFinding finding{"", FindingRole::kNote, {}, {}, std::nullopt, {}, {}};
  const std::vector<ReportResult>& reports = merged.analysis.questions[question];
  finding.title = "Incomplete: merged without " + counted(merged.unread, "profile") + ", whose parts are missing";
  for (const std::string& missing : merged.missing) finding.text += (finding.text.empty() ? "" : "; ") + missing;
  finding.text += ". Of this question's " + counted(reports.size(), "profile") +
                  " these are listed as not read; answers and verdicts use only the others.";
  return {finding};
}

Exit merge_run(const MergeOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const auto files = part_files(options.parts);
  if (!files) return fail(files.error());
  std::vector<PartFile> given;
  for (const fs::path& file : *files) given.push_back({file.string(), read_part(file)});
  const auto first = first_part(given);
  if (!first) return fail(first.error());
  const auto configs = configs_of(**first, options.run.configs);
  if (!configs) return fail(configs.error());
  const RunRecord record(options.run.command, *configs, options.parts);

  auto questions = read_configs(*configs);
  if (!questions) return fail(questions.error());
  if ((*first)->recorded) declare_recorded(*questions);
  auto planned = Pipeline::plan(std::move(*questions), settings_of(options.run, stop));
  if (!planned) return fail(planned.error());
  Pipeline& line = **planned;
  const auto identity = identity_of(line.plan(), line.plugins(), *configs);
  if (!identity) return fail(identity.error());
  if (identity->configurations != (*first)->identity.configurations) {
    return fail(Error{"the question '" + configs->front().string() + "' has changed since the parts were made"}
                    .at(configs->front().string())
                    .advise("run the shards again, or pass the original with --config"));
  }
  if (const Status writable = check_output_folder(options.run.out, options.run.force, line.questions()); !writable)
    return fail(writable.error());

  auto merged = merge_parts(std::move(given), *identity, line.plan(), options.partial);
  if (!merged) return fail(merged.error());
  std::vector<std::vector<OwnedFinding>> notes;
  for (std::size_t q = 0; q < line.questions().size(); ++q) notes.push_back(incomplete(*merged, q));
  line.set_inputs(std::move(merged->study.catalog));
  line.set_inputs(std::move(merged->analysis));
  if (const Status gathered = line.gather(); !gathered) return fail(gathered.error(), options.run);
  return print_outcome(
      finished({.line = std::move(*planned),
                .remark = [&](RunResult& run) { prepend_recordings(recordings_of(merged->journals), run); },
                .run_json = [&] { return record.json(line.plan()); },
                .sheets = [&](std::size_t q) { return std::move(merged->study.sheets[q]); },
                .first = std::move(notes)},
               options.run),
      options.run);
}

}  // namespace

void add_merge(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Combines the parts into one result, byte for byte as one run over all profiles would write it (except run.json). Needs
the question and the plugins, not the profiles. If a part is missing, damaged, or made by another version of assay or a
plugin or with other options, it is named and nothing is written; --partial continues without it.

Examples:
  assay run q.toml --reports ~/profiles --shard 1/2 -o parts; assay run q.toml --reports ~/profiles --shard 2/2 -o parts
  assay merge parts -o out
  assay merge parts/shard-1-of-2.part -o out --partial)";
  const auto options = std::make_shared<MergeOptions>();
  CLI::App& command = line.add("merge", "Combine the parts that 'assay run --shard' wrote into one result", kFooter,
                               options, [&line](MergeOptions& o) {
                                 read_common_options(line, o.run);
                                 return merge_run(o);
                               });
  RunOptions& run = options->run;
  add_option(command, "parts", options->parts, "Parts, or folders of them")->required()->type_name("PARTS");
  add_option(command, "-o,--out", run.out, "Folder for the results")->type_name("OUT")->capture_default_str();
  add_flag(command, "--partial", options->partial, "Continue without missing parts, and say so in the report");
  add_option(command, "--config", run.configs,
             "Configuration files, if they are no longer where the shards read them; may be repeated")
      ->type_name("CONFIG")
      ->allow_extra_args(false);
  add_jobs(command, run.jobs, "Jobs gathered in parallel");
  document::add_flag(command);
  add_ending(command, line, run);
}

}  // namespace assay
