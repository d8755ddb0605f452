// Allocations of a trace from begin to end, with the operators and python functions around them.
#include "made_trace.hpp"
#include "support/test.hpp"

namespace assay::trace_allocation_intervals_test {

std::string event(const std::string& category, const std::string& name, int start, int duration, int thread = 9) {
  return R"j({"ph": "X", "cat": ")j" + category + R"j(", "name": ")j" + name + R"j(", "pid": 9, "tid": )j" +
         std::to_string(thread) + ", \"ts\": " + std::to_string(start) + ", \"dur\": " + std::to_string(duration) +
         R"j(, "args": {"External id": )j" + std::to_string(start) + "}},\n";
}

/// `total`: allocated afterwards.
std::string memory(int time, int address, int bytes, int total, int device_type = 1, int thread = 9) {
  return R"j({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 9, "tid": )j" +
         std::to_string(thread) + ", \"ts\": " + std::to_string(time) + R"j(, "args": {"Addr": )j" +
         std::to_string(address) + ", \"Bytes\": " + std::to_string(bytes) + R"j(, "Device Id": 0, "Device Type": )j" +
         std::to_string(device_type) + ", \"Total Allocated\": " + std::to_string(total) +
         R"j(, "Total Reserved": 4096, "Ev Idx": 1}},
)j";
}

/// Before the trace 1,000 bytes are allocated, of which it frees 100.
std::string training() {
  return event("user_annotation", "ProfilerStep#1", 100, 900) +
         event("python_function", "train.py(3): <module>", 101, 880) + event("user_annotation", "part 7", 105, 800) +
         event("python_function", "nn.Module: Linear_0", 110, 90) +
         event("python_function", "<built-in method linear of type object at 0x7d6b7761df60>", 120, 60) +
         event("cpu_op", "aten::linear", 125, 50) + memory(130, 64, 512, 1512) + memory(131, 640, 8, 8, 0) +
         event("cpu_op", "autograd::engine::evaluate_function: MmBackward0", 300, 100, 8) +
         memory(310, 1024, 256, 1768, 1, 8) + memory(500, 32, -100, 1668) + memory(600, 64, -512, 1156) +
         R"j({"ph": "X", "cat": "cpu_op", "name": "aten::end", "pid": 9, "tid": 9, "ts": 1000, "dur": 1})j";
}

std::string stack(const LoadedTrace& trace, std::int64_t row) {
  const DeclaredTable& table = *trace->table("memory_stacks");
  const auto at = [&](std::int64_t r) { return static_cast<std::size_t>(r); };
  std::string text;
  for (; row != kNone; row = table.integers("parent")[at(row)]) {
    const std::string file = trace.name(table.texts("file")[at(row)]);
    text += (text.empty() ? "" : " < ") + trace.name(table.texts("function")[at(row)]);
    if (!file.empty()) text += " " + file;
    if (table.integers("line")[at(row)] != kNoCell) text += ":" + std::to_string(table.integers("line")[at(row)]);
  }
  return text;
}

TEST(TraceAllocations, AreIntervalsWithWhatWasThereBefore) {
  const TraceFolder folder;
  const LoadedTrace trace(folder.write(document(training())));
  const DeclaredTable* const table = trace->table("memory_allocations");
  ASSERT_NE(table, nullptr);
  // What is freed at 500, what stays, then those of the trace; the host's is none.
  EXPECT_TRUE(equals(values(table->integers("size")), {100, 900, 512, 256}));
  const auto size = table->integers("size"), begin = table->integers("begin"), end = table->integers("end");
  const auto by = table->integers("allocated_by"), freed = table->integers("freed_by");
  for (std::size_t a = 0; a < table->rows; ++a) {
    const bool before = size[a] == 900 || size[a] == 100;
    EXPECT_EQ(by[a] == kNone, before);
    EXPECT_EQ(begin[a], before ? 0 : size[a] == 512 ? 30000 : 210000);
    EXPECT_EQ(end[a], size[a] == 100 ? 400000 : 500000) << size[a];
    EXPECT_EQ(freed[a] == kNone, size[a] == 900 || size[a] == 256);
    const auto row = static_cast<std::size_t>(std::max<std::int64_t>(by[a], 0));
    EXPECT_TRUE(before || trace->allocations->bytes[row] == size[a]);
    EXPECT_EQ(table->integers("requested")[a], kNoCell);
  }
}

TEST(TraceAllocations, StacksAreWhatIsOpenOnTheThread) {
  const TraceFolder folder;
  const LoadedTrace trace(folder.write(document(training())));
  const auto of = trace->table("memory_allocations")->integers("stack");
  EXPECT_EQ(stack(trace, of[2]),
            "aten::linear < <built-in method linear of type object> < nn.Module: Linear_0 < "
            "part {i} (annotation) < <module> train.py:3");
  EXPECT_EQ(stack(trace, of[3]), "autograd::engine::evaluate_function: MmBackward0");
}

TEST(TraceAllocations, OperatorsReadForThemAloneGo) {
  const TraceFolder folder;
  const LoadedTrace trace(folder.write(document(training())), {col::declared});
  EXPECT_EQ(trace->ops, nullptr);
  EXPECT_EQ(trace->table("memory_stacks")->rows, 6U);
}

TEST(TraceAllocations, HaveNoIntervalsWithoutAddresses) {
  std::string old = training();
  for (std::size_t at; (at = old.find("\"Addr\"")) != std::string::npos;) old.replace(at, 6, "\"addr\"");
  const TraceFolder folder;
  const LoadedTrace trace(folder.write(document(old)));
  EXPECT_EQ(trace->table("memory_allocations"), nullptr);
  EXPECT_EQ(trace->allocations->rows, 5U);
}

}  // namespace assay::trace_allocation_intervals_test
