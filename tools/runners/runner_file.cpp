#include "runners/runner_file.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "assay/words.hpp"
#include "config/label_value.hpp"
#include "files/utf8.hpp"
#include "tables/table.hpp"

namespace assay {
namespace {

constexpr std::size_t kLongestText = 200;
constexpr std::size_t kMaxEntries = 100000;

/// The last non-empty line: the message, if an error is a traceback. Shortened if long.
std::string message_of(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  text.remove_prefix(text.find_last_of("\r\n") + 1);
  if (text.size() <= kLongestText) return std::string(text);
  return std::string(utf8_prefix(text, kLongestText)) + "...";
}

/// Reads one entry of the table by its columns.
class EntryReader {
 public:
  EntryReader(const SheetTexts& table, std::vector<std::string>& problems) : table_(table), problems_(problems) {
    name_ = find("name");
    run_id_ = find("run_id");
  }

  /// An interrupted run has neither failed nor succeeded; it does not count as a run.
  [[nodiscard]] bool cut_off(std::size_t row) const { return text(find("outcome"), row) == "interrupted"; }

  RunnerEntry read(std::size_t row) {
    RunnerEntry entry;
    entry.name = message_of(text(name_, row).empty() ? text(run_id_, row) : text(name_, row));
    shown_ = entry.name.empty() ? "entry " + std::to_string(row + 1) : "'" + entry.name + "'";
    entry.process_s = amount("duration", row);
    entry.pass_s = amount("elapsed_s", row);
    entry.per_second = amount("throughput", row);
    entry.batches = amount("batches", row);
    entry.windows = amount("windows", row);
    entry.failure = failure(row);
    for (const auto& column : table_.columns) {
      const SheetCell& cell = column.cells[row];
      const bool one = cell.text.size() <= kLongestText && !cell.text.starts_with('[');
      if (cell.text.empty() || !one) continue;
      entry.fields.emplace_back(column.name, cell.numbers.size() == 1 ? shortest(cell.numbers.front()) : cell.text);
    }
    return entry;
  }

 private:
  using Column = const SheetTexts::NamedColumn*;

  [[nodiscard]] Column find(std::string_view name) const {
    const auto at =
        std::find_if(table_.columns.begin(), table_.columns.end(), [&](const auto& c) { return c.name == name; });
    return at == table_.columns.end() ? nullptr : &*at;
  }
  static std::string text(Column column, std::size_t row) {
    return column == nullptr ? std::string() : column->cells[row].text;
  }
  void complain(std::string_view field, std::string_view value, std::string_view expected) {
    problems_.push_back(fmt::format("Of {} the field {} is '{}', where {} was expected; it is not used.", shown_,
                                    std::string(field), message_of(value), std::string(expected)));
  }

  std::optional<double> amount(std::string_view field, std::size_t row) {
    const Column column = find(field);
    if (column == nullptr || column->cells[row].text.empty()) return std::nullopt;
    const std::vector<double>& numbers = column->cells[row].numbers;
    if (numbers.size() == 1 && numbers.front() >= 0) return numbers.front();
    complain(field, column->cells[row].text, "a number of at least 0");
    return std::nullopt;
  }

  /// Failed according to either word; by its error only if there is neither.
  std::string failure(std::size_t row) {
    const std::string word = lower_case(text(find("success"), row)), code = text(find("exit_code"), row);
    const std::string error = message_of(text(find("error"), row));
    const bool told = word == "true" || word == "false", coded = exit_code(row).has_value();
    if (!word.empty() && !told) complain("success", word, "true or false");
    if (!code.empty() && !coded) complain("exit_code", code, "a number");
    const bool bad_exit = coded && *exit_code(row) != 0;
    if (word != "false" && !bad_exit && (told || coded || error.empty())) return {};
    std::string why = bad_exit ? "exit code " + shortest(*exit_code(row)) : "not successful";
    return error.empty() ? why : why + ": " + error;
  }

  [[nodiscard]] std::optional<double> exit_code(std::size_t row) const {
    const Column column = find("exit_code");
    if (column == nullptr || column->cells[row].numbers.size() != 1) return std::nullopt;
    return column->cells[row].numbers.front();
  }

  const SheetTexts& table_;
  std::vector<std::string>& problems_;
  Column name_ = nullptr, run_id_ = nullptr;
  std::string shown_;
};

}  // namespace

Result<RunnerFile> read_runner_file(std::string_view bytes) {
  const Result<SheetTexts> table = json_tables(bytes);
  if (!table) return table.error();
  const auto names_runs = [](const auto& column) { return column.name == "name" || column.name == "run_id"; };
  const auto counts_runs = [](const auto& column) { return column.name == "total_runs"; };
  if (std::none_of(table->columns.begin(), table->columns.end(), names_runs)) {
    RunnerFile none;
    none.summary = std::any_of(table->columns.begin(), table->columns.end(), counts_runs);
    return none;
  }
  if (table->rows > kMaxEntries) {
    return Error{"has more than " + std::to_string(kMaxEntries) + " entries"}.advise("no runner makes that many runs");
  }
  RunnerFile file;
  EntryReader reader(*table, file.problems);
  for (std::size_t row = 0; row < table->rows; ++row) {
    if (!reader.cut_off(row)) file.entries.push_back(reader.read(row));
  }
  return file;
}

}  // namespace assay
