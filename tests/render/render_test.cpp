#include <bit>
#include <charconv>
#include <random>

#include "render/format.hpp"
#include "render/hidden_characters.hpp"
#include "render/left_out.hpp"
#include "render/outputs.hpp"
#include "render/plots/svg.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "sample_run.hpp"
#include "support/test.hpp"

namespace assay::testing::render_test {

TEST(Exact, IntegralValuesHaveNeitherPointNorExponent) {
  EXPECT_EQ(exact(0), "0");
  EXPECT_EQ(exact(-0.0), "0");
  EXPECT_EQ(exact(16664228), "16664228");
  EXPECT_EQ(exact(1e15), "1000000000000000");
  EXPECT_EQ(exact(9007199254740992.0), "9007199254740992");
  EXPECT_EQ(exact(-3e9), "-3000000000");
  EXPECT_EQ(exact(0.1), "0.1");
  EXPECT_EQ(exact(0.37987588094710534), "0.37987588094710534");
}

TEST(Exact, EveryDoubleReadsBackExactly) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = exact(value);
    double back = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(end.ptr, text.data() + text.size()) << text;
    ASSERT_EQ(back, value) << text;
    const bool integral = value == std::trunc(value);
    ASSERT_TRUE(!integral || text.find_first_of(".e") == std::string::npos) << text;
  }
}

TEST(Quantity, ScalesToTheUnitAndKeepsThreeDigits) {
  EXPECT_EQ(quantity(16664228, "ns"), "16.7 ms");
  EXPECT_EQ(quantity(850, "ns"), "850 ns");
  EXPECT_EQ(quantity(-2500000000, "ns"), "-2.500 s");
  EXPECT_EQ(quantity(52.4e9, "bytes/s"), "52.4 GB/s");
  EXPECT_EQ(quantity(0.4312, "ratio"), "0.431");
  EXPECT_EQ(quantity(0.01234, "ratio"), "0.0123");
  EXPECT_EQ(quantity(1560, "1"), "1560");
  EXPECT_EQ(quantity(1.5, "us"), "1.500 us");
}

TEST(Effects, ValueAndIntervalShareOneUnit) {
  EXPECT_EQ(with_interval(effect(EffectKind::kLevel, "m", "ns", 1.2e6, 0.9e6, 1.5e6)), "1.200 [0.900, 1.500] ms");
  EXPECT_EQ(with_interval(effect(EffectKind::kRatio, "m", "ns", 0.998, 0.996, 1.0)), "0.998 [0.996, 1.000]");
  EXPECT_EQ(with_interval(effect(EffectKind::kLevel, "m", "ratio", 0.5, NAN, NAN)), "0.500 (no interval)");
  OwnedEffect corrected = effect(EffectKind::kRatio, "m", "1", 1, 1, 1);
  corrected.level = 1 - 0.05 / 7;
  EXPECT_EQ(effect_basis(corrected), "99.3 % interval, 12 runs");
}

TEST(Text, HiddenCharactersAreShown) {
  EXPECT_EQ(one_line("a\xC2\x9B"
                     "31mb"),
            "a\\u{9b}31mb")
      << "C1: a terminal's control sequence in one character";
  EXPECT_EQ(one_line("x\u202Eetilqs.y"), "x\\u{202e}etilqs.y") << "what follows would be read backwards";
  EXPECT_EQ(visible("one\ntwo\t\u2066\u200B\uFEFF\U000E0041"), "one\ntwo\t\\u{2066}\\u{200b}\\u{feff}\\u{e0041}");
  EXPECT_EQ(visible("\x80"), "\uFFFD") << "no UTF-8";
  const std::string seen = "μs \u00A0é 日本語 \U0001F680 \u0600 \uFFFD";
  EXPECT_EQ(visible(seen), seen);
  for (char32_t c = 0; c < 0x110000; ++c) {
    const bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c < 0xA0);
    const bool bidi =
        c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    ASSERT_TRUE(is_hidden(c) || !(control || bidi)) << static_cast<std::uint32_t>(c);
    ASSERT_FALSE(is_hidden(c) && c >= 0x20 && c < 0x7F);
  }
}

TEST(Summary, NothingHiddenReachesTheTerminal) {
  const std::string bad = "\u202E\xC2\x9B\x1b[31m";
  SampleRun sample;
  sample.add_file("runs/" + bad + ".sqlite");
  fill(sample);
  const auto spoil = [&](std::string& text) { text += bad; };
  QuestionResult& result = sample.result(0);
  for (OwnedFinding& finding : result.findings) {
    for (std::string* text : {&finding.analyzer, &finding.title, &finding.text}) spoil(*text);
    for (auto& [name, value] : finding.labels) {
      spoil(name);
      spoil(value);
    }
    if (finding.effect) {
      spoil(finding.effect->metric);
      spoil(finding.effect->unit);
      spoil(finding.effect->method);
    }
  }
  for (OwnedClaim& claim : result.claims) {
    for (std::string* text : {&claim.id, &claim.text, &claim.source, &claim.reason}) spoil(*text);
    for (OwnedStratum& stratum : claim.strata) {
      spoil(stratum.reason);
      for (auto& [name, value] : stratum.labels) {
        spoil(name);
        spoil(value);
      }
      if (stratum.effect) {
        spoil(stratum.effect->metric);
        spoil(stratum.effect->unit);
      }
    }
    for (int more = 0; more < 20 && !claim.strata.empty(); ++more) claim.strata.push_back(claim.strata.front());
  }
  for (Skip& skip : result.skips) {
    spoil(skip.report);
    spoil(skip.analyzer);
    spoil(skip.reason);
  }
  for (auto* list : {&result.completeness.lacking, &result.completeness.unreadable, &result.completeness.duplicate})
    list->push_back(bad);
  for (MatrixCell& cell : result.completeness.missing) spoil(cell.labels.front().second);
  for (std::size_t e = 0; e < 2; ++e) {
    for (OwnedIssue& issue : sample.report(0, e).issues) {
      spoil(issue.name);
      spoil(issue.text);
    }
    for (OwnedAttribute& attribute : sample.report(0, e).attributes) spoil(attribute.value);
  }
  for (const bool whole : {false, true}) {
    TerminalStyle style;
    style.whole = whole;
    std::ostringstream out;
    print_summary(sample.run, out, style);
    EXPECT_TRUE(contains(out.str(), "\\u{202e}\\u{9b}"));
    EXPECT_FALSE(contains(out.str(), "\u202E"));
    EXPECT_FALSE(contains(out.str(), "\xC2\x9B"));
    EXPECT_FALSE(contains(out.str(), "\x1b"));
  }
}

TEST(FactsCsv, EscapesTextsThatBeginLikeAFormula) {
  SampleRun sample;
  for (const char* name : {"\tx", "\rx", "'quoted", "+1", "-1", "=cmd|'/c calc'!A1", "@SUM(1)", "a=b", "plain"})
    sample.add_file(name);
  sample.add_question();
  for (std::size_t e = 0; e < 9; ++e) sample.report(0, e).facts = {{"a.time_ns", "", -1.5, {}}};
  std::ostringstream csv;
  write_facts_csv(FactRows(sample.run), csv);
  EXPECT_EQ(csv.str(),
            "report,metric,dims,unit,value,n\n'\tx,a.time_ns,,ns,-1.5,1\n\"'\rx\",a.time_ns,,ns,-1.5,1\n"
            "''quoted,a.time_ns,,ns,-1.5,1\n'+1,a.time_ns,,ns,-1.5,1\n'-1,a.time_ns,,ns,-1.5,1\n"
            "'=cmd|'/c calc'!A1,a.time_ns,,ns,-1.5,1\n'@SUM(1),a.time_ns,,ns,-1.5,1\na=b,a.time_ns,,ns,-1.5,1\n"
            "plain,a.time_ns,,ns,-1.5,1\n");
}

TEST(Svg, CharactersThatXmlForbidsAreReplaced) {
  EXPECT_EQ(xml("a\uFFFFb\xEF\xBF\xBE"
                "c\x01\r\x80&"),
            "a\uFFFDb\uFFFDc\uFFFD\uFFFD\uFFFD&amp;");
  EXPECT_EQ(xml("\uFFFD\uFFFC\uFF5E\U0001FFFF"), "\uFFFD\uFFFC\uFF5E\U0001FFFF");
}

TEST(Text, WrapsShortensAndEscapes) {
  EXPECT_TRUE(equals(wrapped("one two  three\nfour", 9), {"one two", "three", "four"}));
  EXPECT_EQ(display_width("μs"), 2U);
  EXPECT_EQ(shortened("a_rather_long_name.sqlite", 15), "a_rath...sqlite");
  EXPECT_EQ(shortened("μμμμμμμμμμ", 7), "μμ...μμ");
  EXPECT_EQ(one_line("red\x1b[31m\nx"), "red\\u{1b}[31m x");
  EXPECT_EQ(markdown("a|b <c> *d* [1, 2] [e](f)"), "a\\|b \\<c\\> \\*d\\* [1, 2] [e\\](f)");
  EXPECT_EQ(markdown("@user a@b.c #12 o/r#3 GH-4"),
            "@<!-- -->user a@<!-- -->b.c #<!-- -->12 o/r#<!-- -->3 GH-<!-- -->4")
      << "no mention and no reference";
  EXPECT_EQ(markdown("https://x.org www.x.org"), "https:<!-- -->//x.org www.<!-- -->x.org") << "no link";
  EXPECT_EQ(markdown(":smile: at 12:30:15, ns::f"), ":<!-- -->smile: at 12:30:15, ns::f") << "no picture";
  EXPECT_EQ(markdown("$x$"), "<span>$</span>x<span>$</span>") << "no formula";
  EXPECT_EQ(markdown("# @ a-b 1:2"), "# @ a-b 1:2");
}

std::string facts_csv(const FactRows& facts) {
  std::ostringstream csv;
  write_facts_csv(facts, csv);
  return csv.str();
}

TEST(FactsCsv, SortedQuotedWithUnitsAndCounts) {
  SampleRun sample;
  fill(sample);
  EXPECT_EQ(facts_csv(FactRows(sample.run)),
            "report,metric,dims,unit,value,n\n"
            ",c.count,,1,2,1\n"
            "runs/one.sqlite,a.time_ns,,ns,16664228,3\n"
            "runs/one.sqlite,b.ratio,,ratio,0.1,1\n"
            "runs/one.sqlite,c.count,kind=x,1,3,1\n"
            "\"runs/two, second.sqlite\",a.time_ns,,ns,1000000000000000,1\n");
}

TEST(FactsCsv, QuestionsThatDisagreeAreKeptApartAndEqualOnesMerged) {
  SampleRun sample;
  sample.add_file("r");
  for (std::size_t q = 0; q < 3; ++q) {
    sample.add_question();
    sample.report(q, 0).facts = {{"a.time_ns", "zone=z;apple=1", q == 2 ? 5.0 : 4.0, {}}, {"b.ratio", "", 0.5, {}}};
    sample.result(q).study_facts = {{"c.count", "", 7, {}}};
  }
  sample.report(0, 0).facts[0].dims = sample.report(1, 0).facts[0].dims = sample.report(2, 0).facts[0].dims =
      "apple=1;zone=z";
  EXPECT_EQ(facts_csv(FactRows(sample.run)),
            "report,metric,dims,unit,value,n\n"
            ",c.count,question=q0,1,7,1\n"
            ",c.count,question=q1,1,7,1\n"
            ",c.count,question=q2,1,7,1\n"
            "r,a.time_ns,apple=1;question=q0;zone=z,ns,4,1\n"
            "r,a.time_ns,apple=1;question=q1;zone=z,ns,4,1\n"
            "r,a.time_ns,apple=1;question=q2;zone=z,ns,5,1\n"
            "r,b.ratio,,ratio,0.5,1\n");
}

TEST(FactsCsv, EqualValuesOfDifferentSamplesAreNotTheSameFact) {
  SampleRun sample;
  sample.add_file("r");
  sample.add_question();
  sample.add_question();
  sample.report(0, 0).facts = {{"a.time_ns", "", 2, {1, 2, 3}}};
  sample.report(1, 0).facts = {{"a.time_ns", "", 2, {2, 2}}};
  EXPECT_EQ(FactRows(sample.run).size(), 2U);
}

TEST(TextTable, FitsATerminalAndIsOneLineARowElsewhere) {
  TextTable table({{"name"}, {"n", true}, {"default"}, {"meaning"}});
  table.row(
      {"device_time", "1", "iteration.gpu_span_ns,iteration.period_ns", "Metrics of the device alone, as they are."});
  std::ostringstream narrow, whole;
  table.print(narrow, 2, 60);
  EXPECT_EQ(narrow.str(),
            "  name         n  default               meaning\n"
            "  device_time  1  iteration.gpu_span_n  Metrics of the\n"
            "                  s,iteration.period_n  device alone, as\n"
            "                  s                     they are.\n");
  table.print(whole, 2);
  EXPECT_EQ(whole.str(),
            "  name         n  default                                    meaning\n"
            "  device_time  1  iteration.gpu_span_ns,iteration.period_ns  Metrics of the device alone, as they are.\n");
}

TEST(ReportMd, AnswersFirstAndExplainsWhatWasLeftOut) {
  SampleRun sample;
  fill(sample);
  const std::string text = report_md(sample.run);
  EXPECT_TRUE(starts_with(text, "# Question q0\n\nWhat does it cost?\n\n2 profiles; device not known; "));
  EXPECT_TRUE(
      contains_all(text, {"; profiler not known\n\n## Answer\n\n- **It costs 8 of 100**\n\n| level | busy |\n",
                          "\n\nWith depth=6:\nratio of a.time_ns: 1.080 [1.050, 1.120]; 95 % interval, 12 runs; "
                          "bootstrap BCa.\nMeasured on two runs.\n",
                          "2 claims: 1 refuted, 1 untestable.\n"}));
  EXPECT_TRUE(
      contains(text, "| refuted | it costs less than 1 in 100 |  | ×\u00a01.080 [1.050, 1.120] | 12 | guide, p. 3 |"));
  EXPECT_TRUE(
      contains(text, "- 2 of 3 expected runs found, 1 missing; alpha lacks graphs in runs/two, second.sqlite\n"));
  EXPECT_TRUE(contains_all(text, {"\n- missing: depth=12\n", "| beta | failed: ", "| high\\|er |  |",
                                  "| a.time_ns | ns | Time of a, from start to end. | alpha |"}));
  EXPECT_FALSE(contains(text, "b.ratio |")) << "a metric that nothing rests on needs no definition";
}

TEST(ReportMd, SaysOnceWhatAllStrataShare) {
  SampleRun sample;
  fill(sample);
  OwnedStratum stratum = sample.result(0).claims[0].strata[0];
  stratum.labels = {{"gpu", "0"}, {"depth", "6"}};
  OwnedStratum other = stratum;
  other.labels[1].second = "12";
  sample.result(0).claims[0].strata = {stratum, other};
  const std::string text = report_md(sample.run);
  EXPECT_TRUE(contains_all(
      text, {"</summary>\n\nthe interval is outside\n\nEverywhere: gpu=0.\n",
             "Intervals: 95 % interval; bootstrap BCa.\n", "| depth=12 | refuted | 1.080 [1.050, 1.120] | 12 |\n"}));
}

TEST(Summary, ManyStrataAreCountedByVerdictWithTheRangeOfTheirValues) {
  SampleRun sample;
  fill(sample);
  OwnedStratum stratum{{}, Verdict::kRefuted, "", effect(EffectKind::kLevel, "c.bytes_per_s", "bytes/s", 0, 1, 2), {}};
  std::vector<OwnedStratum>& strata = sample.result(0).claims[0].strata;
  strata.clear();
  for (int i = 0; i < 9; ++i) {
    stratum.labels = {{"depth", std::to_string(i)}};
    stratum.effect->value = 51e9 + 1e8 * i;
    stratum.verdict = i < 7 ? Verdict::kRefuted : Verdict::kInconclusive;
    strata.push_back(stratum);
  }
  std::ostringstream to;
  print_summary(sample.run, to, {.colour = false, .width = 100});
  EXPECT_TRUE(contains(to.str(),
                       "                  refuted       7 of 9 settings, values 51.0 to 51.6 GB/s\n"
                       "                  inconclusive  2 of 9 settings, values 51.7 to 51.8 GB/s\n"));
}

TEST(ReportMd, CutsLongTablesAndSaysWhereTheRestIs) {
  SampleRun sample;
  fill(sample);
  OwnedTable table{"alpha", "effects", "A long one", {}};
  table.columns.push_back({"i", "", CellType::kInteger, {}, std::vector<std::int64_t>(41, 5), {}});
  sample.result(0).tables = {table};
  EXPECT_TRUE(contains(report_md(sample.run),
                       "The first 12 of 41 rows; all of them are in `report.html` and in "
                       "`results.sqlite`, view `table_cells`, name `effects`."));
}

TEST(ReportMd, LargeNumbersOfTablesAreWrittenOut) {
  SampleRun sample;
  fill(sample);
  OwnedTable table{"alpha", "times", "Times", {}};
  table.columns.push_back({"whole", "ns", CellType::kInteger, {}, {54947956}, {}});
  table.columns.push_back({"halves", "ns", CellType::kNumber, {}, {}, {54778450.5}});
  table.columns.push_back({"share", "ratio", CellType::kNumber, {}, {}, {0.123456}});
  table.columns.push_back({"rate", "1/s", CellType::kNumber, {}, {}, {1234.5678}});
  table.columns.push_back({"astronomical", "1", CellType::kNumber, {}, {}, {6.02214076e23}});
  sample.result(0).tables = {table};
  EXPECT_TRUE(
      contains_all(report_md(sample.run), {"| whole (ms) | halves (ms) |", "| 54.95 | 54.78 | 0.1235 | 1235 | "}));
}

TEST(Reports, LabelsOfAFindingStandWithIt) {
  SampleRun sample;
  fill(sample);
  sample.result(0).findings[0].labels = {{"depth", "6"}, {"gpu", "1"}};
  EXPECT_TRUE(contains(report_md(sample.run), "With depth=6 gpu=1:\n"));
  EXPECT_TRUE(contains(report_html(sample.run, {}), "depth=6 gpu=1"));
}

TEST(Reports, AnIntervalThatIncludesNoChangeHasNoNumber) {
  SampleRun sample;
  fill(sample);
  EXPECT_TRUE(contains(report_html(sample.run, {}), "class=\"number\">8.0 % slower"));
  auto& shown = sample.result(0).findings[0].effect;
  shown = effect(EffectKind::kRatio, "a.time_ns", "1", 1.003, 0.811, 1.239);
  EXPECT_FALSE(contains(report_html(sample.run, {}), "class=\"number\">"));
}

TEST(Summary, FailedAnalyzersAreToldLast) {
  SampleRun sample;
  fill(sample);
  std::ostringstream to;
  print_summary(sample.run, to, {.colour = false, .width = 72});
  EXPECT_TRUE(ends_with(to.str(),
                        "\nFAILED  the analyzer 'beta' failed on question q0: its constructor\n"
                        "        threw: no luck\n\n"));
}

TEST(Summary, AnswersInTheFirstLinesAndKeepsTheWidth) {
  SampleRun sample;
  fill(sample);
  sample.result(0).findings[0].text =
      "words and more words that go on for a long while, until they must be broken into several "
      "lines to fit a narrow terminal";
  std::ostringstream to;
  print_summary(sample.run, to, {.colour = false, .width = 72});
  const std::string text = to.str();
  EXPECT_TRUE(starts_with(text, "Question q0\n  What does it cost?\n\n  ANSWER\n    It costs 8 of 100\n"));
  EXPECT_TRUE(contains(text, "  CLAIMS  1 refuted, 1 untestable\n    refuted       cheap\n"));
  EXPECT_TRUE(
      contains(text, "ratio of a.time_ns:\n                  refuted       depth=6  1.080 [1.050, 1.120]  n=12\n"));
  EXPECT_TRUE(contains_all(
      text, {"  REPORTS\n    2 of 3 expected runs", " in\n      runs/two, second.sqlite\n", "beta failed: "}));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 72U) << line;
}

TEST(Summary, ColoursOnlyWhenAsked) {
  SampleRun sample;
  fill(sample);
  std::ostringstream to;
  print_summary(sample.run, to, {.colour = true, .width = 100});
  EXPECT_TRUE(contains(to.str(), "\x1b[31mrefuted     \x1b[0m"));
}

}  // namespace assay::testing::render_test
