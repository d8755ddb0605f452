#include "explain/explain.hpp"

#include <algorithm>
#include <set>

#include "files/did_you_mean.hpp"
#include "load/columns.hpp"
#include "load/format.hpp"
#include "query/column_text.hpp"
#include "render/format.hpp"
#include "render/glossary.hpp"

namespace assay::explain {
namespace {

std::string text(Str s) { return std::string(s.view()); }

/// Of each format what it fills of these tables; formats that fill none are left out.
std::vector<FilledBy> filled_by(const std::vector<std::string>& tables) {
  std::vector<FilledBy> all;
  for (const load::Format* format : load::formats()) {
    FilledBy one{.format = std::string(format->kind.word), .fills = {}, .lacks = {}};
    for (const std::string& table : tables) {
      // "Nsight Systems, PyTorch": products, as the format's own words name them.
      std::string_view products = query::column_text(table, {}).filled_by;
      bool fills = false;
      while (!products.empty() && !fills) {
        const std::string_view product = products.substr(0, products.find(", "));
        products.remove_prefix(std::min(products.size(), product.size() + 2));
        fills = product == format->kind.word || format->names.expected.find(product) != std::string_view::npos;
      }
      (fills ? one.fills : one.lacks).push_back(table);
    }
    if (!one.fills.empty()) all.push_back(std::move(one));
  }
  return all;
}

/// Tables of columns, each once.
void add_tables(Span<ColumnId> columns, std::vector<std::string>& to) {
  for (const ColumnId id : columns) {
    const ColumnInfo* info = find_column(id);
    if (info == nullptr) continue;
    const std::string table(info->name.substr(0, info->name.find('.')));
    if (std::ranges::find(to, table) == to.end()) to.push_back(table);
  }
}

std::string better(Polarity polarity) {
  if (polarity == Polarity::kNeutral) return {};
  return polarity == Polarity::kLowerIsBetter ? "lower" : "higher";
}

Explanation of_term(const GlossaryTerm& term) {
  Explanation out;
  out.kind = "term";
  out.name = term.word;
  out.definition = term.definition;
  return out;
}

}  // namespace

Explanation of_metric(const MetricSpec& metric, const Plugin& plugin) {
  Explanation out;
  out.kind = "metric";
  out.name = text(metric.id);
  out.title = text(metric.title);
  out.definition = text(metric.definition);
  out.unit = text(metric.unit);
  out.unit_meaning = notes::unit_meaning(out.unit);
  out.better = better(metric.polarity);
  out.extensive = metric.extensive;
  out.analyzer = plugin.id();
  std::vector<std::string> tables;
  if (const notes::MetricNote* note = notes::of_metric(out.name)) {
    out.formula = note->formula;
    out.is_not = note->is_not;
    out.source = note->source;
    tables = note->tables;
  } else {
    add_tables(plugin.descriptor().needs, tables);
  }
  out.formats = filled_by(tables);
  if (const notes::MetricExample* example = notes::example_of(out.name))
    out.example = Example{example->value, example->dims, example->report, example->data};
  return out;
}

Explanation of_analyzer(const Plugin& plugin) {
  const Descriptor& d = plugin.descriptor();
  Explanation out;
  out.kind = "analyzer";
  out.name = text(d.id);
  out.definition = text(d.summary);
  std::vector<std::string> tables;
  add_tables(d.needs, tables);
  if (tables.empty()) add_tables(d.wants, tables);
  out.formats = filled_by(tables);
  if (tables.empty()) out.source = "metrics of other analyzers";
  if (const notes::AnalyzerNote* note = notes::of_analyzer(out.name)) out.is_not = note->is_not;
  for (const MetricSpec& metric : d.produces) out.metrics.push_back(text(metric.id));
  return out;
}

Explanation of_verdict(const notes::VerdictNote& note) {
  Explanation out;
  out.kind = "verdict";
  out.name = note.name;
  out.definition = note.definition;
  out.formula = note.formula;
  out.is_not = note.is_not;
  return out;
}

Result<Explanation> explain(const std::string& name, const Plugins& plugins) {
  std::vector<std::string> known;
  for (const auto& plugin : plugins.loaded) {
    for (const MetricSpec& metric : plugin->descriptor().produces) {
      if (metric.id.view() == name) return of_metric(metric, *plugin);
      known.push_back(text(metric.id));
    }
  }
  if (const Plugin* plugin = plugins.find(name)) return of_analyzer(*plugin);
  for (const auto& plugin : plugins.loaded) known.emplace_back(plugin->id());
  for (const notes::VerdictNote& note : notes::verdicts()) {
    if (note.name == name) return of_verdict(note);
    known.push_back(note.name);
  }
  for (const GlossaryTerm& term : glossary()) {
    if (term.word == name) return of_term(term);
    known.emplace_back(term.word);
  }
  return Error{"there is no metric, analyzer, verdict or word '" + name + "'." + did_you_mean(name, known) +
               " 'assay explain' lists them all"};
}

Status take_example(const std::vector<StoredQuestion>& result, const std::string& place, Explanation& to) {
  if (to.kind != "metric") return ok();
  struct Value {
    double value;
    std::string dims, report;
  };
  std::vector<Value> values;
  std::set<std::string> names;
  for (const StoredQuestion& question : result) {
    for (const StoredReport& report : question.reports) {
      for (const Fact& fact : report.facts) {
        if (fact.metric == to.name) values.push_back({fact.value, fact.dims, report.name}), names.insert(report.name);
      }
    }
  }
  if (values.empty())
    return Error{"'" + place + "' has no value of " + to.name + "; name a result whose questions measure it"};
  std::ranges::sort(values, [](const Value& a, const Value& b) {
    return std::tie(a.value, a.report, a.dims) < std::tie(b.value, b.report, b.dims);
  });
  const Value& middle = values[(values.size() - 1) / 2];
  to.example = Example{exact(middle.value), middle.dims, middle.report,
                       place + ", the middle one of " + counted(values.size(), "value") + " from " +
                           exact(values.front().value) + " to " + exact(values.back().value)};
  return ok();
}

std::vector<Explanation> reference(const Plugins& plugins) {
  std::vector<Explanation> all;
  for (const auto& plugin : plugins.loaded) {
    for (const MetricSpec& metric : plugin->descriptor().produces) all.push_back(of_metric(metric, *plugin));
  }
  std::ranges::sort(all, {}, &Explanation::name);
  for (const notes::VerdictNote& note : notes::verdicts()) all.push_back(of_verdict(note));
  return all;
}

}  // namespace assay::explain
