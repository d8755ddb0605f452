// Functions of the program on stacks: names, owners, helpers, and whose idle time it is.
#include "algo/functions/functions.hpp"

#include <map>

#include "algo/account/table.hpp"
#include "algo/functions/function_name.hpp"
#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"

namespace assay::functions::functions_test {

using namespace testing;

TEST(FunctionNames, AreReadInAllForms) {
  for (const std::string_view name :
       {"data/stacks.py(8): tokenize", "$data/stacks.py:8 tokenize", "tokenize (data/stacks.py:8)"}) {
    const FunctionName read = read_function_name(name);
    EXPECT_EQ(read.function, "tokenize") << name;
    EXPECT_EQ(read.file, "data/stacks.py") << name;
    EXPECT_EQ(read.line, 8) << name;
    EXPECT_EQ(text_of(read), "tokenize (stacks.py:8)") << name;
  }
  for (const std::string_view name : {"nn.Module: Linear_0", "<built-in method item of Tensor object at 0x7f>", "", "(",
                                      "a (b:c)", "$:8 x", "(8): f", "f(x): y", "$a", " (:1)"}) {
    EXPECT_EQ(read_function_name(name).line, -1) << name;
    EXPECT_EQ(read_function_name(name).function, name);
  }
  EXPECT_EQ(without_lines("step_{i}/tokenize (stacks.py:8)"), "step_{i}/tokenize (stacks.py)");
  EXPECT_EQ(without_lines("a::b (x:y)/c:12"), "a::b (x:y)/c:12");
}

TEST(FunctionNames, TellTheProgramFromLibraries) {
  const auto owner = [](std::string_view name) { return owner_of(read_function_name(name)); };
  for (const std::string_view name : {"stacks.py(8): tokenize", "/home/u/train.py(1): <module>",
                                      "mypackage/model.py(3): forward", "/opt/random.py(2): f"})
    EXPECT_EQ(owner(name), Owner::kProgram) << name;
  for (const std::string_view name :
       {"transformers/models/bert/modeling_bert.py(250): f", "/usr/lib/python3/dist-packages/foo/a.py(1): g",
        "/venv/lib/python3.12/site-packages/mine/a.py(1): g"})
    EXPECT_EQ(owner(name), Owner::kLibrary) << name;
  EXPECT_EQ(owner("$pjit.py:8 f"), Owner::kLibrary) << "JAX writes its files without folders";
  EXPECT_EQ(owner("pjit.py(8): f"), Owner::kProgram);
  for (const std::string_view name :
       {"torch/autograd/profiler.py(841): __init__", "threading.py(1030): _bootstrap", "multiprocessing/spawn.py(1): f",
        "/usr/lib/python3.12/ast.py(3): parse", "<built-in function iter>", "nn.Module: Linear_0",
        "/tmp/torchinductor_root/ab/cab.py(20): call", "/venv/lib/python3.12/site-packages/torch/nn/a.py(1): f",
        "train.py(7): <listcomp>", "<eval_with_key>.0(4): forward"})
    EXPECT_EQ(owner(name), Owner::kInterpreter) << name;
}

/// Steps of 1 ms: read and tokenize spend 400 and 200 us in spin, log 100 us, then a kernel is launched.
const Report& stacks(ReportBuilder& b) {
  const auto function = [&](const std::string& name, std::int64_t start, std::int64_t end) {
    b.op(OpKind::kPythonFunction, name, start, end);
  };
  for (std::int64_t s = 0; s < 4; ++s) {
    const std::int64_t at = s * 1'000'000;
    b.range("step_" + std::to_string(s), at, at + 900'000);
    function("train.py(20): step", at, at + 900'000);
    function("train.py(10): load", at, at + 600'000);
    function("train.py(9): read", at, at + 400'000);
    function("train.py(4): spin", at + 1'000, at + 400'000);
    function("<built-in function perf_counter>", at + 2'000, at + 300'000);
    function("train.py(8): tokenize", at + 400'000, at + 600'000);
    function("train.py(4): spin", at + 401'000, at + 600'000);
    const Row call = b.call(CallKind::kKernelLaunch, at + 600'000, at + 604'000);
    b.kernel("gemm", at + 605'000, at + 625'000, {.call = call});
    function("train.py(11): log", at + 700'000, at + 800'000);
    function("threading.py(3): wait", at + 710'000, at + 720'000);
  }
  return b.build();
}

TEST(Functions, HaveTheTimeOfTheirHelpers) {
  ReportBuilder b;
  const Report& report = stacks(b);
  const Functions functions(report);
  std::map<std::string, std::int64_t> times;
  functions.each_in(0, {0, 1'000'000}, [&](Interval part, Row row) {
    times[function_text(report, functions.owner_of(row))] += part.end - part.start;
  });
  EXPECT_EQ(times, (std::map<std::string, std::int64_t>{{"read (train.py:9)", 400'000},
                                                        {"tokenize (train.py:8)", 200'000},
                                                        {"step (train.py:20)", 200'000},
                                                        {"log (train.py:11)", 100'000},
                                                        {"", 100'000}}));
}

TEST(Functions, NameHostCodeInTheAccount) {
  ReportBuilder b;
  const Report& report = stacks(b);
  const account::AccountRows rows = account::account_rows(report);
  std::map<std::string, std::int64_t> idle;
  std::int64_t all = 0, steps = 0;
  for (std::size_t r = 0; r < rows.step.size(); ++r) {
    all += rows.time[r];
    if (rows.kind[r] == AccountKind::kIdle && rows.name[r] != 0)
      idle[std::string(report.string(rows.name[r]))] += rows.time[r];
  }
  for (std::size_t s = 0; s < report.steps->rows; ++s) steps += report.steps->end[s] - report.steps->start[s];
  EXPECT_EQ(all, steps) << "functions split rows, they add nothing";
  EXPECT_EQ(idle.at("train.py(9): read"), 4 * 400'000);
  EXPECT_EQ(idle.at("train.py(8): tokenize"), 4 * 200'000);
  EXPECT_EQ(idle.at("train.py(11): log"), 4 * 100'000);
  EXPECT_FALSE(idle.contains("train.py(4): spin"));
}

TEST(Functions, AreNoneWithoutPython) {
  ReportBuilder b;
  b.op(OpKind::kOperator, "aten::mm", 0, 100);
  const Report& report = b.build();
  const Functions functions(report);
  std::int64_t time = 0;
  functions.each_in(0, {0, 50}, [&](Interval part, Row row) {
    time += part.end - part.start;
    EXPECT_EQ(row, kNone);
  });
  EXPECT_EQ(time, 50);
  EXPECT_EQ(functions.owner_of(kNone), kNone);
}

}  // namespace assay::functions::functions_test
