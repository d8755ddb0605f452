#include "stack_text.hpp"

#include <fstream>
#include <stdexcept>

#include "assay/detail/text.hpp"
#include "sample_lines.hpp"

namespace assay::perf_script {

StackText::StackText(const std::string& path) {
  constexpr std::size_t kPiece = std::size_t{4} << 20U, kLongest = std::size_t{16} << 20U;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("it cannot be opened");
  std::string text;
  for (bool more = true; more;) {
    const std::size_t kept = text.size();
    if (kept > kLongest) throw std::runtime_error("it has a line of more than 16 MiB");
    text.resize(kept + kPiece);
    in.read(text.data() + kept, static_cast<std::streamsize>(kPiece));
    text.resize(kept + static_cast<std::size_t>(in.gcount()));
    more = in.good();
    std::string_view rest = text;
    if (more) rest = rest.substr(0, rest.rfind('\n') + 1);
    const std::size_t size = rest.size();
    while (!rest.empty()) add_line(next_line(rest));
    text.erase(0, size);
  }
  end_sample();
  if (samples.empty()) throw std::runtime_error("it has no stack");
}

void StackText::add_line(std::string_view line) {
  if (!decided_ && !is_comment(line)) {
    timed = sample_line(line).has_value();
    decided_ = true;
  }
  if (!timed) {
    if (is_comment(line)) return;
    if (const auto collapsed = collapsed_line(line))
      add_collapsed(collapsed->stack, collapsed->count);
    else
      ++damaged;
    return;
  }
  if (in_sample_ && add_frame(line)) return;
  if (line.empty() || line.starts_with('#')) return end_sample();
  const auto sample = sample_line(line);
  if (!sample) {
    ++damaged;
    return;
  }
  end_sample();
  samples.push_back({sample->time, sample->period, kNone, thread_of(*sample)});
  in_sample_ = true;
}

/// Most lines repeat one of the last, but for nothing: the address is equal too.
bool StackText::add_frame(std::string_view line) {
  if (line.empty() || (line.front() != ' ' && line.front() != '\t')) return false;
  SeenLine& seen = seen_[std::hash<std::string_view>{}(line) & (kSeen - 1)];
  if (seen.line != line) {
    const auto frame = frame_line(line);
    if (!frame) return false;
    seen = {std::string(line), frame_of(frame->function, frame->file)};
  }
  open_.push_back(seen.frame);
  return true;
}

void StackText::end_sample() {
  std::int64_t stack = kNone;
  for (std::size_t f = open_.size(); f-- > 0;) stack = stacks.below(stack, open_[f]);
  if (in_sample_) samples.back().stack = stack;
  open_.clear();
  in_sample_ = false;
}

void StackText::add_collapsed(std::string_view stack, std::int64_t count) {
  if (threads.empty()) threads.emplace_back();
  std::int64_t row = kNone;
  while (true) {
    const std::size_t end = stack.find(';');
    row = stacks.below(row, frame_of(stack.substr(0, end), {}));
    if (end == std::string_view::npos) break;
    stack.remove_prefix(end + 1);
  }
  samples.push_back({0, count, row, 0});
}

std::uint32_t StackText::thread_of(const SampleLine& line) {
  const auto [at, fresh] =
      known_threads_.try_emplace({line.process, line.thread}, static_cast<std::uint32_t>(threads.size()));
  if (fresh) threads.push_back({line.process, line.thread, std::string(line.command)});
  return at->second;
}

std::int64_t StackText::frame_of(std::string_view function, std::string_view file) {
  key_.assign(function).append(1, '\n').append(file);
  if (const auto known = known_frames_.find(std::string_view(key_)); known != known_frames_.end()) return known->second;
  const auto row = static_cast<std::int64_t>(frames.size());
  known_frames_.emplace(key_, row);
  FrameRow frame{std::string(function), std::string(file)};
  // py-spy writes "tokenize (stacks.py:8)".
  const std::size_t open = function.rfind(" ("), colon = function.rfind(':');
  if (file.empty() && function.ends_with(')') && open != std::string_view::npos && colon != std::string_view::npos &&
      colon > open) {
    const auto line = number_in<std::int64_t>(function.substr(colon + 1, function.size() - colon - 2));
    if (line)
      frame = {std::string(function.substr(0, open)), std::string(function.substr(open + 2, colon - open - 2)), *line};
  }
  frames.push_back(std::move(frame));
  return row;
}

}  // namespace assay::perf_script
