// A sink for tests: keeps a copy of everything an analyzer hands out, and refuses what the host would refuse.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/output.hpp"
#include "assay/study.hpp"
#include "assay/testing/recorded_data.hpp"

namespace assay::testing {

/// Canonical dims: "k=v;k=v" sorted by key, with '%', ';', '=' and control bytes percent-encoded; nothing when a key is
/// empty or repeated.
inline std::optional<std::string> dims_text(std::span<const Dim> dims) {
  std::vector<std::pair<std::string_view, std::string_view>> sorted;
  for (const Dim& dim : dims) sorted.emplace_back(dim.key.view(), dim.value.view());
  std::sort(sorted.begin(), sorted.end());
  std::string out;
  const auto append = [&](std::string_view text) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte == 0x7F || c == '%' || c == ';' || c == '=') {
        out += '%';
        out += hex[byte >> 4];
        out += hex[byte & 15];
      } else {
        out += c;
      }
    }
  };
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].first.empty() || (i > 0 && sorted[i].first == sorted[i - 1].first)) return std::nullopt;
    if (i > 0) out += ';';
    append(sorted[i].first);
    out += '=';
    append(sorted[i].second);
  }
  return out;
}

struct RecordedFact {
  Row report = kNone;  ///< given to a StudySink; kNone from `analyze` and for study facts
  std::string metric, dims;
  double value = 0;
  std::vector<double> samples;
};

struct RecordedSkip {
  Row report = kNone;
  std::string metric, reason;  ///< metric: from `analyze` only
};

struct RecordedIssue {
  std::string name;
  Severity severity = Severity::kInfo;
  std::int64_t count = 0;
  std::string text;
};

/// An effect whose texts are owned.
struct RecordedEffect {
  Effect effect;  ///< without metric and method
  std::string metric, method;
};

struct RecordedFinding {
  FindingRole role = FindingRole::kEvidence;
  std::string title, text;
  std::optional<RecordedEffect> effect;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::int64_t> evidence;
};

struct RecordedStratum {
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::optional<RecordedEffect> effect;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::int64_t> evidence;
};

struct RecordedVerdict {
  std::int64_t claim = 0;
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::vector<RecordedStratum> strata;
};

/// What the analyzer under test declares. `Declared::of<T>()` reads it off the class.
struct Declared {
  std::vector<std::string> metrics, attributes;

  template <class Analyzer>
  static Declared of() {
    Declared out;
    if constexpr (requires { Analyzer::kProduces; }) {
      for (const MetricSpec& spec : Analyzer::kProduces) out.metrics.emplace_back(spec.id.view());
    }
    if constexpr (requires { Analyzer::kAttributes; }) {
      for (const AttributeSpec& spec : Analyzer::kAttributes) out.attributes.emplace_back(spec.name.view());
    }
    return out;
  }
};

/// Sink for `analyze`, `conclude` and failures. Without Declared every metric and attribute is accepted; without a
/// Study row numbers of reports, claims and facts are not checked.
class Recorder final : public ReportSink, public StudySink, public ErrorSink {
 public:
  Recorder() = default;
  explicit Recorder(Declared declared, const Study* study = nullptr) : declared_(std::move(declared)), study_(study) {}

  std::vector<RecordedFact> facts;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<RecordedTable> tables;
  std::vector<RecordedPlot> plots;
  std::vector<RecordedSkip> skips;
  std::vector<RecordedIssue> issues;
  std::vector<RecordedFinding> findings;
  std::vector<RecordedVerdict> verdicts;
  std::vector<std::string> notes;
  std::vector<std::string> failures;

  /// The fact of (metric, canonical dims, report), or null.
  [[nodiscard]] const RecordedFact* fact_of(std::string_view metric, std::string_view dims = {},
                                            Row report = kNone) const {
    const auto at = std::find_if(facts.begin(), facts.end(), [&](const RecordedFact& f) {
      return f.metric == metric && f.dims == dims && f.report == report;
    });
    return at == facts.end() ? nullptr : &*at;
  }
  [[nodiscard]] std::optional<double> value(std::string_view metric, std::string_view dims = {},
                                            Row report = kNone) const {
    const RecordedFact* found = fact_of(metric, dims, report);
    return found != nullptr ? std::optional<double>(found->value) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::string> attribute_of(std::string_view name) const {
    for (const auto& [key, text] : attributes) {
      if (key == name) return text;
    }
    return std::nullopt;
  }
  /// Null when no table has the id.
  [[nodiscard]] const RecordedTable* table_of(std::string_view id) const {
    const auto at = std::find_if(tables.begin(), tables.end(), [&](const RecordedTable& t) { return t.id == id; });
    return at == tables.end() ? nullptr : &*at;
  }
  /// Null when no plot has the id.
  [[nodiscard]] const RecordedPlot* plot_of(std::string_view id) const {
    const auto at = std::find_if(plots.begin(), plots.end(), [&](const RecordedPlot& p) { return p.id == id; });
    return at == plots.end() ? nullptr : &*at;
  }
  /// Reason of the first skip of a metric (from `analyze`), or nothing.
  [[nodiscard]] std::optional<std::string> skip_of(std::string_view metric) const {
    for (const RecordedSkip& s : skips) {
      if (s.metric == metric) return s.reason;
    }
    return std::nullopt;
  }

  // ReportSink
  Emit emit_fact(Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept override {
    return emit_fact(kNone, metric, dims, value, samples);
  }
  Emit emit_attribute(Str name, Str value) noexcept override {
    if (declared_ && !contains(declared_->attributes, name)) return Emit::kUndeclared;
    if (attribute_of(name)) return Emit::kDuplicate;
    attributes.emplace_back(name.view(), value.view());
    return Emit::kOk;
  }
  void emit_skip(Str metric, Str reason) noexcept override { skips.push_back({kNone, text(metric), text(reason)}); }
  void emit_issue(Str name, Severity severity, std::int64_t count, Str sentence) noexcept override {
    issues.push_back({text(name), severity, count, text(sentence)});
  }

  // StudySink
  Emit emit_fact(Row report, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept override {
    if (declared_ && !contains(declared_->metrics, metric)) return Emit::kUndeclared;
    if (!std::isfinite(value)) return Emit::kNotFinite;
    for (const double sample : samples) {
      if (!std::isfinite(sample)) return Emit::kNotFinite;
    }
    const auto canonical = dims_text(dims.view());
    if (!canonical || report < kNone || (study_ != nullptr && report >= static_cast<Row>(study_->reports->rows))) {
      return Emit::kMalformed;
    }
    if (!seen_.emplace(report, text(metric), *canonical).second) return Emit::kDuplicate;
    facts.push_back({report, text(metric), *canonical, value, {samples.begin(), samples.end()}});
    return Emit::kOk;
  }
  Emit emit_finding(const FindingView* finding) noexcept override {
    if (!known_facts(finding->evidence)) return Emit::kMalformed;
    findings.push_back({finding->role,
                        text(finding->title),
                        text(finding->text),
                        owned(finding->has_effect != 0, finding->effect),
                        owned(finding->labels),
                        {finding->evidence.begin(), finding->evidence.end()}});
    return Emit::kOk;
  }
  Emit emit_verdict(const VerdictView* verdict) noexcept override {
    const bool known_claim =
        verdict->claim >= 0 && (study_ == nullptr || static_cast<std::uint64_t>(verdict->claim) < study_->claims->rows);
    if (!known_claim || verdict->stratum_size != sizeof(StratumView)) return Emit::kMalformed;
    if (std::any_of(verdicts.begin(), verdicts.end(), [&](const auto& v) { return v.claim == verdict->claim; })) {
      return Emit::kDuplicate;
    }
    RecordedVerdict out{verdict->claim, verdict->verdict, text(verdict->reason), {}};
    for (const StratumView& s : verdict->strata) {
      if (!known_facts(s.evidence)) return Emit::kMalformed;
      out.strata.push_back({s.verdict,
                            text(s.reason),
                            owned(s.has_effect != 0, s.effect),
                            owned(s.labels),
                            {s.evidence.begin(), s.evidence.end()}});
    }
    verdicts.push_back(std::move(out));
    return Emit::kOk;
  }
  void emit_skip(Row report, Str reason) noexcept override { skips.push_back({report, {}, text(reason)}); }
  Emit emit_plot(const PlotView* plot) noexcept override {
    std::optional<RecordedPlot> out = recorded_plot(*plot);
    if (!out || !known_facts(plot->evidence)) return Emit::kMalformed;
    if (plot_of(out->id) != nullptr) return Emit::kDuplicate;
    plots.push_back(std::move(*out));
    return Emit::kOk;
  }

  // both
  Emit emit_table(const TableView* table) noexcept override {
    std::optional<RecordedTable> out = recorded_table(*table);
    if (!out) return Emit::kMalformed;
    if (table_of(out->id) != nullptr) return Emit::kDuplicate;
    tables.push_back(std::move(*out));
    return Emit::kOk;
  }
  void note(Str sentence) noexcept override { notes.push_back(text(sentence)); }

  // ErrorSink
  void fail(Str sentence) noexcept override { failures.push_back(text(sentence)); }

 private:
  static std::string text(Str s) { return std::string(s.view()); }
  static bool contains(const std::vector<std::string>& names, Str name) {
    return std::find(names.begin(), names.end(), name.view()) != names.end();
  }
  static std::optional<RecordedEffect> owned(bool has, const Effect& effect) {
    if (!has) return std::nullopt;
    RecordedEffect out{effect, text(effect.metric), text(effect.method)};
    out.effect.metric = {};
    out.effect.method = {};
    return out;
  }
  static std::vector<std::pair<std::string, std::string>> owned(Span<LabelValue> labels) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const LabelValue& l : labels) out.emplace_back(l.key.view(), l.value.view());
    return out;
  }
  [[nodiscard]] bool known_facts(Span<std::int64_t> rows) const {
    return std::all_of(rows.begin(), rows.end(), [&](std::int64_t row) {
      return row >= 0 && (study_ == nullptr || static_cast<std::uint64_t>(row) < study_->facts->rows);
    });
  }

  std::optional<Declared> declared_;
  const Study* study_ = nullptr;
  std::set<std::tuple<Row, std::string, std::string>> seen_;
};

}  // namespace assay::testing
