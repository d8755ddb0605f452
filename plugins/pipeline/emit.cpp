#include "emit.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/algo/summary.hpp"
#include "assay/words.hpp"
#include "stage_order.hpp"
#include "timeline.hpp"

namespace assay::pipeline {
namespace {

using namespace stages;

constexpr std::string_view kAll = "pipeline.*, stage.*";

/// What makes ranks the stages of a pipeline: with the other side of their messages, and without.
constexpr std::string_view kChain =
    "one rank that begins with a send, and a chain from it in which each begins with a receive from the one before";
constexpr std::string_view kBegins =
    "in every step one rank computes first, and the others begin one after the other, each after a message";

double as_double(std::int64_t value) { return static_cast<double>(value); }

std::string_view schedule_name(Schedule schedule, bool ring) {
  if (ring) return "interleaved";
  return schedule == Schedule::kForwardOnly       ? "forward only"
         : schedule == Schedule::kAllForwardFirst ? "GPipe"
                                                  : "1F1B";
}

constexpr std::string_view kPassNames[] = {"compute", "forward", "backward", "forward and backward"};

/// Numbers of one rank, one per counted step.
struct RankSamples {
  std::vector<double> compute, transfer, copy, bubble, wait, warm_up, drain, imbalance;
};

/// Numbers of the job, one per counted step.
struct JobSamples {
  std::vector<double> length, equal, microbatches;
  std::vector<RankSamples> ranks;
  std::vector<StageCompute> stages;  ///< over all chains, by stage
  bool split = true;                 ///< every step could be replayed
};

/// Converts all times to the first rank's clock; returns the offsets.
std::vector<Alignment> align(JobRows& job, JobSink& sink) {
  std::vector<Alignment> by = align_clocks(job.steps);
  std::vector<double> shifts(job.ranks.size(), 0);
  std::int64_t uncertainty = 0;
  bool moved = false;
  for (std::size_t s = 0; s < job.steps.size(); ++s) {
    shift(job.steps[s], by[s]);
    for (std::size_t r = 0; r < job.ranks.size(); ++r) {
      for (Piece& piece : job.pieces[s][r]) {
        piece.time.start += by[s].shift[r];
        piece.time.end += by[s].shift[r];
      }
      shifts[r] += as_double(by[s].shift[r]) / as_double(std::ssize(job.steps));
    }
    uncertainty = std::max(uncertainty, by[s].uncertainty);
    moved = moved || by[s].moved;
  }
  if (uncertainty > 0) sink.fact(kNone, "message.clock_uncertainty_ns", as_double(uncertainty));
  for (std::size_t r = 0; r < shifts.size() && moved; ++r) sink.fact(job.rows[r], "message.clock_shift_ns", shifts[r]);
  if (moved) {
    sink.issue(kNone, "clock_shifted_by_messages", Severity::kWarning, 0,
               "By the clocks of the files receives end before their sends begin; ranks are shifted by the ends of "
               "their messages, right to " +
                   time_text(as_double(uncertainty)) + ".");
  }
  return by;
}

void emit_messages(const JobRows& job, JobSink& sink) {
  std::int64_t matched = 0, unmatched = 0;
  std::vector<double> transfers;
  for (const JobStep& step : job.steps) {
    matched += std::ssize(step.messages);
    unmatched += step.unmatched;
    for (const Message& m : step.messages) {
      if (&step == &job.steps.front() && job.steps.size() > 1) continue;  // captures begin at different times
      // The side that comes last does not wait. Clocks of two ranks may be further apart than this takes.
      const auto length = [](const CommEvent& event) { return as_double(event.time.end - event.time.start); };
      transfers.push_back(
          std::min(length(step.ranks[m.from].events[m.from_event]), length(step.ranks[m.to].events[m.to_event])));
    }
  }
  sink.fact(kNone, "message.matched_count", as_double(matched));
  sink.fact(kNone, "message.unmatched_count", as_double(unmatched));
  if (!transfers.empty()) sink.fact(kNone, "message.transfer_ns", median(transfers));
  if (unmatched > 0)
    sink.issue(kNone, "unmatched_messages", Severity::kWarning, unmatched,
               "Some sends and receives have no other side of the same size in their step: rows were lost, or ranks "
               "ran different programs; their kernels count as transfer, waiting included.");
}

/// Pieces of compute between messages by kind; the last kind follows the last message.
void add_pieces(const JobStep& step, const Chain& chain, std::size_t stage, StageCompute& to) {
  constexpr std::size_t kKinds = 5;
  to.pieces.resize(kKinds);
  const RankStep& rank = step.ranks[chain.ranks[stage]];
  const std::vector<Pass> passes = passes_of(step, chain, stage);
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    if (rank.events[e].work_before > 0)
      to.pieces[static_cast<std::size_t>(passes[e])].push_back(as_double(rank.events[e].work_before));
  }
  to.pieces[kKinds - 1].push_back(as_double(rank.work_after));
}

void measure_step(const JobRows& job, std::size_t number, const std::vector<Chain>& chains, JobSamples& to) {
  const JobStep& step = job.steps[number];
  const std::vector<RankParts> parts = parts_of(step, job.named ? waits_of(step) : unnamed_waits(job, number));
  to.length.push_back(as_double(step.length()));
  std::vector<double> equal(step.ranks.size(), 1);
  for (const Chain& chain : chains) {
    const auto split = job.named ? split_bubbles(step, chain, parts) : std::nullopt;
    to.split = to.split && split.has_value();
    if (job.named) to.microbatches.push_back(as_double(shape_of(step, chain).microbatches));
    double all = 0;
    for (const std::uint32_t r : chain.ranks) all += as_double(parts[r].compute);
    for (std::size_t s = 0; s < chain.ranks.size(); ++s) {
      const std::uint32_t r = chain.ranks[s];
      RankSamples& rank = to.ranks[r];
      rank.compute.push_back(as_double(parts[r].compute));
      if (job.named) rank.transfer.push_back(as_double(parts[r].transfer));
      rank.copy.push_back(as_double(parts[r].copy));
      rank.bubble.push_back(as_double(parts[r].bubble));
      rank.wait.push_back(as_double(parts[r].wait));
      if (split) {
        rank.warm_up.push_back(as_double((*split)[s].warm_up));
        rank.drain.push_back(as_double((*split)[s].drain));
        rank.imbalance.push_back(as_double((*split)[s].imbalance));
      }
      to.stages[s].steps.push_back(as_double(parts[r].compute));
      if (job.named)
        add_pieces(step, chain, s, to.stages[s]);
      else
        to.stages[s].pieces = {to.stages[s].steps};
      if (parts[r].compute > 0) equal[r] = all / as_double(std::ssize(chain.ranks)) / as_double(parts[r].compute);
    }
  }
  if (!job.named) return;
  const auto run = replay(step, equal), as_is = replay(step, std::vector<double>(step.ranks.size(), 1));
  if (run && as_is && as_is->length > 0)
    to.equal.push_back(as_double(step.length()) * as_double(run->length) / as_double(as_is->length));
}

void emit_ranks(const JobRows& job, const std::vector<Chain>& chains, const JobSamples& samples, JobSink& sink) {
  const auto add = [&](std::uint32_t r, std::string_view metric, const std::vector<double>& values) {
    if (values.size() == samples.length.size()) sink.fact(job.rows[r], metric, mean(values), values);
  };
  for (const Chain& chain : chains) {
    for (std::size_t s = 0; s < chain.ranks.size(); ++s) {
      const std::uint32_t r = chain.ranks[s];
      const RankSamples& rank = samples.ranks[r];
      sink.fact(job.rows[r], "stage.number", as_double(static_cast<std::int64_t>(s)));
      add(r, "stage.compute_ns", rank.compute);
      add(r, "stage.transfer_ns", rank.transfer);
      add(r, "stage.copy_ns", rank.copy);
      add(r, "stage.bubble_ns", rank.bubble);
      add(r, "stage.wait_ns", rank.wait);
      add(r, "stage.warm_up_ns", rank.warm_up);
      add(r, "stage.drain_ns", rank.drain);
      add(r, "stage.imbalance_ns", rank.imbalance);
    }
  }
}

/// The same by stage for the job, so that two jobs are compared stage by stage.
void emit_stages(const std::vector<Chain>& chains, const JobSamples& samples, JobSink& sink) {
  for (std::size_t s = 0; s < chains.front().ranks.size(); ++s) {
    std::vector<double> compute, bubble;
    for (const Chain& chain : chains) {
      compute.push_back(mean(samples.ranks[chain.ranks[s]].compute));
      bubble.push_back(mean(samples.ranks[chain.ranks[s]].bubble));
    }
    const Dims dims{{"stage", std::to_string(s)}};
    sink.fact(kNone, "pipeline.stage_compute_ns", mean(compute), dims);
    sink.fact(kNone, "pipeline.stage_bubble_ns", mean(bubble), dims);
  }
}

void emit_ratios(const std::vector<Chain>& chains, const JobSamples& samples, bool named, JobSink& sink) {
  double all = 0, bubble = 0, compute = 0, imbalance = 0;
  const auto sum = [](const std::vector<double>& values) {
    double total = 0;
    for (const double value : values) total += value;
    return total;
  };
  for (const Chain& chain : chains) {
    for (const std::uint32_t r : chain.ranks) {
      all += sum(samples.length);
      bubble += sum(samples.ranks[r].bubble);
      compute += sum(samples.ranks[r].compute);
      imbalance += sum(samples.ranks[r].imbalance);
    }
  }
  if (all <= 0) return;
  sink.fact(kNone, "pipeline.bubble_ratio", bubble / all);
  sink.fact(kNone, "pipeline.not_compute_ratio", 1 - compute / all);
  if (samples.split)
    sink.fact(kNone, "pipeline.imbalance_ratio", imbalance / all);
  else
    sink.skip(kNone, "stage.warm_up_ns, stage.drain_ns, stage.imbalance_ns",
              named
                  ? "the order of the messages contradicts itself in a step, so it cannot be replayed with equal stages"
                  : "the profiles do not name the other side of messages, so no step can be replayed; traces of the "
                    "PyTorch profiler do");
}

/// The stage that limits, and its cost.
void emit_limit(const JobRows& job, std::size_t first, const std::vector<Chain>& chains, const JobSamples& samples,
                const NamingRule& rule, JobSink& sink) {
  const auto found = limiting_stage(samples.stages, rule.least_excess, rule.false_names);
  if (!found)
    return sink.skip(kNone, "pipeline.limiting_stage",
                     "no stage takes at least " + percent(rule.least_excess, 0) +
                         " more compute than the mean of the others, beyond its variation: there is none");
  sink.fact(kNone, "pipeline.limiting_stage", as_double(static_cast<std::int64_t>(found->stage)));
  sink.fact(kNone, "pipeline.limiting_excess_ratio", found->excess);
  if (!job.named) return;
  double before = 0, after = 0;
  for (std::size_t s = first; s < job.steps.size(); ++s) {
    std::vector<double> scale(job.ranks.size(), 1);
    for (const Chain& chain : chains) scale[chain.ranks[found->stage]] = 1 / (1 + found->excess);
    const auto as_is = replay(job.steps[s], std::vector<double>(job.ranks.size(), 1)),
               run = replay(job.steps[s], scale);
    if (!run || !as_is) return;
    before += as_double(as_is->length);
    after += as_double(run->length);
  }
  sink.fact(kNone, "pipeline.limiting_saving_ratio", 1 - after / before);
}

/// Pieces of one stage in a step with their passes, from ranges or else from the messages around them.
std::vector<Piece> passes_of_pieces(const JobStep& step, const Chain& chain, std::size_t stage,
                                    const std::vector<Piece>& pieces) {
  const std::vector<Pass> by_order = passes_of(step, chain, stage);
  std::vector<Piece> out = pieces;
  for (Piece& piece : out) {
    if (piece.pass == 0) piece.pass = static_cast<std::int64_t>(by_order[static_cast<std::size_t>(piece.event)]);
  }
  return out;
}

/// Splits a piece without a message between both passes in proportion to the known ones: `forward` is the share of the
/// forward pass. The first stage continues with a forward pass; the others begin with it.
void cut_both(std::vector<Piece>& pieces, bool first_stage, double forward) {
  std::vector<Piece> out;
  for (const Piece& piece : pieces) {
    if (piece.pass != static_cast<std::int64_t>(Pass::kBoth) || forward <= 0 || forward >= 1) {
      out.push_back(piece);
      continue;
    }
    const double share = first_stage ? 1 - forward : forward;
    const std::int64_t cut = piece.time.start + std::llround(as_double(piece.time.end - piece.time.start) * share);
    const auto backward_pass = static_cast<std::int64_t>(Pass::kBackward);
    const auto forward_pass = static_cast<std::int64_t>(Pass::kForward);
    out.push_back({piece.event, {piece.time.start, cut}, first_stage ? backward_pass : forward_pass});
    out.push_back({piece.event, {cut, piece.time.end}, first_stage ? forward_pass : backward_pass});
  }
  pieces = std::move(out);
}

/// Share of the forward pass in the sum of both, from the median lengths of pieces with a single pass; 0 if one is
/// unknown.
double forward_share(const std::vector<std::vector<Piece>>& stages) {
  std::vector<double> forward, backward;
  for (const std::vector<Piece>& pieces : stages) {
    for (const Piece& piece : pieces) {
      const double time = as_double(piece.time.end - piece.time.start);
      if (piece.pass == static_cast<std::int64_t>(Pass::kForward)) forward.push_back(time);
      if (piece.pass == static_cast<std::int64_t>(Pass::kBackward)) backward.push_back(time);
    }
  }
  if (forward.empty() || backward.empty()) return 0;
  const double f = median(forward), b = median(backward);
  return f + b > 0 ? f / (f + b) : 0;
}

/// The pieces of compute of the step with median length, for the plot of the schedule.
void emit_schedule(const JobRows& job, std::size_t first, const std::vector<Chain>& chains, const JobSamples& samples,
                   JobSink& sink) {
  const double middle = median(samples.length);
  std::size_t drawn = 0;
  for (std::size_t s = 0; s < samples.length.size(); ++s) {
    if (std::abs(samples.length[s] - middle) < std::abs(samples.length[drawn] - middle)) drawn = s;
  }
  const JobStep& step = job.steps[first + drawn];
  const std::int64_t begin = step.ranks[chains.front().ranks.front()].window.start;
  for (const Chain& chain : chains) {
    std::vector<std::vector<Piece>> stages;
    for (std::size_t s = 0; s < chain.ranks.size(); ++s) {
      const std::vector<Piece>& pieces = job.pieces[first + drawn][chain.ranks[s]];
      stages.push_back(job.named ? passes_of_pieces(step, chain, s, pieces) : pieces);
    }
    const double forward = forward_share(stages);
    for (std::size_t s = 0; s < chain.ranks.size(); ++s) {
      cut_both(stages[s], s == 0, forward);
      std::map<std::int64_t, std::pair<std::vector<double>, std::vector<double>>> times;
      for (const Piece& piece : stages[s]) {
        auto& [begins, ends] = times[piece.pass];
        begins.push_back(as_double(piece.time.start - begin));
        ends.push_back(as_double(piece.time.end - begin));
      }
      for (const auto& [pass, pair] : times) {
        const Dims dims{{"pass", std::string(kPassNames[static_cast<std::size_t>(pass)])}};
        sink.fact(job.rows[chain.ranks[s]], "stage.pass_begin_ns", pair.first.front(), pair.first, dims);
        sink.fact(job.rows[chain.ranks[s]], "stage.pass_end_ns", pair.second.front(), pair.second, dims);
      }
    }
  }
}

}  // namespace

namespace {

/// What is known of ranks whose neighbours have no profile: what they compute.
void emit_parts(const JobRows& job, std::size_t first, JobSink& sink) {
  for (const std::int64_t rank : job.missing)
    sink.fact(kNone, "pipeline.missing_rank", as_double(rank), {{"rank", std::to_string(rank)}});
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    std::vector<double> compute;
    for (std::size_t s = first; s < job.steps.size(); ++s) compute.push_back(as_double(job.steps[s].ranks[r].compute));
    sink.fact(job.rows[r], "stage.compute_ns", mean(compute), compute);
  }
  sink.skip(kNone, kAll,
            filled("rank {}, which others send to or receive from, has no profile: what the stages are and wait for is "
                   "not known without it",
                   {std::to_string(*job.missing.begin())}));
}

}  // namespace

void emit_job(JobRows& job, const NamingRule& rule, bool with_matches, JobSink& sink) {
  const std::vector<Alignment> by = align(job, sink);
  if (job.named) emit_messages(job, sink);
  if (job.named && with_matches) emit_timeline(job, by, sink);
  const std::size_t first = job.steps.size() > 1 ? 1 : 0;  // captures begin at different times
  if (!job.missing.empty()) return emit_parts(job, first, sink);
  const std::vector<Chain> chains = job.named ? find_chains(job.steps[first]) : chain_by_begins(job, first);
  const auto alike = [&](const Chain& c) {
    return c.ranks.size() == chains.front().ranks.size() && c.ring == chains.front().ring;
  };
  if (chains.empty() || !std::ranges::all_of(chains, alike))
    return sink.skip(kNone, kAll,
                     "the ranks send to each other, but not as the stages of a pipeline: " +
                         std::string(job.named ? kChain : kBegins));
  JobSamples samples;
  samples.ranks.resize(job.ranks.size());
  samples.stages.resize(chains.front().ranks.size());
  for (std::size_t s = first; s < job.steps.size(); ++s) {
    if (job.named && find_chains(job.steps[s]).size() != chains.size())
      return sink.skip(kNone, kAll,
                       filled("step {} has other stages than step {}",
                              {std::to_string(job.steps[s].number), std::to_string(job.steps[first].number)}));
    measure_step(job, s, chains, samples);
  }
  const double p = as_double(std::ssize(chains.front().ranks));
  sink.fact(kNone, "pipeline.stage_count", p);
  sink.fact(kNone, "pipeline.step_ns", mean(samples.length), samples.length);
  if (job.named) {
    const ChainShape shape = shape_of(job.steps[first], chains.front());
    const double m = median(samples.microbatches);
    sink.fact(kNone, "pipeline.microbatch_count", m);
    sink.fact(kNone, "pipeline.schedule", 1,
              {{"kind", std::string(schedule_name(shape.schedule, chains.front().ring && p > 2))}});
    sink.fact(kNone, "pipeline.ideal_bubble_ratio", (p - 1) / (m + p - 1));
  }
  if (samples.equal.size() == samples.length.size())
    sink.fact(kNone, "pipeline.equal_step_ns", mean(samples.equal), samples.equal);
  emit_ranks(job, chains, samples, sink);
  emit_stages(chains, samples, sink);
  emit_ratios(chains, samples, job.named, sink);
  emit_limit(job, first, chains, samples, rule, sink);
  emit_schedule(job, first, chains, samples, sink);
}

}  // namespace assay::pipeline
