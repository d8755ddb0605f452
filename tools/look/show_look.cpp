#include "look/show_look.hpp"

#include <fmt/core.h>

#include <iostream>

#include "analyze/report_sink.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "files/did_you_mean.hpp"
#include "files/shell_word.hpp"
#include "look/page_output.hpp"
#include "look/print.hpp"
#include "look/report.hpp"
#include "pipeline/outcome.hpp"
#include "pipeline/pipeline.hpp"
#include "recognise/profiles.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "runs/run_table.hpp"
#include "some_of.hpp"

namespace assay {
namespace {

constexpr std::size_t kColumns = 12;

/// Lets go of the tables of each profile, most of the memory of a folder: its page has none of them.
class NoTables final : public TableStream {
  void on_table(std::string_view, const TableView&, bool) override {}
  void end(std::string_view) override {}
};

/// No report could be read; the page gives the reason for each.
Exit nothing_read(std::size_t reports) {
  std::cout << std::flush;
  return fail(Error{(reports == 1 ? std::string("the profile could not be read")
                                  : "0 of " + counted(reports, "profile") + " could be read"),
                    Exit::kFailed});
}

void print_answer(const LookOptions& options, const look::Page& page, std::size_t reports) {
  if (document::wanted()) {
    std::cout << look::json_of(page);
    return;
  }
  look::print_page(page, std::cout, output_style(),
                   options.all       ? look::kEveryRow
                   : options.top > 0 ? options.top
                                     : look::kPrintedRows,
                   reports > 1 ? "--all" : "-o");
  if (!options.sort.empty() && options.places.size() == 1)
    std::cout << "\nWhich is fastest, and what cannot be told from it: assay compare "
              << one_line(shell_word(options.places.front().string())) << " --best\n";
}

}  // namespace

Exit show_look(const LookOptions& options) {
  const look::PageOutput output{options.out, "look", options.force};
  if (const Status free = output.check(); !free) return fail(free.error());
  auto question = installed_question(options.start ? "cold_start.toml" : "look.toml");
  if (!question) return fail(question.error());
  const std::vector<Question> questions = {std::move(*question)};
  auto catalog = profiles_at(options.places, questions);
  if (!catalog) return fail(catalog.error());
  NoTables no_tables;
  const bool rows_only = catalog->questions.front().entries.size() > 1 && options.out.empty();
  const auto answered = answer({.questions = questions,
                                .catalog = std::move(*catalog),
                                .tables = rows_only ? &no_tables : nullptr,
                                .settings = {.plugin_paths = options.plugin_paths,
                                             .jobs = options.jobs,
                                             .cache = options.no_cache ? std::nullopt : cache_of_large_files(),
                                             .progress = progress_bars(true),
                                             .stop = &stop_on_signals()}});
  if (!answered) return fail(answered.error());
  const RunResult& result = answered->result;

  const std::size_t reports = result.catalog->questions.front().entries.size();
  std::vector<look::Page> pages;
  look::ReportRows rows;
  rows.many = reports > 1;
  if (reports == 1 && !options.sort.empty())
    return fail(Error{"--sort orders the rows of several profiles, and here is one"});
  if (reports == 1) {
    pages.push_back(look::report_page(result, 0, rows));
  } else {
    const std::string title =
        options.places.size() == 1 ? options.places.front().string() : counted(reports, "profile");
    look::RowOrder order{options.sort, false, {}};
    pages.push_back(look::folder_page(result, title, order));
    if (RunTable runs = run_table(*result.catalog, options.choice); !runs.sentences.empty())
      pages.back().parts.insert(pages.back().parts.end() - (pages.back().parts.empty() ? 0 : 1),
                                {"Runs", {}, {}, std::move(runs.sentences)});
    if (!options.sort.empty() && !order.found)
      return fail(Error{fmt::format("--sort: no column of numbers is called '{}'; the columns are {}.", options.sort,
                                    some_of(order.headings, kColumns))}
                      .at(options.sort)
                      .suggest(did_you_mean(options.sort, order.headings)));
  }
  print_answer(options, pages.front(), reports);
  if (!options.out.empty()) {
    for (std::size_t e = 0; reports > 1 && e < reports; ++e) pages.push_back(look::report_page(result, e, rows));
    const Status written = output.write(look::html_page(pages), look::json_of(pages.front()));
    if (!written) return fail(written.error());
    if (!document::wanted()) std::cout << "\nWritten to " << one_line(options.out.string()) << "\n";
  }
  return total_failure(result) ? nothing_read(reports) : Exit::kOk;
}

}  // namespace assay
