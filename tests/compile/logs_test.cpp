#include <nlohmann/json.hpp>

#include "../../formats/torch_compile/log_lines.hpp"
#include "../../formats/torch_compile/payloads.hpp"
#include "support/program.hpp"
#include "support/real_data.hpp"
#include "support/test.hpp"

namespace assay::compile_logs_test {

using testing::Outcome;
using testing::run_assay;

std::string query(const std::filesystem::path& file, const std::string& sql) {
  const Outcome outcome = run_assay(file.parent_path(), {"query", file.filename().string(), sql, "--format", "csv"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  return outcome.out.substr(outcome.out.find('\n') + 1);
}

constexpr const char* kOwnLog = "compile/own/torch_trace/dedicated_log_torch_trace_fr1yat3u.log";

TEST(CompileLog, HasTheCompilationsOfTheRecordedProgram) {
  ASSAY_REAL_FILE(log, "compile", kOwnLog);
  EXPECT_EQ(query(*log, "SELECT compile_id, place, duration, graph_cache FROM compilations"),
            "0/0,compiled.py:26,4604529000,miss\n1/0,compiled.py:28,515642000,miss\n"
            "2/0,compiled.py:30,421681000,miss\n0/1,compiled.py:26,2264308000,miss\n"
            "1/1,compiled.py:28,1102925000,miss\n2/1,compiled.py:30,1129433000,miss\n"
            "1/2,compiled.py:28,313637000,hit\n1/3,compiled.py:28,1207533000,miss\n");
  EXPECT_EQ(query(*log, "SELECT sum(graphs), sum(duration) FROM compilations"), "8,11559688000\n");
  EXPECT_EQ(query(*log, "SELECT place, count(*) FROM graph_breaks GROUP BY place"),
            "compiled.py:28,2\ncompiled.py:30,4\n");
  EXPECT_EQ(query(*log, "SELECT previous, guard, place FROM recompiles"),
            "0/0,\"tensor 'x' size mismatch at index 0. expected 8, actual 12\",\n"
            "1/0,\"tensor 'x' size mismatch at index 0. expected 8, actual 12\",\n"
            "2/0,\"tensor 'x' size mismatch at index 0. expected 8, actual 12\",\n"
            "1/1,___stack0 == 0.80078125,compiled.py:28\n1/2,s._modules['g'].scale == 1.0,compiled.py:12\n");
  // Of the first line 20:19:28.702 and the first event at 1795897168.702 s.
  EXPECT_EQ(query(*log, "SELECT value FROM properties WHERE name = 'origin_ns'"), "1795897168703639000\n");
  EXPECT_EQ(query(*log, "SELECT count(*), sum(duration) / 1000 FROM compile_phases WHERE name = 'dynamo'"),
            "8,11600411\n");
}

/// Checked by hand against compiled.py.
TEST(CompileLog, GivesEachTritonKernelItsLines) {
  ASSAY_REAL_FILE(log, "compile", kOwnLog);
  EXPECT_EQ(query(*log,
                  "SELECT k.name, k.place FROM generated_kernels k JOIN compilations c ON c.id = k.compilation WHERE "
                  "c.compile_id IN ('0/1', '1/2', '2/1') AND k.name LIKE 'triton%' ORDER BY c.compile_id, k.call"),
            "triton_per_fused_native_layer_norm_0,compiled.py:19\n"
            "triton_per_fused__softmax__to_copy_amax_div_mul_sub_1,compiled.py:20\n"
            "triton_poi_fused_add_2,compiled.py:21\ntriton_red_fused_abs_mean_3,compiled.py:28\n"
            "triton_per_fused_abs_mean_4,compiled.py:28\n"
            "triton_poi_fused_mul_sigmoid_view_0,\"compiled.py:12, compiled.py:11\"\n"
            "triton_poi_fused_add_view_1,compiled.py:13\n"
            "triton_poi_fused_mul_sigmoid_view_0,\"compiled.py:12, compiled.py:11\"\n"
            "triton_per_fused_add_gelu_mean_pow_view_1,\"compiled.py:32, compiled.py:13\"\n");
}

TEST(CompileLog, FindsLinesWithoutTrackingOfProvenance) {
  ASSAY_REAL_FILE(log, "cold", "cold/torch_trace/dedicated_log_torch_trace_mxi2lq29.log");
  EXPECT_EQ(query(*log, "SELECT count(*) FROM generated_kernels WHERE place = '' OR place IS NULL OR hash IS NULL"),
            "0\n");
  EXPECT_NE(query(*log, "SELECT count(*) FROM generated_kernels"), "0\n");
}

TEST(CompileLog, HasTheLineMapsOfTlparse) {
  ASSAY_REAL_FILE(folder, "compile", "compile/tlparse/provenance");
  const auto expected = nlohmann::json::parse(read_text(*folder / "expected_line_mappings.json"));
  EXPECT_EQ(expected.size(), 5U);
  for (const auto& [file, maps] : expected.items()) {
    std::string text;
    for (const auto& [map, lines] : maps.items()) {
      std::map<int, std::string> rows;
      for (const auto& [line, others] : lines.items()) {
        for (const int other : others) rows[std::stoi(line)] += map + "," + line + "," + std::to_string(other) + "\n";
      }
      for (const auto& [line, row] : rows) text += row;
    }
    EXPECT_EQ(query(*folder / file, "SELECT map, line, other_line FROM provenance_lines ORDER BY map, line, id"), text)
        << file;
  }
}

TEST(CompileLog, CountsWhatTlparseCounts) {
  ASSAY_REAL_FILE(folder, "compile", "compile/tlparse/logs");
  const auto count = [&](const char* file, const char* what) {
    return query(*folder / file, std::string("SELECT ") + what + " FROM compilations");
  };
  EXPECT_EQ(count("comp_metrics.log", "group_concat(compile_id || '.' || attempt || '.' || restarts, ' ')"),
            "0/0.1.1 1/0.1.1 2/0.0.0\n");
  EXPECT_EQ(count("cache_hit_miss.log",
                  "count(*), sum(graph_cache = 'miss'), sum(graph_cache = 'hit'), sum(autograd_cache = 'bypass')"),
            "6,2,1,3\n");
  EXPECT_EQ(count("comp_failure.log", "count(*), sum(failure LIKE 'BackendCompilerFailed%')"), "1,1\n");
  EXPECT_EQ(query(*folder / "simple_corrupted_json.log", "SELECT damaged, entries FROM compile_logs"), "1,76\n");
  EXPECT_EQ(count("simple_corrupted_json.log", "compile_id, function"), count("simple.log", "compile_id, function"));
}

/// Begin of an entry; `json` without its braces.
std::string entry(const std::string& json) {
  return "V0101 00:00:01.500000 42 torch/a.py:1] {" + json +
         R"(, "frame_id": 0, "frame_compile_id": 0, "attempt": 0})" + "\n";
}

TEST(CompileLog, ReadsTheRestOfADamagedLog) {
  const TempFolder folder;
  const std::string start = entry(R"("dynamo_start": {"stack": [{"line": 7, "name": "f", "filename": 0}]})");
  const std::string named = entry(R"("str": ["/a/model.py", 0])");
  const std::string reason = entry(R"("artifact": {"name": "recompile_reasons"}, "has_payload": "x")") +
                             "\t0/0: tensor 'x' rank mismatch. expected 2, actual 3\n";
  folder.write("a.log", named + start + "V0101 00:00:01.500000 42 torch/a.py:1] {\"cut\": \n\tof it\nnoise\n" + reason);
  EXPECT_EQ(query(folder / "a.log", "SELECT entries, damaged, process FROM compile_logs"), "4,2,42\n");
  EXPECT_EQ(query(folder / "a.log", "SELECT place, finished FROM compilations"), "model.py:7,0\n");
  EXPECT_EQ(query(folder / "a.log", "SELECT guard FROM recompiles"),
            "\"tensor 'x' rank mismatch. expected 2, actual 3\"\n");
}

TEST(CompileLog, SurvivesCuts) {
  ASSAY_REAL_FILE(log, "compile", kOwnLog);
  const std::string whole = read_text(*log);
  const TempFolder folder;
  for (std::size_t part = 1; part < 8; ++part) {
    folder.write("cut.log", whole.substr(0, whole.size() * part / 8));
    EXPECT_EQ(query(folder / "cut.log", "SELECT count(*) FROM compile_logs"), "1\n");
  }
}

TEST(LogLine, StatesTimeAndProcess) {
  const auto line = torch_compile::log_line("[rank1]: V0302 01:02:03.000004 17 torch/a.py:1] {\"str\": []}");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->time, ((((60 + 1) * 24LL + 1) * 60 + 2) * 60 + 3) * 1'000'000'000 + 4000);
  EXPECT_EQ(line->process, 17);
  EXPECT_EQ(line->json, "{\"str\": []}");
  for (const char* other :
       {"", "V0302", "V1302 01:02:03.000004 17 a] {", "X0302 01:02:03.000004 17 a] {", "{\"a\": 1}"})
    EXPECT_FALSE(torch_compile::log_line(other)) << other;
}

TEST(BreakReason, IsReadInOldAndNewWords) {
  const auto old = torch_compile::break_reason(
      "Graph break in user code at /a/model.py:5\nReason: Unsupported: builtin: print\nUser code traceback:\n  File x");
  EXPECT_EQ(old.reason, "Unsupported: builtin: print");
  EXPECT_EQ(old.file, "/a/model.py");
  EXPECT_EQ(old.line, 5);
  EXPECT_EQ(old.frames, "File x");
  EXPECT_EQ(torch_compile::break_reason("").reason, "");
}

TEST(FailedGuard, FindsThePlaceOfOldLogs) {
  const auto guard = torch_compile::failed_guard("0/1: L['n'] == 4   # return x * n  # models/a.py:9 in forward");
  EXPECT_EQ(guard.previous, "0/1");
  EXPECT_EQ(guard.guard, "L['n'] == 4");
  EXPECT_EQ(guard.place.file, "models/a.py");
  EXPECT_EQ(guard.place.line, 9);
  EXPECT_EQ(guard.place.code, "return x * n");
}

}  // namespace assay::compile_logs_test
