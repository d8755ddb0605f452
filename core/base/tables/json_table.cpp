#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "files/byte_order_mark.hpp"
#include "tables/table.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

bool is_table(const Json& json) {
  return json.is_array() && !json.empty() &&
         std::all_of(json.begin(), json.end(), [](const Json& row) { return row.is_object(); });
}

std::string text_of(const Json& json) {
  return json.is_string() ? json.get<std::string>()
                          : json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

SheetCell cell_of(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_string()) return {json.get<std::string>(), {}};
  SheetCell cell{text_of(json), {}};
  const auto add = [&](const Json& number) {
    if (number.is_number() && std::isfinite(number.get<double>())) cell.numbers.push_back(number.get<double>());
  };
  add(json);
  if (json.is_array()) {
    for (const Json& element : json) add(element);
    if (cell.numbers.size() != json.size()) cell.numbers.clear();
  }
  return cell;
}

class TableOfObjects {
 public:
  /// False if the table has more cells than a person or a sweep would write; it is then of no use.
  bool add_row(const Json& object) {
    constexpr std::size_t kMaxCells = std::size_t{1} << 22;
    ++table_.rows;
    add_members(object, "");
    if (table_.columns.size() * table_.rows > kMaxCells) return false;
    for (auto& column : table_.columns) column.cells.resize(table_.rows);
    return true;
  }
  SheetTexts release() { return std::move(table_); }

 private:
  void add_members(const Json& object, const std::string& prefix) {
    for (const auto& [key, value] : object.items()) {
      if (value.is_object() && !value.empty()) {
        add_members(value, prefix + key + ".");
        continue;
      }
      auto& cells = column_named(prefix + key).cells;
      cells.resize(table_.rows);
      cells.back() = cell_of(value);
      if (is_table(value)) add_numbers(value, prefix + key + ".");
    }
  }

  /// Adds the numbers of each key of a list of objects, one element after another.
  void add_numbers(const Json& list, const std::string& prefix) {
    std::map<std::string, std::vector<double>> numbers;
    for (const Json& object : list) {
      for (const auto& [key, value] : object.items()) {
        const SheetCell cell = cell_of(value);
        if (!cell.numbers.empty()) numbers[key].insert(numbers[key].end(), cell.numbers.begin(), cell.numbers.end());
      }
    }
    for (auto& [key, values] : numbers) {
      auto& cells = column_named(prefix + key).cells;
      cells.resize(table_.rows);
      cells.back().numbers = std::move(values);
    }
  }

  SheetTexts::NamedColumn& column_named(const std::string& name) {
    const auto [at, fresh] = by_name_.emplace(name, table_.columns.size());
    if (fresh) table_.columns.push_back({name, {}});
    return table_.columns[at->second];
  }

  SheetTexts table_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

/// The lists of objects in a file: the file itself, or its members.
std::vector<const Json*> lists_of(const Json& root) {
  if (is_table(root)) return {&root};
  std::vector<const Json*> found;
  if (!root.is_object()) return found;
  for (const auto& [key, value] : root.items()) {
    if (is_table(value)) found.push_back(&value);
  }
  return found;
}

/// Length of the string at the start of `text`, with its quotes; all of `text` if the string does not end.
std::size_t length_of_string(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2U : 1U;
  return std::min(at + 1, text.size());
}

/// The text with null in place of Python's NaN and Infinity, so that one such value does not cost the file. Error:
/// nested deeper than any table, which would overflow the stack.
Result<std::string> strict(std::string_view bytes) {
  constexpr std::size_t kDeepest = 64;
  std::string out;
  out.reserve(bytes.size());
  std::size_t depth = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const char c = bytes[at];
    const std::string_view rest = bytes.substr(at);
    std::size_t length = c == '"' ? length_of_string(rest) : 1;
    if ((c == '[' || c == '{') && ++depth > kDeepest) {
      return Error{"is nested more than " + std::to_string(kDeepest) + " deep"}.advise(
          "expected a list of objects, one per row");
    }
    if ((c == ']' || c == '}') && depth > 0) --depth;
    bool number = true;
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
      if (!rest.starts_with(word)) continue;
      number = false;
      length = word.size();
    }
    out.append(number ? rest.substr(0, length) : "null");
    at += length;
  }
  return out;
}

Result<Json> parsed(std::string_view bytes) {
  const Result<std::string> text = strict(without_byte_order_mark(bytes));
  if (!text) return text.error();
  Json root = Json::parse(*text, nullptr, false);
  if (root.is_discarded()) return Error{"is not JSON (or ends early)"}.advise("write it again");
  return root;
}

Result<SheetTexts> table_of(const Json& root, const std::vector<const Json*>& lists) {
  TableOfObjects table;
  bool fits = true;
  for (const Json* rows : lists) {
    for (const Json& row : *rows) fits = fits && table.add_row(row);
  }
  if (lists.empty() && root.is_object() && !root.empty()) fits = table.add_row(root);
  if (!fits) return Error{"has too many keys and rows for a table"}.advise("expected rows that share their keys");
  SheetTexts made = table.release();
  if (made.rows == 0) return Error{"holds no table"}.advise("expected a list of objects, one per row");
  return made;
}

}  // namespace

Result<SheetTexts> json_table(std::string_view bytes) {
  const Result<Json> root = parsed(bytes);
  if (!root) return root.error();
  const std::vector<const Json*> lists = lists_of(*root);
  return table_of(*root, lists.size() == 1 ? lists : std::vector<const Json*>{});
}

Result<SheetTexts> json_tables(std::string_view bytes) {
  const Result<Json> root = parsed(bytes);
  if (!root) return root.error();
  return table_of(*root, lists_of(*root));
}

}  // namespace assay
