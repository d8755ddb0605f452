#include "assay/testing/recorder.hpp"

#include <cstring>

namespace assay::testing {
namespace {

/// The part of a view that both sides know: a plugin built earlier passes a smaller one.
template <class View>
View known_part(const void* from, std::uint64_t size) {
  View view;
  std::memcpy(static_cast<void*>(&view), from, static_cast<std::size_t>(std::min<std::uint64_t>(size, sizeof(View))));
  return view;
}

}  // namespace

std::optional<std::string> dims_text(std::span<const Dim> dims) {
  std::vector<std::pair<std::string_view, std::string_view>> sorted;
  for (const Dim& dim : dims) sorted.emplace_back(dim.key.view(), dim.value.view());
  std::ranges::sort(sorted);
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

Recorder::Recorder() = default;
Recorder::Recorder(DeclaredOutputs declared, const Study* study) : declared_(std::move(declared)), study_(study) {}
Recorder::~Recorder() = default;
Recorder::Recorder(const Recorder&) = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(const Recorder&) = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

const RecordedFact* Recorder::fact_of(std::string_view metric, std::string_view dims, Row report) const {
  const auto at = std::ranges::find_if(
      facts, [&](const RecordedFact& f) { return f.metric == metric && f.dims == dims && f.report == report; });
  return at == facts.end() ? nullptr : &*at;
}

std::optional<double> Recorder::value(std::string_view metric, std::string_view dims, Row report) const {
  const RecordedFact* found = fact_of(metric, dims, report);
  return found != nullptr ? std::optional<double>(found->value) : std::nullopt;
}

std::optional<std::string> Recorder::attribute_of(std::string_view name) const {
  for (const auto& [key, text] : attributes) {
    if (key == name) return text;
  }
  return std::nullopt;
}

const RecordedTable* Recorder::table_of(std::string_view id) const {
  const auto at = std::ranges::find_if(tables, [&](const RecordedTable& t) { return t.id == id; });
  return at == tables.end() ? nullptr : &*at;
}

const RecordedPlot* Recorder::plot_of(std::string_view id) const {
  const auto at = std::ranges::find_if(plots, [&](const RecordedPlot& p) { return p.id == id; });
  return at == plots.end() ? nullptr : &*at;
}

const std::string* Recorder::text_file_of(Row report, std::string_view suffix) const {
  const auto at = std::ranges::find_if(
      text_files, [&](const RecordedTextFile& f) { return f.report == report && f.suffix == suffix; });
  return at == text_files.end() ? nullptr : &at->content;
}

std::optional<std::string> Recorder::skip_of(std::string_view metric) const {
  for (const RecordedSkip& s : skips) {
    if (s.metric == metric) return s.reason;
  }
  return std::nullopt;
}

Emit Recorder::emit_fact(Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept {
  return emit_fact(kNone, metric, dims, value, samples);
}

Emit Recorder::emit_attribute(Str name, Str value) noexcept {
  if (declared_ && !contains(declared_->attributes, name)) return Emit::kUndeclared;
  if (attribute_of(name)) return Emit::kDuplicate;
  attributes.emplace_back(name.view(), value.view());
  return Emit::kOk;
}

void Recorder::emit_issue(Str name, Severity severity, std::int64_t count, Str sentence) noexcept {
  issues.push_back({text(name), severity, count, text(sentence)});
}

Emit Recorder::emit_fact(Row report, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept {
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

namespace {

/// As the host has it: a finite value, and bounds that are finite and in order, or both NaN.
bool is_sound(const Effect& effect) {
  const bool no_bounds = std::isnan(effect.lo) && std::isnan(effect.hi);
  const bool bounds = std::isfinite(effect.lo) && std::isfinite(effect.hi) && effect.lo <= effect.hi;
  return std::isfinite(effect.value) && (no_bounds || bounds) && effect.level > 0 && effect.level < 1 && effect.n >= 0;
}

}  // namespace

Emit Recorder::emit_finding(const FindingView* from) noexcept {
  const auto finding = known_part<FindingView>(from, from->struct_size);
  const bool sound = !finding.title.empty() && !finding.text.empty() && finding.agreeing >= 0 &&
                     finding.pairs >= finding.agreeing && (finding.has_effect == 0 || is_sound(finding.effect));
  if (!sound || !known_facts(finding.evidence)) return Emit::kMalformed;
  findings.push_back({finding.role,
                      text(finding.title),
                      text(finding.text),
                      owned(finding.has_effect != 0, finding.effect),
                      owned(finding.labels),
                      {finding.evidence.begin(), finding.evidence.end()},
                      finding.pairs,
                      finding.agreeing});
  return Emit::kOk;
}

Emit Recorder::emit_verdict(const VerdictView* verdict) noexcept {
  const bool known_claim =
      verdict->claim >= 0 && (study_ == nullptr || static_cast<std::uint64_t>(verdict->claim) < study_->claims->rows);
  if (!known_claim || verdict->stratum_size == 0) return Emit::kMalformed;
  if (std::ranges::any_of(verdicts, [&](const auto& v) { return v.claim == verdict->claim; })) {
    return Emit::kDuplicate;
  }
  RecordedVerdict out{verdict->claim, verdict->verdict, text(verdict->reason), {}};
  for (std::uint64_t i = 0; i < verdict->strata.size; ++i) {
    const char* at = reinterpret_cast<const char*>(verdict->strata.data) + i * verdict->stratum_size;
    const auto s = known_part<StratumView>(at, verdict->stratum_size);
    if (!known_facts(s.evidence) || (s.has_effect != 0 && !is_sound(s.effect))) return Emit::kMalformed;
    out.strata.push_back({s.verdict,
                          text(s.reason),
                          owned(s.has_effect != 0, s.effect),
                          owned(s.labels),
                          {s.evidence.begin(), s.evidence.end()},
                          s.need,
                          text(s.need.in_vain)});
    out.strata.back().need.in_vain = {};
  }
  verdicts.push_back(std::move(out));
  return Emit::kOk;
}

Emit Recorder::emit_plot(const PlotView* plot) noexcept {
  std::optional<RecordedPlot> out = recorded_plot(*plot);
  if (!out || !known_facts(plot->evidence)) return Emit::kMalformed;
  if (plot_of(out->id) != nullptr) return Emit::kDuplicate;
  plots.push_back(std::move(*out));
  return Emit::kOk;
}

Emit Recorder::emit_text_file(Row report, Str suffix, Str content) noexcept {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  const bool known_report =
      report >= 0 && (study_ == nullptr || static_cast<std::uint64_t>(report) < study_->reports->rows);
  const bool is_suffix =
      !suffix.empty() && suffix.size <= 100 && suffix.view().find_first_not_of(letters) == std::string_view::npos;
  if (!known_report || !is_suffix) return Emit::kMalformed;
  if (text_file_of(report, suffix) != nullptr) return Emit::kDuplicate;
  text_files.push_back({report, text(suffix), text(content)});
  return Emit::kOk;
}

Emit Recorder::emit_table(const TableView* table) noexcept { return add_table(*table, tables); }

Emit Recorder::emit_rows(const TableView* rows) noexcept {
  const std::optional<RecordedTable> more = recorded_table(*rows);
  if (!more || tables.empty() || tables.back().id != more->id) return Emit::kMalformed;
  return append_rows(tables.back(), *more) ? Emit::kOk : Emit::kMalformed;
}

Emit Recorder::emit_rank_rows(const TableView* table) noexcept { return add_table(*table, rank_tables); }
Emit Recorder::emit_study_rows(const TableView* table) noexcept { return add_table(*table, study_tables); }

bool Recorder::contains(const std::vector<std::string>& names, Str name) {
  return std::ranges::find(names, name.view()) != names.end();
}

std::optional<RecordedEffect> Recorder::owned(bool has, const Effect& effect) {
  if (!has) return std::nullopt;
  RecordedEffect out{effect, text(effect.metric), text(effect.method)};
  out.effect.metric = {};
  out.effect.method = {};
  return out;
}

std::vector<std::pair<std::string, std::string>> Recorder::owned(Span<LabelValue> labels) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const LabelValue& l : labels) out.emplace_back(l.key.view(), l.value.view());
  return out;
}

bool Recorder::known_facts(Span<std::int64_t> rows) const {
  return std::ranges::all_of(rows, [&](std::int64_t row) {
    return row >= 0 && (study_ == nullptr || static_cast<std::uint64_t>(row) < study_->facts->rows);
  });
}

}  // namespace assay::testing
