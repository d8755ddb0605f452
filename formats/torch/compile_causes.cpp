#include "formats/torch/compile_causes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/torch/category.hpp"
#include "load/clean.hpp"

namespace assay::load {
namespace {

constexpr std::string_view kFrame = "entire_frame_compile", kAutotuning = "CachingAutotuner.benchmark_all_configs",
                           kData = "entire_frame_compile_data: ", kId = "compile_id=";

/// "compiling frame 0", "compiling frame 0 again (0/2)".
std::string cause_name(std::string_view id) {
  const std::size_t slash = id.find('/');
  if (slash == std::string_view::npos) return "compiling";
  const std::string_view frame = id.substr(0, slash);
  return id.substr(slash + 1) == "0" ? fmt::format("compiling frame {}", frame)
                                     : fmt::format("compiling frame {} again ({})", frame, id);
}

}  // namespace

void CompileCauses::add_op(std::string_view name, std::int64_t start, std::int64_t end, std::uint32_t thread) {
  if ((name != kFrame && name != kAutotuning) || !is_time(start) || (is_time(end) && end < start)) return;
  causes_.start.push(start);
  causes_.end.push(is_time(end) ? end : start);
  causes_.thread.push(thread);
  causes_.name.push(name == kFrame ? 0 : out_.intern("autotuning Triton kernels"));
  causes_.kind.push(out_.intern("compile"));
  causes_.file.push(0);
  causes_.line.push(kNone);
}

void CompileCauses::add_range(std::string_view name, std::int64_t start, std::int64_t end) {
  if (!name.starts_with(kData)) return;
  const std::string text = unescaped(name);
  const std::size_t id = text.find(kId);
  if (id != std::string::npos) compiled_.push_back({start, end, text.substr(id + kId.size())});
}

void CompileCauses::finish() {
  std::ranges::stable_sort(compiled_, {}, [](const FrameId& of) { return std::pair(of.start, of.end); });
  for (std::size_t row = 0; row < causes_.start.size(); ++row) {
    if (causes_.name[row] != 0) continue;
    const auto inside = std::ranges::lower_bound(compiled_, causes_.start[row], {}, &FrameId::start);
    const bool said = inside != compiled_.end() && inside->start <= causes_.end[row];
    causes_.name.values()[row] = out_.intern(cause_name(said ? inside->id : ""));
  }
  causes_.finish();
}

}  // namespace assay::load
