#include <cmath>
#include <nlohmann/json.hpp>

#include "look/print.hpp"

namespace assay::look {
namespace {

using Json = nlohmann::ordered_json;

/// Without the blanks that align numbers on a terminal.
std::string trimmed(const std::string& cell) { return cell.substr(0, cell.find_last_not_of(' ') + 1); }

/// "pinned memory: -16.3 ms (assay whatif ...)".
std::string advice_text(const PageAdvice& advice) {
  return advice.text + (advice.gain.empty() ? "" : ": " + advice.gain) +
         (advice.command.empty() ? "" : " (" + advice.command + ")");
}

/// Adds the table for programs: under an id, with numbers as numbers.
void add_values(const PageSection& part, Json& to) {
  Json names = Json::array(), units = Json::array(), rows = Json::array();
  for (const PartValues& column : part.values) {
    names.push_back(column.name);
    units.push_back(column.unit);
  }
  for (std::size_t r = 0; r < part.rows.size(); ++r) {
    Json row = Json::array();
    for (const PartValues& column : part.values) {
      const bool known = r < column.numbers.size() && std::isfinite(column.numbers[r]);
      row.push_back(r < column.texts.size() ? Json(column.texts[r])
                    : !known                ? Json()
                    : column.whole          ? Json(std::llround(column.numbers[r]))
                                            : Json(column.numbers[r]));
    }
    rows.push_back(std::move(row));
  }
  to["table"] = part.table;
  to["names"] = names;
  to["units"] = units;
  to["values"] = rows;
}

}  // namespace

std::string json_of(const Page& page) {
  Json parts = Json::array();
  for (const PageSection& part : page.parts) {
    if (is_figure(part)) continue;
    Json columns = Json::array();
    for (const TextTable::Column& column : part.columns) columns.push_back(column.title);
    Json rows = Json::array(), sentences = part.sentences;
    for (const auto& row : part.rows) {
      Json& cells = rows.emplace_back(Json::array());
      for (const std::string& cell : row) cells.push_back(trimmed(cell));
    }
    for (const PageAdvice& advice : part.advice) sentences.push_back(advice_text(advice));
    Json one = {{"title", part.title}, {"columns", columns}, {"rows", rows}, {"sentences", sentences}};
    if (!part.values.empty()) add_values(part, one);
    parts.push_back(std::move(one));
  }
  const Json all = {{"title", page.title}, {"headline", page.headline}, {"parts", parts}};
  return all.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::look
