#include <algorithm>
#include <cctype>

#include "algo/functions/function_name.hpp"
#include "assay/words.hpp"
#include "long_gaps.hpp"
#include "words.hpp"

namespace assay::overview {
namespace {

constexpr double kLeastOfFunctions = 0.5;  // of the least share that is worth advice: a function is soon found
constexpr double kBesideKernels = 0.5;     // copies that overlap kernels by this share count as hidden

/// A word of a command line, in quotes where a shell would read it otherwise.
std::string quoted(const std::string& word) {
  const bool plain = std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '/' || c == ':';
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Recommendations for a rank that waits for others.
Advice advice_on_waiting(const Run& run) {
  const OtherRanks& others = *run.others;
  const std::string waits = percent(others.wait, 0) + " of a step it waits in kernels that communicate";
  if (!others.remedy.empty())
    return {run.report, others.remedy, waits + ": " + others.reason, others.wait, others.saving};
  if (!others.stage)
    return {run.report, "balance the ranks: this one waits for a slower one",
            waits + "; overlapping would not shorten it", others.wait, std::nullopt};
  const OtherRanks::Stage& stage = *others.stage;
  if (stage.imbalance && stage.bubble && *stage.imbalance > *stage.bubble / 2)
    return {run.report, "balance the stages of the pipeline: this one waits for a slower stage",
            filled("{}, and {} of a step would be saved here by equal stages", {waits, percent(*stage.imbalance, 0)}),
            others.wait, std::nullopt};
  return {
      run.report, "shrink the bubble of the pipeline: more microbatches, or interleaved stages",
      filled("{}: {}the bubble is {}{}",
             {waits,
              stage.microbatches ? "with " + printed("%.0f", *stage.microbatches) + " microbatches " : std::string(),
              share_text(stage.bubble), ideal_text(others)}),
      others.wait, std::nullopt};
}

/// Collects advice for one run.
class Adviser {
 public:
  Adviser(const Run& run, Limit limit, const Thresholds& thresholds)
      : run_(run), limit_(limit), thresholds_(thresholds) {}

  std::vector<Advice> advise() {
    advise_on_levers();
    std::vector<Advice> levers = std::move(out_);  // in their order
    out_.clear();
    if (!idles_for_stages()) {
      advise_on_host();
      if (run_.step_word.empty()) {
        for (Advice& gap : gap_advice(run_, thresholds_.share)) out_.push_back(std::move(gap));
      }
    }
    advise_on_waits();
    advise_on_copies();
    advise_on_ranks();
    if (levers.empty()) advise_on_tensor_cores();
    advise_on_recording();
    if (levers.empty()) advise_on_kernels();
    std::ranges::stable_sort(
        out_, [](const Advice& a, const Advice& b) { return a.gain.value_or(a.share) > b.gain.value_or(b.share); });
    const bool rank = limit_ == Limit::kRanks || limit_ == Limit::kCommunication || run_.is_awaited();
    out_.insert(rank ? out_.end() : out_.begin(), levers.begin(), levers.end());
    return std::move(out_);
  }

 private:
  void add(double share, const char* what, std::string because) {
    out_.push_back({run_.report, what, std::move(because), share});
  }

  /// The levers of a run's steps, with the command that replays each.
  void advise_on_levers() {
    if (idles_for_stages() || !knows_levers()) return;  // a capture without steps may be all start-up
    for (const lever::Gain& gain : run_.levers) {
      const std::string code = code_text(gain);
      const double least = code.empty() ? thresholds_.share : kLeastOfFunctions * thresholds_.share;
      if (gain.share < least || gain.lever.kind == lever::LeverKind::kAllLaunches) continue;
      out_.push_back(
          {run_.report, code.empty() ? lever::remedy_of(gain.lever) : code,
           filled("saves {}{} of {}", {gain.at_least ? "at least " : "", percent(gain.share, 0), run_.a_step()}),
           gain.share, gain.share,
           filled("assay whatif {} --remove {}", {quoted(run_.path), quoted(lever::text_of(gain.lever))}),
           gain.at_least});
    }
  }

  /// "tokenize (stacks.py:13) keeps the GPU waiting 2 ms a step: at most 6 % shorter; ...". Empty: the lever is no
  /// function of the program.
  [[nodiscard]] std::string code_text(const lever::Gain& gain) const {
    const double waits = run_.waits_for_code_in(gain.lever.place);
    const bool function =
        gain.lever.kind == lever::LeverKind::kHostCode && functions::read_function_name(gain.lever.place).line >= 0;
    if (!function || waits <= 0 || !run_.step_ns) return {};
    return filled(
        "{} keeps the GPU waiting {} {}: at most {} shorter; make it faster, or move it off the step (a thread, "
        "workers)",
        {gain.lever.place, time_text(waits * *run_.step_ns), run_.a_step(), percent(gain.share, 0)});
  }

  /// Its idle time is mostly bubble of the pipeline.
  [[nodiscard]] bool idles_for_stages() const {
    return limit_ == Limit::kRanks && !run_.idle.empty() &&
           run_.others->lost - run_.others->wait >= run_.idle.front().second / 2;
  }

  /// The steps were replayed without each of their costs.
  [[nodiscard]] bool knows_levers() const { return run_.replayed && !run_.step_word.empty(); }

  [[nodiscard]] bool loads_data() const { return run_.data_loader && *run_.data_loader > thresholds_.data_loader; }

  void advise_on_host() {
    const double for_launches = run_.idle_for_launches();
    if (!run_.start.empty()) {
      add(1 - *run_.busy, "for steps, capture after the start (--capture-range=cudaProfilerApi); its phases",
          "most of the profile is the start of its process");
      out_.back().command = filled("assay look --start {}", {quoted(run_.path)});
    } else if (run_.compiled() >= kMostlyCompiled) {
      add(run_.compiled(), "capture after the first step: call the compiled function once before the profiler starts",
          percent(run_.compiled(), 0) + " of the capture is compilation, so that shares of the whole say little");
    } else if (knows_levers()) {
      return;
    } else if (limit_ == Limit::kLaunches) {
      add(for_launches, "reduce launches: CUDA graphs, torch.compile, or more work per launch (a larger batch)",
          filled("{} of kernels waited for their launch; the device idled {} of the time waiting for one",
                 {percent(*run_.bound, 0), percent(for_launches, 0)}));
    } else if (const std::string gaps = long_gaps_text(run_, "host");
               !loads_data() && !gaps.empty() && run_.idle_for("host") >= thresholds_.share) {
      add(run_.idle_for("host"),
          "see what the host does in the long gaps; if it is warm-up or compilation, capture after it",
          filled("the device idled {} of the time for host code{}", {percent(run_.idle_for("host"), 0), gaps}));
    } else if (!loads_data() && run_.idle_for("host") >= thresholds_.share) {
      add(run_.idle_for("host"),
          "prefetch or overlap host work: the GPU waits for the program's own code between launches",
          "the device idled " + percent(run_.idle_for("host"), 0) + " of the time while that code ran");
    }
  }

  void advise_on_waits() {
    if (!knows_levers() && run_.idle_for("sync") >= thresholds_.share && long_gaps_text(run_, "sync").empty()) {
      std::string because = "the device idled " + percent(run_.idle_for("sync"), 0) + " of the time after such waits";
      if (run_.sync_calls)
        because += "; " + counted(static_cast<std::size_t>(*run_.sync_calls), "call") + " waited for the device";
      add(run_.idle_for("sync"), "take waits for the device out of the loop (.item(), .cpu(), synchronize)", because);
    }
    if (run_.idle_for("queued") >= thresholds_.share) {
      add(run_.idle_for("queued"),
          "see which work waits for which on the device: streams that wait for events, or a graph's own order",
          "work was queued, but did not start, " + percent(run_.idle_for("queued"), 0) + " of the time");
    }
    if (run_.idle_for("tail") >= thresholds_.share) {
      add(run_.idle_for("tail"), "measure the part that counts: [window] or [iterations] in a question",
          percent(run_.idle_for("tail"), 0) + " of the capture lies after the device's last work");
    }
  }

  void advise_on_copies() {
    if (!knows_levers() && run_.copies && *run_.copies >= thresholds_.share && run_.overlap &&
        *run_.overlap < kBesideKernels) {
      add(*run_.copies, "copy while kernels run: pinned memory and a stream of its own",
          filled("copies between host and device take {} of the time, {} of that beside kernels",
                 {percent(*run_.copies, 0), percent(*run_.overlap, 0)}));
    }
    if (loads_data()) {
      add(*run_.data_loader, "load data in more workers, or ahead of its use",
          "a step waits " + percent(*run_.data_loader, 0) + " of its time for the DataLoader");
    }
  }

  void advise_on_ranks() {
    if (run_.others && !run_.is_awaited() && run_.others->lost > thresholds_.communication)
      out_.push_back(advice_on_waiting(run_));
    if (run_.is_awaited())
      out_.push_back({run_.report, run_.others->remedy, "the other ranks wait for this one: " + run_.others->reason, 1,
                      run_.others->saving});
    const std::optional<double> transfers = run_.others ? run_.others->transfer : run_.share_of(kCommunicates);
    if (transfers && *transfers > thresholds_.communication) {
      add(*transfers, "overlap or shrink communication (larger buckets, less precision, fewer ranks)",
          run_.others ? "transfers without compute beside them take " + percent(*transfers, 0) + " of a step"
                      : "communication takes at most " + percent(*transfers, 0) +
                            " of kernel time, waiting for other ranks included");
    }
  }

  void advise_on_tensor_cores() {
    const double products = run_.share_of("matmul") + run_.share_of("convolution") + run_.share_of("attention");
    const bool told = run_.tensor_yes && run_.tensor_unknown;
    if (const double at_most = told ? *run_.tensor_yes + *run_.tensor_unknown : 1;
        told && products >= thresholds_.share && at_most <= thresholds_.tensor_cores) {
      add(products, "use tensor cores: bf16, fp16 or TF32 for matrix products",
          filled("matrix products take {} of kernel time and tensor cores at most {}",
                 {percent(products, 0), percent(at_most, 0)}));
    }
  }

  void advise_on_recording() {
    if (run_.hides_kernels()) {
      add(*run_.opaque,
          "see inside graphs with nsys profile --cuda-graph-trace=node, which adds about 2 us a kernel (0.4 ms to a "
          "decode of 0.7 ms with 223): keep the times of this profile",
          percent(*run_.opaque, 0) + " of GPU time is in graphs whose kernels were not traced");
    }
    const bool unseen = limit_ == Limit::kNoWork || limit_ == Limit::kUnknown;
    if (unseen && !run_.measured)
      add(1, "add [analyzers.run_summary] to the question", "no analyzer of it counts kernels or measures the GPU");
    else if (unseen && run_.unread.empty())
      add(1, "record the GPU too", "this profile has no kernels");
  }

  void advise_on_kernels() {
    if (limit_ == Limit::kDevice && !run_.hides_kernels() && !run_.classes.empty() && !run_.is_awaited()) {
      add(run_.classes.front().second, "optimize the kernels: the GPU is the bottleneck",
          filled("{} leads; the device idled {} of the time", {top_class(run_), percent(1 - *run_.busy, 0)}));
    }
    if (limit_ == Limit::kWaiting && out_.empty() && !knows_levers() && *run_.busy >= kMostlyBusy &&
        !run_.classes.empty())
      add(run_.classes.front().second, "optimize the kernels: the GPU is busy most of the time",
          top_class(run_) + " leads; no cause of idle time takes more than " + percent(run_.idle.front().second, 0));
    if (limit_ == Limit::kPartOfDevice) {
      add(*run_.busy - *run_.sms_active,
          "give kernels more blocks, or run several beside each other (a larger batch, streams): most "
          "multiprocessors wait",
          filled("the profile's samples have {} of the multiprocessors active, though kernels run {} of the time",
                 {percent(*run_.sms_active, 0), percent(*run_.busy, 0)}));
    }
  }

  const Run& run_;
  Limit limit_;
  const Thresholds& thresholds_;
  std::vector<Advice> out_;
};

}  // namespace

std::vector<Advice> advice_for(const Run& run, Limit limit, const Thresholds& thresholds) {
  return Adviser(run, limit, thresholds).advise();
}

Table advice_table(const std::vector<Advice>& advice, const StudyView& view) {
  Table table("to_try", "What to try, with the measured reason");
  table.column("report", "", advice, [&](const Advice& a) { return std::string(view.path(a.report)); })
      .column("try", "", advice, &Advice::what)
      .column("because", "", advice, &Advice::because)
      .column("share", "ratio", advice, &Advice::share)
      .column("gain", "ratio", advice, &Advice::gain)
      .column("command", "", advice, &Advice::command);
  return table;
}

}  // namespace assay::overview
