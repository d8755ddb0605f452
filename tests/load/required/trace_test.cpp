// Every member that is read of a PyTorch trace's events, damaged in turn.
#include <fstream>
#include <nlohmann/json.hpp>

#include "fingerprint.hpp"
#include "load/made_export.hpp"
#include "support/temp_folder.hpp"

namespace assay::trace_test {

using Json = nlohmann::json;

Json event(const char* cat, const std::string& name, int pid, int tid, double time, double duration, Json args) {
  return {{"ph", "X"},  {"cat", cat}, {"name", name},    {"pid", pid},
          {"tid", tid}, {"ts", time}, {"dur", duration}, {"args", std::move(args)}};
}

/// Twelve launches of a kernel, with a copy and a set each, in operators and a step.
Json whole_trace() {
  Json events = Json::array();
  for (int i = 0; i < 12; ++i) {
    const double at = 1.7e15 + 1000 * i;
    const auto call = [&](const char* name, double after, int id) {
      events.push_back(event("cuda_runtime", name, 9, 9, at + after, 5, {{"correlation", id}, {"External id", i + 1}}));
    };
    call("cudaLaunchKernel", 20, 3 * i + 1);
    call("cudaMemcpyAsync", 40, 3 * i + 2);
    call("cudaMemsetAsync", 60, 3 * i + 3);
    events.push_back(event("user_annotation", "ProfilerStep#" + std::to_string(i), 9, 9, at, 900, Json::object()));
    events.push_back(event("cpu_op", "aten::mm", 9, 9, at + 10, 100, {{"External id", i + 1}}));
    events.push_back(event("kernel", "gemm", 0, 7, at + 120, 300,
                           {{"device", 0},
                            {"stream", 7},
                            {"correlation", 3 * i + 1},
                            {"External id", i + 1},
                            {"grid", {8, 2, 1}},
                            {"block", {128, 1, 1}},
                            {"registers per thread", 40},
                            {"shared memory", 1024},
                            {"est. achieved occupancy %", 50}}));
    events.push_back(event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 0, 7, at + 450, 50,
                           {{"device", 0}, {"stream", 7}, {"correlation", 3 * i + 2}, {"bytes", 4096}}));
    events.push_back(event("gpu_memset", "Memset (Device)", 0, 7, at + 520, 9,
                           {{"device", 0}, {"stream", 7}, {"correlation", 3 * i + 3}, {"bytes", 512}}));
  }
  return {{"schemaVersion", 1},
          {"deviceProperties", {{{"id", 0}, {"name", "NVIDIA H100"}, {"numSms", 132}}}},
          {"traceEvents", events}};
}

std::filesystem::path write(const TempFolder& folder, const Json& trace) {
  const auto file = folder.path() / "made.pt.trace.json";
  std::ofstream(file) << trace.dump();
  return file;
}

/// The object that holds `key`: the event or its args.
Json& holder(Json& event, const std::string& key) { return event["args"].contains(key) ? event["args"] : event; }

TEST(RequiredMembers, AreKnownForTraces) {
  const TempFolder folder;
  const Json whole = whole_trace();
  const Fingerprint before = fingerprint(write(folder, whole));
  ASSERT_EQ(before.refusal, "");
  ASSERT_EQ(before.issues, std::vector<std::string>());
  // What only some traces say (AMD writes no grid, 2021 no ids of operators), and numbers that may be any.
  const std::set<std::string> optional = {"External id",          "grid",          "block",
                                          "registers per thread", "shared memory", "est. achieved occupancy %"};
  const std::set<std::string> any = {"pid", "tid", "External id", "est. achieved occupancy %"};
  for (const char* cat : {"kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cpu_op", "user_annotation"}) {
    std::set<std::string> keys = {"ph", "cat", "name", "pid", "tid", "ts", "dur"};
    for (const Json& one : whole["traceEvents"]) {
      if (one["cat"] != cat) continue;
      for (const auto& [key, value] : one["args"].items()) keys.insert(key);
    }
    const bool on_device = std::string_view(cat).starts_with("gpu_") || std::string_view(cat) == "kernel";
    for (const std::string& key : keys) {
      // The row of a device in the viewer; args say the device and the stream themselves.
      if (on_device && (key == "pid" || key == "tid")) continue;
      for (const std::string way : {"gone", "null", "empty", "another type", "one extreme", "one 0"}) {
        Json trace = whole;
        bool done = false;
        for (Json& one : trace["traceEvents"]) {
          if (one["cat"] != cat || (done && way.starts_with("one "))) continue;
          Json& object = holder(one, key);
          const bool is_text = object[key].is_string();
          if (way.starts_with("one ") && (is_text || object[key].is_array())) break;
          if (way == "gone") object.erase(key);
          if (way == "null") object[key] = nullptr;
          if (way == "empty") object[key] = "";
          if (way == "another type") object[key] = is_text ? Json(5) : Json("words");
          if (way == "one extreme")
            object[key] = key == "ts" || key == "dur" ? Json(1e15 * 4) : Json(9223372036854775807LL);
          if (way == "one 0" && key == "ts") object[key] = 0;
          done = true;
        }
        const std::string how = std::string(cat) + "." + key + " " + way;
        const bool whole_file = !way.starts_with("one ");
        if (whole_file && way != "another type" && optional.contains(key)) continue;
        if (way == "one extreme" && any.contains(key)) continue;
        expect_said(before, write(folder, trace), how);
      }
    }
  }
}

}  // namespace assay::trace_test
