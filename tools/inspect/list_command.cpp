#include "inspect/list_command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "config/config.hpp"
#include "inspect/understanding.hpp"
#include "load/format.hpp"
#include "recognise/profiles.hpp"
#include "recognise/step_name.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "runs/run_table.hpp"
#include "workers.hpp"

namespace assay {
namespace {

constexpr const char* kTables[] = {"kernels", "graphs", "copies", "sets", "calls", "ranges", "spans", "syncs", "ops"};

/// Number of rows; empty if the table was not captured.
template <class Table>
std::optional<std::uint64_t> rows_of(const Table* table) {
  return table == nullptr ? std::nullopt : std::optional<std::uint64_t>(table->rows);
}

struct ListRow {
  std::vector<std::optional<std::uint64_t>> rows;  ///< of kTables; none: the file is not a profile, or unreadable
  std::map<std::string, std::uint64_t> declared;   ///< rows of tables that the format declares
  std::vector<std::string> problems;
  ProfileReading reading;
};

ListRow list_row(const ProfileFiles& files) {
  const FoundFile& file = files.file;
  ListRow listed;
  if (!file.problem.empty()) listed.problems.push_back(file.problem);
  if (!is_report(file.kind)) return listed;
  const Result<Profile> profile = read_profile(files, every_table());
  if (!profile) {
    listed.problems.push_back(profile.error().sentence);
    return listed;
  }
  const Result<Profile::View> view = profile->view({}, {});
  if (!view) {
    listed.problems.push_back(view.error().sentence);
    return listed;
  }
  const Report& r = view->report();
  listed.reading = reading_of(r);
  listed.rows = {rows_of(r.kernels), rows_of(r.graphs), rows_of(r.copies), rows_of(r.sets), rows_of(r.calls),
                 rows_of(r.ranges),  rows_of(r.spans),  rows_of(r.syncs),  rows_of(r.ops)};
  for (const DeclaredTable* table : r.declared) listed.declared[std::string(table->name.view())] = table->rows;
  for (std::size_t i = 0; i < r.issues->rows; ++i) {
    listed.problems.push_back(fmt::format("{} {}: {}", std::string(severity_name(r.issues->severity[i])),
                                          r.issues->name[i].view(), r.issues->text[i].view()));
  }
  return listed;
}

/// ", 3 nsys reports, 1 PyTorch trace".
std::string reports_by_format(const std::vector<FoundFile>& files) {
  std::string text;
  for (const load::Format* format : load::formats()) {
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(files, [&](const FoundFile& file) { return file.kind == format->kind; }));
    if (count > 0) text += ", " + counted(count, format->one_file);
  }
  return text.empty() ? ", no profiles" : text;
}

/// Prints where profiles were recorded; equal environments share a row.
void print_environments(const Catalog& catalog) {
  constexpr std::string_view kNames[] = {"device", "clock", "driver", "cuda", "profiler"};
  std::map<std::vector<std::string>, std::vector<std::string>> files;
  for (const FoundFile& file : catalog.files) {
    if (!is_report(file.kind)) continue;
    std::vector<std::string> row;
    for (const std::string_view name : kNames) {
      const auto at = std::ranges::find_if(file.environment, [&](const auto& said) { return said.first == name; });
      row.push_back(at == file.environment.end() ? "not known" : at->second);
    }
    files[row].push_back(file.name);
  }
  if (files.empty()) return;
  std::cout << "\nMade with\n";
  TextTable table({{"device"}, {"clock"}, {"driver"}, {"CUDA"}, {"profiler"}, {"profiles", true}, {"such as"}});
  for (const auto& [values, names] : files) {
    std::vector<std::string> row = values;
    row.push_back(std::to_string(names.size()));
    row.push_back(names.front());
    table.row(row);
  }
  table.print(std::cout, 2);
}

/// Turns an exception into a problem of this file alone.
ListRow list_row_or_error(const ProfileFiles& file) {
  ListRow listed;
  try {
    return list_row(file);
  } catch (const std::bad_alloc&) {
    listed.problems.emplace_back("out of memory while reading this profile");
  } catch (const std::exception& e) {
    listed.problems.push_back(std::string("this profile could not be read: ") + e.what());
  }
  return listed;
}

/// "dim=384 px=224*": '*' marks values that do not come from the name.
std::string labels_of(const std::vector<LabelOfReport>& labels, const Question& question) {
  std::string text;
  for (const LabelOfReport& label : labels) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", question.labels.labels[label.label].name, label.text);
    if (label.origin == LabelOrigin::kDefault) text += "*";
    if (label.origin == LabelOrigin::kResults) text += "+";
  }
  return text;
}

void print_labels(const std::vector<Question>& questions, const Catalog& catalog) {
  for (std::size_t q = 0; q < questions.size(); ++q) {
    std::cout << "\nLabels of question " << one_line(questions[q].id)
              << " (* = default, not in the name; + = from results.json)\n";
    TextTable table({{"file"}, {"labels"}});
    std::vector<std::string> problems;
    for (const CatalogEntry& entry : catalog.questions[q].entries) {
      const std::string& name = catalog.files[entry.file].name;
      table.row({name, labels_of(entry.labels, questions[q])});
      for (const std::string& problem : entry.name_problems) problems.push_back(name + ": " + problem);
    }
    table.print(std::cout, 2);
    for (const FoundIssue& issue : catalog.questions[q].issues) problems.push_back(issue.file + ": " + issue.text);
    for (const auto& [name, reason] : catalog.questions[q].left_out) problems.push_back(name + ": left out, " + reason);
    for (const std::string& problem : problems) std::cout << "  " << one_line(problem) << "\n";
  }
}

using Json = nlohmann::ordered_json;

/// A row of the table `runs`.
Json run_json(const RunRow& row) {
  const auto text = [](const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); };
  const auto number = [](std::int64_t value, std::int64_t unknown) {
    return value == unknown ? Json(nullptr) : Json(value);
  };
  return {{"run", row.run},
          {"configuration", text(row.configuration)},
          {"role", text(row.role)},
          {"rank", number(row.rank, -1)},
          {"world", number(row.world, -1)},
          {"process", number(row.process, 0)},
          {"device", number(row.device, -1)},
          {"capture", number(row.capture, 0)},
          {"repeat", row.repeat},
          {"host", text(row.host)},
          {"start", number(row.start, kNoTime)},
          {"evidence", text(row.evidence)}};
}

/// Tables that were not captured are null; a file that is not a report has no "rows".
Json file_json(const FoundFile& file, const ListRow& listed) {
  Json rows = nullptr;
  for (std::size_t t = 0; t < listed.rows.size(); ++t)
    rows[kTables[t]] = listed.rows[t] ? Json(*listed.rows[t]) : Json();
  for (const auto& [table, count] : listed.declared) rows[table] = count;
  Json environment = Json::object();
  for (const auto& [name, value] : file.environment) environment[std::string(name)] = value;
  return {{"file", file.name},
          {"kind", file.kind.word},
          {"role", role_of(file)},
          {"report", is_report(file.kind)},
          {"rows", rows},
          {"step", listed.reading.step.empty() ? Json(nullptr) : Json(listed.reading.step)},
          {"left_out", listed.reading.left_out.empty() ? Json(nullptr) : Json(listed.reading.left_out)},
          {"environment", environment},
          {"problems", listed.problems},
          {"labels", Json::object()}};
}

/// Adds the labels of each file, per question.
void add_labels(const std::vector<Question>& questions, const Catalog& catalog, Json& files) {
  for (std::size_t q = 0; q < questions.size(); ++q) {
    for (const CatalogEntry& entry : catalog.questions[q].entries) {
      Json labels = Json::object();
      for (const LabelOfReport& label : entry.labels) labels[questions[q].labels.labels[label.label].name] = label.text;
      files[entry.file]["labels"][questions[q].id] = labels;
    }
  }
}

/// Row counts per file: tables of the report model, then tables declared by formats.
TextTable table_of(const std::vector<FoundFile>& files, const std::vector<ListRow>& all) {
  std::set<std::string> declared;
  for (const ListRow& listed : all) {
    for (const auto& [table, rows] : listed.declared) declared.insert(table);
  }
  std::vector<TextTable::Column> columns = {{"file"}, {"kind"}};
  for (const char* name : kTables) columns.push_back({name, true});
  for (const std::string& name : declared) columns.push_back({name, true});
  columns.push_back({"problems", true});
  TextTable table(columns);
  for (std::size_t f = 0; f < files.size(); ++f) {
    std::vector<std::string> row = {files[f].name, std::string(files[f].kind.word)};
    const bool read = !all[f].rows.empty();
    const auto add = [&](std::optional<std::uint64_t> rows) {
      row.push_back(!read ? "" : rows ? std::to_string(*rows) : "-");
    };
    for (std::size_t t = 0; t < std::size(kTables); ++t) add(read ? all[f].rows[t] : std::nullopt);
    for (const std::string& name : declared) {
      const auto rows = all[f].declared.find(name);
      add(rows == all[f].declared.end() ? std::nullopt : std::optional(rows->second));
    }
    row.push_back(std::to_string(all[f].problems.size()));
    table.row(row);
  }
  return table;
}

}  // namespace

Exit list_reports(const std::vector<std::filesystem::path>& places, const std::vector<std::filesystem::path>& configs,
                  RowFormat format) {
  std::vector<Question> questions;
  if (!configs.empty()) {
    auto read = read_configs(configs);
    if (!read) return fail(read.error());
    questions = std::move(*read);
  }
  const auto catalog = profiles_at(places, questions);
  if (!catalog) return fail(catalog.error());

  std::vector<ListRow> all(catalog->files.size());
  for_each_on_workers(all.size(), 0, [&](std::size_t f) { all[f] = list_row_or_error({catalog->files[f]}); });
  if (document::wanted()) {
    Json listed_files = Json::array();
    for (std::size_t f = 0; f < all.size(); ++f) listed_files.push_back(file_json(catalog->files[f], all[f]));
    add_labels(questions, *catalog, listed_files);
    for (Json& file : listed_files) file["runs"] = Json::array();
    for (const RunRow& row : run_table(*catalog, {}, true).rows)
      listed_files[row.file]["runs"].push_back(run_json(row));
    std::cout << listed_files.dump(1, ' ', true, Json::error_handler_t::replace) << "\n";
    return Exit::kOk;
  }
  table_of(catalog->files, all).write(std::cout, format);
  if (format != RowFormat::kTable) return Exit::kOk;
  std::vector<std::string> problems;
  std::vector<ProfileReading> readings;
  for (std::size_t f = 0; f < all.size(); ++f) {
    readings.push_back(all[f].reading);
    for (const std::string& problem : all[f].problems) problems.push_back(catalog->files[f].name + ": " + problem);
  }
  std::cout << "\n"
            << counted(catalog->files.size(), "file") << reports_by_format(catalog->files)
            << "; numbers are rows, - means that the table was not captured\n";
  print_environments(*catalog);
  print_understanding(*catalog, readings, run_table(*catalog), std::cout);
  if (!problems.empty()) std::cout << "\nProblems\n";
  for (const std::string& problem : problems) std::cout << "  " << one_line(problem) << "\n";
  print_labels(questions, *catalog);
  return Exit::kOk;
}

void add_list(CommandLine& line) {
  constexpr const char* kFooter = R"(Examples:
  assay list ~/profiles
  assay list ~/profiles --config configs/rq1_architecture.toml)";
  struct ListCommand {
    std::vector<std::filesystem::path> places, configs;
    RowFormat format = RowFormat::kTable;
  };
  const auto options = std::make_shared<ListCommand>();
  CLI::App& command = line.add("list", "List profiles and files: kind, rows, labels, problems", kFooter, options,
                               [](const ListCommand& o) { return list_reports(o.places, o.configs, o.format); });
  document::add_rows(command, options->format);
  add_option(command, "place", options->places, "Profiles, or folders of them")->required()->type_name("REPORT|DIR");
  add_option(command, "--config", options->configs, "Show labels as this file declares them; may be repeated")
      ->type_name("CONFIG")
      ->allow_extra_args(false);
  add_format_path(command);
}

}  // namespace assay
