#include "formats/torch/compile_causes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::load {
namespace {

constexpr std::string_view kFrame = "entire_frame_compile", kAutotuning = "CachingAutotuner.benchmark_all_configs";

/// "0/1" of the annotation "entire_frame_compile_data: fn_name=..., compile_id=0/1" that begins inside [start, end];
/// empty: there is none.
std::string_view compile_id(const Profile::Store& store, std::int64_t start, std::int64_t end) {
  constexpr std::string_view kData = "entire_frame_compile_data: ", kId = "compile_id=";
  if (!store.ranges) return {};
  const auto& starts = store.ranges->start.values();
  for (auto at = std::ranges::lower_bound(starts, start); at != starts.end() && *at <= end; ++at) {
    const std::string_view name = store.strings[store.ranges->name[static_cast<std::size_t>(at - starts.begin())]];
    const std::size_t id = name.find(kId);
    if (name.starts_with(kData) && id != std::string_view::npos) return name.substr(id + kId.size());
  }
  return {};
}

/// "compiling frame 0", "compiling frame 0 again (0/2)".
std::string cause_name(std::string_view id) {
  const std::size_t slash = id.find('/');
  if (slash == std::string_view::npos) return "compiling";
  const std::string_view frame = id.substr(0, slash);
  return id.substr(slash + 1) == "0" ? fmt::format("compiling frame {}", frame)
                                     : fmt::format("compiling frame {} again ({})", frame, id);
}

}  // namespace

void add_compile_causes(Profile::Store& store) {
  const std::optional<StringId> frame = store.strings.find(kFrame), autotuning = store.strings.find(kAutotuning);
  if (!store.ops || (!frame && !autotuning)) return;
  CauseRows rows;
  rows.each([](auto& column) { column.make_present(0); });
  const StringId kind = store.strings.intern("compile");
  for (std::size_t op = 0; op < store.ops->rows(); ++op) {
    const StringId name = store.ops->name[op];
    if (name != frame && name != autotuning) continue;
    const std::int64_t start = store.ops->start[op], end = store.ops->end[op];
    rows.start.push(start);
    rows.end.push(end);
    rows.thread.push(store.ops->thread[op]);
    rows.name.push(
        store.strings.intern(name == frame ? cause_name(compile_id(store, start, end)) : "autotuning Triton kernels"));
    rows.kind.push(kind);
    rows.file.push(0);
    rows.line.push(kNone);
  }
  if (rows.rows() > 0) store.causes = std::move(rows);
}

}  // namespace assay::load
