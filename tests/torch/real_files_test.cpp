// Every real trace there is, against a count by Python's json and decimal modules.
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

#include "made_trace.hpp"
#include "support/program.hpp"
#include "support/real_data.hpp"

namespace assay::trace_real_files_test {

using Counts = std::map<std::string, std::array<std::int64_t, 3>>;

/// What tests/recomputed/count_trace.py prints.
Counts counted_by_python(const std::filesystem::path& file) {
  const std::string command = "python3 '" ASSAY_SOURCE_DIR "/tests/recomputed/count_trace.py' '" + file.string() + "'";
  Counts counts;
  std::istringstream in(testing::run_shell(".", command).out);
  std::string name;
  std::array<std::int64_t, 3> numbers{};
  while (in >> name >> numbers[0] >> numbers[1] >> numbers[2]) counts[name] = numbers;
  return counts;
}

template <class Table>
std::array<std::int64_t, 3> counted(const Table* table) {
  std::array<std::int64_t, 3> counts{};
  if (table == nullptr) return counts;
  counts[0] = static_cast<std::int64_t>(table->rows);
  for (std::size_t i = 0; i < table->rows; ++i) {
    counts[1] += table->end[i] - table->start[i];
    counts[2] += table->start[i];
  }
  return counts;
}

std::array<std::int64_t, 3> counted_allocations(const AllocationTable* table) {
  std::array<std::int64_t, 3> counts{};
  if (table == nullptr) return counts;
  counts[0] = static_cast<std::int64_t>(table->rows);
  for (std::size_t i = 0; i < table->rows; ++i) {
    counts[1] += table->bytes[i];
    counts[2] += table->time[i];
  }
  return counts;
}

void count_kernels(const LoadedTrace& trace, Counts& counts) {
  for (const char* name : {"linked", "blocks"}) counts[name] = {};
  std::set<StringId> names;
  double occupancy = 0;
  for (std::size_t k = 0; trace->kernels != nullptr && k < trace->kernels->rows; ++k) {
    const KernelTable& t = *trace->kernels;
    counts["linked"][0] += t.call[k] != kNone ? 1 : 0;
    counts["linked"][1] += std::isnan(t.occupancy[k]) ? 0 : 1;
    occupancy += std::isnan(t.occupancy[k]) ? 0 : t.occupancy[k];
    counts["blocks"][0] += t.grid_x[k] == kNone ? 0 : 1;
    counts["blocks"][1] += t.grid_x[k] == kNone ? 0 : std::int64_t{t.grid_x[k]} * t.grid_y[k] * t.grid_z[k];
    counts["blocks"][2] += t.registers[k];
    names.insert(t.name[k]);
    counts["names"][2] += static_cast<std::int64_t>(trace->string(t.name[k]).size());
  }
  counts["linked"][2] = std::llround(occupancy * 100);
  counts["names"][0] = static_cast<std::int64_t>(names.size());
}

void count_ops(const LoadedTrace& trace, Counts& counts) {
  counts["modules"] = {};
  std::set<StringId> names;
  for (std::size_t o = 0; trace->ops != nullptr && o < trace->ops->rows; ++o) {
    const OpTable& t = *trace->ops;
    names.insert(t.name[o]);
    if (t.kind[o] != OpKind::kPythonFunction) continue;
    ++counts["modules"][0];
    counts["modules"][1] += t.python_id[o];
    counts["modules"][2] += t.python_module[o] != kNone ? 1 : 0;
  }
  counts["names"][1] = static_cast<std::int64_t>(names.size());
}

Counts counted_here(const LoadedTrace& trace) {
  Counts counts;
  counts["origin"] = {std::stoll(trace.property("origin_ns")), 0, 0};
  counts["kernels"] = counted(trace->kernels);
  counts["copies"] = counted(trace->copies);
  counts["sets"] = counted(trace->sets);
  counts["calls"] = counted(trace->calls);
  counts["syncs"] = counted(trace->syncs);
  counts["overheads"] = counted(trace->overheads);
  counts["ops"] = counted(trace->ops);
  counts["ranges"] = counted(trace->ranges);
  counts["allocations"] = counted_allocations(trace->allocations);
  counts["copied"] = {};
  for (std::size_t i = 0; trace->copies != nullptr && i < trace->copies->rows; ++i) {
    ++counts["copied"][0];
    counts["copied"][1] += trace->copies->bytes[i];
  }
  count_kernels(trace, counts);
  count_ops(trace, counts);
  return counts;
}

/// Relations that hold in every trace.
void expect_sound(const LoadedTrace& trace) {
  const KernelTable* kernels = trace->kernels;
  for (std::size_t k = 0; kernels != nullptr && k < kernels->rows; ++k) {
    if (kernels->call[k] != kNone) {
      EXPECT_EQ(kernels->op[k], trace->calls->op[static_cast<std::size_t>(kernels->call[k])]);
    }
    if (kernels->op[k] != kNone) {
      EXPECT_NE(trace->ops->kind[static_cast<std::size_t>(kernels->op[k])], OpKind::kPythonFunction);
    }
  }
  const OpTable* ops = trace->ops;
  for (std::size_t o = 0; ops != nullptr && o < ops->rows; ++o) {
    const Row parent = ops->parent[o];
    if (parent == kNone) {
      EXPECT_EQ(ops->depth[o], 0);
    } else {
      EXPECT_EQ(ops->depth[o], ops->depth[static_cast<std::size_t>(parent)] + 1);
      EXPECT_EQ(ops->thread[o], ops->thread[static_cast<std::size_t>(parent)]);
      EXPECT_LE(ops->start[static_cast<std::size_t>(parent)], ops->start[o]);
    }
  }
}

void compare_set(const char* variable) {
  ASSAY_REAL_FOLDER(folder, variable);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(folder) / "torch")) {
    if (entry.path().extension() != ".gz") continue;
    SCOPED_TRACE(entry.path().string());
    ++files;
    const LoadedTrace trace(entry.path());
    const Counts expected = counted_by_python(entry.path()), found = counted_here(trace);
    ASSERT_FALSE(expected.empty());
    for (const auto& [name, numbers] : expected) EXPECT_EQ(found.at(name), numbers) << name;
    EXPECT_FALSE(trace.issue("truncated") || trace.issue("damaged_events") || trace.issue("bad_text"));
    expect_sound(trace);
  }
  EXPECT_GT(files, 0U);
}

TEST(RealTraces, BundledExamplesEqualPython) { compare_set("examples"); }
TEST(RealTraces, H200TracesEqualPython) { compare_set("h200"); }
TEST(RealTraces, PublicTracesEqualPython) { compare_set("public"); }

}  // namespace assay::trace_real_files_test
