#include "samples.hpp"

#include <algorithm>
#include <map>

#include "algo/functions/functions.hpp"
#include "assay/detail/stack_tables.hpp"

namespace assay::stacks {
namespace {

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Whether a frame without a source line is the program's own: not of a library, the kernel or an interpreter.
bool is_native_program(std::string_view function, std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  const bool resolved = !function.starts_with("0x") && !function.starts_with('[');
  return resolved && !name.empty() && !name.starts_with('[') && !name.starts_with("python") && !holds(name, ".so");
}

/// A frame of Python: "py::tokenize:/home/u/stacks.py" of perf, or with a source line.
std::optional<functions::FunctionName> python_name(std::string_view function, std::string_view file,
                                                   std::int64_t line) {
  if (function.starts_with("py::")) {
    function.remove_prefix(4);
    const std::size_t colon = function.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    return functions::FunctionName{function.substr(0, colon), function.substr(colon + 1), -1};
  }
  if (line != kNoCell && file.ends_with(".py")) return functions::FunctionName{function, file, line};
  return std::nullopt;
}

}  // namespace

SampledStacks::SampledStacks(const Report& report) {
  const DeclaredTable *samples = report.table(stack_tables::kSamples.view()),
                      *stacks = report.table(stack_tables::kStacks.view()),
                      *frames = report.table(stack_tables::kFrames.view());
  if (samples == nullptr || stacks == nullptr || frames == nullptr) return;
  const Column<std::int64_t> times = samples->integers("time"), threads = samples->integers("thread"),
                             of = samples->integers("stack"), lines = frames->integers("line");
  const Column<StringId> names = frames->texts("function"), files = frames->texts("file");
  parents_ = stacks->integers("parent");
  frames_ = stacks->integers("frame");
  if (!times.present() || !threads.present() || !of.present() || !names.present() || !files.present()) return;
  times_ = times, threads_ = threads, stacks_ = of;
  for (std::size_t f = 0; f < frames->rows; ++f) {
    std::optional<IdleFunction>& to = functions_.emplace_back();
    const std::string_view function = report.string(names[f]), file = report.string(files[f]);
    interprets_ = interprets_ || holds(function, "PyEval_EvalFrame");
    if (const auto python = python_name(function, file, lines.present() ? lines[f] : kNoCell)) {
      if (functions::owner_of(*python) != functions::Owner::kProgram) continue;
      to = IdleFunction{functions::text_of(*python), std::string(python->file)};
    } else if (is_native_program(function, file)) {
      to = IdleFunction{std::string(function), std::string(file)};
    }
  }
  find_helpers();
}

std::int64_t SampledStacks::frame_at(std::int64_t& stack, std::int64_t but) const {
  for (; stack >= 0; stack = parents_[static_cast<std::size_t>(stack)]) {
    const std::int64_t frame = frames_[static_cast<std::size_t>(stack)];
    if (frame != but && functions_[static_cast<std::size_t>(frame)]) return frame;
  }
  return kNone;
}

void SampledStacks::find_helpers() {
  std::map<std::int64_t, std::int64_t> times;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> under;
  for (std::int64_t stack : stacks_.view()) {
    std::set<std::int64_t> seen;  // recursion counts once
    for (std::int64_t frame = frame_at(stack); frame >= 0;) {
      const std::int64_t caller = frame_at(stack, frame);
      if (seen.insert(frame).second) {
        ++times[frame];
        if (caller >= 0) ++under[{frame, caller}];
      }
      frame = caller;
    }
  }
  helpers_ = functions::helpers_of(times, under);
}

const IdleFunction* SampledStacks::function_of(std::int64_t stack) const {
  std::int64_t frame = frame_at(stack);
  for (std::int64_t caller = kNone; helpers_.contains(frame) && (caller = frame_at(stack, frame)) >= 0;) frame = caller;
  return frame < 0 ? nullptr : &*functions_[static_cast<std::size_t>(frame)];
}

std::string SampledStacks::text_of(std::int64_t stack) const {
  std::string text;
  for (; stack >= 0; stack = parents_[static_cast<std::size_t>(stack)]) {
    const auto& function = functions_[static_cast<std::size_t>(frames_[static_cast<std::size_t>(stack)])];
    if (function) text = text.empty() ? function->text : function->text + ";" + text;
  }
  return text;
}

std::string SampledStacks::lack() const {
  if (std::ranges::any_of(functions_, [](const auto& function) { return function.has_value(); })) return {};
  return interprets_
             ? "its samples have no frames of Python, only those of the interpreter: record with the PyTorch profiler "
               "(with_stack=True), or python -X perf under perf"
             : "its samples have no frames of the program's own code";
}

std::vector<SampledFunction> sampled_functions(const Report& report) {
  const DeclaredTable *samples = report.table(stack_tables::kSamples.view()),
                      *stacks = report.table(stack_tables::kStacks.view()),
                      *frames = report.table(stack_tables::kFrames.view());
  if (samples == nullptr || stacks == nullptr || frames == nullptr) return {};
  const Column<std::int64_t> tops = samples->integers("stack"), weights = samples->integers("weight"),
                             parents = stacks->integers("parent"), of = stacks->integers("frame");
  const Column<StringId> names = frames->texts("function"), files = frames->texts("file");
  std::vector<SampledFunction> out(frames->rows);
  std::vector<std::size_t> seen(frames->rows, 0);  // sample in which a frame counted last: recursion counts once
  double all = 0;
  for (std::size_t s = 0; s < samples->rows; ++s) {
    const auto weight = static_cast<double>(weights[s]);
    all += weight;
    for (std::int64_t stack = tops[s]; stack >= 0; stack = parents[static_cast<std::size_t>(stack)]) {
      const auto frame = static_cast<std::size_t>(of[static_cast<std::size_t>(stack)]);
      if (stack == tops[s]) out[frame].self += weight;
      if (seen[frame] != s + 1) out[frame].total += weight;
      seen[frame] = s + 1;
    }
  }
  for (std::size_t f = 0; f < out.size(); ++f) {
    out[f].text = std::string(report.string(names[f]));
    out[f].file = std::string(report.string(files[f]));
    out[f].self /= std::max(all, 1.0);
    out[f].total /= std::max(all, 1.0);
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &SampledFunction::total);
  return out;
}

}  // namespace assay::stacks
