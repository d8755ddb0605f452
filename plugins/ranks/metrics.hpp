// Declarations of the analyzer. Facts of a job are stored with its first rank.
#pragma once

#include "assay/abi.hpp"
#include "rows.hpp"

namespace assay::ranks {

inline constexpr AttributeSpec kRankAttributes[] = {
    {kBaseAttribute, "Time (ns since 1970) that the times of the profile count from, as recorded in its file."},
};

inline constexpr MetricSpec kMetrics[] = {
    {"job.rank_count", "1", Polarity::kNeutral, "Ranks of the job that have a profile.",
     "ranks of the job with a profile"},
    {"job.step_count", "1", Polarity::kNeutral,
     "Steps that all ranks have, the first left out, since captures begin at different times.",
     "steps that all ranks have", kExtensive},
    {"job.step_period_ns", "ns", Polarity::kLowerIsBetter,
     "Period of a step of the slowest rank, from host start to host start; median over the steps.",
     "period of the slowest rank"},
    {"collective.matched_count", "1", Polarity::kNeutral, "Collectives of the job that all ranks of their group have.",
     "collectives matched across ranks", kExtensive},
    {"collective.unmatched_count", "1", Polarity::kLowerIsBetter,
     "Collectives of the ranks that were not matched: at the ends of a capture, in steps that not all ranks have, or "
     "of groups of which no other rank is there.",
     "collectives without a match", kExtensive},
    {"collective.transfer_ns", "ns", Polarity::kLowerIsBetter,
     "Least duration over the ranks of a matched collective: what is left without waiting for other ranks, an upper "
     "bound where compute slows all; median; dims: kind, bytes where known, group where there are several.",
     "time of a collective without waiting"},
    {"comm.transfer_ns", "ns", Polarity::kLowerIsBetter,
     "Sum of collective.transfer_ns over the collectives of a step; mean.", "communication of a step without waiting"},
    {"comm.algbw_bytes_per_s", "bytes/s", Polarity::kHigherIsBetter,
     "Bytes of a collective over its time without waiting; median; dims as of collective.transfer_ns.",
     "algorithm bandwidth"},
    {"comm.busbw_bytes_per_s", "bytes/s", Polarity::kHigherIsBetter,
     "comm.algbw_bytes_per_s times the factor of nccl-tests for the kind and the size of the group: comparable with "
     "the link; dims as of collective.transfer_ns.",
     "bus bandwidth"},
    {"comm.weighted_busbw_bytes_per_s", "bytes/s", Polarity::kHigherIsBetter,
     "Sum of bytes times the factor over the sum of times without waiting; dims: kind, group where there are several.",
     "bus bandwidth of all collectives"},
    {"rank.wait_ns", "ns", Polarity::kLowerIsBetter,
     "Time of a step in matched collectives beyond that of the rank that took least: waiting for the last to arrive. "
     "Needs no clock; mean over the steps.",
     "waiting of a rank in collectives"},
    {"rank.wait_exposed_ns", "ns", Polarity::kLowerIsBetter,
     "Part of rank.wait_ns, taken as the begin of each collective, without compute beside it: what waiting costs.",
     "waiting of a rank without compute beside it"},
    {"rank.wait_by_arrival_ns", "ns", Polarity::kNeutral,
     "Last start minus own start, summed over the matched collectives of a step, on the clocks of the files; mean.",
     "waiting of a rank by the clocks"},
    {"rank.own_ns", "ns", Polarity::kLowerIsBetter, "Length of a step on the device without exposed waiting; mean.",
     "own time of a rank"},
    {"rank.cycle_ns", "ns", Polarity::kLowerIsBetter,
     "rank.own_ns with the time since the last device work of the step before: a host that stalls between steps is "
     "seen here; mean.",
     "own time of a rank, from step to step"},
    {"rank.skew_ns", "ns", Polarity::kLowerIsBetter,
     "Last minus first start of a matched collective, on the clocks of the files; median. Compare with "
     "clock.uncertainty_ns: a smaller skew is not resolved.",
     "skew of the ranks' arrivals"},
    {"rank.skew_resolved_ratio", "ratio", Polarity::kNeutral,
     "Share of the matched collectives whose skew is larger than the uncertainty of the clocks.",
     "share of skews that the clocks resolve"},
    {"clock.uncertainty_ns", "ns", Polarity::kLowerIsBetter,
     "How wrong the difference of two ranks' clocks may be, at most: no rank can leave a collective before the last "
     "has come.",
     "uncertainty of the clocks"},
    {"clock.base_difference_ns", "ns", Polarity::kNeutral,
     "What the times of the rank's file count from minus that of the first rank's.",
     "difference of the files' origins"},
    {"clock.offset_low_ns", "ns", Polarity::kNeutral,
     "Least that may be added to the rank's clock so that it agrees with the first rank's, by causality.",
     "least offset of a clock"},
    {"clock.offset_high_ns", "ns", Polarity::kNeutral,
     "Most that may be added to the rank's clock so that it agrees with the first rank's, by causality.",
     "greatest offset of a clock"},
    {"clock.offset_used_ns", "ns", Polarity::kNeutral,
     "What is added to the rank's clock: 0 where the files' clocks may be right.", "offset added to a clock"},
    {"clock.drift_ppm", "1", Polarity::kNeutral,
     "Parts per million by which the rank's clock is sped up, because no one offset satisfies all collectives; absent "
     "where one does. clock.offset_* are then those at its first matched collective.",
     "rate added to a clock"},
    {"clock.end_difference_ns", "ns", Polarity::kNeutral,
     "End of a matched collective on the rank minus that on the first rank of its group; median.",
     "difference of the ends of a collective"},
    {"clock.end_slope_ppm", "1", Polarity::kNeutral,
     "Slope of clock.end_difference_ns over the capture by least squares, in parts per million: compute beside "
     "collectives alone makes tens of them.",
     "drift of the ends of collectives"},
    {"rank.arrival_ns", "ns", Polarity::kNeutral,
     "Start of a matched collective on the rank minus that on the first rank of its group, on the clocks of the files; "
     "median.",
     "arrival against the first rank"},
    {"straggler.share", "ratio", Polarity::kNeutral,
     "Waiting of other ranks in collectives to which this rank came last, over all waiting; over the ranks it sums to "
     "1.",
     "share of waiting that a rank causes"},
    {"straggler.last_count", "1", Polarity::kNeutral,
     "Collectives that took least time on the rank, the first of equals: it came last. Says nothing of what that cost.",
     "collectives to which a rank came last", kExtensive},
    {"straggler.last_by_arrival_count", "1", Polarity::kNeutral,
     "Collectives that started last on the rank, on the clocks of the files.", "collectives that a rank started last",
     kExtensive},
    {"straggler.slowdown_ratio", "ratio", Polarity::kLowerIsBetter,
     "Greatest over mean rank.own_ns of a step; median over the steps: 1 when all ranks take equally long.",
     "slowdown by the slowest rank"},
    {"straggler.mean_slowdown_ratio", "ratio", Polarity::kLowerIsBetter,
     "Greatest over mean of the ranks' mean rank.own_ns: one slow step weighs much.",
     "slowdown by the slowest rank, of means"},
    {"straggler.cycle_slowdown_ratio", "ratio", Polarity::kLowerIsBetter,
     "As straggler.slowdown_ratio, of rank.cycle_ns.", "slowdown by the slowest rank, from step to step"},
    {"straggler.worst_steps_ratio", "ratio", Polarity::kNeutral,
     "Share of the steps in which the rank's own time is the greatest.", "share of steps in which a rank is slowest"},
    {"straggler.excess_ns", "ns", Polarity::kNeutral,
     "Part of a step on this rank minus the mean of the others'; median over the steps; dims: part = compute, copy, "
     "idle (within the device's step), between (since the step before). Negative compute says nothing: waiting slows "
     "it.",
     "what a rank takes longer than the others"},
    {"straggler.excess_ratio", "ratio", Polarity::kNeutral,
     "rank.own_ns of the rank over the mean of the others' in the same step, less 1; mean over the steps, a fifth of "
     "them trimmed at each end.",
     "share that a rank takes longer than the others"},
    {"straggler.excess_low_ratio", "ratio", Polarity::kNeutral,
     "Lower limit of straggler.excess_ratio: where the ranks are equal, any rank of the job is above 0 with at most "
     "the chance of the option false_names; absent with fewer than three steps.",
     "lower limit of the share that a rank takes longer"},
    {"straggler.rank", "1", Polarity::kNeutral,
     "Number of the rank that the others wait for: the only one whose excess over the others is at least the option "
     "least_excess and beyond its noise; absent when there is none.",
     "rank that others wait for"},
    {"straggler.slowest_rank", "1", Polarity::kNeutral,
     "Number of the rank with the greatest mean rank.own_ns, whatever that costs: no verdict, which is straggler.rank. "
     "What it is worth: straggler.excess_ratio and straggler.excess_low_ratio of that rank.",
     "rank with the greatest own time"},
    {"balance.load_ratio", "ratio", Polarity::kHigherIsBetter, "Mean over greatest rank.own_ns of the ranks.",
     "balance of the ranks' own time"},
    {"balance.compute_ratio", "ratio", Polarity::kHigherIsBetter, "Mean over greatest compute time of the ranks.",
     "balance of the ranks' compute"},
    {"critical.rank_share", "ratio", Polarity::kNeutral,
     "Share of the steps' critical path on this rank: from the last end back, over every exposed wait of more than 1 "
     "us to the rank that came last. Without a straggler it flips on noise.",
     "share of the critical path on a rank"},
    {"critical.rank_ns", "ns", Polarity::kNeutral, "Length of a step's critical path on this rank; mean.",
     "critical path on a rank"},
    {"scaling.time_ratio", "ratio", Polarity::kHigherIsBetter,
     "Period of the reference on fewer ranks over that of the job.", "period of the reference over that of the job"},
    {"scaling.efficiency_ratio", "ratio", Polarity::kHigherIsBetter,
     "Samples a second of the job over those of the reference times the number of ranks; without a label of the batch "
     "every rank is taken to have the same (weak scaling).",
     "scaling efficiency"},
    {"expert.layer_count", "1", Polarity::kNeutral,
     "Layers of experts per step: an all-to-all, and the next one of the group in which every rank sends back as much "
     "as it got.",
     "layers of experts"},
    {"expert.imbalance_ratio", "ratio", Polarity::kLowerIsBetter,
     "Most tokens that the experts of a rank get in a layer over the mean of the ranks; mean over layers and steps.",
     "imbalance of the experts"},
    {"expert.layer_imbalance_ratio", "ratio", Polarity::kLowerIsBetter,
     "expert.imbalance_ratio of one layer, mean over the steps; dims: layer.", "imbalance of a layer's experts"},
    {"expert.tokens_bytes", "bytes", Polarity::kNeutral,
     "What the rank's experts get per step, all layers together; mean.", "tokens of a rank's experts"},
    {"expert.compute_ns", "ns", Polarity::kLowerIsBetter,
     "Compute of the rank between the all-to-alls of its layers, per step; mean.", "compute of a rank's experts"},
    {"expert.wait_ns", "ns", Polarity::kLowerIsBetter,
     "Waiting of the rank in the all-to-alls of its layers, per step; mean.", "waiting of a rank for experts"},
    {"expert.unseen_sent_ratio", "ratio", Polarity::kNeutral,
     "Where ranks are missing: least share of the tokens sent by those that have a profile which goes to the others, "
     "by what none of them gets.",
     "tokens that go to missing ranks, at least"},
    {"expert.unseen_ratio", "ratio", Polarity::kNeutral,
     "Where ranks are missing: share of all tokens that their experts get, if they send as many as the other ranks do.",
     "tokens of the experts of missing ranks"},
    {"expert.hot_rank", "1", Polarity::kNeutral,
     "Rank whose experts get the most tokens over all layers, if that is at least 5 % more than each of the others' "
     "and "
     "than the mean.",
     "rank of the hot experts"},
    {"expert.even_saving_ns", "ns", Polarity::kNeutral,
     "What a step would save if every rank's experts got the mean of the tokens, with compute and transfers of the "
     "layers proportional to the tokens; mean.",
     "saving by an even router"},
    {"expert.even_saving_ratio", "ratio", Polarity::kNeutral,
     "expert.even_saving_ns over the mean of the longest steps of the ranks.",
     "share of a step saved by an even router"},
};

}  // namespace assay::ranks
