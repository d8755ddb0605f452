#include "catalog/catalog.hpp"
#include "config/question_of.hpp"
#include "config/study_tomls.hpp"
#include "load/report_names.hpp"
#include "support/test.hpp"

namespace assay::name_test {

/// "dim=384 px=224* mode=x!": '*' default, '!' implied.
std::string shown(const LabelRules& rules, const ParsedName& name) {
  std::string text;
  for (const LabelOfReport& value : name.labels) {
    const char* mark = value.origin == LabelOrigin::kDefault ? "*" : value.origin == LabelOrigin::kImplied ? "!" : "";
    text += (text.empty() ? "" : " ") + rules.labels[value.label].name + "=" + value.text + mark;
  }
  return text;
}

struct Rules {
  LabelRules rules;
  explicit Rules(const std::string& labels)
      : rules(question_of("[question]\nid = \"a\"\n[labels]\n" + labels).labels) {}
  [[nodiscard]] std::string labels(std::string_view name) const { return shown(rules, parse_name(rules, name)); }
  [[nodiscard]] std::vector<std::string> problems(std::string_view name) const {
    return parse_name(rules, name).problems;
  }
};

TEST(Name, KnownExtensionsAreNotPartOfIt) {
  for (const char* name : {"a.sqlite", "a.nsys-rep", "a.qdrep", "a.json", "a.json.gz", "a.csv", "a.pt.trace.json.gz",
                           "a.pt.trace.json", "a"}) {
    EXPECT_EQ(stem_of(name), "a");
  }
  EXPECT_EQ(stem_of("a.b.sqlite"), "a.b");
  EXPECT_EQ(stem_of("a.txt"), "a.txt");
  EXPECT_EQ(stem_of(".sqlite"), ".sqlite");
}

TEST(Name, PlaceholdersAreReadByTheTypeOfTheirLabel) {
  const Rules r("patterns = [\"{model}_n{n}_r{r}\"]\nmodel = {}\nn = {type=\"int\"}\nr = {type=\"number\"}\n");
  EXPECT_EQ(r.labels("vit-8_n007_r1.50.sqlite"), "model=vit-8 n=7 r=1.5");
  EXPECT_TRUE(is_empty(r.problems("vit-8_n007_r1.50.sqlite")));
  const ParsedName parsed = parse_name(r.rules, "m_n0123_r2");
  ASSERT_EQ(parsed.labels.size(), 3U);
  EXPECT_EQ(parsed.labels[1].order, 123);
  EXPECT_EQ(parsed.labels[2].order, 2);
  EXPECT_EQ(r.labels("m_n3_r1e-4"), "model=m n=3 r=1e-04") << "of a number, not of an integer";
  EXPECT_EQ(r.labels("m_n3_r2.5E3"), "model=m n=3 r=2500");
  EXPECT_TRUE(each_contains(r.problems("m_n3_r2e-"), {"'e-'"}));
  EXPECT_FALSE(is_empty(r.problems("m_n3e2_r1")));
  EXPECT_TRUE(is_one_with(r.problems("m_nx_r2"), {"does not parse", "'{model}_n{n}_r{r}'"}));
  EXPECT_TRUE(each_contains(r.problems("m_n99999999999999999999_r1"), {"64 bits"}));
  EXPECT_EQ(r.labels("m_n99999999999999999999_r1"), "model=m r=1");
}

TEST(Name, DeclaredValuesMayHoldTheSeparatorAndTheLongestFits) {
  const Rules r(
      "patterns = [\"{pass}\"]\npass = {values=[\"forward\", \"forward_backward\"]}\nctx = {type=\"int\"}\n"
      "[[labels.suffix]]\nmatch = \"_ctx{ctx}\"\n");
  EXPECT_EQ(r.labels("forward_backward_ctx512"), "pass=forward_backward ctx=512");
  EXPECT_EQ(r.labels("forward_ctx512"), "pass=forward ctx=512");
  EXPECT_EQ(parse_name(r.rules, "forward_backward").labels[0].order, 1) << "place in the declared values";
  EXPECT_TRUE(size_is(r.problems("backward"), 1));
}

TEST(Name, TheLongestSuffixIsTakenAndFinalValuesDoNotContradict) {
  const Rules r(
      "patterns = [\"d{d}\"]\nd = {type=\"int\"}\ncompile = {default=\"none\"}\nbatch = {type=\"int\", default=8}\n"
      "[[labels.suffix]]\nmatch = \"_compiled\"\nset = {compile=\"default\"}\n"
      "[[labels.suffix]]\nmatch = \"_compiled_reduce-overhead\"\nset = {compile=\"reduce-overhead\"}\n"
      "[[labels.suffix]]\nmatch = \"_batch{batch}\"\n");
  EXPECT_EQ(r.labels("d1"), "d=1 compile=none* batch=8*");
  EXPECT_EQ(r.labels("d1_compiled"), "d=1 compile=default batch=8*");
  EXPECT_EQ(r.labels("d1_compiled_reduce-overhead_batch4"), "d=1 compile=reduce-overhead batch=4");
  EXPECT_EQ(r.labels("d1_batch4_compiled"), "d=1 compile=default batch=4") << "suffixes stand in any order";
  EXPECT_TRUE(is_empty(r.problems("d1_compiled_reduce-overhead_batch4")));
}

TEST(Name, AnUndeclaredSuffixIsNamedAndTheRestStillRead) {
  const Rules r(
      "patterns = [\"d{d}\"]\nd = {type=\"int\"}\nbatch = {type=\"int\", default=8}\npx = {default=\"224\"}\n"
      "[[labels.suffix]]\nmatch = \"_batch{batch}\"\n");
  EXPECT_TRUE(each_contains(r.problems("d1_numa_local_batch4_x"),
                            {"undeclared suffix '_numa_local'", "undeclared suffix '_x'"}));
  EXPECT_EQ(r.labels("d1_numa_local_batch4_x"), "d=1 batch=4") << "no default where unknown text may say otherwise";
  EXPECT_TRUE(each_contains(r.problems("d1_batch4fast"), {"'fast'"}));
  EXPECT_TRUE(each_contains(r.problems("d1.5"), {"'.5'"}));
  EXPECT_TRUE(each_contains(r.problems("d1_"), {"'_'"}));
}

TEST(Name, ALabelSetTwiceIsAProblemOnlyWhenTheValuesDiffer) {
  const Rules r(
      "patterns = [\"d{d}\"]\nd = {type=\"int\"}\nbatch = {type=\"int\", default=8}\n"
      "[[labels.suffix]]\nmatch = \"_batch{batch}\"\n[[labels.suffix]]\nmatch = \"_big\"\nset = {batch=32}\n");
  EXPECT_EQ(r.labels("d1_batch32_big"), "d=1 batch=32");
  EXPECT_TRUE(is_empty(r.problems("d1_batch032_big")));
  EXPECT_TRUE(is_one_with(r.problems("d1_batch1_big"), {"'batch' is set twice", "'1' by '_batch1'", "'32' by '_big'"}));
  EXPECT_EQ(r.labels("d1_batch1_big"), "d=1") << "neither value, and no default";
}

TEST(Name, ImpliedValuesConflictWithOthersAndAreMarked) {
  const Rules r(
      "patterns = [\"d{d}\"]\nd = {type=\"int\"}\npx = {type=\"int\", default=224}\nkind = {}\n"
      "[[labels.suffix]]\nmatch = \"_many\"\nset = {kind=\"many\"}\nimplies = {px=512}\n"
      "[[labels.suffix]]\nmatch = \"_{px}px\"\n");
  EXPECT_EQ(r.labels("d1_many"), "d=1 px=512! kind=many");
  EXPECT_EQ(r.labels("d1_many_512px"), "d=1 px=512 kind=many") << "the name itself says it";
  EXPECT_TRUE(each_contains(r.problems("d1_many_256px"), {"'px'"}));
}

TEST(Name, ValuesThatAreNotDeclaredAreProblems) {
  const Rules r("patterns = [\"d{d}\"]\nd = {type=\"int\", values=[384, 768]}\n");
  EXPECT_EQ(r.labels("d768"), "d=768");
  EXPECT_EQ(parse_name(r.rules, "d768").labels[0].order, 768) << "numbers sort as numbers";
  EXPECT_TRUE(is_one_with(r.problems("d512"), {"'512'", "384, 768"}));
}

TEST(Name, IsParsedByThePatternThatExplainsMost) {
  const Rules r(
      "patterns = [\"{run}\", \"gpu{gpu}_vit{p}x{d}\"]\nrun = "
      "{}\ngpu={type=\"int\"}\np={type=\"int\"}\nd={type=\"int\"}\n"
      "[[labels.suffix]]\nmatch = \"_b{d}\"\n");
  EXPECT_EQ(r.labels("gpu0_vit8x6"), "gpu=0 p=8 d=6");
  EXPECT_EQ(r.labels("hello"), "run=hello");
  EXPECT_EQ(r.labels("hello_b4"), "run=hello d=4");
}

TEST(Name, WithoutPatternsNothingIsAskedOfIt) {
  const Rules none("");
  EXPECT_TRUE(is_empty(parse_name(none.rules, "anything at all.sqlite").problems));
  const Rules defaults("px = {default=\"224\"}\n");
  EXPECT_EQ(defaults.labels("x"), "px=224*");
}

TEST(Name, AnyBytesAreRead) {
  const Rules r("patterns = [\"{m}_x{n}\"]\nm = {}\nn = {type=\"int\"}\n[[labels.suffix]]\nmatch = \"_{m}\"\n");
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_FALSE(parse_name(r.rules, all).problems.empty());
  EXPECT_TRUE(size_is(r.problems(""), 1));
  EXPECT_FALSE(is_empty(r.problems("a_x" + std::string(250, '1'))));
  EXPECT_FALSE(is_empty(parse_name(r.rules, std::string(4000, '_')).problems));
}

}  // namespace assay::name_test
