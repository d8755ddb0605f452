// Every way in which a library may fail the handshake, and the sentence that says so.
#include "plugins/handshake.hpp"

#include <elf.h>

#include "fixtures.hpp"
#include "support/test.hpp"

namespace assay::handshake_test {

using fixture::test_plugin;

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
  const auto plugin = require(Plugin::open(test_plugin("good")));
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
  EXPECT_TRUE(contains_all(refusal(test_plugin("no_symbol")), {"exports no 'assay_plugin'", "ASSAY_PLUGIN("}));
}

TEST(Handshake, AnUndefinedSymbolIsFoundWhenItIsLoaded) {
  EXPECT_TRUE(contains_all(refusal(test_plugin("undefined_symbol")), {"cannot be loaded", "defined_nowhere"}));
}

TEST(Handshake, WrongMagic) { EXPECT_TRUE(contains_all(refusal(test_plugin("wrong_magic")), {"magic", kHostVersion})); }

TEST(Handshake, OlderMajor) {
  EXPECT_TRUE(contains_all(
      refusal(test_plugin("older_major")),
      {"ABI " + std::to_string(kAbiMajor - 1) + ".", kHostVersion, "no longer reads", "rebuild the plugin"}));
}

TEST(Handshake, NewerMajor) {
  EXPECT_TRUE(contains_all(refusal(test_plugin("newer_major")), {"ABI " + std::to_string(kAbiMajor + 1) + ".",
                                                                 kHostVersion, "older major", "update assay"}));
}

TEST(Handshake, NewerMinor) {
  EXPECT_TRUE(contains_all(refusal(test_plugin("newer_minor")),
                           {"ABI " + std::to_string(kAbiMajor) + "." + std::to_string(kAbiMinor + 1), kHostVersion,
                            "older minor", "update assay"}));
}

TEST(Handshake, AStructureLargerThanTheHosts) {
  EXPECT_TRUE(contains_all(refusal(test_plugin("wrong_size")),
                           {"MetricSpec of " + std::to_string(sizeof(MetricSpec) + 8) + " bytes",
                            std::to_string(sizeof(MetricSpec)), "rebuild"}));
}

TEST(Handshake, AStructureSmallerThanAnyOfThisMajor) {
  EXPECT_TRUE(contains_all(refusal(test_plugin("smaller_spec")),
                           {"OptionSpec of " + std::to_string(sizeof(OptionSpec) - 8) + " bytes", "rebuild"}));
  EXPECT_TRUE(contains(refusal(test_plugin("smaller_descriptor")), "Descriptor of 8 bytes"));
}

TEST(Handshake, AGatherWithoutTheRowsOfAnAnalyze) {
  EXPECT_TRUE(contains_all(refusal(test_plugin("gathering")), {"gathers over the ranks", "no analyze"}));
}

TEST(Handshake, AReportLargerThanTheHosts) {
  EXPECT_TRUE(
      contains(refusal(test_plugin("larger_report")), "Report of " + std::to_string(sizeof(Report) + 8) + " bytes"));
}

TEST(Handshake, NoStage) { EXPECT_TRUE(contains(refusal(test_plugin("no_stage")), "has neither stage")); }

TEST(Handshake, RejectsFilesThatAreNotLibraries) {
  const TempFolder folder;
  const fs::path text = folder.path() / "text.so";
  std::ofstream(text) << "this is not a library\n";
  const fs::path empty = folder.path() / "empty.so";
  std::ofstream(empty).flush();
  const fs::path directory = folder.path() / "directory.so";
  fs::create_directory(directory);
  const fs::path dangling = folder.path() / "dangling.so";
  fs::create_symlink("nowhere.so", dangling);
  EXPECT_TRUE(contains(refusal(text), "no ELF header"));
  EXPECT_TRUE(contains(refusal(empty), "no ELF header"));
  EXPECT_TRUE(contains(refusal(directory), "not a regular file"));
  EXPECT_TRUE(contains(refusal(dangling), "dangling link"));
  EXPECT_TRUE(contains(refusal(folder.path() / "absent.so"), "does not exist"));
  EXPECT_TRUE(contains(refusal("/proc/self/exe"), ": ")) << "a program, not a library";
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
  EXPECT_TRUE(contains(refusal(header), "truncated"));
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
  EXPECT_TRUE(contains(refusal_of_a_library_for(ELFCLASS64, ELFDATA2LSB, arm ? EM_X86_64 : EM_AARCH64),
                       "is built for " + other + ", this is " + here + "; rebuild the plugin on this machine"));
  EXPECT_TRUE(
      contains(refusal_of_a_library_for(ELFCLASS32, ELFDATA2LSB, EM_386), "is built for i386, this is " + here));
  EXPECT_TRUE(contains(refusal_of_a_library_for(ELFCLASS32, ELFDATA2LSB, EM_ARM), "is built for arm, this is " + here));
  EXPECT_TRUE(
      contains(refusal_of_a_library_for(ELFCLASS64, ELFDATA2MSB, EM_S390), "is built for s390x, this is " + here));
  EXPECT_TRUE(contains(refusal_of_a_library_for(ELFCLASS64, ELFDATA2LSB, 4711),
                       "is built for a machine with the ELF number 4711, this is " + here));
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
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.id = ""; }), "empty id"));
  for (const char* id : {"Upper", "1st", "with-dash", "with space", "dotted.id", "\xff"}) {
    EXPECT_TRUE(contains(problem_with([&](Descriptor& d) { d.id = id; }), "has the id '" + std::string(id) + "'"));
  }
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.id = Str(nullptr, 4); }), "cannot be read"));
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.version = ""; }), "no version"));
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.create = nullptr; }), "no constructor"));
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.stages = 0; }), "neither stage"));
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.stages = kStageAnalyze | 64U; }), "does not know"));
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.stages = kStageAnalyze | kStageJudge; }), "no conclude"));
}

TEST(Declarations, Metrics) {
  static constexpr MetricSpec good = {"x.y", "ns", Polarity::kNeutral, ""};
  const auto with = [](std::vector<MetricSpec> metrics) {
    return problem_with([&](Descriptor& d) { d.produces = metrics; });
  };
  EXPECT_EQ(with({good, {"x.z", "1", Polarity::kNeutral, ""}}), "");
  EXPECT_TRUE(contains(with({good, good}), "declares the metric 'x.y' twice"));
  for (const char* id : {"", "Upper.case", ".x", "x.", "x..y", "x y", "x;y", "x=y"}) {
    EXPECT_TRUE(contains(with({{id, "ns", Polarity::kNeutral, ""}}), "names a metric '" + std::string(id) + "'"));
  }
  EXPECT_TRUE(contains(with({{"x.y", "", Polarity::kNeutral, ""}}), "without a unit"));
  EXPECT_TRUE(contains(with({{"x.y", Str(nullptr, 3), Polarity::kNeutral, ""}}), "cannot be read"));
  EXPECT_TRUE(contains(with({{"x.y", "ns", static_cast<Polarity>(9), ""}}), "polarity"));
  EXPECT_TRUE(
      contains(problem_with([](Descriptor& d) { d.produces = Span<MetricSpec>(nullptr, 2); }), "cannot be read"));
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.produces.size = 1ULL << 40; }), "cannot be read"));
}

TEST(Declarations, OptionsClaimKeysAndAttributes) {
  static constexpr OptionSpec option = {"axis", OptionType::kText, "dim", "An axis."};
  const auto with = [](std::vector<OptionSpec> options) {
    return problem_with([&](Descriptor& d) { d.options = options; });
  };
  EXPECT_EQ(with({option}), "");
  EXPECT_TRUE(contains(with({option, option}), "declares the option 'axis' twice"));
  EXPECT_TRUE(contains(with({{"two words", OptionType::kText, "", ""}}), "names a option 'two words'"));
  EXPECT_TRUE(contains(with({{"x", static_cast<OptionType>(99), "", ""}}), "type"));
  EXPECT_TRUE(contains(with({{"x", OptionType::kNumber, "1", "", {}, 2, 1}}), "minimum above its maximum"));
  static constexpr OptionSpec text = {"text", OptionType::kText, "", ""};
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.claim_keys = Span<OptionSpec>(&text, 1); }), "'text'"));
  static constexpr AttributeSpec print = {"print", "A fingerprint."};
  const std::vector<AttributeSpec> twice = {print, print};
  EXPECT_TRUE(contains(problem_with([&](Descriptor& d) { d.attributes = twice; }), "attribute 'print' twice"));
}

TEST(Declarations, NeedsNameWhatTheHostHas) {
  static constexpr ColumnId known[] = {col::kernels, col::kernel_grid};
  static constexpr ColumnId unknown[] = {col::make(99, 1)};
  EXPECT_EQ(problem_with([](Descriptor& d) { d.needs = known; }), "");
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.needs = unknown; }), "kNeeds asks for column number"));
  EXPECT_TRUE(contains(problem_with([](Descriptor& d) { d.wants = unknown; }), "kWants asks for column number"));
}

}  // namespace assay::handshake_test
