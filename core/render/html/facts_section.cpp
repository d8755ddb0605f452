#include "render/format.hpp"
#include "render/html/page.hpp"

namespace assay {
namespace {

/// Numbers for texts, so that each is written once.
class Dictionary {
 public:
  std::size_t operator()(std::string_view text) {
    const auto [at, is_new] = places_.try_emplace(std::string(text), places_.size());
    if (is_new) texts_.push_back(at->first);
    return at->second;
  }
  [[nodiscard]] const nlohmann::ordered_json& texts() const { return texts_; }

 private:
  std::map<std::string, std::size_t> places_;
  nlohmann::ordered_json texts_ = nlohmann::ordered_json::array();
};

}  // namespace

std::string facts_section(const PageInput& page) {
  using Json = nlohmann::ordered_json;
  Dictionary reports, metrics, dims;
  Json metric_list = Json::array(), report = Json::array(), metric = Json::array(), dim = Json::array(),
       value = Json::array(), n = Json::array();
  for (const FactRow& row : page.facts) {
    report.push_back(reports(row.report));
    const std::size_t m = metrics(row.fact->metric);
    if (m == metric_list.size()) metric_list.push_back({row.fact->metric, row.unit});
    metric.push_back(m);
    dim.push_back(dims(row.dims));
    value.push_back(row.fact->value);
    n.push_back(row.fact->n());
  }
  const Json data = {{"reports", reports.texts()},
                     {"metrics", metric_list},
                     {"dims", dims.texts()},
                     {"report", report},
                     {"metric", metric},
                     {"dim", dim},
                     {"value", value},
                     {"n", n}};
  return "<section class=\"question\" id=\"facts\" aria-labelledby=\"facts-title\"><h2 "
         "id=\"facts-title\">Facts</h2>\n<p>" +
         counted(page.facts.size(), "fact") +
         ": what was measured in each report, and what the analyzers derived from it for the whole study. Findings "
         "link "
         "to the facts they rest on.</p>\n<noscript><p>The table of facts needs JavaScript; the same rows stand in "
         "<code>facts.csv</code> beside this file.</p></noscript>\n<div id=\"facts-box\"></div>\n" +
         json_element("facts-data", data) + "</section>\n";
}

}  // namespace assay
