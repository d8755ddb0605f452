// Traces that are cut off, mangled, or no traces at all: an issue or one sentence, never a crash.
#include "formats/torch/parse.hpp"
#include "made_trace.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::trace_damage_test {

std::string kernel(int number, const std::string& name = "k") {
  const std::string n = std::to_string(number);
  return R"({"ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": 0, "tid": 7, "ts": )" + n +
         R"(.125, "dur": 0.5, "args": {"device": 0, "stream": 7, "correlation": )" + n +
         R"(, "grid": [1, 2, 3], "list": [{"a": 1}, {"b": "}, {"}]}})";
}

std::string kernels(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += (i > 1 ? ",\n  " : "") + kernel(i);
  return text;
}

class DamagedTraces : public ::testing::Test {
 protected:
  [[nodiscard]] std::string refusal(const std::string& bytes) const {
    const auto profile = load_profile({folder_.write(bytes), kind::kTorch}, "x", every_column());
    return profile ? "" : profile.error().sentence;
  }
  TraceFolder folder_;
};

TEST_F(DamagedTraces, AreRejectedWithOneSentence) {
  EXPECT_TRUE(contains(refusal("{"), "is not JSON to its end"));
  EXPECT_TRUE(contains(refusal("   {\"a\": 1"), "is not JSON to its end"));
  EXPECT_TRUE(contains(refusal("{\"a\": 1}"), "holds no traceEvents"));
  EXPECT_TRUE(contains(refusal("{\"traceEvents\": 5}"), "holds no traceEvents"));
  EXPECT_TRUE(contains(refusal("{\"traceEvents\": []}"), "holds no event of the PyTorch profiler"));
  EXPECT_TRUE(
      contains(refusal(document(R"({"ph": "X", "cat": "devtools.timeline", "name": "Paint", "ts": 1, "dur": 2})")),
               "holds no event of the PyTorch profiler"));
  const std::string cut = refusal("{\"traceEvents\": [{\"ph\": \"X\", \"cat");
  EXPECT_TRUE(contains(cut, "holds no complete event"));
  EXPECT_EQ(cut.find("again"), cut.rfind("again")) << "one remedy: " << cut;
  EXPECT_TRUE(contains(refusal("[1, 2, 3]"), "holds no event of the PyTorch profiler"));
  EXPECT_TRUE(contains(refusal(gzipped("")), "holds only white space"));
  EXPECT_TRUE(contains(refusal(gzipped("plain text")), "is not JSON"));
  EXPECT_TRUE(contains(refusal("\x1f\x8b garbage that is no gzip at all"), "gzip data are damaged"));
}

TEST_F(DamagedTraces, TellWorkWithAPhaseThatIsNoRange) {
  const auto with = [](const std::string& phase, bool behind) {
    std::string event = kernel(2);
    const std::string before = R"("ph": "X", )", last = R"("ph": )" + phase;
    event.erase(event.find(before), before.size());
    return document(kernel(1) + "," +
                    (behind ? event.insert(event.size() - 1, ", " + last) : event.insert(1, last + ",")));
  };
  for (const char* phase : {R"("x")", R"("b")", R"("I")", R"("n")", R"("C")", R"(["X"])", R"("")", "5"}) {
    for (const bool behind : {false, true}) {
      const LoadedTrace trace(folder_.write(with(phase, behind)));
      EXPECT_EQ(trace->kernels->rows, 1U) << phase;
      EXPECT_EQ(trace.issue("odd_events"), 1) << phase << behind;
    }
  }
  const std::string instant = R"(, {"ph": "i", "cat": "cpu_instant_event", "name": "x", "ts": 2, "s": "t"})";
  const LoadedTrace whole(folder_.write(document(kernels(2) + instant + R"(, {"ph": "s", "cat": "ac2g", "ts": 1})")));
  EXPECT_EQ(whole.issue("odd_events"), std::nullopt);
}

TEST_F(DamagedTraces, CutAnywhereKeepsWhatCameBefore) {
  const std::string whole = document(kernels(6));
  const std::size_t first = whole.find("\"traceEvents\"");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto profile = load_profile({folder_.write(whole.substr(0, size)), kind::kTorch}, "cut", every_column());
    if (!profile) {
      EXPECT_LT(size, first + 400) << "at least one event is whole";
      continue;
    }
    const auto view = require(profile->view({}, {}));
    const KernelTable& table = *view->report().kernels;
    std::size_t expected = 0;
    for (std::size_t at = 0; (at = whole.find("}]}}", at)) != std::string::npos && at + 4 <= size; ++at) ++expected;
    ASSERT_EQ(table.rows, expected) << size;
    for (std::size_t k = 0; k < table.rows; ++k) {
      EXPECT_EQ(table.correlation[k], static_cast<std::int64_t>(k + 1));
      EXPECT_EQ(table.end[k] - table.start[k], 500);
    }
    bool said = false;
    for (const Str& name : view->report().issues->name.view()) said = said || name == "truncated";
    EXPECT_TRUE(said) << size;
  }
}

TEST_F(DamagedTraces, AHeaderThatIsNotJsonIsSaid) {
  const std::string devices =
      R"("deviceProperties": [{"id": 0, "name": "A", "numSms": 108}COMMA{"id": 1, "name": "B", "numSms": 132}])";
  const auto header = [&](const std::string& comma) {
    std::string text = devices;
    return text.replace(text.find("COMMA"), 5, comma);
  };
  const LoadedTrace good(folder_.write(document(kernels(3), header(",") + ",")));
  EXPECT_EQ(good.issue("damaged_header"), std::nullopt);
  EXPECT_EQ(good->devices->rows, 2U);
  const std::string bad[] = {header(",,") + ",", header(" ") + ",", header(",") + ",,",
                             R"("distributedInfo": {"rank": 1,, "world_size": 2},)", R"("other": [1, 2,, 3],)"};
  for (const std::string& one : bad) {
    const LoadedTrace trace(folder_.write(document(kernels(3), one)));
    EXPECT_TRUE(trace.issue("damaged_header")) << one;
    EXPECT_EQ(trace->kernels->rows, 3U) << one;
  }
  const LoadedTrace lost(folder_.write(document(kernels(3), header(",,") + ",")));
  ASSERT_EQ(lost->devices->rows, 1U) << "the only one that ran something";
  EXPECT_EQ(lost->devices->sm_count[0], kNone) << "nothing of a list that is damaged";
}

TEST_F(DamagedTraces, MembersAndPaddingAreRead) {
  const std::string text = document(kernels(30000));
  ASSERT_GT(text.size(), std::size_t{4} << 20);
  const std::string half = gzipped(text.substr(0, text.size() / 2)) + gzipped(text.substr(text.size() / 2));
  for (const std::string& bytes : {text, gzipped(text), half, gzipped(text) + std::string(100, '\0')}) {
    const LoadedTrace trace(folder_.write(bytes));
    ASSERT_EQ(trace->kernels->rows, 30000U);
    for (std::size_t k = 0; k < trace->kernels->rows; ++k)
      ASSERT_EQ(trace->kernels->correlation[k], static_cast<std::int64_t>(k + 1));
  }
}

TEST_F(DamagedTraces, GzipThatIsNotWholeIsRefused) {
  const std::string text = document(kernels(2000));
  const std::string packed = gzipped(text);
  const auto with = [&](std::size_t from_end) {
    std::string bytes = packed;
    bytes[bytes.size() - from_end] = static_cast<char>(bytes[bytes.size() - from_end] ^ 1);
    return refusal(bytes);
  };
  constexpr std::size_t kLength = 4, kChecksum = 8;  // little-endian, at the end of the file
  EXPECT_TRUE(contains(with(kLength), "cannot be unpacked: the gzip data are damaged (incorrect length check)"));
  EXPECT_TRUE(contains(with(kChecksum), "(incorrect data check)"));
  for (const std::size_t kept : {packed.size() / 2, packed.size() - 9, packed.size() - 8, packed.size() - 1}) {
    EXPECT_TRUE(contains(refusal(packed.substr(0, kept)), "the gzip data end before their trailer")) << kept;
  }
  EXPECT_TRUE(contains(refusal(packed + "trailing"), "something that is not gzip follows the gzip data"));
  EXPECT_TRUE(contains(refusal(packed + std::string(9, '\0') + "x"), "something that is not gzip"));
  EXPECT_TRUE(contains(refusal(packed + packed.substr(0, 40)), "the gzip data end before their trailer"));
}

TEST_F(DamagedTraces, ASecondDocumentIsRefused) {
  const std::string text = document(kernels(100));
  EXPECT_TRUE(contains(refusal(gzipped(text) + gzipped(text)), "has more text after the end of the document"));
  EXPECT_TRUE(contains(refusal(gzipped(text + "\n" + text)), "has more text after the end of the document"));
  EXPECT_TRUE(contains(refusal(text + text), "has more text after the end of the document"));
  EXPECT_TRUE(contains(refusal("[" + kernels(3) + "]]"), "has more text after the end of the document"));
  EXPECT_EQ(refusal(text + " \n\t\r\n"), "");
}

/// Of a packed trace every single bit is flipped: it is refused, or it is what it was (a name or a time in the header).
TEST_F(DamagedTraces, NoFlippedBitOfGzipChangesANumber) {
  const std::string packed = gzipped(document(kernels(12)));
  std::size_t refused = 0, same = 0;
  for (std::size_t bit = 0; bit < 8 * packed.size(); ++bit) {
    std::string bytes = packed;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    const auto profile = load_profile({folder_.write(bytes), kind::kTorch}, "flipped", every_column());
    if (!profile) {
      ++refused;
      continue;
    }
    const auto view = profile->view({}, {});
    const KernelTable& table = *view->report().kernels;
    ASSERT_EQ(table.rows, 12U) << bit;
    for (std::size_t k = 0; k < table.rows; ++k) {
      ASSERT_EQ(table.start[k], static_cast<std::int64_t>(k) * 1000) << bit;
      ASSERT_EQ(table.end[k] - table.start[k], 500) << bit;
      ASSERT_EQ(table.correlation[k], static_cast<std::int64_t>(k + 1)) << bit;
    }
    ++same;
  }
  EXPECT_LE(same, 80U) << "only the header of ten bytes is not covered";
  EXPECT_GT(refused, same);
}

/// A value of any length costs no more memory than the longest that is read.
TEST_F(DamagedTraces, ValuesLongerThanAnyNameAreLeftOutAndCounted) {
  const std::string huge(std::size_t{17} << 20, 'n');
  const std::string nested =
      R"({"ph": "X", "cat": "kernel", "a": [)" + std::string(std::size_t{17} << 20, ' ') + "\"}\\\"{\"]}";
  const std::string text = document(kernels(3) + "," + kernel(4, huge) + "," + nested + "," + kernel(5),
                                    "\"huge\": \"" + huge + "\", \"list\": [1],");
  for (const std::string& bytes : {text, gzipped(text)}) {
    const LoadedTrace trace(folder_.write(bytes));
    ASSERT_EQ(trace->kernels->rows, 4U);
    EXPECT_EQ(trace->kernels->correlation[3], 5);
    EXPECT_EQ(trace.issue("long_values"), 3);
    EXPECT_EQ(trace.issue("truncated"), std::nullopt);
    EXPECT_EQ(trace.property("huge"), "-");
  }
  EXPECT_TRUE(contains(refusal("{\"traceEvents\": [{\"name\": \"" + huge), "no complete event"));
}

/// The numbers of the kernels that a parser gives when its text comes in small windows.
class Numbers final : public load::EventSink {
 public:
  void on_event(const load::Event& event) override { seen.push_back(event.args.correlation); }
  [[nodiscard]] bool wants_args(load::Category) const override { return true; }
  [[nodiscard]] bool wants_inputs() const override { return true; }
  [[nodiscard]] bool wants_sequences() const override { return true; }
  [[nodiscard]] bool wants_messages() const override { return true; }
  std::vector<std::int64_t> seen;
};

TEST_F(DamagedTraces, WindowsOfAnySizeGiveTheSame) {
  const std::filesystem::path file = folder_.write(document(kernels(40), "\"a\": [{\"b\": [1, 2]}, \"x\"],"));
  for (std::size_t window = 1; window < 1500; window += 13) {
    auto text = require(load::TraceText::open(file, 1, window));
    Numbers numbers;
    std::string keys;
    const auto outcome = load::parse_trace(
        *text, numbers, [&](std::string_view key, std::string_view) { keys += std::string(key) + ";"; });
    ASSERT_EQ(numbers.seen.size(), 40U) << window;
    for (std::size_t i = 0; i < 40; ++i) ASSERT_EQ(numbers.seen[i], static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(outcome.events, 40U);
    EXPECT_EQ(keys, "a;traceName;");
  }
}

/// Of a packed text that is longer than what is inflated at once a few windows are in memory, and all of it is read.
TEST_F(DamagedTraces, LongPackedTextComesInWindows) {
  const std::string text = document(kernels(3) + std::string(std::size_t{257} << 20, ' ') + "," + kernel(4));
  const std::filesystem::path file = folder_.write(gzipped(text));
  for (const unsigned threads : {1U, 2U}) {
    auto opened = require(load::TraceText::open(file, threads));
    EXPECT_LE(opened->end() - opened->begin(), static_cast<std::ptrdiff_t>(2 * load::TraceText::kWindow));
    Numbers numbers;
    load::parse_trace(*opened, numbers, [](std::string_view, std::string_view) {});
    EXPECT_EQ(numbers.seen, (std::vector<std::int64_t>{1, 2, 3, 4}));
    EXPECT_EQ(opened->damage(), "");
  }
}

/// DamagedTraces behind the events is told whoever inflates.
TEST_F(DamagedTraces, LongPackedTextWithAWrongChecksumIsRefusedOnAnyNumberOfThreads) {
  std::string bytes = gzipped(document(kernels(3) + std::string(std::size_t{257} << 20, ' ') + "," + kernel(4)));
  bytes[bytes.size() - 6] ^= 1;
  const std::filesystem::path file = folder_.write(bytes);
  for (const unsigned threads : {1U, 2U}) {
    auto opened = require(load::TraceText::open(file, threads));
    Numbers numbers;
    const auto outcome = load::parse_trace(*opened, numbers, [](std::string_view, std::string_view) {});
    EXPECT_TRUE(contains(outcome.refusal, "gzip data")) << threads;
  }
}

TEST_F(DamagedTraces, BadEventsAreLeftOutAndCounted) {
  const std::string text =
      document(kernels(1000) + ", {\"ph\": \"X\" \"cat\": nonsense}, {\"ph\":: }, " + kernel(2000));
  const LoadedTrace trace(folder_.write(text));
  EXPECT_EQ(trace->kernels->rows, 1001U);
  EXPECT_EQ(trace.issue("damaged_events"), 2);
  EXPECT_EQ(trace.issue("truncated"), std::nullopt);
}

TEST_F(DamagedTraces, TextThatLooksLikeGapsBetweenEvents) {
  std::string events;
  for (int i = 1; i <= 4000; ++i) {
    events += (i > 1 ? ", " : "") + kernel(i, i % 7 == 0 ? std::string(300, 'x') + "}, {\\\"ph\\\": " : "k");
  }
  const LoadedTrace trace(folder_.write(document(events)));
  ASSERT_EQ(trace->kernels->rows, 4000U);
  for (std::size_t k = 0; k < 4000; ++k) ASSERT_EQ(trace->kernels->correlation[k], static_cast<std::int64_t>(k + 1));
  EXPECT_EQ(trace.issue("damaged_events"), std::nullopt);
}

/// Slices that end where no event does, and damaged ones, come out as one thread reads them.
TEST_F(DamagedTraces, AnyNumberOfThreadsGivesTheSame) {
  std::string events;
  for (int i = 1; i <= 20'000; ++i) {
    const std::string name = i % 7 == 0 ? std::string(300, 'x') + "}, {\\\"ph\\\": " : i % 9000 == 1 ? "\xff" : "k";
    events += (i > 1 ? ", " : "") + kernel(i, name);
    if (i % 6000 == 0) events += R"(, {"ph": "X" "cat": nonsense}, {"ph": "X", "ts": 1, "dur": 2})";
  }
  const std::filesystem::path file = folder_.write(document(events));
  const auto read = [&](unsigned threads) {
    auto text = require(load::TraceText::open(file, threads));
    Numbers numbers;
    const auto outcome = load::parse_trace(*text, numbers, [](std::string_view, std::string_view) {}, threads);
    std::vector<std::pair<std::string, std::int64_t>> told = {{"events", static_cast<std::int64_t>(outcome.events)}};
    for (const load::Issue& issue : outcome.issues) told.emplace_back(issue.name, issue.count);
    return std::pair(numbers.seen, told);
  };
  const auto alone = read(1);
  EXPECT_EQ(alone.first.size(), 20'000U);
  EXPECT_EQ(alone.second.size(), 4U) << "events, damaged, odd and mended ones";
  for (const unsigned threads : {2U, 5U}) EXPECT_EQ(read(threads), alone) << threads;
}

TEST_F(DamagedTraces, OneEventLongerThanAnySlice) {
  const std::string huge(std::size_t{3} << 20, 'n');
  const LoadedTrace trace(folder_.write(document(kernels(3) + "," + kernel(4, huge) + "," + kernel(5))));
  ASSERT_EQ(trace->kernels->rows, 5U);
  EXPECT_EQ(trace.name(trace->kernels->name[3]).size(), huge.size());
}

TEST_F(DamagedTraces, BytesThatAreNotTextBecomeMarks) {
  const LoadedTrace trace(
      folder_.write(document(kernels(100) + "," + kernel(101, "caf\xE9") + "," + kernel(102, "tab\there"))));
  ASSERT_EQ(trace->kernels->rows, 102U);
  EXPECT_EQ(trace.name(trace->kernels->name[100]), "caf?");
  EXPECT_EQ(trace.name(trace->kernels->name[101]), "tab here");
  EXPECT_TRUE(trace.issue("bad_text").has_value());
}

TEST_F(DamagedTraces, TimesThatAreMissingOrNegative) {
  const LoadedTrace trace(folder_.write(document(kernels(2) + R"(,
    {"ph": "X", "cat": "kernel", "name": "no start", "pid": 0, "tid": 7, "dur": 1, "args": {}},
    {"ph": "X", "cat": "kernel", "name": "no end", "pid": 0, "tid": 7, "ts": 9, "args": {}},
    {"ph": "X", "cat": "kernel", "name": "backwards", "pid": 0, "tid": 7, "ts": 9, "dur": -4, "args": {}},
    {"ph": "X", "cat": "kernel", "name": "words", "pid": 0, "tid": 7, "ts": "soon", "dur": [], "args": 7})")));
  EXPECT_EQ(trace->kernels->rows, 3U);
  EXPECT_EQ(trace.issue("no_start"), 2);
  EXPECT_EQ(trace.issue("bad_end"), 1);
  EXPECT_EQ(trace.issue("impossible_times"), 1);
}

TEST_F(DamagedTraces, TimeZeroAmongTimesSinceTheEpoch) {
  std::string events;
  const auto add = [&](const std::string& cat, const std::string& time) {
    events += (events.empty() ? "" : ",") +
              (R"({"ph": "X", "cat": ")" + cat + R"(", "name": "k", "pid": 0, "tid": 7, "ts": )" + time +
               R"(, "dur": 50, "args": {"device": 0, "stream": 7}})");
  };
  for (int i = 0; i < 30; ++i) add("kernel", i % 3 == 0 ? "0" : "17000000000" + std::to_string(10000 + 100 * i));
  add("python_function", "0");
  for (const std::set<ColumnId>& wanted : {every_column(), std::set<ColumnId>{col::kernels, col::properties}}) {
    const LoadedTrace trace(folder_.write(document(events)), wanted);
    EXPECT_EQ(trace->kernels->rows, 20U);
    EXPECT_EQ(trace.issue("impossible_times"), 10);
    EXPECT_EQ(trace->window->start, 0);
    EXPECT_EQ(trace->window->end, 2850000) << "from the second kernel to the end of the last, 28 times 100 us after";
    EXPECT_EQ(trace.property("origin_ns"), "1700000000010100000");
  }
}

TEST_F(DamagedTraces, AnEndThatIsFarFromAllOthers) {
  const std::string far = R"(, {"ph": "X", "cat": "kernel", "name": "far", "pid": 0, "tid": 7, "ts": 4, "dur": 9e14,
    "args": {"device": 0, "stream": 7}})";
  const LoadedTrace trace(folder_.write(document(kernels(5) + far)));
  EXPECT_EQ(trace->kernels->rows, 5U);
  EXPECT_EQ(trace.issue("impossible_times"), 1);
}

TEST_F(DamagedTraces, MemoryEventsWithoutATimeAreLeftOut) {
  const auto memory = [](const std::string& time) {
    return R"({"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, )" + time +
           R"("s": "t", "args": {"Device Type": 1, "Device Id": 0, "Bytes": 512, "Total Allocated": 512}})";
  };
  const LoadedTrace trace(folder_.write(document(kernels(2) + ", " + memory("\"ts\": 3, ") + ", " + memory("") + ", " +
                                                 memory("\"ts\": -9223372036854775, "))));
  ASSERT_NE(trace->allocations, nullptr);
  EXPECT_EQ(trace->allocations->rows, 1U);
  EXPECT_EQ(trace.issue("no_start"), 2);
}

/// Every byte of a small trace replaced by each of a few others: whatever comes out, nothing crashes.
TEST_F(DamagedTraces, AnyByteChanged) {
  const std::string whole =
      document(kernels(3), "\"deviceProperties\": [{\"id\": 0}], \"distributedInfo\": {\"rank\": 1},");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char byte : {'"', '{', '}', ']', ',', '\\', '\0', '\xff', '9'}) {
      std::string changed = whole;
      changed[at] = byte;
      const auto profile = load_profile({folder_.write(changed), kind::kTorch}, "x", every_column());
      if (profile) {
        EXPECT_TRUE(profile->view({}, {}).ok());
      }
    }
  }
}

}  // namespace assay::trace_damage_test
