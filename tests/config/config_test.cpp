#include "config/config.hpp"

#include "assay/study.hpp"
#include "config/pattern.hpp"
#include "config/toml_library.hpp"
#include "files/did_you_mean.hpp"
#include "question_of.hpp"
#include "refusal.hpp"
#include "study_tomls.hpp"
#include "support/test.hpp"

namespace assay::config_test {

/// The text of an option of the only analyzer.
std::string option(const Question& question, std::string_view name) {
  for (const RawOption& o : question.analyzers.at(0).options) {
    if (o.name == name) return std::get<std::string>(o.value.value);
  }
  return "(not given)";
}

TEST(Config, TakesOptionsOverFromFilesBesideTheQuestion) {
  const TempFolder folder;
  folder.write("configs/data/a.toml", "x = \"a\"\ny = \"a\"\nz = \"a\"\n");
  folder.write("configs/data/b.toml", "y = \"b\"\nz = \"b\"\n");
  const std::filesystem::path files[] = {
      folder.write("configs/q.toml",
                   "[question]\nid = \"q\"\n[analyzers.k]\nz = \"own\"\nfrom = [\"data/a.toml\", \"data/b.toml\"]\n")};
  const auto questions = require(read_configs(files));
  EXPECT_EQ(option(questions->front(), "x"), "a");
  EXPECT_EQ(option(questions->front(), "y"), "b");
  EXPECT_EQ(option(questions->front(), "z"), "own");
  EXPECT_EQ(option(questions->front(), "from"), "(not given)");
}

TEST(Config, TheLevelOfIntervalsIsOneOfTheQuestion) {
  const TempFolder folder;
  const auto level = [&](std::string_view line) {
    const std::filesystem::path files[] = {
        folder.write("q.toml", "[question]\nid = \"q\"\n" + std::string(line) + "\n[analyzers.k]\n")};
    const auto questions = read_configs(files);
    return questions ? questions->front().level : -1;
  };
  EXPECT_EQ(level(""), 0.95);
  EXPECT_EQ(level("level = 0.9"), 0.9);
  for (const char* line : {"level = 1", "level = 1.0", "level = 0.4", "level = nan", "level = 95"}) {
    EXPECT_EQ(refusal("[question]\nid = \"q\"\n" + std::string(line) + "\n"),
              "q.toml:3:1: [question] level is the confidence level of every interval; expected a number from 0.5 to "
              "below 1, such as 0.95.")
        << line;
  }
  EXPECT_TRUE(contains(refusal("[question]\nid = \"q\"\nlevel = \"high\"\n"), "expected a number"));
}

TEST(Config, ALabelThatIsARankIsDescriptive) {
  const std::string start = "[question]\nid = \"q\"\n[labels]\npatterns = [\"{v}_rank{r}\"]\nv = {}\n";
  const TempFolder folder;
  const std::filesystem::path files[] = {
      folder.write("q.toml", start + "r = { type = \"int\", rank = true }\n[analyzers.k]\n")};
  const auto questions = require(read_configs(files));
  const std::vector<LabelSpec>& labels = questions->front().labels.labels;
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_FALSE(labels[0].rank);
  EXPECT_TRUE(labels[1].rank && labels[1].descriptive);
  EXPECT_TRUE(contains(refusal(start + "r = { rank = true, descriptive = false }\n[analyzers.k]\n"),
                       "is a rank but not descriptive"));
}

TEST(Config, RejectsAFileThatHasNoOptions) {
  const auto with = [](std::string_view from) {
    return refusal("[question]\nid = \"q\"\n[analyzers.k]\nfrom = " + std::string(from) + "\n");
  };
  EXPECT_TRUE(says(with("\"none.toml\""), "q.toml:4:1: ", {"does not exist"}));
  EXPECT_TRUE(says(with("\"q.toml\""), "q.toml:4:1: ", {"which is a question"}));
  EXPECT_TRUE(contains(with("3"), "expected a text"));
  EXPECT_TRUE(contains(with("[3]"), "expected only texts"));
}

TEST(Config, ReadsSheetsAndRefusesThoseThatNameNothing) {
  const Question q = question_of(
      "[question]\nid = \"q\"\n[labels]\npx = { type = \"int\" }\n[[sheet]]\nid = \"sweep\"\nfiles = "
      "[\"s*.csv\"]\npatterns = [\"s_{px}\"]\n");
  ASSERT_EQ(q.sheets.size(), 1U);
  EXPECT_EQ(q.sheets[0].id, "sweep");
  EXPECT_TRUE(equals(q.sheets[0].files, {"s*.csv"}));
  const auto with = [](std::string_view sheet) {
    return refusal("[question]\nid = \"q\"\n[[sheet]]\n" + std::string(sheet));
  };
  EXPECT_TRUE(contains(with("files = [\"a\"]\n"), "id"));
  EXPECT_TRUE(contains(with("id = \"a\"\n"), "names no files"));
  EXPECT_TRUE(contains(with("id = \"a\"\nfiles = [\"a\"]\npatterns = [\"x{px}\"]\n"), "not a declared label"));
  EXPECT_TRUE(contains(with("id = \"a\"\nfiles = [\"a\"]\n[[sheet]]\nid = \"a\"\nfiles = [\"b\"]\n"), "is used twice"));
  EXPECT_TRUE(contains(with("id = \"a\"\nfile = [\"a\"]\n"), "names no files"));
}

TEST(Config, SourcesThatClaimsAbbreviateAreSpelledOut) {
  const std::string head = "[question]\nid = \"q\"\nnote = \"Read the labels with care.\"\n";
  const auto claim = [](const std::string& source) {
    return "[[claim]]\nid = \"c\"\ntext = \"t\"\nsource = \"" + source + "\"\n";
  };
  const std::string table = "[sources]\nR = \"reproduction guide\"\nL = \"lessons\"\n";
  const Question q = question_of(head + table + claim("L, R: twice"));
  EXPECT_EQ(q.note, "Read the labels with care.");
  ASSERT_EQ(q.sources.size(), 2U);
  EXPECT_EQ(q.sources[0].id + "=" + q.sources[0].text, "R=reproduction guide") << "in the order of the file";
  EXPECT_EQ(q.sources[1].id, "L");
  EXPECT_EQ(refusal(head + claim("X")), "accepted") << "without the table a source is any text";
  EXPECT_EQ(refusal(head + table + claim("published study, second part")), "accepted");
  EXPECT_EQ(refusal(head + table + claim("R, X")),
            "q.toml:10:1: the claim 'c' has the source 'X', which [sources] does not define; add X = \"...\" there.");
  EXPECT_TRUE(contains(refusal(head + "[sources]\n\"R,E\" = \"both\"\n"), "[sources] defines 'R,E'; expected one"));
  EXPECT_TRUE(
      contains(refusal(head + "[sources]\nR = 3\n"), "q.toml:5:1: [sources] R is an integer; write the full name"));
  EXPECT_TRUE(contains(refusal(head + "[sources]\nR = \"\"\n"), "[sources] R is empty; write the full name"));
}

TEST(Config, ReadsEverySection) {
  const Question q = question_of(R"([question]
id = "rq1"
title = "RQ1 architecture"
text = "Where?"
[reports]
folder = "rq1_model"
include = ["**/*.sqlite"]
exclude = ["old/*"]
[noise]
reports = ["rq3", "../rq4"]
[window]
nvtx = "test_double_buffer"
mode = "host"
fallback = "capture"
[iterations]
nvtx = "test_vit_forward_{i}"
[labels]
patterns = ["vit{patch}x{dim}"]
[[labels.suffix]]
match = "_compiled"
set = { compile = "default" }
implies = { patch = "08" }
[labels.patch]
type = "int"
changes = ["kernels", "sync"]
[labels.dim]
type = "int"
values = [1024, 384]
default = 384
[labels.compile]
values = ["none", "default"]
descriptive = true
[[matrix]]
dim = [384, 1024]
patch = 8
[analyzers.run_summary]
[analyzers.cliff]
axis = "dim"
share = 0.8
n = 3
on = true
list = ["a", "b"]
numbers = [1, 2.5]
none = []
[[claim]]
id = "c1"
text = "It jumps."
source = "R"
metric = "gpu.busy"
between = [1.3, inf]
)" + std::string());
  EXPECT_EQ(q.id, "rq1");
  EXPECT_EQ(q.title, "RQ1 architecture");
  EXPECT_EQ(q.text, "Where?");
  EXPECT_EQ(q.reports.folder, "rq1_model");
  EXPECT_TRUE(equals(q.reports.include, {"**/*.sqlite"}));
  EXPECT_TRUE(equals(q.reports.exclude, {"old/*"}));
  EXPECT_TRUE(equals(q.noise_reports, {"rq3", "../rq4"}));
  EXPECT_EQ(q.window, (WindowSpec{"test_double_buffer", WindowMode::kHost, true}));
  EXPECT_EQ(q.iterations.nvtx, std::vector<std::string>{"test_vit_forward_{i}"});
  ASSERT_EQ(q.labels.labels.size(), 3U);
  EXPECT_EQ(q.labels.labels[0].name, "patch") << "labels stand in the order of the file";
  EXPECT_EQ(q.labels.labels[0].changes, kChangesKernels | kChangesSync);
  EXPECT_EQ(q.labels.labels[1].default_value, "384");
  EXPECT_TRUE(equals(q.labels.labels[1].values, {"1024", "384"}));
  EXPECT_TRUE(q.labels.labels[2].descriptive);
  ASSERT_EQ(q.labels.suffixes.size(), 1U);
  EXPECT_TRUE(equals(q.labels.suffixes[0].set, {{"compile", "default"}}));
  EXPECT_TRUE(equals(q.labels.suffixes[0].implies, {{"patch", "8"}})) << "values stand in their normal form";
  ASSERT_EQ(q.matrix.size(), 1U);
  EXPECT_TRUE(equals(q.matrix[0].values, {{"dim", {"384", "1024"}}, {"patch", {"8"}}}));
  ASSERT_EQ(q.analyzers.size(), 2U);
  EXPECT_EQ(q.analyzers[1].id, "cliff");
  EXPECT_EQ(q.analyzers[1].pos.line, 37U);
  const auto& options = q.analyzers[1].options;
  ASSERT_EQ(options.size(), 7U);
  EXPECT_EQ(std::get<std::string>(options[0].value.value), "dim");
  EXPECT_EQ(options[0].value.pos.line, 38U);
  EXPECT_EQ(std::get<double>(options[1].value.value), 0.8);
  EXPECT_EQ(std::get<std::int64_t>(options[2].value.value), 3);
  EXPECT_TRUE(std::get<bool>(options[3].value.value));
  EXPECT_TRUE(equals(std::get<std::vector<std::string>>(options[4].value.value), {"a", "b"}));
  EXPECT_TRUE(equals(std::get<std::vector<double>>(options[5].value.value), {1, 2.5}));
  EXPECT_TRUE(is_empty(std::get<std::vector<std::string>>(options[6].value.value)));
  ASSERT_EQ(q.claims.size(), 1U);
  EXPECT_EQ(q.claims[0].id, "c1");
  ASSERT_EQ(q.claims[0].keys.size(), 2U);
  EXPECT_EQ(q.claims[0].keys[0].name, "metric");
}

TEST(Config, OnlyTheIdIsNeeded) {
  const Question q = question_of("[question]\nid = \"a\"\n");
  EXPECT_EQ(q.title, "a");
  EXPECT_EQ(q.text, "a");
  EXPECT_TRUE(q.window.nvtx.empty());
}

constexpr const char* kHead = "[question]\nid = \"a\"\n";
const char* const kNotToml = "not valid TOML";

struct Mistake {
  const char* toml;  ///< after kHead
  const char* where;
  std::vector<const char*> parts;
  friend void PrintTo(const Mistake& mistake, std::ostream* to) { *to << mistake.toml; }
};

class ConfigMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(ConfigMistakes, AreSaidWithTheirPlace) {
  const std::string sentence = refusal(std::string(kHead) + GetParam().toml);
  EXPECT_TRUE(starts_with(sentence, std::string("q.toml:") + GetParam().where + ": "));
  for (const char* part : GetParam().parts) EXPECT_TRUE(contains(sentence, part));
}

INSTANTIATE_TEST_SUITE_P(
    Config, ConfigMistakes,
    ::testing::Values(
        Mistake{"[question]\nid = \"b\"", "3:1", {"written twice", "'question'", "merge the two"}},
        Mistake{
            "[analyzers.run_summary]\n[analyzers.run_summary]", "4:1", {"written twice", "'analyzers.run_summary'"}},
        Mistake{"title = \"a\"\ntitle = \"b\"", "4:9", {"written twice", "'title'"}},
        Mistake{"titel = 1", "3:1", {"[question] has no key 'titel'", "'title'?"}},
        Mistake{"zzzzzz = 1", "3:1", {"its keys are id, title, text"}},
        Mistake{"title = 5", "3:1", {"[question] title is an integer; expected a text"}},
        Mistake{"[windw]\nnvtx = \"x\"", "3:2", {"no key 'windw'", "'window'?"}},
        Mistake{"[window]\nmode = \"host\"", "3:1", {"[window] has no 'nvtx'"}},
        Mistake{"[window]\nnvtx = \"x\"\nmode = \"hots\"", "5:1", {"[window] mode is 'hots'"}},
        Mistake{"[window]\nnvtx = \"x\"\nfallback = \"none\"", "5:1", {"expected \"capture\""}},
        Mistake{"[iterations]\nnvtx = \"step_{j}\"", "4:1", {"{i} in place of its number"}},
        Mistake{"[iterations]\nnvtx = \"{i}\"", "4:1", {"{i} in place of its number"}},
        Mistake{"[iterations]\nnvtx = \"{i}_{i}\"", "4:1", {"{i} in place of its number"}},
        Mistake{"[reports]\ninclude = \"*.sqlite\"", "4:1", {"[reports] include is a text; expected a list of texts"}},
        Mistake{"[reports]\ninclude = [1]", "4:12", {"holds an integer"}},
        Mistake{"[noise]\nreport = []", "4:1", {"'reports'?"}},
        Mistake{"[labels]\npattern = [\"a\"]", "4:1", {"a label is a table", "'patterns'?"}},
        Mistake{"[labels]\npatterns = [\"d{dim}\"]", "4:1", {"placeholder 'dim', which is not a declared label"}},
        Mistake{"[labels]\npatterns = [\"d{dmi}\"]\ndim = {}", "4:1", {"'dim'?"}},
        Mistake{"[labels]\npatterns = [\"d{dim\"]\ndim = {}", "4:1", {"has a '{' without its '}'"}},
        Mistake{"[labels]\nDim = {}", "4:1", {"is not a name for a label"}},
        Mistake{
            "[labels.dim]\ntype = \"integer\"", "4:1", {"type is 'integer'; expected \"int\", \"number\" or \"text\""}},
        Mistake{"[labels.dim]\ntype = \"int\"\ndefault = \"x\"", "5:1", {"'x', which is not an integer"}},
        Mistake{"[labels.dim]\ntype = \"int\"\nvalues = [1, 2]\ndefault = 3",
                "6:1",
                {"not one of the declared values 1, 2"}},
        Mistake{"[labels.dim]\nvalues = [\"a\", \"a\"]", "4:1", {"holds 'a' twice"}},
        Mistake{"[labels.dim]\nvalues = []", "4:1", {"not a list of values"}},
        Mistake{"[labels.dim]\nchanges = [\"kernel\"]", "4:1", {"\"kernels\", \"copies\" or \"sync\""}},
        Mistake{"[labels.dim]\ndefualt = 3", "4:1", {"[labels.dim] has no key 'defualt'", "'default'?"}}));

INSTANTIATE_TEST_SUITE_P(
    Names, ConfigMistakes,
    ::testing::Values(
        Mistake{"[[labels.suffix]]\nmatch = \"_x\"\nset = { dim = 1 }\n[labels.dim]\n",
                "3:1",
                {"no pattern for what comes before"}},
        Mistake{"[labels]\npatterns = [\"a\"]\n[[labels.suffix]]\nmatch = \"_x\"", "5:1", {"sets no label"}},
        Mistake{"[labels]\npatterns = [\"a\"]\n[[labels.suffix]]\nmatch = \"_x\"\nset = { d = 1 }",
                "7:9",
                {"names 'd', which is not a declared label"}},
        Mistake{
            "[labels]\npatterns = [\"a\"]\nd = {type=\"int\"}\n[[labels.suffix]]\nmatch = \"_x\"\nset = { d = \"y\" }",
            "8:9",
            {"'y', which is not an integer"}},
        Mistake{"[labels]\npatterns = [\"a\"]\nd = {}\n[[labels.suffix]]\nmatch = \"_{d}\"\nsets = { d = 1 }",
                "8:1",
                {"[[labels.suffix]] has no key 'sets'", "'set'"}},
        Mistake{"[labels]\nsuffix = {}", "4:1", {"each one begins with a line [[labels.suffix]]"}}));

INSTANTIATE_TEST_SUITE_P(
    Rest, ConfigMistakes,
    ::testing::Values(
        Mistake{"[[matrix]]\ndim = [1]", "4:1", {"names 'dim', which is not a declared label"}},
        Mistake{"[[matrix]]\n", "3:1", {"names no label"}},
        Mistake{"[labels.d]\n[[matrix]]\nd = []", "5:1", {"empty list"}},
        Mistake{"[labels.d]\ntype = \"int\"\n[[matrix]]\nd = [\"x\"]", "6:1", {"not an integer"}},
        Mistake{"[labels.d]\n[labels.e]\n[[matrix]]\n\"d,e\" = [[1]]", "6:1", {"a list of lists with 2 values each"}},
        Mistake{"[labels.d]\n[labels.e]\n[[matrix]]\n\"d,e\" = [[1, 2]]\nd = 1", "5:1", {"label 'd' twice"}},
        Mistake{"[analyzers]\nrun_summary = true", "4:1", {"enabled by a line [analyzers.run_summary]"}},
        Mistake{"[analyzers.x]\na = 1979-05-27", "4:1", {"is a date or time"}},
        Mistake{"[analyzers.x]\na = [1, \"b\"]", "4:1", {"mixed types"}},
        Mistake{"[[claim]]\ntext = \"x\"", "3:1", {"[[claim]] has no 'id'"}},
        Mistake{"[[claim]]\nid = \"a\"\ntext = \"x\"\n[[claim]]\nid = \"a\"\ntext = \"y\"", "7:1", {"is used twice"}},
        Mistake{"[claim]\nid = \"a\"", "3:2", {"each one begins with a line [[claim]]"}},
        Mistake{"[study]\nconfigs = [\"x\"]", "3:2", {"either a [question] or a [study]"}},
        Mistake{"id = 1", "3:6", {"\'id\' is written twice"}},
        Mistake{"[window", "3:8", {"no closing bracket; write [window]."}},
        Mistake{"[[claim] # first", "3:8", {"no closing bracket; write [[claim]]."}}));

/// The parser takes a bare word for a number and says which letter it expected there: "expected 'inf', saw 'int'".
INSTANTIATE_TEST_SUITE_P(
    TextsWithoutQuotes, ConfigMistakes,
    ::testing::Values(
        Mistake{"[labels]\ngpu = { type = int }", "4:16", {"put quotes around it: \"int\"."}},
        Mistake{"[labels]\ngpu = { default = 1, type = int }", "4:29", {"put quotes around it: \"int\"."}},
        Mistake{"[labels.mode]\nvalues = [\"a=b\", bf16]", "4:18", {"put quotes around it: \"bf16\"."}},
        Mistake{"[labels.mode]\nvalues = [\n  fp16, \"bf16\",\n]", "5:3", {"put quotes around it: \"fp16\"."}},
        Mistake{"[window]\nnvtx = train_step # one", "4:8", {"put quotes around it: \"train_step\"."}}));

TEST(Config, RefusesFilesThatAskNothing) {
  EXPECT_TRUE(contains(refusal(""), "neither [question] nor [study]"));
  EXPECT_TRUE(says(refusal("[qestion]\nid = \"a\""), "q.toml:1:1: ", {"'question'?"}));
  EXPECT_TRUE(contains(refusal("[question]\nid = \"A b\""), "lowercase letters"));
  EXPECT_TRUE(contains(refusal("[question]\n"), "[question] has no 'id'"));
  EXPECT_TRUE(contains(refusal("[question]\nid = \"a\"\n[# no name\n"), kNotToml));
  EXPECT_TRUE(
      contains(refusal("[question]\nid = \"a\"\n # \u00e9\n  \u00e9 = 1\n"), std::string(":4:3: this is ") + kNotToml));
  EXPECT_TRUE(contains(refusal("\xEF\xBB\xBF"), "neither [question] nor [study]"));
  EXPECT_EQ(refusal("[question]\nid = \"a\"\ntext = \"\"\"\n\u00e9\"\n\\\"\"\"\"\"\ntitle = '\u00e9\\'\n"), "accepted");
  EXPECT_TRUE(contains(refusal(std::string("[question]\nid = \"a\"\ntext = \"\xff\"\n")), kNotToml));
}

/// In a constant nothing undefined compiles: one character of each stretch that toml++ tells apart.
template <std::size_t... stretch>
constexpr bool none_is_undefined(std::index_sequence<stretch...> /*all*/) {
  return (... && !toml::impl::is_whitespace(static_cast<char32_t>(0xA1 + 0x3FA * stretch)));
}
static_assert(none_is_undefined(std::make_index_sequence<64>()));
static_assert(!toml::impl::is_whitespace(U'\uFE7F') && toml::impl::is_whitespace(U'\uFEFF'));

TEST(Config, WhiteSpaceOfTomlIsToldOfEveryCharacter) {
  constexpr std::u32string_view spaces =
      U"\t\n\v\f\r \u0085\u00A0\u1680\u180E\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u200B"
      U"\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF";
  for (char32_t c = 0; c <= 0x10FFFF; ++c)
    ASSERT_EQ(toml::impl::is_whitespace(c), spaces.find(c) != spaces.npos) << std::hex << static_cast<unsigned>(c);
}

/// The places where the library asks whether a character is white space.
TEST(Config, CharactersOfEveryKindWhereWhiteSpaceMayStand) {
  for (const std::string c : {"\u00e9", "\u0416", "\u2c5f", "\u3042", "\ufb27", "\ufe7f", "\ufefe"}) {
    const std::string head = "[question]\nid = \"a\"\n";
    EXPECT_FALSE(contains(refusal(head + "title = \"\"\"a \\\n   " + c + "\"\"\"\n"), kNotToml)) << c;
    EXPECT_FALSE(contains(refusal(head + "\"" + c + "\" = 1\n"), kNotToml)) << c;
    EXPECT_TRUE(contains(refusal(head + "title = \"\"\"\\" + c + "\"\"\"\n"), kNotToml)) << c;
    EXPECT_TRUE(contains(refusal(head + "title = z\"" + c + "\"\n"), kNotToml)) << c;
    EXPECT_TRUE(contains(refusal(head + "title = 1'" + c + "'\n"), kNotToml)) << c;
    EXPECT_TRUE(contains(refusal(head + "title'" + c + "' = 1\n"), kNotToml)) << c;
    EXPECT_TRUE(contains(refusal(head + c + " = 1\n"), kNotToml)) << c;
  }
}

TEST(Config, AMatrixTooLargeIsRefused) {
  std::string toml = std::string(kHead) + "[labels]\na={}\nb={}\nc={}\n[[matrix]]\n";
  std::string values;
  for (int i = 0; i < 100; ++i) values += std::to_string(i) + ",";
  for (const char* label : {"a", "b", "c"}) toml += std::string(label) + " = [" + values + "]\n";
  EXPECT_TRUE(contains(refusal(toml), "more than 100000 runs"));
}

TEST(Config, DidYouMeanOffersOnlyWhatIsNear) {
  const std::string known[] = {"patterns", "suffix", "axis"};
  EXPECT_EQ(did_you_mean("paterns", known), " Did you mean 'patterns'?");
  EXPECT_EQ(did_you_mean("xais", known), " Did you mean 'axis'?") << "swapped neighbours are one edit";
  EXPECT_EQ(did_you_mean("completely", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
  EXPECT_EQ(did_you_mean(std::string(100000, 'a'), known), "");
}

TEST(Config, PatternsAreCutIntoTextAndPlaceholders) {
  const auto parts = require(parse_pattern("gpu{gpu}_vit{patch}x"));
  ASSERT_EQ(parts->size(), 5U);
  EXPECT_EQ((*parts)[1].text, "gpu");
  EXPECT_TRUE((*parts)[1].placeholder);
  EXPECT_EQ((*parts)[2].text, "_vit");
  for (const char* wrong : {"", "{", "}", "{}", "a{b", "a}b", "{a}{b}", "{a{b}}"})
    EXPECT_FALSE(parse_pattern(wrong).ok()) << wrong;
}

}  // namespace assay::config_test
