#include "results/facts_xlsx.hpp"

#include <xlsxwriter.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>

#include "files/utf8.hpp"
#include "render/format.hpp"
#include "results/fact_columns.hpp"

namespace assay {
namespace {

/// 2000-01-01: a file made today would differ from one made tomorrow.
constexpr std::time_t kCreated = 946684800;
constexpr std::size_t kMostText = 32767;  // of a cell

struct Close {
  void operator()(lxw_workbook* book) const { lxw_workbook_free(book); }
};
using Workbook = std::unique_ptr<lxw_workbook, Close>;

/// One sheet, filled row by row; the heading stands still and filters.
class Sheet {
 public:
  Sheet(lxw_workbook* book, const char* name, lxw_format* bold, const std::vector<std::string>& heading)
      : sheet_(workbook_add_worksheet(book, name)) {
    for (const std::string& title : heading) text(title, bold);
    columns_ = static_cast<lxw_col_t>(heading.size());
    next_row();
    worksheet_freeze_panes(sheet_, 1, 0);
  }

  /// Texts are never formulas here: a cell has a type of its own.
  void text(std::string_view value, lxw_format* format = nullptr) {
    const std::string whole = to_utf8(value), clean(utf8_prefix(whole, kMostText));
    if (!clean.empty()) note(worksheet_write_string(sheet_, row_, column_, clean.c_str(), format));
    ++column_;
  }
  void number(double value) { note(worksheet_write_number(sheet_, row_, column_++, value, nullptr)); }
  void nothing() { ++column_; }
  void next_row() {
    ++row_;
    column_ = 0;
  }
  /// Whether every cell was taken.
  [[nodiscard]] lxw_error finish() {
    if (row_ > 1 && columns_ > 0) note(worksheet_autofilter(sheet_, 0, 0, row_ - 1, columns_ - 1));
    return failed_;
  }

 private:
  void note(lxw_error error) {
    if (failed_ == LXW_NO_ERROR) failed_ = error;
  }
  lxw_worksheet* sheet_;
  lxw_row_t row_ = 0;
  lxw_col_t column_ = 0, columns_ = 0;
  lxw_error failed_ = LXW_NO_ERROR;
};

class Spreadsheet {
 public:
  Spreadsheet(const RunResult& run, const FactRows& facts, lxw_workbook* book, std::size_t most_rows)
      : questions_(run.each_question()),
        columns_(fact_columns(run, facts)),
        book_(book),
        bold_(workbook_add_format(book)),
        most_rows_(most_rows) {
    format_set_bold(bold_);
    for (const QuestionRun& question : questions_) {
      for (const OwnedMetric& metric : question.result.metrics) metrics_.emplace(metric.id, &metric);
    }
  }

  lxw_error write() {
    std::vector<std::string> missing;
    for (lxw_error failed : {wide(missing), long_(missing), metrics(), about(missing)}) {
      if (failed != LXW_NO_ERROR) return failed;
    }
    return LXW_NO_ERROR;
  }

 private:
  [[nodiscard]] std::vector<std::string> heading(std::vector<std::string> rest) const {
    std::vector<std::string> titles = {"question", "report"};
    for (const LabelColumn& label : columns_.labels) titles.push_back(label.title);
    titles.insert(titles.end(), rest.begin(), rest.end());
    return titles;
  }

  void label_cells(Sheet& sheet, const QuestionRun& question, const ReportRun& report) const {
    sheet.text(question.question.id);
    sheet.text(report.file.name);
    for (const LabelColumn& column : columns_.labels) {
      const auto at = std::ranges::find_if(report.entry.labels, [&](const LabelOfReport& one) {
        return question.question.labels.labels[one.label].name == column.label;
      });
      double number = 0;
      if (at == report.entry.labels.end())
        sheet.nothing();
      else if (column.numeric &&
               std::from_chars(at->text.data(), at->text.data() + at->text.size(), number).ec == std::errc())
        sheet.number(number);
      else
        sheet.text(at->text);
    }
  }

  /// Whether a sheet of so many rows under its heading can be; else it is missing, and why.
  bool fits(const char* sheet, std::size_t rows, std::size_t columns, std::vector<std::string>& missing) const {
    if (rows < most_rows_ && columns <= LXW_COL_MAX) return true;
    missing.push_back("There is no sheet \"" + std::string(sheet) + "\": it would have " + counted(rows, "row") +
                      " and " + counted(columns, "column") + ", and a sheet has at most " + std::to_string(most_rows_) +
                      " and " + std::to_string(LXW_COL_MAX) + "; facts.csv and results.sqlite hold all.");
    return false;
  }

  lxw_error wide(std::vector<std::string>& missing) {
    std::size_t rows = 0;
    for (const QuestionRun& question : questions_) rows += question.reports.size();
    const std::vector<std::string> titles = heading(columns_.metrics);
    if (!fits("wide", rows, titles.size(), missing)) return LXW_NO_ERROR;
    Sheet sheet(book_, "wide", bold_, titles);
    for (const QuestionRun& question : questions_) {
      for (const ReportRun& report : question.reports) {
        label_cells(sheet, question, report);
        std::map<std::string_view, double> values;
        for (const Fact& fact : report.result.facts) {
          if (fact.dims.empty()) values.emplace(fact.metric, fact.value);
        }
        for (const std::string& metric : columns_.metrics) {
          const auto at = values.find(metric);
          if (at == values.end())
            sheet.nothing();
          else
            sheet.number(at->second);
        }
        sheet.next_row();
      }
    }
    return sheet.finish();
  }

  lxw_error long_(std::vector<std::string>& missing) {
    std::size_t rows = 0;
    for (const QuestionRun& question : questions_) {
      for (const ReportRun& report : question.reports) rows += report.result.facts.size();
    }
    const std::vector<std::string> titles = heading({"metric", "title", "dims", "unit", "value", "n"});
    if (!fits("long", rows, titles.size(), missing)) return LXW_NO_ERROR;
    Sheet sheet(book_, "long", bold_, titles);
    for (const QuestionRun& question : questions_) {
      for (const ReportRun& report : question.reports) {
        for (const Fact& fact : report.result.facts) {
          label_cells(sheet, question, report);
          fact_cells(sheet, fact);
        }
      }
    }
    return sheet.finish();
  }

  void fact_cells(Sheet& sheet, const Fact& fact) const {
    const auto metric = metrics_.find(fact.metric);
    sheet.text(fact.metric);
    sheet.text(metric == metrics_.end() ? "" : metric->second->title);
    sheet.text(fact.dims);
    sheet.text(metric == metrics_.end() ? "" : metric->second->unit);
    sheet.number(fact.value);
    sheet.number(static_cast<double>(fact.n()));
    sheet.next_row();
  }

  lxw_error metrics() {
    Sheet sheet(book_, "metrics", bold_, {"metric", "title", "unit", "definition", "analyzer"});
    for (const auto& [id, metric] : metrics_) {
      for (const std::string* cell :
           {&metric->id, &metric->title, &metric->unit, &metric->definition, &metric->analyzer})
        sheet.text(*cell);
      sheet.next_row();
    }
    return sheet.finish();
  }

  lxw_error about(const std::vector<std::string>& missing) {
    Sheet sheet(book_, "about", bold_, {"question", "title"});
    for (const QuestionRun& question : questions_) {
      sheet.text(question.question.id);
      sheet.text(question.question.title);
      sheet.next_row();
    }
    for (const std::string& sentence : missing) {
      sheet.nothing();
      sheet.text(sentence);
      sheet.next_row();
    }
    return sheet.finish();
  }

  std::vector<QuestionRun> questions_;
  FactColumns columns_;
  std::map<std::string_view, const OwnedMetric*> metrics_;
  lxw_workbook* book_;
  lxw_format* bold_;
  std::size_t most_rows_;
};

Status not_written(const char* why) {
  return Error{"facts.xlsx cannot be written (" + std::string(why) +
                   "); free some space on the disk and in TMPDIR, or run without --xlsx",
               Exit::kFailed};
}

}  // namespace

Status facts_xlsx(const RunResult& run, const FactRows& facts, const std::filesystem::path& file,
                  std::size_t most_rows) {
  lxw_workbook_options settings{};
  settings.constant_memory = LXW_TRUE;
  Workbook book(workbook_new_opt(file.c_str(), &settings));
  if (book == nullptr) return not_written("out of memory");
  lxw_doc_properties properties{};
  properties.created = kCreated;
  workbook_set_properties(book.get(), &properties);
  const lxw_error filled = Spreadsheet(run, facts, book.get(), most_rows).write();
  const lxw_error closed = workbook_close(book.release());
  for (const lxw_error error : {filled, closed}) {
    if (error != LXW_NO_ERROR) return not_written(lxw_strerror(error));
  }
  return ok();
}

}  // namespace assay
