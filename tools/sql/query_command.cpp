#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "catalog/places.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/sql_limits.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "files/read_file.hpp"
#include "load/columns.hpp"
#include "query/model.hpp"
#include "query/table_module.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "result.hpp"
#include "sql/loaded.hpp"
#include "sql/print.hpp"
#include "sql/prompt.hpp"
#include "sql/remarks.hpp"
#include "sql/run_cells.hpp"

namespace assay {
namespace {
namespace fs = std::filesystem;

struct QueryOptions {
  std::vector<std::string> arguments;  ///< reports or a folder, optionally followed by the statement
  std::string sql;                     ///< --sql: the statement; empty: it is the last argument, or there is none
  std::size_t most_rows = 0;           ///< --max-rows; 0: all
  std::filesystem::path file;          ///< --file: the file with the statement; empty: none
  std::filesystem::path config;        ///< --config: provides window, iterations and labels; empty: none
  std::string window;                  ///< --window: name of NVTX ranges; empty: the question's, or the whole capture
  std::string iterations;              ///< --iterations: a range name with {i}
  RowFormat format = RowFormat::kTable;
  SqlLimits limits;  ///< --timeout, --memory; the memory also limits the columns read
};

constexpr const char* kResults = "results.sqlite";
struct QueryArguments {
  std::vector<fs::path> places;
  std::optional<std::string> sql;
};

/// The last argument is the statement if it contains blanks and is not an existing name.
Result<QueryArguments> read_arguments(const QueryOptions& options) {
  QueryArguments asked;
  std::error_code failed;
  for (const std::string& argument : options.arguments) {
    const bool statement = options.sql.empty() && &argument == &options.arguments.back() &&
                           argument.find_first_of(" \t\n;") != std::string::npos;
    if (statement && !fs::exists(argument, failed))
      asked.sql = argument;
    else
      asked.places.emplace_back(argument);
  }
  if (!options.sql.empty()) asked.sql = options.sql;
  if (asked.places.empty()) return Error{"name a profile, a folder of profiles, or a folder that 'assay run' wrote"};
  if (!options.file.empty()) {
    if (asked.sql) return Error{"both a statement and --file are given"}.advise("give one of them");
    constexpr std::uint64_t kLargest = std::uint64_t{16} << 20U;
    Result<std::string> sql = files::read_file(options.file, kLargest, files::NamedBy::kUser);
    if (!sql) return Error{fmt::format("the statement's file '{}' {}", options.file.string(), sql.error().sentence)};
    asked.sql = std::move(*sql);
  }
  return asked;
}

/// results.sqlite, if the place is that file or a folder with it.
std::optional<fs::path> results_in(const fs::path& place) {
  std::error_code failed;
  if (fs::is_directory(place, failed)) {
    return fs::exists(place / kResults, failed) ? std::optional(place / kResults) : std::nullopt;
  }
  return place.filename() == kResults ? std::optional(place) : std::nullopt;
}

std::vector<query::ReportLabel> labels_of(const FoundFile& file, const LabelRules& rules,
                                          const std::vector<LabelOfReport>& labels) {
  std::vector<query::ReportLabel> all;
  for (const auto& [name, value] : file.environment) all.push_back({file.name, name, value});
  for (const LabelOfReport& label : labels) all.push_back({file.name, rules.labels[label.label].name, label.text});
  return all;
}

Result<std::vector<query::FoundReport>> find_reports(const std::vector<fs::path>& places, const Question& question,
                                                     Catalog& all) {
  auto catalog = profiles_at(places, {question}, {.strict = true});
  if (!catalog) return catalog.error();
  std::vector<query::FoundReport> found;
  for (const CatalogEntry& entry : catalog->questions.front().entries) {
    ProfileFiles files = files_of(*catalog, entry);
    auto labels = labels_of(files.file, question.labels, entry.labels);
    if (is_report(files.file.kind)) found.push_back({std::move(files), std::move(labels)});
  }
  if (found.empty()) return no_report_in(places);
  all = std::move(*catalog);
  return found;
}

/// The question whose window, iterations, labels and rules apply.
Result<Question> question_of(const QueryOptions& options) {
  Question question;
  if (!options.config.empty()) {
    const fs::path files[] = {options.config};
    auto questions = read_configs(files);
    if (!questions) return questions.error();
    if (questions->size() != 1)
      return Error{fmt::format("--config: '{}' names {} questions", options.config.string(), questions->size())}
          .at(options.config.string())
          .advise("name one of them");
    question = std::move(questions->front());
  }
  if (!options.window.empty()) question.window.nvtx = options.window;
  if (!options.iterations.empty()) question.iterations = options.iterations;
  question.id = "query";
  return question;
}

/// The rules of kernel classes: the question's, or those of the installation.
void set_kernel_rules(const Question& question, query::SessionData& data) {
  const auto texts = [](const Question& from, std::string_view option) {
    std::vector<std::string> rules;
    for (const AnalyzerConfig& analyzer : from.analyzers) {
      for (const RawOption& o : analyzer.options) {
        const auto* list = std::get_if<std::vector<std::string>>(&o.value.value);
        if (o.name == option && list != nullptr && rules.empty()) rules = *list;
      }
    }
    return rules;
  };
  std::vector<std::string> rules = texts(question, "own_rules");
  std::vector<std::string> shared = texts(question, "rules");
  if (shared.empty()) {
    const Result<Question> installed = installed_question("look.toml");
    if (installed) shared = texts(*installed, "rules");
    if (!installed) data.no_rules = installed.error().sentence;
  }
  rules.insert(rules.end(), shared.begin(), shared.end());
  if (rules.empty()) return;
  const std::vector<Str> views(rules.begin(), rules.end());
  try {
    data.rules = NameRules(views);
  } catch (const std::invalid_argument& wrong) {
    data.no_rules = wrong.what();
  }
}

/// Prints what is wrong with a statement, and where.
Exit print_error(const query::StatementError& problem, const std::string& sql, Exit exit) {
  if (!problem.offset) return fail({problem.sentence, exit});
  fail({fmt::format("{} ({})", problem.sentence, query::position_text(sql, *problem.offset)), exit});
  const std::string_view text(sql);
  const std::size_t begin = text.substr(0, *problem.offset).rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  std::cerr << "  " << one_line(line) << "\n  "
            << std::string(display_width(one_line(line.substr(0, *problem.offset - begin))), ' ') << "^\n";
  return exit;
}

Exit run_statement(query::Session& session, const std::string& sql, const QueryOptions& options,
                   const std::atomic<bool>& stop) {
  query::StatementError problem;
  std::optional<query::Query> statement = session.prepare(sql, options.limits.with(stop), problem);
  if (!statement) return print_error(problem, sql, Exit::kUsage);
  std::optional<HarmlessOutput> harmless;
  if (options.format != RowFormat::kTable) harmless.emplace();
  bool more = false;
  const std::optional<query::StatementError> failed =
      query::print_rows(*statement, options.format, std::cout, options.most_rows, &more);
  std::cout.flush();
  if (stop) return Exit::kInterrupted;
  if (more) {
    const std::string said =
        "there are more than " + counted(options.most_rows, "row") + ", which --max-rows leaves out";
    std::cerr << said << "\n";
    document::note({said, Exit::kOk});
  }
  return failed ? print_error(*failed, sql, Exit::kFailed) : Exit::kOk;
}

std::set<ColumnId> everything() {
  std::set<ColumnId> all;
  for (const ColumnInfo& column : column_infos()) all.insert(column.id);
  return all;
}

std::vector<std::string> words_of(const query::Session& session) {
  std::vector<std::string> words = session.tables();
  const std::size_t tables = words.size();
  for (std::size_t t = 0; t < tables; ++t) {
    for (std::string& column : session.columns(words[t])) words.push_back(std::move(column));
  }
  for (const query::FunctionText& function : query::function_texts())
    words.emplace_back(function.call.substr(0, function.call.find('(')));
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::vector<query::DescribedTable> described(const query::Session& session, const std::vector<std::string>& tables) {
  std::vector<query::DescribedTable> all;
  for (const std::string& name : tables) all.push_back({name, session.typed_columns(name)});
  return all;
}

/// Statements from a terminal or a pipe, each with its own result.
Exit prompt(query::PromptTasks tasks, RowFormat& format, const std::atomic<bool>& stop) {
  tasks.mode = [&format](const std::string& name) {
    const auto found = row_formats().find(name);
    if (found != row_formats().end()) format = found->second;
    return found != row_formats().end();
  };
  bool well = false;
  if (isatty(STDIN_FILENO) != 0) {
    stop_statements_on_signals();
    const auto run = tasks.run;
    tasks.run = [run](const std::string& sql) {
      const bool done = run(sql);
      interrupted();  // the interruption ends only the statement
      return done;
    };
    std::cout << "'.help' shows tables, functions and commands; '.quit' ends\n";
    run_prompt(*query::terminal_lines(tasks), tasks, std::cout);
    return Exit::kOk;
  }
  query::PipedLines lines(std::cin);
  well = run_prompt(lines, tasks, std::cout);
  return stop ? Exit::kInterrupted : well ? Exit::kOk : Exit::kUsage;
}

Exit query_results(const fs::path& file, const QueryArguments& asked, QueryOptions options,
                   const std::atomic<bool>& stop) {
  query::SessionData data;
  set_kernel_rules({}, data);
  Result<query::Session> session = query::Session::over_database(file, std::move(data));
  if (!session) return fail(session.error());
  if (asked.sql) return run_statement(*session, *asked.sql, options, stop);
  return prompt(
      {.run = [&](const std::string& sql) { return run_statement(*session, sql, options, stop) == Exit::kOk; },
       .tables = [&] { return session->tables(); },
       .schema = [&](const auto& names) { return described(*session, names); },
       .words = [&] { return words_of(*session); },
       .mode = {}},
      options.format, stop);
}

class OverReports {
 public:
  OverReports(const Question& question, query::LoadedReports loaded, Catalog catalog, const QueryOptions& options,
              const std::atomic<bool>& stop)
      : loaded_(std::move(loaded)), catalog_(std::move(catalog)), options_(options), stop_(stop) {
    data_.has_labels = true;
    set_kernel_rules(question, data_);
  }

  Exit run(const std::string& sql) {
    query::StatementError problem;
    const std::optional<query::Needs> needs = query::referred_to(sql, data_, problem);
    if (!needs) return print_error(problem, sql, Exit::kUsage);
    std::set<ColumnId> columns = needs->columns;
    if (needs->names.tables.contains("kernels"))
      columns.insert(col::graphs);  // which may hide kernels, and that is
                                    // reported
    if (needs->names.tables.contains("runs") && data_.runs.empty()) data_.runs = query::run_cells(catalog_);
    if (needs->names.tables.contains("issues")) columns.insert(every_table().begin(), every_table().end());
    Result<query::Session> session = over(columns);
    if (!session) return fail(session.error());
    query::warn_missing_tables(needs->tables, loaded_.reports());
    query::warn_hidden_kernels(needs->names, loaded_.reports());
    query::warn_clocks(needs->names, loaded_.reports().size());
    return run_statement(*session, sql, options_, stop_);
  }

  Result<query::Session> over(const std::set<ColumnId>& columns) {
    if (const Status loaded = loaded_.ensure(columns); !loaded) return loaded.error();
    query::SessionData data = data_;
    data.reports = loaded_.reports();
    data.labels = loaded_.labels();
    return query::Session::over_reports(std::move(data));
  }

  /// Evaluates a function on reports with all columns.
  template <class Ask>
  auto of_everything(Ask&& ask) -> decltype(ask(std::declval<const query::Session&>())) {
    Result<query::Session> session = over(everything());
    if (session) return ask(*session);
    fail(session.error());
    return {};
  }

 private:
  query::LoadedReports loaded_;
  Catalog catalog_;
  query::SessionData data_;
  const QueryOptions& options_;
  const std::atomic<bool>& stop_;
};

Exit query_reports(const QueryArguments& asked, QueryOptions options, const std::atomic<bool>& stop) {
  const auto question = question_of(options);
  if (!question) return fail(question.error());
  Catalog catalog;
  auto found = find_reports(asked.places, *question, catalog);
  if (!found) return fail(found.error());
  OverReports over(
      *question,
      {std::move(*found), question->window, question->iterations, std::uint64_t{options.limits.megabytes} << 20},
      std::move(catalog), options, stop);
  if (asked.sql) return over.run(*asked.sql);
  return prompt(
      {.run = [&](const std::string& sql) { return over.run(sql) == Exit::kOk; },
       .tables = [&] { return over.of_everything([](const auto& s) { return s.tables(); }); },
       .schema =
           [&](const auto& names) { return over.of_everything([&](const auto& s) { return described(s, names); }); },
       .words = [&] { return over.of_everything([](const auto& s) { return words_of(s); }); },
       .mode = {}},
      options.format, stop);
}

/// Runs one statement, or a prompt if there is none.
Exit run_query(const QueryOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const auto asked = read_arguments(options);
  if (!asked) return fail(asked.error());
  if (document::wanted() && !asked->sql)
    return fail(
        {"--json answers one statement, and none was given; add it behind the places, or name its file with --file"});
  std::vector<fs::path> results;
  for (const fs::path& place : asked->places) {
    if (const auto file = results_in(place)) results.push_back(*file);
  }
  if (results.empty()) return query_reports(*asked, options, stop);
  if (asked->places.size() > 1)
    return fail(Error{"'" + results.front().string() + "' holds results"}
                    .at(results.front().string())
                    .advise("name it alone, or name only profiles"));
  return query_results(results.front(), *asked, options, stop);
}

}  // namespace

void add_query(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Without a statement, a prompt opens ('.help' lists its commands and the functions); statements can also be piped in. Only the
columns that a statement names are read. docs/query.md lists the tables and functions.

Examples:
  assay query profile.sqlite 'SELECT short_name, count(*), sum(duration) FROM kernels GROUP BY 1 ORDER BY 3 DESC LIMIT 10'
  assay query profile.sqlite 'SELECT k.short_name, range_path(c.range) FROM kernels k JOIN calls c ON k.call = c.id LIMIT 5'
  assay query ~/profiles 'SELECT report, device, union_ns(start, end) FROM kernels GROUP BY 1, 2' --format csv
  assay query results 'SELECT metric, count(*), min(value), max(value) FROM facts GROUP BY 1'
  assay query profile.sqlite)";
  const auto options = std::make_shared<QueryOptions>();
  CLI::App& command = line.add("query", "Query profiles or results in SQL", kFooter, options, &run_query);
  add_option(command, "arguments", options->arguments,
             "Profiles, folders of profiles, or one folder that 'assay run -o' wrote; then the statement")
      ->required()
      ->type_name("PLACE... ['SQL']");
  CLI::Option* sql =
      add_option(command, "--sql", options->sql, "The SQL statement, instead of the last argument")->type_name("SQL");
  add_option(command, "--max-rows", options->most_rows, "Print at most N rows (default: all)")
      ->type_name("N")
      ->check(in_range(1, 1e9));
  add_option(command, "-f,--file", options->file, "File with the statement")->type_name("FILE.sql")->excludes(sql);
  document::add_rows(command, options->format, true);
  add_option(command, "--config", options->config, "Question that supplies window, iterations, labels and kernel rules")
      ->type_name("CONFIG");
  add_option(command, "--window", options->window, "Name of the NVTX ranges that are the window")->type_name("NVTX");
  add_option(command, "--iterations", options->iterations, "Name of the ranges of iterations, e.g. 'step_{i}'")
      ->type_name("NVTX");
  add_sql_limits(command, "--timeout", "--memory", options->limits, "a statement and the columns that it reads");
  add_format_path(command);
}

}  // namespace assay
