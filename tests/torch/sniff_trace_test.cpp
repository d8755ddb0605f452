// Traces among other files: told by content, plain or gzip, and damaged ones named like a trace are said.
#include "catalog/catalog.hpp"
#include "made_trace.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::sniff_trace_test {

class SniffTrace : public ::testing::Test {
 protected:
  [[nodiscard]] FoundFile at(const std::string& bytes, const std::string& name) const {
    return sniff(folder_.write(bytes, name), name);
  }
  TraceFolder folder_;
};

constexpr const char* kEvent = R"({"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1})";

TEST_F(SniffTrace, TellsThemByContent) {
  for (const char* name : {"a.pt.trace.json", "a.json", "worker0", "a.json.gz"}) {
    for (const std::string& bytes :
         {document(kEvent), "\xEF\xBB\xBF \n" + document(kEvent), gzipped(document(kEvent))}) {
      const FoundFile found = at(bytes, name);
      EXPECT_EQ(found.kind, kind::kTorch) << name;
      EXPECT_EQ(found.problem, "");
    }
  }
}

TEST_F(SniffTrace, TellsOnesWhoseEventsComeLate) {
  std::string ranks = "0";
  for (int i = 1; i < 20000; ++i) ranks += ", " + std::to_string(i);
  const std::string header =
      R"("schemaVersion": 1, "deviceProperties": [], "distributedInfo": {"ranks": [)" + ranks + "]},";
  EXPECT_EQ(at(document(kEvent, header), "a.json").kind, kind::kTorch);
}

TEST_F(SniffTrace, TellsListsOfEventsFromOtherLists) {
  const std::string list = "[" + std::string(kEvent) + "]";
  for (const std::string& bytes : {list, "\xEF\xBB\xBF [\n" + std::string(kEvent) + ",\n", gzipped(list)})
    EXPECT_EQ(at(bytes, "a.json").kind, kind::kTorch);
  EXPECT_EQ(
      at(R"([{"name": "a", "ph": "X", "ts": 1, "dur": 2, "tid": 1, "pid": "CPU functions", "args": {}}])", "a").kind,
      kind::kTorch);
  for (const char* text : {R"([{"cat" : "Kernel", "pid" :1, "tid" :1, "dur" :3, "ts" :1, "ph" : "X", "name" :"k"}])",
                           R"([{"name": "gpu0", "elapsed_s": 1, "config": {"kernel": 3}}])",
                           R"([{"name": "a", "ph": "X", "cat": "v8", "ts": 1, "pid": 1, "tid": 1}])"})
    EXPECT_EQ(at(text, "results.json").kind, FileKind::kSidecar) << text;
}

TEST_F(SniffTrace, TracesOfXlaAndTritonAreOfOtherTools) {
  for (const char* event : {R"({"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}})",
                            R"({"ph": "M", "pid": 7, "name": "process_name", "args": {"name": "/host:CPU"}})",
                            R"({"ph": "X", "cat": "triton", "name": "k", "ts": 1, "dur": 1})"}) {
    const FoundFile found = at(document(event, ""), "a.pt.trace.json");
    EXPECT_EQ(found.kind, FileKind::kUnreadable) << event;
    EXPECT_TRUE(contains(found.problem, "which is not read")) << found.problem;
    EXPECT_EQ(at(document(std::string(event) + "," + kEvent), "b.json").kind, kind::kTorch)
        << "PyTorch's profiler beside " << event;
  }
}

TEST_F(SniffTrace, TracesOfToolsThatNobodyKnowsAreSaidToBe) {
  for (const char* event : {R"({"ph": "X", "cat": "devtools.timeline", "name": "Paint", "ts": 1, "dur": 2})",
                            R"({"ph": "X", "cat": "Kernel", "name": "k", "ts": 1, "dur": 2})", ""}) {
    for (const std::string& bytes : {document(event, ""), gzipped(document(event, ""))}) {
      const FoundFile found = at(bytes, "a.json");
      EXPECT_EQ(found.kind, FileKind::kUnreadable) << event;
      EXPECT_TRUE(contains(found.problem, "that the PyTorch profiler did not write")) << found.problem;
    }
  }
}

TEST_F(SniffTrace, OtherJsonIsNotAReport) {
  for (const char* text : {"{\"results\": []}", "[1, 2]", "{", "text with \"traceEvents\" in it"})
    EXPECT_EQ(at(text, "results.json").kind, FileKind::kSidecar) << text;
  EXPECT_EQ(at(gzipped("{\"a\": 1}"), "a.json.gz").kind, FileKind::kSidecar);
}

TEST_F(SniffTrace, ReportsFilesThatOnlyLookLikeTraces) {
  for (const char* name : {"a.pt.trace.json", "A.PT.TRACE.JSON", "a.pt.trace.json.gz"}) {
    EXPECT_EQ(at("", name).kind, FileKind::kUnreadable);
    EXPECT_TRUE(contains(at("", name).problem, "This file is empty; expected a PyTorch trace"));
    EXPECT_TRUE(contains(at("{\"a\": 1}", name).problem, "has no traceEvents"));
    EXPECT_TRUE(contains(at("version https://git-lfs.github.com/spec/v1\n", name).problem, "Git LFS"));
  }
}

TEST_F(SniffTrace, DamagedTracesAreStillTraces) {
  const std::string text = document(kEvent), packed = gzipped(text + std::string(1000, ' '));
  EXPECT_EQ(at(text.substr(0, text.size() - 10), "a.pt.trace.json").kind, kind::kTorch);
  EXPECT_EQ(at(packed.substr(0, packed.size() - 9), "a.pt.trace.json.gz").kind, kind::kTorch);
}

}  // namespace assay::sniff_trace_test
