#include "emit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "assay/algo/summary.hpp"
#include "assay/words.hpp"
#include "summary.hpp"

namespace assay::serving {
namespace {

double total(const std::array<double, kKinds>& times) {
  double sum = 0;
  for (const double time : times) sum += time;
  return sum;
}

/// As counts are shown.
std::optional<std::int64_t> rounded(const std::optional<double>& value) {
  return value ? std::optional(static_cast<std::int64_t>(std::llround(*value))) : std::nullopt;
}

std::optional<double> mean_of(double sum, std::int64_t count) {
  return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

struct KindRow {
  std::size_t kind = 0;
  Quantiles time;
  double gpu = 0, share = 0;
  std::optional<double> batch, tokens;
};

/// Kinds that occur among the steps.
std::vector<KindRow> kind_rows(const Latencies& l) {
  std::vector<KindRow> rows;
  for (std::size_t k = 0; k < kKinds; ++k) {
    if (l.step[k].empty()) continue;
    rows.push_back({k, quantiles_of(l.step[k]), median(l.step_gpu[k]),
                    total(l.time) > 0 ? l.time[k] / total(l.time) : 0, mean_of(l.batch[k], l.with_batch[k]),
                    mean_of(l.computed[k], l.with_tokens[k])});
  }
  return rows;
}

struct TimeRow {
  const char* what;
  Quantiles of;
};

std::vector<TimeRow> time_rows(const Latencies& l) {
  std::vector<TimeRow> rows{{"first token (TTFT)", quantiles_of(l.ttft)},
                            {"per token after it (TPOT)", quantiles_of(l.tpot)},
                            {"from token to token", quantiles_of(l.token)},
                            {"request", quantiles_of(l.request)}};
  std::erase_if(rows, [](const TimeRow& row) { return row.of.count == 0; });
  return rows;
}

}  // namespace

void emit_facts(const Latencies& l, ReportSink& sink) {
  emit_quantiles(sink, "serving.ttft_ns", quantiles_of(l.ttft));
  emit_quantiles(sink, "serving.tpot_ns", quantiles_of(l.tpot));
  emit_quantiles(sink, "serving.token_gap_ns", quantiles_of(l.token));
  emit_quantiles(sink, "serving.request_ns", quantiles_of(l.request));
  sink.fact("serving.request_count", static_cast<double>(l.request.size()));
  for (std::size_t w = 0; w < kLeftOuts; ++w)
    sink.fact("serving.left_out_count", static_cast<double>(l.left_out[w]), {{"why", kLeftOutNames[w]}});
  sink.fact("serving.tokens", l.tokens);
  sink.fact("serving.span_ns", l.span);
  for (const KindRow& row : kind_rows(l)) {
    const Dim kind{"kind", kKindNames[row.kind]};
    sink.fact("serving.step_count", static_cast<double>(row.time.count), {kind});
    emit_quantiles(sink, "serving.step_ns", row.time, {kind});
    sink.fact("serving.step_gpu_ns", row.gpu, {kind});
    if (row.batch) sink.fact("serving.step_batch", *row.batch, {kind});
    if (row.tokens) sink.fact("serving.step_tokens", *row.tokens, {kind});
    sink.fact("serving.time_ratio", row.share, {kind});
  }
}

void emit_tables(const Latencies& l, ReportSink& sink) {
  const auto quantile = [](double Quantiles::* member) {
    return [member](const auto& row) {
      if constexpr (requires { row.of; })
        return row.of.*member;
      else
        return row.time.*member;
    };
  };
  const std::vector<TimeRow> times = time_rows(l);
  Table latencies("latencies", "What requests wait for");
  latencies.column("What", "", times, &TimeRow::what)
      .column("Count", "1", times, [](const TimeRow& row) { return row.of.count; })
      .column("Med", "ns", times, quantile(&Quantiles::p50))
      .column("P95", "ns", times, quantile(&Quantiles::p95))
      .column("P99", "ns", times, quantile(&Quantiles::p99))
      .column("Max", "ns", times, quantile(&Quantiles::max));
  sink.table(latencies);
  const std::vector<KindRow> kinds = kind_rows(l);
  Table steps("steps", "Steps of a server by kind");
  steps.column("Step", "", kinds, [](const KindRow& row) { return kKindNames[row.kind]; })
      .column("Count", "1", kinds, [](const KindRow& row) { return row.time.count; })
      .column("Med", "ns", kinds, quantile(&Quantiles::p50))
      .column("P95", "ns", kinds, quantile(&Quantiles::p95))
      .column("Max", "ns", kinds, quantile(&Quantiles::max))
      .column("GPU", "ns", kinds, &KindRow::gpu);
  if (std::ranges::any_of(kinds, [](const KindRow& row) { return row.batch.has_value(); }))
    steps.column("Sequences", "1", kinds, [](const KindRow& row) { return rounded(row.batch); });
  if (std::ranges::any_of(kinds, [](const KindRow& row) { return row.tokens.has_value(); }))
    steps.column("Tokens", "1", kinds, [](const KindRow& row) { return rounded(row.tokens); });
  steps.column("Share", "ratio", kinds, &KindRow::share);
  sink.table(steps);
}

void emit_left_out(const Phases& phases, const Latencies& l, ReportSink& sink) {
  constexpr std::array<const char*, kLeftOuts> kWords = {
      "did not end in the capture and count nowhere", "have no prefill in them, so no time to the first token",
      "got one token, so no time per token",
      "overlap others, and no number in names tells which prefill is theirs, so no time to the first token"};
  for (std::size_t w = 0; w < kLeftOuts; ++w) {
    if (l.left_out[w] == 0) continue;
    sink.issue("requests_" + std::string(kLeftOutNames[w]), Severity::kInfo, l.left_out[w],
               filled("{} {}.", {counted(static_cast<std::size_t>(l.left_out[w]), "request"), kWords[w]}));
  }
  if (phases.open_steps > 0)
    sink.issue("open_steps", Severity::kInfo, phases.open_steps,
               counted(static_cast<std::size_t>(phases.open_steps), "step") +
                   " of the server did not end in the capture and count nowhere.");
}

}  // namespace assay::serving
