#include "experts.hpp"

#include <algorithm>
#include <map>

#include "algo/missing_ranks.hpp"
#include "assay/algo/summary.hpp"

namespace assay::ranks {
namespace {

constexpr double kMinHot = 1.05;  // of the mean of the tokens

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

/// Whether every rank sends in `back` what it got in `out`, and gets what it sent.
bool returns(const JobRows& job, const Matches& matches, const Match& out, const Match& back) {
  const Group& group = matches.groups[out.group];
  for (std::size_t m = 0; m < group.members.size(); ++m) {
    const RankRows& rank = job.ranks[group.members[m]];
    const std::uint32_t a = matches.row(out, m), b = matches.row(back, m);
    if (rank.received[a] < 0 || rank.received[a] != rank.sent[b] || rank.sent[a] != rank.received[b]) return false;
  }
  return true;
}

ExpertLayer layer_of(const JobRows& job, const Matches& matches, const Waits& waits, std::size_t out,
                     std::size_t back) {
  const Match& first = matches.all[out];
  const Match& second = matches.all[back];
  ExpertLayer layer;
  layer.step = first.step;
  layer.transfer = static_cast<double>(waits.transfer[out] + waits.transfer[back]);
  layer.ranks = matches.groups[first.group].members;
  layer.size = matches.groups[first.group].size;
  for (std::size_t m = 0; m < layer.ranks.size(); ++m) {
    const RankRows& rank = job.ranks[layer.ranks[m]];
    const std::uint32_t a = matches.row(first, m), b = matches.row(second, m);
    layer.tokens.push_back(static_cast<double>(rank.received[a]));
    layer.sent += static_cast<double>(rank.sent[a]);
    layer.compute.push_back(static_cast<double>(rank.before[b]));
    layer.wait.push_back(static_cast<double>(rank.duration(a) + rank.duration(b)) - layer.transfer);
  }
  return layer;
}

}  // namespace

double ExpertLayer::imbalance(const std::vector<double>& values) {
  const double all = sum(values);
  return all > 0 ? *std::ranges::max_element(values) * static_cast<double>(values.size()) / all : 1;
}

std::vector<ExpertLayer> expert_layers(const JobRows& job, const Matches& matches, const Waits& waits) {
  std::vector<std::size_t> order;
  for (std::size_t m = 0; m < matches.all.size(); ++m) {
    const Match& match = matches.all[m];
    const std::uint32_t row = matches.row(match, 0);
    if (static_cast<CollectiveKind>(job.ranks[matches.groups[match.group].members[0]].kind[row]) ==
        CollectiveKind::kAllToAll)
      order.push_back(m);
  }
  std::vector<ExpertLayer> out;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> counts;  // group, step
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const Match &a = matches.all[order[i]], &b = matches.all[order[i + 1]];
    if (a.group != b.group || a.step != b.step || !returns(job, matches, a, b)) continue;
    out.push_back(layer_of(job, matches, waits, order[i], order[i + 1]));
    out.back().layer = counts[{a.group, a.step}]++;
    ++i;
  }
  return out;
}

std::optional<std::size_t> hot_rank(const std::vector<ExpertLayer>& layers, std::size_t ranks, double least) {
  std::vector<double> tokens(ranks, 0);
  for (const ExpertLayer& layer : layers) {
    for (std::size_t m = 0; m < layer.ranks.size(); ++m) tokens[layer.ranks[m]] += layer.tokens[m];
  }
  const auto most = std::ranges::max_element(tokens);
  if (most == tokens.end() || ExpertLayer::imbalance(tokens) < least) return std::nullopt;
  for (const double& other : tokens) {
    if (&other != &*most && other * least > *most) return std::nullopt;
  }
  return static_cast<std::size_t>(most - tokens.begin());
}

double saved_by_even_router(const std::vector<ExpertLayer>& layers, std::size_t steps) {
  double saved = 0;
  for (const ExpertLayer& layer : layers) {
    const auto ranks = static_cast<double>(layer.ranks.size());
    const double most = *std::ranges::max_element(layer.compute), mean_tokens = sum(layer.tokens) / ranks;
    double even = sum(layer.compute) / ranks;  // the longest compute with the mean of the tokens
    for (std::size_t m = 0; m < layer.ranks.size(); ++m)
      even = std::max(even, layer.compute[m] * (layer.tokens[m] > mean_tokens ? mean_tokens / layer.tokens[m] : 1));
    saved += most - even + layer.transfer * (1 - 1 / ExpertLayer::imbalance(layer.tokens));
  }
  return steps > 0 ? saved / static_cast<double>(steps) : 0;
}

namespace {

/// What the ranks that are there know of the experts of the others: tokens that they send and that none of them gets.
void emit_unseen(const JobRows& job, const std::vector<ExpertLayer>& layers, JobSink& sink) {
  double sent = 0, unseen = 0, all = 0, likely = 0;
  for (const ExpertLayer& layer : layers) {
    const double to_others = layer.sent - sum(layer.tokens),
                 theirs = layer.missing() * layer.sent / static_cast<double>(layer.ranks.size());
    sent += layer.sent;
    unseen += to_others;
    all += layer.sent + theirs;
    likely += to_others + theirs;
  }
  const std::string missing =
      missing_ranks_text(job.numbers(), static_cast<std::size_t>(std::max<std::int64_t>(0, job.world)));
  for (const char* metric : {"expert.imbalance_ratio", "expert.layer_imbalance_ratio", "expert.hot_rank",
                             "expert.even_saving_ns", "expert.even_saving_ratio"})
    sink.skip(kNone, metric,
              (missing.empty() ? "ranks of its group are missing" : missing) + ", whose experts may get most tokens");
  if (!(unseen > 0)) return;
  sink.fact(kNone, "expert.unseen_sent_ratio", unseen / sent);
  sink.fact(kNone, "expert.unseen_ratio", likely / all);
}

}  // namespace

void emit_experts(const JobRows& job, const Matches& matches, const Waits& waits, double length, JobSink& sink) {
  std::vector<ExpertLayer> layers = expert_layers(job, matches, waits);
  std::erase_if(layers, [](const ExpertLayer& layer) { return layer.step == 0; });
  if (layers.empty()) return;
  const std::size_t steps = matches.steps.size() - 1;
  std::map<std::size_t, std::vector<double>> by_layer;
  std::vector<double> all, tokens(job.ranks.size(), 0), compute = tokens, wait = tokens;
  for (const ExpertLayer& layer : layers) {
    all.push_back(ExpertLayer::imbalance(layer.tokens));
    by_layer[layer.layer].push_back(all.back());
    for (std::size_t m = 0; m < layer.ranks.size(); ++m) {
      tokens[layer.ranks[m]] += layer.tokens[m];
      compute[layer.ranks[m]] += layer.compute[m];
      wait[layer.ranks[m]] += layer.wait[m];
    }
  }
  sink.fact(kNone, "expert.layer_count", static_cast<double>(by_layer.size()));
  const auto per_step = static_cast<double>(steps);
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    sink.fact(job.rows[r], "expert.tokens_bytes", tokens[r] / per_step);
    sink.fact(job.rows[r], "expert.compute_ns", compute[r] / per_step);
    sink.fact(job.rows[r], "expert.wait_ns", wait[r] / per_step);
  }
  if (std::ranges::any_of(layers, [](const ExpertLayer& layer) { return layer.missing() > 0; }))
    return emit_unseen(job, layers, sink);
  sink.fact(kNone, "expert.imbalance_ratio", mean(all));
  for (const auto& [layer, ratios] : by_layer)
    sink.fact(kNone, "expert.layer_imbalance_ratio", mean(ratios), {{"layer", std::to_string(layer)}});
  const double saved = saved_by_even_router(layers, steps);
  sink.fact(kNone, "expert.even_saving_ns", saved);
  if (length > 0) sink.fact(kNone, "expert.even_saving_ratio", saved / length);
  if (const auto hot = hot_rank(layers, job.ranks.size(), kMinHot))
    sink.fact(kNone, "expert.hot_rank", static_cast<double>(job.ranks[*hot].number));
  else
    sink.skip(kNone, "expert.hot_rank",
              "no single rank's experts get at least 5 % more tokens than the others' over all layers: there is none");
}

}  // namespace assay::ranks
