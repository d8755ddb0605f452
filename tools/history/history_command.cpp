#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "cli/ci.hpp"
#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "files/log_line.hpp"
#include "files/read_file.hpp"
#include "files/staged_file.hpp"
#include "history/history_page.hpp"
#include "history/trends.hpp"
#include "look/page_output.hpp"
#include "predictions/ledger.hpp"
#include "render/format.hpp"
#include "render/html/html.hpp"
#include "render/markdown_parts.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndex = ".assay-history";

/// Its title tells it from the pages of results, which it does not replace.
const files::OutputKind kHistoryPage{.name = "a history that assay wrote",
                                     .begins = kHtmlPage.begins,
                                     .mark = "<meta name=\"generator\" content=\"assay\">\n<title>History"};

struct HistoryOptions {
  std::vector<fs::path> places;  ///< results in order, or one folder of them
  fs::path out, accepted, order, index;
  bool no_index = false;
  CiOptions ci;  ///< --gate, --annotations
  RowFormat format = RowFormat::kTable;
  TrendSettings settings;
};

bool is_result(const fs::path& place) {
  std::error_code failed;
  return fs::exists(place / "results.sqlite", failed);
}

/// Results in the order of the lines of a file, such as from `git log --reverse --format=%h`; drops those that it does
/// not list.
Result<std::vector<fs::path>> in_order(const std::vector<fs::path>& found, const fs::path& order) {
  constexpr std::uint64_t kLargest = std::uint64_t{16} << 20U;
  const Result<std::string> text = files::read_file(order, kLargest, files::NamedBy::kUser);
  if (!text)
    return Error{fmt::format("--order: '{}' {}", order.string(), text.error().sentence)}
        .at(order.string())
        .advise("name a file with one result per line");
  std::istringstream in(*text);
  std::map<std::string, fs::path> by_name;
  for (const fs::path& result : found) by_name.emplace(result.filename().string(), result);
  std::vector<fs::path> ordered;
  for (std::string line; std::getline(in, line);) {  // the first mention counts: a result is one measurement
    if (auto named = by_name.extract(line)) ordered.push_back(std::move(named.mapped()));
  }
  if (ordered.empty()) return Error{"--order: '" + order.string() + "' lists none of the results"}.at(order.string());
  return ordered;
}

/// The ledger itself, or that of a folder; empty if there is none.
fs::path ledger_at(const fs::path& place) {
  std::error_code failed;
  if (place.filename() == predictions::kLedger && fs::is_regular_file(place, failed)) return place;
  const fs::path inside = place / predictions::kLedger;
  return fs::is_regular_file(inside, failed) ? inside : fs::path();
}

/// Results at the places: a result is itself, any other folder means the results in it, by name. Folders of
/// recordings with a ledger may have none.
Result<std::vector<fs::path>> results_of_places(const HistoryOptions& options) {
  std::vector<fs::path> found;
  for (const fs::path& place : options.places) {
    if (is_result(place)) {
      found.push_back(place);
      continue;
    }
    const std::vector<fs::path> below = results_below(place);
    if (below.empty() && !ledger_at(place).empty()) continue;
    if (below.empty())
      return Error{"'" + place.string() + "' is neither a result nor a folder of results"}
          .at(place.string())
          .advise("name folders that 'assay run -o' wrote, or a folder of them");
    found.insert(found.end(), below.begin(), below.end());
  }
  // A result that is named repeatedly is one measurement.
  std::set<fs::path> known;
  std::erase_if(found, [&](const fs::path& result) {
    std::error_code failed;
    return !known.insert(fs::weakly_canonical(result, failed)).second;
  });
  return options.order.empty() ? found : in_order(found, options.order);
}

/// Next to the results of a folder; results named one by one have no index unless --index says where.
fs::path index_of(const HistoryOptions& options) {
  if (options.no_index || !options.index.empty()) return options.no_index ? fs::path() : options.index;
  const bool folder = options.places.size() == 1 && !is_result(options.places.front());
  return folder ? options.places.front() / kIndex : fs::path();
}

Status check_accepted(const std::vector<AcceptedChange>& accepted, const std::vector<HistoryResult>& results) {
  std::set<std::string> names;
  for (const HistoryResult& result : results) names.insert(result.name);
  for (const AcceptedChange& change : accepted) {
    if (!names.contains(change.at))
      return Error{"--accepted: there is no result '" + change.at + "'"}.at(change.at).advise(
          "'at' names the result at which the level changed");
  }
  return ok();
}

void print_trends(const std::vector<HistoryResult>& results, const Trends& trends) {
  constexpr std::size_t kPrinted = 20;
  if (trends.changed.empty()) {
    std::cout << nothing_found(trends) << "\n";
    return;
  }
  TextTable table({{"net", true}, {"time", true}, {"metric"}, {"cell"}, {"last change"}, {"at"}});
  for (std::size_t i = 0; i < std::min(kPrinted, trends.changed.size()); ++i) {
    const Trend& trend = trends.changed[i];
    const Change& last = trend.changes.back();
    table.row({effect_text(trend, trend.net, trend.net_lo, trend.net_hi), longer_text(trend),
               trend.id.metric + (trend.id.dims.empty() ? "" : " [" + trend.id.dims + "]"),
               trend.id.cell.empty() ? "all" : trend.id.cell, direction_text(last), location_text(last, results)});
  }
  table.print(std::cout, 0, table_width());
  if (trends.changed.size() > kPrinted)
    std::cout << "and " << trends.changed.size() - kPrinted << " more; -o FILE.html shows them\n";
}

void print_history(const ReadHistory& history, const Trends& trends) {
  std::cout << counted(history.results.size(), "result") << " (" << history.read << " read, "
            << history.results.size() - history.read << " remembered), " << trends.series << " series examined";
  if (trends.short_series > 0) std::cout << ", " << trends.short_series << " with fewer than six results left out";
  if (!trends.changed.empty() && trends.too_alike > 0) std::cout << "; " << alike_text(trends);
  std::cout << "\n";
  print_trends(history.results, trends);
}

/// One row per change per series, with exact numbers.
void write_changes(const std::vector<HistoryResult>& results, const Trends& trends, RowFormat format,
                   std::ostream& to) {
  TextTable table({{"question"},
                   {"machine"},
                   {"metric"},
                   {"dims"},
                   {"cell"},
                   {"at"},
                   {"earliest"},
                   {"latest"},
                   {"effect", true},
                   {"low", true},
                   {"high", true},
                   {"effect_is"},
                   {"direction"},
                   {"regression"}});
  for (const Trend& trend : trends.changed) {
    for (const Change& change : trend.changes) {
      table.row({trend.id.question, trend.id.machine, trend.id.metric, trend.id.dims, trend.id.cell,
                 results[change.at].name, results[change.earliest].name, results[change.latest].name,
                 exact(change.effect), exact(change.lo), exact(change.hi), trend.relative ? "ratio" : "amount",
                 direction_text(change), trend.regression ? "yes" : "no"});
    }
  }
  table.write(to, format);
}

/// A changed series as a case: the claim that it did not get worse.
ci::Case case_of(const Trend& trend, const std::vector<HistoryResult>& results) {
  const SeriesId& id = trend.id;
  return {.question = id.question,
          .claim = fmt::format("{}{} ({})", id.metric, id.dims.empty() ? "" : " [" + id.dims + "]",
                               id.cell.empty() ? "all" : id.cell),
          .text = "The last level is no worse than the first one",
          .verdict = trend.regression ? Verdict::kRefuted : Verdict::kSupported,
          .reason = fmt::format("{}, {} at {}", effect_text(trend, trend.net, trend.net_lo, trend.net_hi),
                                direction_text(trend.changes.back()), location_text(trend.changes.back(), results))};
}

std::string worse_text(const ci::GateInput& gate) {
  const auto failed = gate.with(Verdict::kRefuted);
  if (failed.empty()) return {};
  const ci::Case& first = *failed.front();
  return fmt::format("{} got worse, most of all {}: {}", counted(failed.size(), "series"), first.claim, first.reason);
}

/// The largest changes as a Markdown table.
std::string history_summary(const std::vector<HistoryResult>& results, const Trends& trends) {
  constexpr std::size_t kRows = 100;
  std::string out = fmt::format("{}, {} series examined.\n\n", counted(results.size(), "result"), trends.series);
  if (trends.changed.empty()) return out + markdown(nothing_found(trends)) + "\n";
  MarkdownTable table({{"net", true}, {"time", true}, {"series"}, {"last change"}});
  for (std::size_t i = 0; i < std::min(kRows, trends.changed.size()); ++i) {
    const Trend& trend = trends.changed[i];
    const Change& last = trend.changes.back();
    table.row({effect_text(trend, trend.net, trend.net_lo, trend.net_hi), longer_text(trend),
               case_of(trend, results).name(), direction_text(last) + " at " + location_text(last, results)});
  }
  out += table.text();
  if (trends.changed.size() > kRows) out += "\nand " + std::to_string(trends.changed.size() - kRows) + " more\n";
  return out;
}

/// Prints how predictions did, for every place with a ledger. Returns whether there was one.
Result<bool> show_ledgers(const HistoryOptions& options) {
  bool any = false;
  for (const fs::path& place : options.places) {
    const fs::path file = ledger_at(place);
    if (file.empty()) continue;
    const Result<predictions::Ledger> ledger = predictions::read_ledger(file);
    if (!ledger) return ledger.error();
    for (const std::string& damaged : ledger->damaged) std::cerr << "left out: " << one_line(damaged) << "\n";
    if (options.format == RowFormat::kTable)
      predictions::print_ledger(*ledger, std::cout, table_width());
    else
      predictions::write_ledger(*ledger, options.format, std::cout);
    any = true;
  }
  return any;
}

ci::GateInput gate_of(const Trends& trends, const std::vector<HistoryResult>& results) {
  ci::GateInput gate;
  for (const Trend& trend : trends.changed) {
    if (trend.gates) gate.cases.push_back(case_of(trend, results));
  }
  gate.decided = trends.gating > 0;
  gate.undecided = trends.series > 0
                       ? "--gate: no series of six results is the time of a step, so nothing was decided; "
                         "name the metrics to judge with --metric"
                       : "--gate: no series has the six results needed to find a change, so nothing was decided; "
                         "collect more results";
  return gate;
}

Exit run_history(const HistoryOptions& options) {
  const Result<Ci> ci = read_ci(options.ci);
  if (!ci) return fail(ci.error());
  const look::PageOutput output{options.out, "history", true, kHistoryPage};
  if (const Status free = output.check(); !free) return fail(free.error());
  const auto folders = results_of_places(options);
  if (!folders) return fail(folders.error());
  if (folders->empty()) {
    if (ci->gated || !options.out.empty())
      return fail({"--gate and --out are about results, and none is there: only judged predictions"});
    const Result<bool> shown = show_ledgers(options);
    return shown ? Exit::kOk : fail(shown.error());
  }
  const auto history = read_history(*folders, index_of(options));
  if (!history) return fail(history.error());
  if (!history->kept && !options.index.empty()) return fail(history->kept.error());
  if (!history->kept) log_warning("the index is not kept: {}", history->kept.error().sentence);
  TrendSettings settings = options.settings;
  if (!options.accepted.empty()) {
    auto accepted = read_accepted(options.accepted);
    if (!accepted) return fail(accepted.error());
    if (const Status known = check_accepted(*accepted, history->results); !known) return fail(known.error());
    settings.accepted = *std::move(accepted);
  }
  for (const Error& error : history->unreadable) fail(error.in("left out: "));
  const Trends trends = find_trends(history->results, settings);
  const bool for_people = options.format == RowFormat::kTable;
  if (for_people) {
    const InertOutput inert(*ci, std::cout);
    print_history(*history, trends);
    const Result<bool> shown = show_ledgers(options);
    if (!shown) return fail(shown.error());
  } else {
    write_changes(history->results, trends, options.format, std::cout);
  }
  if (!options.out.empty()) {
    std::ostringstream changes;
    write_changes(history->results, trends, RowFormat::kJson, changes);
    const Status written =
        output.write(history_page(history->results, trends), "{\"changes\": " + changes.str() + "}\n");
    if (!written) return fail(written.error());
    if (for_people) std::cout << "Written to " << one_line(options.out.string()) << "\n";
  }
  const ci::GateInput gate = gate_of(trends, history->results);
  const Status told = write_ci_reports(*ci, gate,
                                       {.command = "assay history",
                                        .summary = history_summary(history->results, trends),
                                        .instead = "'assay history -o FILE.html' writes all",
                                        .rows_only = !for_people});
  if (!told) fail(told.error());
  const bool fails = ci->gated && ci::gate(gate) == ci::GateOutcome::kFailed;
  if (ci->gated && !fails && !history->unreadable.empty())
    return fail({fmt::format("--gate: {} could not be read, so the history is not complete: {}",
                             counted(history->unreadable.size(), "result"), history->unreadable.front().sentence),
                 Exit::kFailed});
  if (const Status good = gate_status(*ci, gate, worse_text(gate)); !good) return fail(good.error());
  return told ? Exit::kOk : told.error().exit;
}

}  // namespace

void add_history(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Each metric of each cell is one series over the results in the given order (in a folder: by name), on one kind of
machine (models of GPU and CPU, driver). A change needs three results on each side and must exceed the noise of its
series, corrected for the number of series. --gate exits with 1 if the last level of the time of a step, or of the metrics
named by --metric, is worse than the first one that --accepted does not explain. In a folder of results, an index stores
what was read. For a folder of recordings with predictions.jsonl it says how the predictions of 'assay
whatif' compare with what was measured.

Examples:
  assay history nightly -o history.html --gate
  assay history nightly --order <(git log --reverse --format=%h) --accepted accepted.toml
  assay history out/monday out/tuesday out/wednesday --metric 'iteration.*'
  assay history recordings)";
  const auto options = std::make_shared<HistoryOptions>();
  CLI::App& command = line.add("history", "Find changes of metrics over many results", kFooter, options, run_history);
  add_option(command, "results", options->places,
             "Results in order, or a folder of them; folders with judged predictions")
      ->required()
      ->type_name("RESULT");
  add_option(command, "-o,--out", options->out,
             "Write a page with sparklines, most time lost or won first, or a folder with it and its data")
      ->type_name("FILE.html");
  add_wide(command);
  document::add_rows(command, options->format);
  add_ci(command, options->ci,
         "Exit with 1 if a step (or --metric) got worse and that is not accepted, with 4 if no series is long enough");
  add_option(command, "--accepted", options->accepted,
             "TOML with [[accepted]]: at = \"RESULT\", and globs metric, cell, question; reason")
      ->type_name("FILE");
  add_option(command, "--order", options->order, "Names of the results in order, one per line; others are left out")
      ->type_name("FILE");
  CLI::Option* index =
      add_option(command, "--index", options->index, "Index file (default: .assay-history in the folder)")
          ->type_name("FILE");
  add_flag(command, "--no-index", options->no_index, "Read every result and keep no index")->excludes(index);
  add_option(command, "--question", options->settings.question, "Only this question")->type_name("ID");
  add_option(command, "--metric", options->settings.metrics,
             "Only metrics that match, e.g. 'iteration.*'; may be repeated")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_option(command, "--tolerance", options->settings.tolerance, "Share by which a level may be worse, e.g. 0.02")
      ->type_name("SHARE")
      ->check(in_range(0.0, 10.0));
}

}  // namespace assay
