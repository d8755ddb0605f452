// Every way in which a library may fail the handshake, and the sentence that says so.
#include "plugins/handshake.hpp"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "fixtures.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using fixture::TempFolder;
using fixture::test_plugin;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kHostVersion = std::to_string(kAbiMajor) + "." + std::to_string(kAbiMinor);

std::string refusal(const fs::path& file) {
  const Result<std::unique_ptr<Plugin>> plugin = Plugin::open(file);
  if (plugin) return "it was accepted";
  const std::string& sentence = plugin.error().sentence;
  EXPECT_TRUE(sentence.starts_with(file.string() + ": ")) << sentence;
  EXPECT_TRUE(sentence.ends_with(".")) << sentence;
  EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  EXPECT_EQ(plugin.error().exit, Exit::kUsage);
  return sentence;
}

TEST(Handshake, AcceptsAGoodPlugin) {
  const auto plugin = Plugin::open(test_plugin("good"));
  ASSERT_TRUE(plugin.ok()) << plugin.error().sentence;
  EXPECT_EQ((*plugin)->id(), "good");
  EXPECT_EQ((*plugin)->file(), test_plugin("good"));
  EXPECT_EQ((*plugin)->descriptor().stages, kStageAnalyze | kStageConclude);
  EXPECT_FALSE((*plugin)->descriptor().cxx_abi.empty());
}

TEST(Handshake, AcceptsAnOlderPluginThatKnowsLessOfTheReport) {
  const auto plugin = Plugin::open(test_plugin("smaller_report"));
  EXPECT_TRUE(plugin.ok()) << plugin.error().sentence;
}

TEST(Handshake, ALibraryWithoutTheSymbol) {
  EXPECT_THAT(refusal(test_plugin("no_symbol")),
              AllOf(HasSubstr("exports no 'assay_plugin'"), HasSubstr("ASSAY_PLUGIN(")));
}

TEST(Handshake, AnUndefinedSymbolIsFoundWhenItIsLoaded) {
  EXPECT_THAT(refusal(test_plugin("undefined_symbol")),
              AllOf(HasSubstr("cannot be loaded"), HasSubstr("defined_nowhere")));
}

TEST(Handshake, WrongMagic) {
  EXPECT_THAT(refusal(test_plugin("wrong_magic")), AllOf(HasSubstr("magic"), HasSubstr(kHostVersion)));
}

TEST(Handshake, OlderMajor) {
  EXPECT_THAT(refusal(test_plugin("older_major")),
              AllOf(HasSubstr("ABI " + std::to_string(kAbiMajor - 1) + "."), HasSubstr("this host has " + kHostVersion),
                    HasSubstr("no longer reads"), HasSubstr("rebuild the plugin")));
}

TEST(Handshake, NewerMajor) {
  EXPECT_THAT(refusal(test_plugin("newer_major")),
              AllOf(HasSubstr("ABI " + std::to_string(kAbiMajor + 1) + "."), HasSubstr("this host has " + kHostVersion),
                    HasSubstr("older major"), HasSubstr("update assay")));
}

TEST(Handshake, NewerMinor) {
  EXPECT_THAT(refusal(test_plugin("newer_minor")),
              AllOf(HasSubstr("ABI " + std::to_string(kAbiMajor) + "." + std::to_string(kAbiMinor + 1)),
                    HasSubstr("this host has " + kHostVersion), HasSubstr("older minor"), HasSubstr("update assay")));
}

TEST(Handshake, AStructureLargerThanTheHosts) {
  EXPECT_THAT(refusal(test_plugin("wrong_size")),
              AllOf(HasSubstr("MetricSpec of " + std::to_string(sizeof(MetricSpec) + 8) + " bytes"),
                    HasSubstr("this host has " + std::to_string(sizeof(MetricSpec))), HasSubstr("rebuild")));
}

TEST(Handshake, AStructureSmallerThanAnyOfThisMajor) {
  EXPECT_THAT(
      refusal(test_plugin("smaller_spec")),
      AllOf(HasSubstr("OptionSpec of " + std::to_string(sizeof(OptionSpec) - 8) + " bytes"), HasSubstr("rebuild")));
  EXPECT_THAT(refusal(test_plugin("smaller_descriptor")), HasSubstr("Descriptor of 8 bytes"));
}

TEST(Handshake, AGatherWithoutTheRowsOfAnAnalyze) {
  EXPECT_THAT(refusal(test_plugin("gathering")), AllOf(HasSubstr("gathers over the ranks"), HasSubstr("no analyze")));
}

TEST(Handshake, AReportLargerThanTheHosts) {
  EXPECT_THAT(refusal(test_plugin("larger_report")),
              HasSubstr("Report of " + std::to_string(sizeof(Report) + 8) + " bytes"));
}

TEST(Handshake, NoStage) { EXPECT_THAT(refusal(test_plugin("no_stage")), HasSubstr("has neither stage")); }

TEST(Handshake, FilesThatAreNoLibraries) {
  const TempFolder folder;
  const fs::path text = folder.path() / "text.so";
  std::ofstream(text) << "this is not a library\n";
  const fs::path empty = folder.path() / "empty.so";
  std::ofstream(empty).flush();
  const fs::path directory = folder.path() / "directory.so";
  fs::create_directory(directory);
  const fs::path dangling = folder.path() / "dangling.so";
  fs::create_symlink("nowhere.so", dangling);
  EXPECT_THAT(refusal(text), HasSubstr("no ELF header"));
  EXPECT_THAT(refusal(empty), HasSubstr("no ELF header"));
  EXPECT_THAT(refusal(directory), HasSubstr("not a regular file"));
  EXPECT_THAT(refusal(dangling), HasSubstr("dangling link"));
  EXPECT_THAT(refusal(folder.path() / "absent.so"), HasSubstr("does not exist"));
  EXPECT_THAT(refusal("/proc/self/exe"), HasSubstr(": ")) << "a program, not a library";
}

TEST(Handshake, ATruncatedLibraryIsRefusedBeforeItIsMapped) {
  const TempFolder folder;
  const auto whole = fs::file_size(test_plugin("good"));
  for (const std::uintmax_t part : {whole / 8, whole / 4, whole / 2}) {
    const fs::path file = folder.path() / (std::to_string(part) + ".so");
    fs::copy_file(test_plugin("good"), file);
    fs::resize_file(file, part);
    const std::string sentence = refusal(file);
    // What is cut off may be debug information only, which nothing maps; then the loader itself decides.
    EXPECT_TRUE(sentence == "it was accepted" || sentence.find("truncated") != std::string::npos ||
                sentence.find("cannot be loaded") != std::string::npos)
        << sentence;
  }
  const fs::path header = folder.path() / "header.so";
  fs::copy_file(test_plugin("good"), header);
  fs::resize_file(header, 64);
  EXPECT_THAT(refusal(header), HasSubstr("truncated"));
}

// The head of a library as another machine's compiler writes it, and no more: nothing behind it may be read before that
// is seen.
std::string refusal_of_a_library_for(unsigned char width, unsigned char order, std::uint16_t machine) {
  const TempFolder folder;
  const fs::path file = folder.path() / "foreign.so";
  std::string head(64, '\0');
  head.replace(0, 4, ELFMAG);
  head[EI_CLASS] = static_cast<char>(width);
  head[EI_DATA] = static_cast<char>(order);
  const auto low = static_cast<char>(machine & 0xFF), high = static_cast<char>(machine >> 8);
  head[18] = order == ELFDATA2LSB ? low : high;
  head[19] = order == ELFDATA2LSB ? high : low;
  std::ofstream(file, std::ios::binary) << head;
  return refusal(file);
}

TEST(Handshake, ALibraryForAnotherMachineNamesBoth) {
  const bool arm =
      refusal_of_a_library_for(ELFCLASS64, ELFDATA2LSB, EM_X86_64).find("is built for") != std::string::npos;
  const std::string here = arm ? "aarch64" : "x86_64", other = arm ? "x86_64" : "aarch64";
  EXPECT_THAT(refusal_of_a_library_for(ELFCLASS64, ELFDATA2LSB, arm ? EM_X86_64 : EM_AARCH64),
              HasSubstr("is built for " + other + ", this is " + here + "; rebuild the plugin on this machine"));
  EXPECT_THAT(refusal_of_a_library_for(ELFCLASS32, ELFDATA2LSB, EM_386),
              HasSubstr("is built for i386, this is " + here));
  EXPECT_THAT(refusal_of_a_library_for(ELFCLASS32, ELFDATA2LSB, EM_ARM),
              HasSubstr("is built for arm, this is " + here));
  EXPECT_THAT(refusal_of_a_library_for(ELFCLASS64, ELFDATA2MSB, EM_S390),
              HasSubstr("is built for s390x, this is " + here));
  EXPECT_THAT(refusal_of_a_library_for(ELFCLASS64, ELFDATA2LSB, 4711),
              HasSubstr("is built for a machine with the ELF number 4711, this is " + here));
}

// What a descriptor declares, spoiled one thing at a time.

std::string problem_with(const std::function<void(Descriptor&)>& spoil) {
  Descriptor descriptor = fixture::kJudge;
  spoil(descriptor);
  const auto plugin = Plugin::linked(descriptor);
  return plugin ? std::string() : plugin.error().sentence;
}

TEST(Declarations, AreAcceptedAsTheyAre) {
  EXPECT_EQ(problem_with([](Descriptor&) {}), "");
}

TEST(Declarations, IdentityAndStages) {
  EXPECT_THAT(problem_with([](Descriptor& d) { d.id = ""; }), HasSubstr("empty id"));
  for (const char* id : {"Upper", "1st", "with-dash", "with space", "dotted.id", "\xff"}) {
    EXPECT_THAT(problem_with([&](Descriptor& d) { d.id = id; }), HasSubstr("has the id '" + std::string(id) + "'"));
  }
  EXPECT_THAT(problem_with([](Descriptor& d) { d.id = Str(nullptr, 4); }), HasSubstr("cannot be read"));
  EXPECT_THAT(problem_with([](Descriptor& d) { d.version = ""; }), HasSubstr("no version"));
  EXPECT_THAT(problem_with([](Descriptor& d) { d.create = nullptr; }), HasSubstr("no constructor"));
  EXPECT_THAT(problem_with([](Descriptor& d) { d.stages = 0; }), HasSubstr("neither stage"));
  EXPECT_THAT(problem_with([](Descriptor& d) { d.stages = kStageAnalyze | 64U; }), HasSubstr("does not know"));
  EXPECT_THAT(problem_with([](Descriptor& d) { d.stages = kStageAnalyze | kStageJudge; }), HasSubstr("no conclude"));
}

TEST(Declarations, Metrics) {
  static constexpr MetricSpec good = {"x.y", "ns", Polarity::kNeutral, ""};
  const auto with = [](std::vector<MetricSpec> metrics) {
    return problem_with([&](Descriptor& d) { d.produces = metrics; });
  };
  EXPECT_EQ(with({good, {"x.z", "1", Polarity::kNeutral, ""}}), "");
  EXPECT_THAT(with({good, good}), HasSubstr("declares the metric 'x.y' twice"));
  for (const char* id : {"", "Upper.case", ".x", "x.", "x..y", "x y", "x;y", "x=y"}) {
    EXPECT_THAT(with({{id, "ns", Polarity::kNeutral, ""}}), HasSubstr("names a metric '" + std::string(id) + "'"));
  }
  EXPECT_THAT(with({{"x.y", "", Polarity::kNeutral, ""}}), HasSubstr("without a unit"));
  EXPECT_THAT(with({{"x.y", Str(nullptr, 3), Polarity::kNeutral, ""}}), HasSubstr("cannot be read"));
  EXPECT_THAT(with({{"x.y", "ns", static_cast<Polarity>(9), ""}}), HasSubstr("polarity"));
  EXPECT_THAT(problem_with([](Descriptor& d) { d.produces = Span<MetricSpec>(nullptr, 2); }),
              HasSubstr("cannot be read"));
  EXPECT_THAT(problem_with([](Descriptor& d) { d.produces.size = 1ULL << 40; }), HasSubstr("cannot be read"));
}

TEST(Declarations, OptionsClaimKeysAndAttributes) {
  static constexpr OptionSpec option = {"axis", OptionType::kText, "dim", "An axis."};
  const auto with = [](std::vector<OptionSpec> options) {
    return problem_with([&](Descriptor& d) { d.options = options; });
  };
  EXPECT_EQ(with({option}), "");
  EXPECT_THAT(with({option, option}), HasSubstr("declares the option 'axis' twice"));
  EXPECT_THAT(with({{"two words", OptionType::kText, "", ""}}), HasSubstr("names a option 'two words'"));
  EXPECT_THAT(with({{"x", static_cast<OptionType>(99), "", ""}}), HasSubstr("type"));
  EXPECT_THAT(with({{"x", OptionType::kNumber, "1", "", {}, 2, 1}}), HasSubstr("minimum above its maximum"));
  static constexpr OptionSpec text = {"text", OptionType::kText, "", ""};
  EXPECT_THAT(problem_with([](Descriptor& d) { d.claim_keys = Span<OptionSpec>(&text, 1); }), HasSubstr("'text'"));
  static constexpr AttributeSpec print = {"print", "A fingerprint."};
  const std::vector<AttributeSpec> twice = {print, print};
  EXPECT_THAT(problem_with([&](Descriptor& d) { d.attributes = twice; }), HasSubstr("attribute 'print' twice"));
}

TEST(Declarations, NeedsNameWhatTheHostHas) {
  static constexpr ColumnId known[] = {col::kernels, col::kernel_grid};
  static constexpr ColumnId unknown[] = {col::make(99, 1)};
  EXPECT_EQ(problem_with([](Descriptor& d) { d.needs = known; }), "");
  EXPECT_THAT(problem_with([](Descriptor& d) { d.needs = unknown; }), HasSubstr("kNeeds asks for column number"));
  EXPECT_THAT(problem_with([](Descriptor& d) { d.wants = unknown; }), HasSubstr("kWants asks for column number"));
}

}  // namespace
}  // namespace assay
