#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "sheets/table.hpp"

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
  void add_row(const Json& object) {
    ++table_.rows;
    add_members(object, "");
    for (auto& column : table_.columns) column.cells.resize(table_.rows);
  }
  SheetTexts take() { return std::move(table_); }

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

/// The rows of a file: see json_table.
const Json* rows_of(const Json& root) {
  if (is_table(root)) return &root;
  const Json* found = nullptr;
  if (root.is_object()) {
    for (const auto& [key, value] : root.items()) {
      if (!is_table(value)) continue;
      if (found != nullptr) return nullptr;
      found = &value;
    }
  }
  return found;
}

}  // namespace

Result<SheetTexts> json_table(std::string_view bytes) {
  const Json root = Json::parse(bytes, nullptr, false);
  if (root.is_discarded()) return Error{"is no JSON (or it ends early); write it again"};
  TableOfObjects table;
  if (const Json* rows = rows_of(root)) {
    for (const Json& row : *rows) table.add_row(row);
  } else if (root.is_object() && !root.empty()) {
    table.add_row(root);
  } else {
    return Error{"holds no table; expected a list of objects, one a row"};
  }
  return table.take();
}

}  // namespace assay
