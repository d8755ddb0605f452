#include "difference/best.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "algo/page_sections.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "difference/asked_profiles.hpp"
#include "files/shell_word.hpp"
#include "look/markdown.hpp"
#include "look/print.hpp"
#include "render/format.hpp"
#include "render/ranking.hpp"
#include "render/text.hpp"
#include "results/write_outputs.hpp"

namespace assay {
namespace {

/// What the times are of: "step", or "capture" of programs without steps; empty: some of each.
std::string word_of(const RunResult& run) {
  std::set<std::string> words;
  for (const ReportRun& report : run.question(0).reports) {
    for (const OwnedAttribute& attribute : report.result.attributes) {
      if (attribute.name == page::kStepWord) words.insert(attribute.value);
    }
  }
  return words.size() == 1 ? *words.begin() : std::string();
}

look::PageSection section_of(const Ranking& ranking, const std::string& word) {
  RankingTable table = table_of(ranking, word);
  table.columns.front().title = "configuration";
  look::PageSection part;
  part.title = ranking.labels.empty() ? "Configurations, fastest first" : label_list(ranking.labels);
  part.columns = std::move(table.columns);
  part.rows = std::move(table.rows);
  return part;
}

/// What can be said of the intervals, once for all tables.
std::string intervals_text(const Ranking& ranking) {
  const OwnedEffect& effect = *ranking.rows.back().stratum->effect;
  const bool blocks = effect.method.starts_with("differences from the leader within blocks");
  return fmt::format("Intervals of all {} at once, {}{}.", counted(ranking.rows.size() - 1, "comparison"),
                     percent(effect.level, 0), blocks ? ", block by block" : "");
}

std::vector<look::PageAdvice> to_try(const CompareOptions& options, const FolderSides& found,
                                     const std::vector<Ranking>& rankings) {
  std::vector<look::PageAdvice> out;
  const bool one_each = std::ranges::all_of(rankings, &Ranking::has_no_spread);
  if (one_each)
    out.push_back({"3 runs of each, to rank near ones: NAME_run1, NAME_run2, NAME_run3, or a folder for each", "", ""});
  const std::string& leader = rankings.front().rows.front().name;
  const auto at = std::ranges::find(found.sides, leader, &SideProfiles::name);
  const auto same = std::ranges::count(found.values, found.values[static_cast<std::size_t>(at - found.sides.begin())]);
  if (options.places.size() == 1 && same == 1 && rankings.size() == 1)
    out.push_back({"what makes " + leader + " faster", "",
                   fmt::format("assay compare {} --by {}", shell_word(options.places.front().string()),
                               shell_word(found.label + "=" +
                                          found.values[static_cast<std::size_t>(at - found.sides.begin())]))});
  return out;
}

/// "vit: 32 is fastest in 6 of 13 settings, 16 in 5, 8 in 2".
std::string wins_text(const std::string& label, const std::vector<Ranking>& rankings) {
  std::map<std::string, std::size_t> wins;
  for (const Ranking& ranking : rankings) ++wins[ranking.rows.front().name];
  std::vector<std::pair<std::string, std::size_t>> order(wins.begin(), wins.end());
  std::ranges::stable_sort(order, std::greater{}, [](const auto& one) { return one.second; });
  std::string text = label + ":";
  for (const auto& [name, count] : order)
    text += fmt::format("{} {} {}in {}{}", name == order.front().first ? "" : ",", name,
                        name == order.front().first ? "is fastest " : "", count,
                        name == order.front().first ? " of " + counted(rankings.size(), "setting") : "");
  return text;
}

look::Page page_of(const CompareOptions& options, const FolderSides& found, const RunResult& run,
                   const std::vector<Ranking>& rankings, std::vector<std::string> assumed) {
  const std::string word = word_of(run), per = word.empty() ? "" : " a " + word;
  look::Page page{
      options.places.size() == 1 ? options.places.front().string() : counted(options.places.size(), "place"), {}, {}};
  if (rankings.size() == 1) {
    page.headline = rankings.front().sentence(per);
  } else {
    page.headline = wins_text(found.label, rankings);
  }
  look::PageSection advice{.title = "What to try", .columns = {}, .rows = {}};
  advice.advice = to_try(options, found, rankings);
  if (!advice.advice.empty()) page.parts.push_back(std::move(advice));
  for (const Ranking& ranking : rankings) page.parts.push_back(section_of(ranking, word.empty() ? "time" : word));
  const auto told = std::ranges::find_if(rankings, [](const Ranking& ranking) { return !ranking.has_no_spread(); });
  if (told != rankings.end()) page.parts.back().sentences.push_back(intervals_text(*told));
  if (word.empty())
    assumed.emplace_back(
        "some of these times are of a step and others of the whole capture: --steps names the ranges that are steps");
  if (!assumed.empty()) page.parts.push_back({"Runs", {}, {}, std::move(assumed)});
  if (std::vector<std::string> left_out = left_out_of(run); !left_out.empty())
    page.parts.push_back({"Left out", {}, {}, std::move(left_out)});
  return page;
}

std::string json_of(const look::Page& page, const std::vector<Ranking>& rankings) {
  using Json = nlohmann::ordered_json;
  Json all = Json::parse(look::json_of(page));
  Json& list = all["ranking"] = Json::array();
  for (const Ranking& ranking : rankings) {
    for (const RankedValue& row : ranking.rows) {
      const OwnedEffect& effect = *row.stratum->effect;
      Json labels = Json::object();
      for (const auto& [name, value] : ranking.labels) labels[name] = value;
      list.push_back({{"configuration", row.name},
                      {"labels", labels},
                      {"step_ns", row.value},
                      {"ratio", row.value / ranking.rows.front().value},
                      {"low", effect.lo},
                      {"high", effect.hi},
                      {"runs", effect.n},
                      {"verdict", row.verdict}});
    }
  }
  return all.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Exit rank_profiles(const CompareOptions& options, FolderSides found) {
  Result<Question> question = installed_question("commands/best.toml");
  if (!question) return fail(question.error());
  if (!options.steps.empty()) question->iterations.nvtx = options.steps;
  std::vector<std::string> assumed;
  Result<Catalog> catalog = catalog_of_sides(found.sides, *question, options.choice, assumed);
  if (!catalog) return fail(catalog.error());
  if (!options.out.empty()) {
    if (const Status writable = check_output_folder(options.out, options.force, {*question}); !writable)
      return fail(writable.error());
  }
  const Result<RequestResult> asked =
      answered(std::move(*question), std::move(*catalog), {.plugin_paths = options.plugin_paths, .jobs = options.jobs});
  if (!asked) return fail(asked.error());
  const RunResult& run = asked->result;
  const QuestionResult& result = run.questions.front();
  const std::vector<Ranking> rankings = rankings_of(result.claims.front(), result.metrics);
  if (rankings.empty()) {
    const auto why = without_answer(run);
    return fail(why ? *why : Error{"nothing could be ranked: " + result.claims.front().reason, Exit::kFailed});
  }
  const look::Page page = page_of(options, found, run, rankings, std::move(assumed));
  if (document::wanted())
    std::cout << json_of(page, rankings);
  else
    look::print_page(page, std::cout, output_style(), options.whole ? look::kEveryRow : look::kPrintedRows);
  if (options.out.empty()) return Exit::kOk;
  if (const auto written =
          write_outputs(run, options.out, options.force,
                        {.summary = look::markdown_of(page), .page = look::html_page({page}, "compare --best", 1)});
      !written)
    return fail(written.error());
  if (!document::wanted()) std::cout << "\nWritten to " << one_line(options.out.string()) << "\n";
  return Exit::kOk;
}

}  // namespace assay
