#include "propose/init_command.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/run_options.hpp"
#include "cli/terminal.hpp"
#include "config/question_file.hpp"
#include "files/shell_word.hpp"
#include "files/staged_file.hpp"
#include "inspect/understanding.hpp"
#include "load/report_names.hpp"
#include "look/show_look.hpp"
#include "propose/toml.hpp"
#include "recognise/profiles.hpp"
#include "recognise/step_name.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "runs/configurations.hpp"
#include "runs/find_runs.hpp"
#include "runs/run_table.hpp"

namespace assay {
namespace {

constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
namespace fs = std::filesystem;
constexpr std::size_t kMaxRead = 24;  // number of reports opened: their contents repeat from run to run
constexpr std::size_t kShown = 8, kWide = 44;

/// A path as a word of a command to paste; control characters are escaped for the terminal.
std::string pasted(const fs::path& path) { return one_line(shell_word(path.string())); }

/// Reports of the most frequent kind, and the number of others.
struct MajorityReports {
  std::vector<const FoundFile*> files;
  std::string kind;
  std::size_t others = 0, unreadable = 0;
};

MajorityReports choose(const Catalog& catalog) {
  std::map<std::string, std::vector<const FoundFile*>> kinds;
  MajorityReports chosen;
  for (const CatalogEntry& entry : catalog.questions.front().entries) {
    const FoundFile& file = catalog.files[entry.file];
    if (is_report(file.kind))
      kinds[std::string(file.kind.word)].push_back(&file);
    else
      ++chosen.unreadable;
  }
  for (auto& [kind, files] : kinds) {
    chosen.others += files.size();
    if (files.size() > chosen.files.size()) std::tie(chosen.files, chosen.kind) = std::tie(files, kind);
  }
  chosen.others -= chosen.files.size();
  return chosen;
}

std::optional<init::RangesOfReport> see(const ProfileFiles& files) {
  const Result<Profile> profile = read_profile(files, step_columns());
  if (!profile) return std::nullopt;
  const Result<Profile::View> view = profile->view({}, {});
  if (!view) return std::nullopt;
  init::RangesOfReport ranges;
  const Report& report = view->report();
  ranges.steps = step_name(report);
  for (const RangeTable* table : {report.ranges, report.spans}) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const std::int64_t start = table->start[r], end = table->end[r];
      ranges.by_name[std::string(report.string(table->name[r]))].add({1, start, end, end - start});
    }
  }
  return ranges;
}

/// Of some reports, spread over all. Each of `files` is that of an entry.
std::vector<init::RangesOfReport> see_some(const Catalog& catalog, const std::vector<const FoundFile*>& files,
                                           const std::atomic<bool>& stop) {
  const std::vector<CatalogEntry>& entries = catalog.questions.front().entries;
  std::vector<init::RangesOfReport> out;
  const std::size_t count = std::min(files.size(), kMaxRead);
  ProgressBar bar(true);
  for (std::size_t i = 0; i < count && !stop; ++i) {
    const std::size_t at = i * files.size() / count;
    const auto entry = std::ranges::find(entries, files[at], [&](const auto& of) { return &catalog.files[of.file]; });
    if (auto seen = see(files_of(catalog, *entry))) out.push_back(std::move(*seen));
    bar.show(i + 1, count, "profiles");
  }
  return out;
}

/// The table of the recognised files, line by line. `steps`: name of the steps in the chosen ones.
std::vector<std::string> understood(const Catalog& catalog, const MajorityReports& chosen, const std::string& steps,
                                    const RunTable& runs) {
  constexpr std::size_t kMaxLines = 24;
  std::vector<ProfileReading> of_file(catalog.files.size());
  std::vector<std::string> lines;
  for (std::size_t f = 0; f < catalog.files.size(); ++f) {
    if (std::ranges::find(chosen.files, &catalog.files[f]) != chosen.files.end()) of_file[f].step = steps;
  }
  std::stringstream table;
  print_understanding(catalog, of_file, runs, table);
  std::string line;
  std::getline(table, line);  // the empty one
  while (lines.size() < kMaxLines && std::getline(table, line)) lines.push_back(line);
  if (std::getline(table, line)) lines.emplace_back("  ... 'assay list' shows all");
  return lines;
}

/// Why a text is not a valid question for these files; empty if it explains all names.
std::string problem_of(const std::string& toml, const std::vector<const FoundFile*>& files) {
  const Result<ConfigFile> read = read_config_text(toml, "question.toml");
  if (!read) return read.error().sentence;
  const auto& question = std::get<Question>(*read);
  for (const FoundFile* file : files) {
    const ParsedName name = parse_name(question.labels, named_path(*file));
    if (!name.problems.empty()) return file->name + ": " + name.problems.front();
  }
  return {};
}

/// The first of three proposals that explains all names: their apparent meaning, each name as a value, nothing.
std::string sound_text(init::Proposal& proposal, const std::vector<const FoundFile*>& files,
                       const std::vector<std::string>& stems, const std::vector<NamedProfile>& profiles,
                       const RunChoice& choice) {
  naming::NameRules nothing;
  nothing.of_stem.resize(stems.size());
  for (naming::NameRules rules : {naming::rules_of(stems), naming::whole_names(stems), nothing}) {
    proposal.names = std::move(rules);
    proposal.configurations = judge_names(proposal.names, profiles, choice);
    proposal.comparisons = init::comparisons_of(proposal.names);
    const std::string text = init::toml_of(proposal);
    if (problem_of(text, files).empty()) return text;
  }
  return {};
}

std::string asked(const std::string& what, const std::string& proposed) {
  std::cout << what << " [" << (proposed.empty() ? "none" : one_line(proposed)) << "]: " << std::flush;
  std::string answer;
  if (!std::getline(std::cin, answer) || answer.empty()) return proposed;
  return answer == "none" ? std::string() : answer;
}

/// Asks the user what to compare and to measure.
void ask_user(init::Proposal& proposal) {
  std::cout << "Press Enter to keep the value in brackets; type 'none' to leave it out.\n";
  if (!proposal.comparisons.empty()) {
    std::vector<std::string> labels;
    for (const init::Comparison& comparison : proposal.comparisons) labels.push_back(comparison.label);
    const std::string label = asked("Label to compare (" + some_of(labels, kShown) + ")", labels.front());
    const auto at =
        std::ranges::find_if(proposal.comparisons, [&](const auto& comparison) { return comparison.label == label; });
    if (at == proposal.comparisons.end()) {
      proposal.comparisons.clear();
    } else {
      std::rotate(proposal.comparisons.begin(), at, at + 1);
      init::Comparison& first = proposal.comparisons.front();
      const std::string base = asked("Value that the others are compared with", first.base);
      if (!base.empty()) first.base = base;
    }
  }
  proposal.ranges.iterations = asked("Ranges that are iterations, {i} for the number", proposal.ranges.iterations);
  proposal.ranges.window = asked("Range that is measured", proposal.ranges.window);
}

/// How names were parsed: all labels of a few of them.
void print_parsed(const naming::NameRules& names, const std::vector<std::string>& reports) {
  constexpr std::size_t kParsed = 3;
  const std::size_t count = std::min(kParsed, reports.size());
  std::cout << "\n  for example\n";
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i * (reports.size() - 1) / std::max<std::size_t>(count - 1, 1);
    std::vector<std::string> values;
    for (const naming::NameLabel& label : names.labels) {
      const auto value = names.of_stem[at].find(label.name);
      values.push_back(label.name + (value == names.of_stem[at].end() ? " unknown" : "=" + value->second));
    }
    std::cout << "    " << one_line(reports[at]) << "  ->  " << one_line(some_of(values, values.size())) << "\n";
  }
}

TextTable labels_of(const init::Proposal& proposal) {
  TextTable table({{"label"}, {"type"}, {"values", true}, {"such as"}, {"role"}});
  for (const naming::NameLabel& label : proposal.names.labels) {
    const bool asked_about = !proposal.comparisons.empty() && proposal.comparisons.front().label == label.name;
    const std::string role = label.rank                ? "rank of a job"
                             : label.descriptive       ? "not compared: distinguishes repeat runs"
                             : label.values.size() < 2 ? "constant"
                             : asked_about             ? "compared with " + proposal.comparisons.front().base
                                                       : "held fixed";
    constexpr std::string_view kTypes[] = {"int", "number", "text"};
    table.row({label.name, std::string(kTypes[static_cast<std::size_t>(label.type)]),
               std::to_string(label.values.size()), shortened(some_of(label.values, 4), kWide), role});
  }
  return table;
}

void print_labels(const init::Proposal& proposal) {
  std::cout << "\n\nLabels in the names" << (proposal.names.patterns.empty() ? ": none\n" : "\n");
  if (proposal.names.patterns.empty()) return;
  for (const std::string& pattern : proposal.names.patterns) std::cout << "  pattern  " << one_line(pattern) << "\n";
  labels_of(proposal).print(std::cout, 2);
  for (const std::string& assumed : proposal.configurations.assumed) std::cout << "  " << one_line(assumed) << ".\n";
  print_parsed(proposal.names, proposal.reports);
}

void print_understood(const init::Proposal& proposal, const MajorityReports& chosen, std::size_t copies) {
  std::cout << counted(chosen.files.size(), "profile") << " (" << chosen.kind << ")";
  if (chosen.others > 0) std::cout << ", " << chosen.others << " of another kind left out";
  if (copies > 0) std::cout << ", " << copies << (copies == 1 ? " copy" : " copies") << " of others left out";
  if (chosen.unreadable > 0) std::cout << ", " << chosen.unreadable << " that cannot be read ('assay look' says why)";
  print_labels(proposal);
  const init::ProposedRanges& ranges = proposal.ranges;
  const std::string& named = ranges.optimizer ? ranges.iterations : ranges.steps;
  std::cout << "\nRanges of " << counted(proposal.ranges_read, "profile") << "\n  iterations  "
            << (named.empty() ? "none: not every profile has steps of one name"
                              : fmt::format("{} ({}{} per profile)", one_line(named), ranges.least,
                                            ranges.least == ranges.most ? "" : " to " + std::to_string(ranges.most)))
            << (ranges.optimizer             ? ": no range is a step, and each training step has one of these"
                : named != ranges.iterations ? ": not written, since a name of iterations has one number"
                                             : "")
            << "\n  window      " << (ranges.window.empty() ? "the whole capture" : one_line(ranges.window)) << "\n";
  if (named.empty() && !ranges.seen.empty()) std::cout << "  found       " << one_line(some_of(ranges.seen, 4)) << "\n";
}

/// Nothing to compare is no proposal: said last and loud, with what to do.
void print_outcome(const init::Proposal& proposal, const fs::path& out, std::ostream& to) {
  const bool compares = !proposal.comparisons.empty() && proposal.comparisons.front().pairs > 0;
  if (proposal.configurations.unlike)
    to << "\nNOTE: profiles with the same labels ran different kernels, so they are not repeat runs of one "
          "program. Their\n"
          "names do not tell them apart: rename them, or exclude some in [reports].\n";
  if (compares) {
    const init::Comparison& first = proposal.comparisons.front();
    to << "\nCompares " << first.label << " with " << one_line(first.base) << " (" << counted(first.pairs, "pair")
       << "). Next:\n";
  } else if (proposal.job) {
    to << "\n"
       << (proposal.runs.empty() ? "Collectives ran" : proposal.runs)
       << ": nothing is compared; the question asks what communication costs and who waits for whom. Next:\n";
  } else {
    to << "\nNOTHING IS COMPARED: "
       << (proposal.comparisons.empty() ? "no label that could explain a difference was found in these names."
                                        : "no two profiles differ in " + proposal.comparisons.front().label + " alone.")
       << "\nThe question only lists what ran. To compare, give [labels] patterns that fit the names, for example\n"
          "\"{variant}_bs{bs}\" for eager_bs8. Next:\n";
    const auto at = [&](std::size_t i) { return pasted(proposal.folder / proposal.reports[i]); };
    if (proposal.reports.size() == 2) to << "  assay compare " << at(0) << " " << at(1) << "\n";
  }
  to << "  assay run " << pasted(out) << " --reports " << pasted(proposal.folder) << "\n";
}

/// What is proposed by the names and some of the profiles, and its question as TOML.
Result<std::pair<init::Proposal, std::string>> propose(const fs::path& folder, const Catalog& catalog,
                                                       const MajorityReports& chosen, const RunChoice& choice,
                                                       const std::atomic<bool>& stop) {
  init::Proposal proposal;
  proposal.folder = folder;
  proposal.kind = chosen.kind;
  proposal.others = chosen.others > 0;
  std::vector<std::string> paths;
  for (const FoundFile* file : chosen.files) {
    proposal.reports.push_back(file->name);
    proposal.job = proposal.job || !property_text(*file, kJobName).empty();
    const std::string named = named_path(*file);  // without the number of a capture
    std::string shown = file->name.substr(0, file->name.rfind('/') + 1);
    if (named == file->path.native())
      shown = file->name;
    else
      shown += fs::path(named).filename().native();
    paths.emplace_back(stem_of(shown));
  }
  const std::vector<init::RangesOfReport> ranges = see_some(catalog, chosen.files, stop);
  if (stop) return Error{"interrupted", Exit::kInterrupted}.advise("nothing was written");
  const std::vector<NamedProfile> profiles = named_profiles(catalog, chosen.files);
  proposal.job = proposal.job || std::ranges::any_of(profiles, [](const NamedProfile& profile) {
                   return profile.facts != nullptr && profile.facts->communicates;
                 });
  const RunTable runs = run_table(catalog, choice);
  proposal.runs = runs_sentence(runs.rows);
  proposal.ranges = init::ranges_of(ranges);
  proposal.ranges_read = ranges.size();
  proposal.understood = understood(catalog, chosen, proposal.ranges.steps, runs);
  const std::vector<std::string> stems = naming::with_telling_folders(paths);
  if (const Status fields = check_choice(choice, naming::rules_of(stems)); !fields) return fields.error();
  std::string text = sound_text(proposal, chosen.files, stems, profiles, choice);
  return std::pair(std::move(proposal), std::move(text));
}

}  // namespace

Exit propose_question(const InitOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const fs::path out = options.out.empty() ? fs::path(init::id_of(options.folder) + ".toml") : options.out;
  std::error_code failed;
  if (fs::is_regular_file(options.folder, failed)) {
    if (!document::wanted())
      std::cout << "'" << one_line(options.folder.string())
                << "' is one profile, not a folder of them: this is what 'assay look' shows.\n\n";
    LookOptions one;
    one.places = {options.folder};
    return show_look(one);
  }
  if (options.ask && isatty(STDIN_FILENO) != 1)
    return fail(Error{"--ask needs a terminal to ask on"}.advise("leave it out and edit the file instead"));
  if (const Status free = files::check_replaceable(out, init::kProposedFile); !free) return fail(free.error());
  if (fs::is_regular_file(out, failed) && !options.force)
    return fail(Error{"'" + out.string() + "' already exists"}
                    .at(out.string())
                    .advise("name another file with -o, or replace it with --force"));

  const fs::path places[] = {options.folder};
  const auto catalog = profiles_at(places, {});
  if (!catalog) return fail(catalog.error());
  const MajorityReports chosen = choose(*catalog);
  if (chosen.files.empty())
    return fail(Error{"no profile in '" + options.folder.string() + "' can be read", Exit::kFailed}
                    .at(options.folder.string())
                    .advise("'assay look " + pasted(options.folder) + "' says why for each"));

  auto proposed = propose(options.folder, *catalog, chosen, options.choice, stop);
  if (!proposed) return fail(proposed.error());
  auto& [proposal, text] = *proposed;
  const bool for_people = options.format == RowFormat::kTable;
  if (document::wanted())
    std::cout << "{\"written\": " << nlohmann::json(out.string()).dump(-1, ' ', true, kReplace) << ", \"labels\": ";
  if (for_people)
    print_understood(proposal, chosen, catalog->questions.front().completeness.duplicate.size());
  else
    labels_of(proposal).write(std::cout, options.format);
  if (document::wanted()) std::cout << "}\n";
  if (options.ask) {
    std::cout << "\n";
    ask_user(proposal);
    text = init::toml_of(proposal);
  }
  if (const std::string problem = problem_of(text, chosen.files); !problem.empty()) return fail({problem});
  if (const Status written = files::write_text(out, init::kProposedFile, text); !written) return fail(written.error());
  std::ostream& to = for_people ? std::cout : std::cerr;
  print_outcome(proposal, out, to << "\nWritten to " << one_line(out.string()) << "\n");
  return Exit::kOk;
}

void add_init(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Reads the names of profiles and folders, kernels and NVTX ranges, prints what it understood, and writes a commented
question that compares what the names say was changed. Says so when nothing can be compared. Existing files are kept unless --force is
given.

Examples:
  assay init ~/profiles
  assay init ~/profiles -o compile.toml --ask)";
  const auto options = std::make_shared<InitOptions>();
  CLI::App& command =
      line.add("init", "Propose a question about a folder of profiles", kFooter, options, &propose_question);
  add_option(command, "folder", options->folder, "Folder of profiles")->required()->type_name("DIR");
  add_option(command, "-o,--out", options->out, "File to write (default: the folder's name, here)")->type_name("FILE");
  add_run_choice(command, options->choice);
  add_flag(command, "--force", options->force, "Replace that file");
  CLI::Option* ask = add_flag(command, "--ask", options->ask, "Ask what to compare and what to measure");
  document::add_rows(command, options->format)->excludes(ask);
  command.get_option("--json")->excludes(ask);
  add_format_path(command);
}

}  // namespace assay
