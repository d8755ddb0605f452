// [[metric]] in a question. The statements become the options of one analyzer, `sql`. A statement gives the value in
// its column `value` (or in its only one); every other column is a dim. NULL as a value, no row, and a table or column
// that the report does not have are skips with their reason.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "assay/options.hpp"
#include "assay/output.hpp"
#include "assay/plugin.hpp"
#include "load/columns.hpp"
#include "pipeline/declared_metrics.hpp"
#include "plugins/formats.hpp"
#include "query/model.hpp"
#include "query/session.hpp"

namespace assay::query {
namespace {

constexpr std::string_view kSqlAnalyzer = "sql";
constexpr std::size_t kMetricTexts = 7;

/// What a question says of one metric, in the order in which the option of its name lists it.
struct MetricText {
  std::string id, unit, polarity, extensive, title, definition, sql;
};

/// Global, because an analyzer is constructed from options only.
Limits metric_limits = sqlite::limits_of(sqlite::kDefaultSeconds, sqlite::kDefaultMegabytes);
constexpr std::array<std::string_view, 3> kPolarities{"neutral", "higher", "lower"};

/// Which columns of a statement are dims, and which is the value.
struct Columns {
  std::vector<std::string> dims;  ///< by column; empty for the value
  int value = -1;
};

Columns columns_of(const Query& query) {
  Columns columns;
  for (int c = 0; c < query.columns(); ++c) {
    const std::string name = query.column_name(c);
    const bool is_value = name == "value" || query.columns() == 1;
    if (is_value && columns.value >= 0) throw std::invalid_argument("it has two columns named 'value'");
    if (is_value) columns.value = c;
    columns.dims.push_back(is_value ? std::string() : name);
  }
  if (columns.value < 0)
    throw std::invalid_argument("none of its " + std::to_string(query.columns()) +
                                " columns is named 'value'; name the measured column 'value', the others are dims");
  for (std::size_t d = 0; d < columns.dims.size(); ++d) {
    const std::string& dim = columns.dims[d];
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    const bool named = static_cast<int>(d) == columns.value || (!dim.empty() && std::ranges::all_of(dim, fits));
    if (!named)
      throw std::invalid_argument("its column '" + dim +
                                  "' would be a dim; give it a name with AS, in lowercase letters, digits and '_'");
    if (!dim.empty() && std::ranges::count(columns.dims, dim) > 1)
      throw std::invalid_argument("it has two columns named '" + dim + "'");
  }
  return columns;
}

struct Metric {
  MetricText text;
  Needs needs;
};

/// Throws std::invalid_argument with the problem of the statement.
Needs needs_of(const MetricText& metric, const SessionData& data) {
  StatementError problem;
  SessionData any = data;
  any.all_columns = true;
  any.only.clear();
  std::optional<Needs> needs = referred_to(metric.sql, any, problem);
  if (!needs) {
    throw std::invalid_argument(problem.sentence +
                                (problem.offset ? " (" + position_text(metric.sql, *problem.offset) + " of sql)" : ""));
  }
  if (needs->names.tables.contains("labels"))
    throw std::invalid_argument("it reads the table 'labels', which is not available while a profile is measured");
  if (needs->names.functions.contains("kernel_class") && !data.rules)
    throw std::invalid_argument(
        "kernel_class() has no rules; add [analyzers.sql] with from = "
        "\"data/kernel_classes.toml\"");
  Result<Session> session = Session::over_reports(std::move(any));
  if (!session) throw std::invalid_argument(session.error().sentence);
  const std::optional<Query> query = session->prepare(metric.sql, metric_limits, problem);
  if (!query) throw std::invalid_argument(problem.sentence);
  static_cast<void>(columns_of(*query));
  return std::move(*needs);
}

MetricText text_from(std::string_view option, std::span<const Str> texts) {
  if (texts.size() != kMetricTexts) {
    throw std::invalid_argument("option '" + std::string(option) + "' is no [[metric]]");
  }
  MetricText metric;
  metric.id = option;
  std::ranges::replace(metric.id, '-', '.');
  std::string* const fields[] = {&metric.unit,  &metric.polarity,   &metric.extensive,
                                 &metric.title, &metric.definition, &metric.sql};
  for (std::size_t f = 0; f < std::size(fields); ++f) *fields[f] = std::string(texts[f + 1].view());
  return metric;
}

class SqlAnalyzer final : public Analyzer {
 public:
  explicit SqlAnalyzer(const Options& options) {
    NameRules rules = kernel_rules_of(options);
    if (!rules.empty()) data_.rules = std::move(rules);
    data_.no_rules = "add [analyzers.sql] with from = \"data/kernel_classes.toml\"";
    // Only the host knows the options; the first lists the metrics of this question.
    for (const Str option : options.texts("metrics")) {
      MetricText text = text_from(option.view(), options.texts(option.view()));
      Needs needs = needs_of(text, data_);
      data_.only.insert(needs.tables.begin(), needs.tables.end());
      metrics_.push_back({std::move(text), std::move(needs)});
    }
  }

  bool analyze(const Report& report, ReportSink& sink, ErrorSink& errors) const noexcept override {
    return assay::detail::guarded(errors, [&] { measure_all(report, sink); });
  }
  bool gather(const Job&, JobSink&, ErrorSink& errors) const noexcept override {
    errors.fail("has no gather stage");
    return false;
  }
  bool conclude(const Study&, StudySink&, ErrorSink& errors) const noexcept override {
    errors.fail("has no conclude stage");
    return false;
  }
  void destroy() noexcept override { delete this; }

 private:
  void measure_all(const Report& report, ReportSink& sink) const {
    SessionData data = data_;
    data.reports.assign(1, &report);  // g++ 12.4 warns about an initializer list
    Result<Session> session = Session::over_reports(std::move(data));
    if (!session) throw std::runtime_error(session.error().sentence);
    for (const Metric& metric : metrics_) {
      std::string missing;
      for (const ColumnId column : metric.needs.columns) {
        if (missing.empty()) missing = missing_need(report, column);
      }
      missing.empty() ? measure(*session, metric.text, sink) : sink.skip(metric.text.id, missing);
    }
  }

  static void measure(Session& session, const MetricText& metric, ReportSink& sink) {
    StatementError problem;
    std::optional<Query> query = session.prepare(metric.sql, metric_limits, problem);
    if (!query)
      return sink.skip(metric.id, problem.sentence);  // a column without an id may be missing from this
                                                      // report
    const Columns columns = columns_of(*query);
    std::set<std::vector<std::string>> seen;
    for (;;) {
      const Query::Step step = query->step();
      if (step == Query::Step::kEnd) break;
      if (step == Query::Step::kFailed) wrong(metric, query->problem().sentence);
      std::vector<std::string> dims = dims_of(metric, *query, columns);
      if (!query->charge(bytes_of(dims))) wrong(metric, query->problem().sentence);
      if (!seen.insert(dims).second) wrong(metric, "its statement gives two rows for " + words_of(columns, dims));
      emit(metric, *query, columns, dims, sink);
    }
    if (seen.empty()) sink.skip(metric.id, "its statement gave no row");
  }

  [[noreturn]] static void wrong(const MetricText& metric, const std::string& what) {
    throw std::runtime_error(fmt::format("metric '{}': {}", metric.id, what));
  }

  static std::vector<std::string> dims_of(const MetricText& metric, const Query& query, const Columns& columns) {
    std::vector<std::string> dims;
    for (int c = 0; c < query.columns(); ++c) {
      if (c == columns.value) continue;
      const int type = sqlite3_column_type(query.row(), c);
      const std::string& name = columns.dims[static_cast<std::size_t>(c)];
      if (type == SQLITE_NULL)
        wrong(metric, "its dim '" + name + "' is NULL in a row; leave such rows out or name them");
      if (type != SQLITE_INTEGER && type != SQLITE_TEXT)
        wrong(metric, "its dim '" + name + "' is neither a text nor an integer");
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(query.row(), c));
      dims.emplace_back(text, static_cast<std::size_t>(sqlite3_column_bytes(query.row(), c)));
    }
    return dims;
  }

  /// Minimum memory of a row that is kept until the report is done.
  static std::size_t bytes_of(const std::vector<std::string>& dims) {
    std::size_t bytes = sizeof(dims) + sizeof(double);
    for (const std::string& dim : dims)
      bytes += 2 * (sizeof(dim) + dim.size());  // in the fact, and for finding
                                                // duplicates
    return bytes;
  }

  /// "stream=7;device=0", for messages.
  static std::string words_of(const Columns& columns, const std::vector<std::string>& dims) {
    std::string words;
    std::size_t d = 0;
    for (const std::string& name : columns.dims) {
      if (!name.empty()) words += fmt::format("{}{}={}", words.empty() ? "" : ";", name, dims[d++]);
    }
    return words.empty() ? "one fact without dims" : words;
  }

  static void emit(const MetricText& metric, const Query& query, const Columns& columns,
                   const std::vector<std::string>& dims, ReportSink& sink) {
    const int type = sqlite3_column_type(query.row(), columns.value);
    if (type == SQLITE_NULL) {
      return sink.skip(metric.id,
                       dims.empty() ? "its value is NULL" : "its value is NULL for " + words_of(columns, dims));
    }
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) wrong(metric, "its value is a text, but a number was expected");
    const double value = sqlite3_column_double(query.row(), columns.value);
    if (!std::isfinite(value)) wrong(metric, "its value is infinite");
    std::vector<Dim> views;
    std::size_t d = 0;
    for (const std::string& name : columns.dims) {
      if (!name.empty()) views.emplace_back(Str(name), Str(dims[d++]));
    }
    sink.fact(metric.id, value, views);
  }

  SessionData data_;
  std::vector<Metric> metrics_;
};

Analyzer* create(const Options& options, ErrorSink& errors) noexcept {
  Analyzer* made = nullptr;
  assay::detail::guarded(errors, [&] { made = new SqlAnalyzer(options); });
  return made;
}

Polarity polarity_of(std::string_view word) {
  return static_cast<Polarity>(std::ranges::find(kPolarities, word) - kPolarities.begin());
}

/// Content of a text list of the TOML; empty for other options.
const std::vector<std::string>* texts_of(const AnalyzerConfig& analyzer, std::string_view name) {
  for (const RawOption& option : analyzer.options) {
    if (option.name == name) return std::get_if<std::vector<std::string>>(&option.value.value);
  }
  return nullptr;
}

/// Classification rules that a question gives the analyzer; none if it gives none or they are invalid (reported when
/// options are checked).
SessionData session_data_of(const AnalyzerConfig& analyzer) {
  SessionData data;
  std::vector<Str> rules;
  for (const char* name : {"own_rules", "rules"}) {
    const std::vector<std::string>* texts = texts_of(analyzer, name);
    if (texts != nullptr) rules.insert(rules.end(), texts->begin(), texts->end());
  }
  if (!rules.empty()) data.rules = NameRules(rules);
  return data;
}

struct SqlDescriptor {
  std::map<std::string, MetricText> metrics;  ///< by option; addresses of texts are stable
  std::vector<MetricSpec> produces;
  std::vector<OptionSpec> options;
  std::set<ColumnId> wanted;
  std::vector<ColumnId> wants;
  Descriptor descriptor;

  void describe();
};

void SqlDescriptor::describe() {
  wants.assign(wanted.begin(), wanted.end());
  options = {{"metrics", OptionType::kTextList, "", "The [[metric]]s of the question, as options."},
             {"rules", OptionType::kTextList, "", "Rules of kernel_class(), from data/kernel_classes.toml."},
             {"rules_version", OptionType::kText, "", "Version of these rules."},
             {"own_rules", OptionType::kTextList, "", "Rules tried before these."}};
  for (const auto& [option, metric] : metrics) {
    options.push_back({Str(option), OptionType::kTextList, "", "A [[metric]] of a question."});
    produces.push_back({Str(metric.id), Str(metric.unit), polarity_of(metric.polarity), Str(metric.definition),
                        Str(metric.title), metric.extensive == "true"});
  }
  descriptor.sizes = assay::detail::abi_sizes();
  descriptor.cxx_abi = Str(kCxxAbi);
  descriptor.id = Str(kSqlAnalyzer);
  descriptor.version = "1.0.0";
  descriptor.summary = "Computes the [[metric]]s of a question, defined in SQL.";
  descriptor.stages = kStageAnalyze;
  descriptor.wants = wants;
  descriptor.options = options;
  descriptor.produces = produces;
  descriptor.create = &create;
}

/// The plugin that produces a metric; empty if none does.
std::string maker_of(const Plugins& plugins, const std::string& metric) {
  for (const auto& plugin : plugins.loaded) {
    const Descriptor& d = plugin->descriptor();
    if (std::ranges::any_of(d.produces, [&](const MetricSpec& m) { return m.id.view() == metric; }))
      return std::string(plugin->id());
  }
  return {};
}

bool is_same(const MetricText& a, const MetricText& b) {
  return a.unit == b.unit && a.polarity == b.polarity && a.extensive == b.extensive && a.title == b.title &&
         a.definition == b.definition && a.sql == b.sql;
}

class SqlMetrics final : public DeclaredMetrics {
 public:
  Status add_to(Plugins& plugins, std::span<const Question> questions) override;

 private:
  /// Notes one metric that a question lists by the option of its name.
  Status add(const AnalyzerConfig& analyzer, const std::string& option, const Plugins& plugins);

  SqlDescriptor declared_;
};

Status SqlMetrics::add(const AnalyzerConfig& analyzer, const std::string& option, const Plugins& plugins) {
  const auto raw = std::ranges::find(analyzer.options, option, &RawOption::name);
  const auto& texts = std::get<std::vector<std::string>>(raw->value.value);
  const std::vector<Str> views(texts.begin(), texts.end());
  MetricText metric = text_from(option, views);
  const std::string place = raw->value.pos.str(), where = place + ": [[metric]] " + metric.id;
  if (const std::string maker = maker_of(plugins, metric.id); !maker.empty())
    return Error{fmt::format("{} is also made by the analyzer '{}'", where, maker)}.at(place).advise(
        "give it another id.");
  try {
    const Needs needs = needs_of(metric, session_data_of(analyzer));
    declared_.wanted.insert(needs.columns.begin(), needs.columns.end());
  } catch (const std::invalid_argument& problem) {
    return Error{fmt::format("{}: {}.", where, problem.what())}.at(place);
  }
  const auto [at, added] = declared_.metrics.try_emplace(option, metric);
  if (!added && !is_same(at->second, metric))
    return Error{where + " is defined differently in another question"}.at(place).advise(
        "give one of them another id.");
  return ok();
}

Status SqlMetrics::add_to(Plugins& plugins, std::span<const Question> questions) {
  for (const Question& question : questions) {
    for (const AnalyzerConfig& analyzer : question.analyzers) {
      if (analyzer.id != kSqlAnalyzer) continue;
      const std::vector<std::string>* listed = texts_of(analyzer, "metrics");
      if (listed == nullptr) {
        return Error{analyzer.pos.str() + ": [analyzers.sql] has nothing to measure"}
            .at(analyzer.pos.str())
            .advise("add a [[metric]] with id, unit, definition and sql.");
      }
      for (const std::string& option : *listed) {
        if (const Status added = add(analyzer, option, plugins); !added) return added;
      }
    }
  }
  if (declared_.metrics.empty()) return ok();
  declared_.describe();
  Result<std::unique_ptr<Plugin>> plugin = Plugin::linked(declared_.descriptor);
  if (!plugin) return plugin.error();
  plugins.loaded.push_back(std::move(*plugin));
  std::ranges::sort(plugins.loaded, {}, [](const auto& p) { return p->id(); });
  return ok();
}

}  // namespace
}  // namespace assay::query

namespace assay {

std::unique_ptr<DeclaredMetrics> declared_metrics(const std::optional<sqlite::Limits>& limits) {
  if (limits) query::metric_limits = *limits;
  return std::make_unique<query::SqlMetrics>();
}

bool is_sql_table(std::string_view name) { return query::find_table(name) != nullptr; }

}  // namespace assay
