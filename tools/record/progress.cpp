#include "record/progress.hpp"

#include <fmt/core.h>

#include <ostream>

#include "assay/words.hpp"
#include "record/duration.hpp"
#include "render/text.hpp"

namespace assay::record {
namespace {

std::string left_text(const Moment& now) {
  if (!(now.seconds_left > 0)) return {};
  return fmt::format("; {}{} left", std::string(now.at_least ? "at least " : "about "),
                     duration_text(now.seconds_left));
}

}  // namespace

std::string left_behind_text(std::size_t processes) {
  return std::to_string(processes) + (processes == 1 ? " process" : " processes") + " running, which assay ended";
}

void ProgressLine::run_ended(const std::string& id, const Attempt& made, const Moment& now) {
  left_behind_ += made.left_behind;
  leaving_runs_ += made.left_behind > 0 ? 1U : 0U;
  if (made.outcome != Outcome::kOk) {
    ++failures_;
    print(fmt::format("block {} [{}/{}] {}: {}, {}, {}; {} failed{}", now.block, now.run, now.runs, id,
                      std::string(outcome_name(made.outcome)), made.error, duration_text(made.seconds), failures_,
                      advice_for(made.outcome).empty() ? "" : "\n  " + std::string(advice_for(made.outcome))));
  }
  seconds_[now.block] += made.seconds;
  const bool block_ended = now.run == now.runs;
  const double all = seconds_[now.block];
  if (block_ended) seconds_.erase(now.block);
  if (quiet_ || (!is_live_ && !block_ended)) return;
  std::string text = fmt::format("block {} of {}{}", now.block, now.at_most ? "at most " : "", now.blocks);
  if (!is_live_) {
    out_ << text << ": " << counted(now.runs, "run") << ", " << duration_text(all) << left_text(now) << '\n'
         << std::flush;
    return;
  }
  text += fmt::format(", run {} of {}{}", now.run, now.runs, left_text(now));
  constexpr std::size_t kMinStanding = 12;
  // A line that wraps is not written over.
  if (!standing_.empty() && text.size() + kMinStanding < columns_)
    text += "; " + shortened(one_line(standing_), columns_ - text.size() - 3);
  live_.draw(text);
}

void ProgressLine::print(const std::string& line, bool always) {
  if (quiet_ && !always) return;
  clear();
  out_ << line << '\n' << std::flush;
}

void ProgressLine::end() {
  clear();
  if (left_behind_ > 0)
    print(fmt::format("  {} left {}", counted(leaving_runs_, "run"), left_behind_text(left_behind_)));
}

}  // namespace assay::record
