#include "holders.hpp"

#include <algorithm>
#include <utility>

namespace assay::memory {

std::vector<Holder> holders(const Allocations& allocations, const std::vector<Class>& classes, const DevicePeak& peak,
                            const std::map<std::int64_t, std::string>& names) {
  std::map<std::string, std::pair<Holder, ClassBytes>> found;
  for (std::size_t a = 0; a < allocations.rows; ++a) {
    if (allocations.device[a] != peak.device || !allocations.is_live(a, peak.change)) continue;
    // Memory from before the history has no stack and would be attributed to autograd.
    const bool before = allocations.allocated_by[a] == kNone && allocations.stack[a] == kNone;
    const std::string& name = before ? "from before the history" : names.at(allocations.stack[a]);
    auto& [holder, by_class] = found[name];
    holder.bytes = sum(holder.bytes, allocations.size[a]);
    ++holder.count;
    by_class[static_cast<std::size_t>(classes[a])] += static_cast<double>(allocations.size[a]);
  }
  std::vector<Holder> sorted;
  for (auto& [name, of] : found) {
    of.first.name = name;
    of.first.class_of = static_cast<Class>(std::ranges::max_element(of.second) - of.second.begin());
    sorted.push_back(std::move(of.first));
  }
  std::ranges::stable_sort(sorted, std::ranges::greater(), &Holder::bytes);
  return sorted;
}

Table holder_table(std::string id, std::string title, std::string column, const std::vector<Holder>& holders,
                   std::int64_t all) {
  Table table(std::move(id), std::move(title));
  table.column(std::move(column), "", holders, &Holder::name)
      .column("bytes", "bytes", holders, &Holder::bytes)
      .column("share", "ratio", holders,
              [&](const Holder& h) {
                return static_cast<double>(h.bytes) / static_cast<double>(std::max<std::int64_t>(all, 1));
              })
      .column("count", "1", holders, &Holder::count)
      .column("class", "", holders,
              [](const Holder& h) { return std::string(kClassNames[static_cast<std::size_t>(h.class_of)]); });
  return table;
}

Table class_table(const ClassUse& use, std::int64_t all) {
  std::vector<std::size_t> classes;
  for (std::size_t c = 0; c < kClasses; ++c) {
    if (use.peak[c] > 0) classes.push_back(c);
  }
  std::ranges::stable_sort(classes, std::ranges::greater(), [&](std::size_t c) { return use.at_peak[c]; });
  Table table("peak_classes", "Memory at the peak by class");
  table.column("class", "", classes, [](std::size_t c) { return std::string(kClassNames[c]); })
      .column("bytes", "bytes", classes, [&](std::size_t c) { return use.at_peak[c]; })
      .column("share", "ratio", classes,
              [&](std::size_t c) { return use.at_peak[c] / static_cast<double>(std::max<std::int64_t>(all, 1)); })
      .column("own peak", "bytes", classes, [&](std::size_t c) { return use.peak[c]; });
  return table;
}

Table growth_table(const std::vector<Grower>& growers, const Stacks& stacks) {
  Table table("growth", "Stacks that hold more after every step");
  table.column("stack", "", growers, [&](const Grower& g) { return stacks.text(g.stack); })
      .column("per step", "bytes", growers, &Grower::per_step)
      .column("least", "bytes", growers, &Grower::least)
      .column("most", "bytes", growers, &Grower::most)
      .column("steps", "1", growers, &Grower::steps)
      .column("held", "bytes", growers, &Grower::held);
  return table;
}

Table reserve_table(const Report& report, const DevicePeak& peak, std::int64_t* split) {
  const DeclaredTable& segments = *report.table("memory_segments");
  const DeclaredTable& blocks = *report.table("memory_blocks");
  const auto device = segments.integers("device"), size = segments.integers("size");
  const auto of = blocks.integers("segment"), block_size = blocks.integers("size");
  const auto state = blocks.texts("state");
  std::int64_t reserved = 0, in_use = 0, rounding = 0, free_segments = 0;
  const auto requested = blocks.integers("requested");
  *split = 0;
  for (std::size_t s = 0; s < segments.rows; ++s) {
    if (device[s] == peak.device) reserved += size[s];
  }
  for (std::size_t b = 0; b < blocks.rows; ++b) {
    const auto segment = static_cast<std::size_t>(of[b]);
    if (device[segment] != peak.device) continue;
    const bool inactive = report.string(state[b]) == "inactive";
    if (!inactive) {
      in_use += block_size[b];
      rounding += block_size[b] - requested[b];
    }
    if (inactive) (block_size[b] < size[segment] ? *split : free_segments) += block_size[b];
  }
  const std::vector<std::pair<const char*, std::int64_t>> rows = {{"reserved", reserved},
                                                                  {"in use", in_use},
                                                                  {"of that, rounding", rounding},
                                                                  {"free in segments in use", *split},
                                                                  {"free segments", free_segments}};
  Table table("reserve", "The allocator when the snapshot was written");
  table.column("memory", "", rows, [](const auto& row) { return std::string(row.first); })
      .column("bytes", "bytes", rows, [](const auto& row) { return row.second; });
  return table;
}

}  // namespace assay::memory
