// What serving emits.
#pragma once

#include "assay/abi.hpp"

namespace assay::serving {

inline constexpr MetricSpec kMetrics[] = {
    {"serving.ttft_ns", "ns", Polarity::kLowerIsBetter,
     "Time to the first token: from the start of a request to the later of the end of its last prefill before the "
     "first "
     "decode and the end of the device work launched there; dims: quantile=p50, p95 (of 20 requests and more), p99 (of "
     "100 and more), max.",
     "time to the first token (TTFT)"},
    {"serving.tpot_ns", "ns", Polarity::kLowerIsBetter,
     "Time per output token of a request after its first: from the end of the first token to that of the last, by the "
     "tokens between; dims: quantile, likewise.",
     "time per output token (TPOT)"},
    {"serving.token_gap_ns", "ns", Polarity::kLowerIsBetter,
     "Time between the ends of tokens that follow each other in a request or, where requests have no ranges, of steps "
     "that decode; dims: quantile, likewise.",
     "time from one token to the next"},
    {"serving.token_gap_ns.plain", "ns", Polarity::kLowerIsBetter,
     "Quantile of the server's own times of its decode ranges without a profiler (range.host_ns.plain); dims: "
     "quantile, "
     "likewise. Claims on serving.token_gap_ns are judged on it where all their runs have it.",
     "time from one token to the next without a profiler"},
    {"serving.ttft_ns.plain", "ns", Polarity::kLowerIsBetter, "The same of its prefill ranges; dims: quantile.",
     "time to the first token without a profiler"},
    {"serving.request_ns", "ns", Polarity::kLowerIsBetter,
     "Time of a finished request on the host; dims: quantile, likewise.", "time of a request"},
    {"serving.request_count", "1", Polarity::kNeutral, "Requests that finished in the window.", "finished requests",
     kExtensive},
    {"serving.left_out_count", "1", Polarity::kNeutral,
     "Requests without TTFT or TPOT; dims: why=unfinished, no_prefill, one_token, overlapping.",
     "requests without TTFT or TPOT", kExtensive},
    {"serving.tokens", "1", Polarity::kNeutral,
     "Tokens that finished requests got or, where requests have no ranges, that steps generated; of one sequence where "
     "names tell of no batch.",
     "generated tokens", kExtensive},
    {"serving.span_ns", "ns", Polarity::kNeutral, "From the first start to the last end of requests, else of steps.",
     "time in which requests were served", kExtensive},
    {"serving.tokens_per_s", "1/s", Polarity::kHigherIsBetter,
     "serving.tokens / serving.span_ns, times the label of the batch where one is named.", "tokens per second"},
    {"serving.requests_per_s", "1/s", Polarity::kHigherIsBetter,
     "serving.request_count / serving.span_ns, times the label of the batch where one is named.",
     "requests per second"},
    {"serving.step_count", "1", Polarity::kNeutral, "Steps of a kind; dims: kind=prefill, decode, mixed.",
     "steps of a kind", kExtensive},
    {"serving.step_ns", "ns", Polarity::kLowerIsBetter,
     "Time of a step from its start to the later of its end and the end of the device work launched in it; dims: kind, "
     "quantile.",
     "time of a step"},
    {"serving.step_gpu_ns", "ns", Polarity::kLowerIsBetter,
     "Median time in which the device ran work that a step launched; dims: kind.", "GPU time of a step"},
    {"serving.step_batch", "1", Polarity::kNeutral,
     "Sequences of a step, mean over the steps whose name says it; dims: kind.", "sequences per step"},
    {"serving.step_tokens", "1", Polarity::kNeutral,
     "Tokens that a step computes, mean over the steps whose name says it; dims: kind.", "tokens per step"},
    {"serving.time_ratio", "ratio", Polarity::kNeutral,
     "Share of a kind in the time of all steps, each instant counted once; dims: kind.", "share of the steps' time"},
};

}  // namespace assay::serving
