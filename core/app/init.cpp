#include "app/init.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/init/toml.hpp"
#include "app/inputs.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "app/terminal.hpp"
#include "config/question_file.hpp"
#include "discover/discover.hpp"
#include "files/staged_file.hpp"
#include "files/stem.hpp"
#include "load/load.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t kMostRead = 24;  // reports whose ranges are read: names repeat from run to run
constexpr std::size_t kShown = 8, kWide = 44;

/// Reports of the kind that most are of, and how many are of others.
struct Chosen {
  std::vector<const FoundFile*> files;
  std::string kind;
  std::size_t others = 0, unreadable = 0;
};

Chosen choose(const Catalog& catalog) {
  std::map<std::string, std::vector<const FoundFile*>> kinds;
  Chosen chosen;
  for (const CatalogEntry& entry : catalog.questions.front().entries) {
    const FoundFile& file = catalog.files[entry.file];
    if (is_report(file.kind))
      kinds[std::string(file.kind.word)].push_back(&file);
    else
      ++chosen.unreadable;
  }
  for (auto& [kind, files] : kinds) {
    chosen.others += files.size();
    if (files.size() > chosen.files.size()) chosen.files = files, chosen.kind = kind;
  }
  chosen.others -= chosen.files.size();
  return chosen;
}

/// The ranges of a report by name; nothing when it cannot be read.
std::optional<init::RangesOfReport> ranges_in(const FoundFile& file) {
  const Result<Profile> profile = load_profile({file.path, file.kind}, file.name, {col::ranges, col::spans});
  if (!profile) return std::nullopt;
  const Result<Profile::View> view = profile->view({}, {});
  if (!view) return std::nullopt;
  init::RangesOfReport ranges;
  const Report& report = view->report();
  for (const RangeTable* table : {report.ranges, report.spans}) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      init::RangesOfReport::Range& range = ranges.by_name[std::string(report.string(table->name[r]))];
      range.start = range.count == 0 ? table->start[r] : std::min(range.start, table->start[r]);
      range.end = range.count == 0 ? table->end[r] : std::max(range.end, table->end[r]);
      range.time += table->end[r] - table->start[r];
      ++range.count;
    }
  }
  return ranges;
}

std::vector<init::RangesOfReport> read_ranges(const std::vector<const FoundFile*>& files,
                                              const std::atomic<bool>& stop) {
  std::vector<init::RangesOfReport> out;
  const std::size_t count = std::min(files.size(), kMostRead);
  ProgressBar bar(true);
  for (std::size_t i = 0; i < count && !stop; ++i) {
    if (auto ranges = ranges_in(*files[i * files.size() / count])) out.push_back(std::move(*ranges));
    bar.show(i + 1, count);
  }
  return out;
}

/// What is wrong with a text as a question for these files; empty when all names are understood by it.
std::string problem_of(const std::string& toml, const std::vector<const FoundFile*>& files) {
  const fs::path place = fs::temp_directory_path() / ("assay-init-" + std::to_string(getpid()) + ".toml");
  Result<files::StagedFile> staged = files::StagedFile::make(place);
  if (!staged) return staged.error().sentence;
  staged->stream() << toml;
  if (const Status written = staged->publish(); !written) return written.error().sentence;
  const Result<ConfigFile> read = read_config_file(place);
  std::error_code ignored;
  fs::remove(place, ignored);
  if (!read) return read.error().sentence;
  const auto& question = std::get<Question>(*read);
  for (const FoundFile* file : files) {
    const ParsedName name = parse_name(question.labels, file->path.filename().native());
    if (!name.problems.empty()) return file->name + ": " + name.problems.front();
  }
  return {};
}

/// The first of three that explains all names: what they seem to mean, each a value of its own, nothing.
std::string sound_text(init::Proposal& proposal, const std::vector<const FoundFile*>& files,
                       const std::vector<std::string>& stems) {
  init::NameRules nothing;
  nothing.of_stem.resize(stems.size());
  for (init::NameRules rules : {init::rules_of(stems), init::whole_names(stems), nothing}) {
    proposal.names = std::move(rules);
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

/// Lets the user say what is compared and measured.
void ask(init::Proposal& proposal) {
  std::cout << "Enter keeps what stands in brackets; 'none' leaves it out.\n";
  if (!proposal.comparisons.empty()) {
    std::vector<std::string> labels;
    for (const init::Comparison& comparison : proposal.comparisons) labels.push_back(comparison.label);
    const std::string label = asked("Label to compare (" + some_of(labels, kShown) + ")", labels.front());
    const auto at = std::find_if(proposal.comparisons.begin(), proposal.comparisons.end(),
                                 [&](const auto& comparison) { return comparison.label == label; });
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

void print_understood(const init::Proposal& proposal, const Chosen& chosen) {
  std::cout << counted(chosen.files.size(), "report") << " (" << chosen.kind << ")";
  if (chosen.others > 0) std::cout << ", " << chosen.others << " of another kind left out";
  if (chosen.unreadable > 0) std::cout << ", " << chosen.unreadable << " that cannot be read ('assay look' says why)";
  std::cout << "\n\nNames" << (proposal.names.patterns.empty() ? ": nothing tells them apart\n" : "\n");
  if (!proposal.names.patterns.empty()) {
    std::cout << "  pattern  " << one_line(proposal.names.patterns.front());
    for (const init::NameSuffix& suffix : proposal.names.suffixes) std::cout << "  [" << one_line(suffix.match) << "]";
    std::cout << "\n";
    TextTable table({{"label"}, {"type"}, {"values", true}, {"such as"}, {"so it is"}});
    for (const init::NameLabel& label : proposal.names.labels) {
      const bool asked_about = !proposal.comparisons.empty() && proposal.comparisons.front().label == label.name;
      const std::string role = label.rank                ? "rank of a job"
                               : label.descriptive       ? "describing only"
                               : label.values.size() < 2 ? "constant"
                               : asked_about             ? "compared with " + proposal.comparisons.front().base
                                                         : "held fixed";
      constexpr std::string_view kTypes[] = {"int", "number", "text"};
      table.row({label.name, std::string(kTypes[static_cast<std::size_t>(label.type)]),
                 std::to_string(label.values.size()), shortened(some_of(label.values, 4), kWide), role});
    }
    table.print(std::cout, 2);
  }
  const init::ProposedRanges& ranges = proposal.ranges;
  std::cout << "\nRanges of " << counted(proposal.ranges_read, "report") << "\n  iterations  "
            << (ranges.iterations.empty()
                    ? "none: no ranges whose names differ in a number repeat in every report"
                    : one_line(ranges.iterations) + " (" + std::to_string(ranges.least) +
                          (ranges.least == ranges.most ? "" : " to " + std::to_string(ranges.most)) + " a report)")
            << "\n  window      " << (ranges.window.empty() ? "the whole capture" : one_line(ranges.window)) << "\n";
  if (ranges.iterations.empty() && !ranges.seen.empty())
    std::cout << "  there are   " << one_line(some_of(ranges.seen, 4)) << "\n";
  if (!proposal.comparisons.empty() && proposal.comparisons.front().pairs == 0)
    std::cout << "\nNo two reports differ in one label alone, so nothing can be compared yet.\n";
}

Status write_question(const fs::path& out, const std::string& text) {
  Result<files::StagedFile> file = files::StagedFile::make(out);
  if (!file) return file.error();
  file->stream() << text;
  return file->publish();
}

}  // namespace

Exit propose_question(const InitOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const fs::path out = options.out.empty() ? fs::path(init::id_of(options.folder) + ".toml") : options.out;
  std::error_code failed;
  if (options.ask && isatty(STDIN_FILENO) != 1)
    return fail({"--ask needs a terminal to ask on; leave it out and change what the file says"});
  if (!fs::is_directory(options.folder, failed))
    return fail({"there is no folder '" + options.folder.string() + "'; name one that holds reports"});
  if (fs::exists(out, failed) && !options.force)
    return fail({"'" + out.string() + "' is there already; name another file with -o, or replace it with --force"});

  std::vector<Question> questions(1);
  questions.front().id = "init";
  const fs::path folders[] = {options.folder};
  const auto catalog = discover(questions, folders);
  if (!catalog) return fail(no_report_in(folders));
  const Chosen chosen = choose(*catalog);
  if (chosen.files.empty())
    return fail({"no report in '" + options.folder.string() + "' can be read; 'assay look " + options.folder.string() +
                     "' says why for each",
                 Exit::kFailed});

  init::Proposal proposal;
  proposal.folder = options.folder;
  proposal.only_kind = chosen.others > 0 ? chosen.kind : std::string();
  std::vector<std::string> stems;
  for (const FoundFile* file : chosen.files) {
    proposal.reports.push_back(file->name);
    stems.emplace_back(stem_of(file->path.filename().native()));
  }
  const std::vector<init::RangesOfReport> ranges = read_ranges(chosen.files, stop);
  if (stop) return fail({"interrupted; nothing was written", Exit::kInterrupted});
  proposal.ranges = init::ranges_of(ranges);
  proposal.ranges_read = ranges.size();
  std::string text = sound_text(proposal, chosen.files, stems);
  print_understood(proposal, chosen);
  if (options.ask) {
    std::cout << "\n";
    ask(proposal);
    text = init::toml_of(proposal);
  }
  if (const std::string problem = problem_of(text, chosen.files); !problem.empty()) return fail({problem});
  if (const Status written = write_question(out, text); !written) return fail(written.error());
  std::cout << "\nWritten to " << one_line(out.string()) << "; it answers at once:\n  assay run "
            << one_line(out.string()) << " --reports " << one_line(options.folder.string()) << "\n";
  return Exit::kOk;
}

void add_init(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Reads names and NVTX ranges, prints what they seem to mean, and writes a commented question that compares the label
with most pairs. Nothing is replaced without --force.

Examples:
  assay init ~/profiles
  assay init ~/profiles -o compile.toml --ask)";
  const auto options = std::make_shared<InitOptions>();
  CLI::App& command =
      line.add("init", "Propose a question about a folder of reports", kFooter, options, &propose_question);
  command.add_option("folder", options->folder, "Folder of reports")->required()->type_name("DIR");
  command.add_option("-o,--out", options->out, "File to write (default: the folder's name, here)")->type_name("FILE");
  command.add_flag("--force", options->force, "Replace that file");
  command.add_flag("--ask", options->ask, "Ask what to compare and what to measure");
}

}  // namespace assay
