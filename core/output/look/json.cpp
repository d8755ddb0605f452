#include <nlohmann/json.hpp>

#include "look/print.hpp"

namespace assay::look {

std::string json_of(const Page& page) {
  using Json = nlohmann::ordered_json;
  Json parts = Json::array();
  for (const Part& part : page.parts) {
    if (part.rows.empty() && part.sentences.empty()) continue;  // a figure alone
    Json columns = Json::array();
    for (const TextTable::Column& column : part.columns) columns.push_back(column.title);
    parts.push_back({{"title", part.title}, {"columns", columns}, {"rows", part.rows}, {"sentences", part.sentences}});
  }
  const Json all = {{"title", page.title}, {"headline", page.headline}, {"parts", parts}};
  return all.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::look
