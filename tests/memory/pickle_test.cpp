#include "pickle.hpp"

#include "made_pickle.hpp"
#include "snapshot.hpp"
#include "support/test.hpp"

namespace assay {
namespace pickle_test {

using memory_snapshot::ByteSource;
using memory_snapshot::Kind;
using memory_snapshot::Pickle;
using memory_snapshot::Refusal;
using memory_snapshot::Value;
using test::dict;
using test::list;
using test::little_endian;
using test::pickled;
using test::whole;

constexpr std::size_t kEnough = std::size_t{64} << 20U;

/// Leaves all containers as they are.
class NoRecords final : public memory_snapshot::RecordBuilder {
 public:
  Value build(Kind, std::span<const Value>, const Pickle&) override { return {}; }
  Value extend(Value record, std::span<const Value>, const Pickle&) override { return record; }
  [[nodiscard]] std::size_t bytes() const override { return 0; }
};

/// A value as Python's repr shows it; in a container that is its own part: "...".
std::string repr(const Pickle& pickle, Value value, int depth = 0) {
  value = pickle.resolve(value);
  if (depth > 8) return "...";
  switch (value.kind) {
    case Kind::kNone:
      return "None";
    case Kind::kBoolean:
      return value.number != 0 ? "True" : "False";
    case Kind::kInteger:
      return std::to_string(value.number);
    case Kind::kReal:
      return std::to_string(std::bit_cast<double>(value.number));
    case Kind::kText:
      return "'" + std::string(pickle.text(value)) + "'";
    default:
      break;
  }
  const bool is_dict = value.kind == Kind::kDict;
  std::string text;
  const auto values = pickle.values(value);
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : is_dict && i % 2 == 1 ? ": " : ", ") + repr(pickle, values[i], depth + 1);
  return value.kind == Kind::kTuple ? "(" + text + ")" : is_dict ? "{" + text + "}" : "[" + text + "]";
}

std::string read(const std::string& bytes, std::size_t window = ByteSource::kWindow, std::size_t memory = kEnough) {
  const test::MadeFile file(bytes);
  NoRecords none;
  Pickle pickle(none, memory);
  ByteSource source(file.path(), window);
  const Value value = pickle.read(source);
  return repr(pickle, value);
}

/// The sentence of a refusal; empty: the bytes were read.
std::string refusal(const std::string& bytes, std::size_t memory = kEnough) {
  try {
    read(bytes, ByteSource::kWindow, memory);
  } catch (const Refusal& refused) {
    return refused.what();
  }
  return {};
}

TEST(Pickle, ReadsEachOpcodeThatMakesData) {
  const std::string all = "(K\x05M\x01\x02J\xFE\xFF\xFF\xFF" + std::string("\x8a\x01\xff\x8a\x00", 5) + "\x8b" +
                          std::string("\x02\x00\x00\x00\x00\x01", 6) + pickled(std::int64_t{1} << 40) + "\x8a\x09" +
                          std::string("\xff\xff\xff\xff\xff\xff\xff\x7f\x00", 9) + "G" +
                          std::string("\x3f\xf8\x00\x00\x00\x00\x00\x00", 8) + "\x88\x89N\x8c\x02hiX" +
                          std::string("\x01\x00\x00\x00y", 5) + "\x8d" +
                          std::string("\x01\x00\x00\x00\x00\x00\x00\x00z", 9) +
                          ")K\x01\x85K\x01K\x02\x86K\x01K\x02K\x03\x87(K\x04K\x05t" + "t";
  const std::string expected =
      "(5, 513, -2, -1, 0, 256, 1099511627776, 9223372036854775807, 1.500000, True, False, None, 'hi', 'y', 'z', (), "
      "(1), (1, 2), (1, 2, 3), (4, 5))";
  EXPECT_EQ(read("\x80\x04\x95" + std::string(8, '\0') + all + "."), expected);
  EXPECT_EQ(read("\x80\x05" + all + ".", 1), expected) << "through a window of one byte";
}

TEST(Pickle, FillsContainersAtOnceAndBit) {
  EXPECT_EQ(read(whole(list({pickled(1), pickled("a"), list({})}))), "[1, 'a', []]");
  EXPECT_EQ(read(whole("](K\x01"
                       "e(K\x02"
                       "eK\x03"
                       "a")),
            "[1, 2, 3]");
  EXPECT_EQ(
      read(whole("}(X" + std::string("\x01\x00\x00\x00k", 5) + "K\x01uX" + std::string("\x01\x00\x00\x00l", 5) + "Ns")),
      "{'k': 1, 'l': None}");
  EXPECT_EQ(read(whole("K\x07K\x08"
                       "0(K\x01"
                       "1")),
            "7")
      << "what is taken away is gone";
}

TEST(Pickle, SharesWhatTheMemoHolds) {
  EXPECT_EQ(read(whole("](K\x01q\x05h\x05G" + std::string(8, '\0') + "r\x07\x01" + std::string(2, '\0') + "j\x07\x01" +
                       std::string(2, '\0') + "e")),
            "[1, 1, 0.000000, 0.000000]");
  EXPECT_EQ(read(whole(std::string("](]\x94h\x00K\x02", 8) + "ae")), "[[2], [2]]")
      << "one list, filled where it stands twice";
}

TEST(Pickle, ReadsContainersThatHoldThemselves) {
  EXPECT_EQ(read(whole(std::string("]\x94h\x00"
                                   "a",
                                   5))),
            "[[[[[[[[[...]]]]]]]]]");
}

TEST(Pickle, ReadsDeepListsWithoutRecursion) {
  constexpr std::size_t kDeep = 200000;
  const std::string text = read(whole(std::string(kDeep, ']') + std::string(kDeep - 1, 'a')));
  EXPECT_TRUE(contains(text, "[[[[[[[[[...]]]]]]]]]"));
}

TEST(Pickle, RefusesByNameWhatImportsOrCalls) {
  const std::pair<const char*, std::string> calls[] = {{"GLOBAL os.system.", "cos\nsystem\n"},
                                                       {"INST os.system.", "(ios\nsystem\n"},
                                                       {"STACK_GLOBAL posix.system", "\x8c\x05posix\x8c\x06system\x93"},
                                                       {"(REDUCE)", "NN)R"},
                                                       {"(BUILD)", "NNb"},
                                                       {"(OBJ)", "(o"},
                                                       {"(NEWOBJ)", "N)\x81"},
                                                       {"(NEWOBJ_EX)", "N)}\x92"},
                                                       {"(EXT1)", "\x82\x01"},
                                                       {"(EXT2)", "\x83\x01\x01"},
                                                       {"(EXT4)", "\x84\x01\x01\x01\x01"},
                                                       {"(PERSID)", "Pid\n"},
                                                       {"(BINPERSID)", "NQ"},
                                                       {"(NEXT_BUFFER)", "\x97"},
                                                       {"(READONLY_BUFFER)", "N\x98"}};
  for (const auto& [name, bytes] : calls) {
    const std::string sentence = refusal(whole(bytes));
    EXPECT_TRUE(contains(sentence, name)) << sentence;
    EXPECT_TRUE(contains(sentence, "asks to import or call something")) << sentence;
  }
}

TEST(Pickle, RefusesWhatNoSnapshotHas) {
  EXPECT_TRUE(contains(refusal("\x80\x01N."), "protocol 1"));
  EXPECT_TRUE(contains(refusal("\x80\x06N."), "protocol 6"));
  for (const char* early : {"(dp0\nVsegments\np1\n(lp2\ns.", "}q\x01X\x08"}) {
    EXPECT_TRUE(contains(refusal(early), "protocol 0 or 1; expected 2 to 5")) << early;
    EXPECT_TRUE(memory_snapshot::begins_like_a_snapshot(std::string(early) + "segments"));
  }
  EXPECT_TRUE(contains(refusal(whole("I1\n")), "byte 2: the pickle has the opcode 0x49"));
  EXPECT_TRUE(contains(refusal(whole("\x8a\x0a" + std::string(10, '\x01'))), "more than 64 bits"));
  EXPECT_TRUE(contains(refusal(whole(std::string(300, '('))), "deeper than 256"));
}

TEST(Pickle, RefusesEachCutAndEachOddStack) {
  const std::string good = whole(dict({{"k", list({pickled(1), pickled("text")})}, {"f", "G" + std::string(8, '\0')}}));
  ASSERT_EQ(refusal(good), "");
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(refusal(good.substr(0, size)), "") << size;
  for (const char* odd : {"", "a", "s", "u", "e", "t", "\x85", "NNa", "N(Ne", "](Nu", "}(Nu", "0", "1", "](0e", "h\x01",
                          "(\x94", "NN", "(", "](NaNe"})
    EXPECT_NE(refusal(whole(odd)), "") << odd;
}

TEST(Pickle, AsksForNoMemoryThatAFileOnlySpeaksOf) {
  EXPECT_TRUE(contains(refusal(whole("\x8d" + little_endian(std::uint64_t{1} << 62))), "ends within a text"));
  EXPECT_TRUE(contains(refusal(whole("B" + little_endian(std::uint32_t{0xFFFFFFFF}))), "ends within a text"));
  EXPECT_TRUE(contains(refusal(whole("Nr" + little_endian(std::uint32_t{0xFFFFFFFF}))), "out of order"));
  std::string holes = "N";
  for (std::uint32_t i = 1; i < 1000; ++i) holes += "r" + little_endian(i * 1000000);
  EXPECT_TRUE(contains(refusal(whole(holes)), "more than 64 MiB"));
  EXPECT_TRUE(contains(refusal(whole(std::string(std::size_t{8} << 20U, 'N'))), "more than 64 MiB"));
}

}  // namespace pickle_test
}  // namespace assay
