#include "formats/torch/pairs.hpp"

#include <fmt/core.h>

#include "formats/torch/number.hpp"

namespace assay::load {
namespace {

/// Nanoseconds as a token of microseconds.
std::string microseconds(std::int64_t ns) {
  constexpr std::int64_t kNsPerUs = 1000;
  const std::string rest = std::to_string(ns % kNsPerUs);
  return fmt::format("{}.{}{}", ns / kNsPerUs, std::string(3 - rest.size(), '0'), rest);
}

}  // namespace

void PairedEvents::on_event(const Event& event) {
  switch (event.phase) {
    case Phase::kBegin:
      return open_event(event);
    case Phase::kEnd:
      return end(event);
    case Phase::kComplete:
      return sink_.on_event(event);
  }
}

void PairedEvents::open_event(const Event& event) {
  std::vector<Open>& stack = open_[{std::string(event.process), std::string(event.thread)}];
  stack.push_back({event.category, std::string(event.name), std::string(event.time), event.args});
  Args& args = stack.back().args;
  args.input_dims = args.input_types = args.input_strides = args.concrete_inputs = {};  // they point into the text
  for (std::string_view* text : {&args.collective, &args.dtype, &args.group, &args.group_ranks, &args.kernel,
                                 &args.kernel_hash, &args.kernel_file})
    *text = stack.back().texts.emplace_back(*text);
}

void PairedEvents::end(const Event& event) {
  const auto stack = open_.find({std::string(event.process), std::string(event.thread)});
  if (stack == open_.end() || stack->second.empty()) {
    ++unpaired_;
    return;
  }
  const Open opened = std::move(stack->second.back());
  stack->second.pop_back();
  if (opened.category == Category::kOther) return;
  const auto from = parse_time(opened.time), to = parse_time(event.time);
  std::int64_t length = 0;
  if (!from || !to || __builtin_sub_overflow(*to, *from, &length) || length < 0) {
    ++unpaired_;
    return;
  }
  const std::string duration = microseconds(length);
  Event whole;
  whole.category = opened.category;
  whole.name = opened.name;
  whole.process = event.process;
  whole.thread = event.thread;
  whole.time = opened.time;
  whole.duration = duration;
  whole.args = opened.args;
  sink_.on_event(whole);
}

void PairedEvents::add_issues(TableSink& out) const {
  std::int64_t count = unpaired_;
  for (const auto& [thread, stack] : open_) count += static_cast<std::int64_t>(stack.size());
  if (count == 0) return;
  out.issue(
      "unpaired", Severity::kWarning, count,
      fmt::format(
          "{} begin and end events have no counterpart on their thread, or end before they begin, and are left out.",
          count));
}

}  // namespace assay::load
