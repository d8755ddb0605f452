// What StudySink refuses, and verdicts.
#include "concluding.hpp"
#include "support/test.hpp"

namespace assay::study_sink_test {

using fixture::A;
using fixture::Concluding;

/// What A's conclude fails with; everything it gave before must be gone.
class Refusing : public Concluding {
 protected:
  void SetUp() override {
    add_reports();
    world_.add_linked(fixture::kA);
    world_.add_claim("c");
    world_.plan.questions[0].judge = nullptr;
  }
  std::string failure(std::function<void(StudySink&)> body) {
    A::on_conclude = [&](const Study&, StudySink& sink) { body(sink); };
    const std::vector<ReportResult> before = world_.results;
    const QuestionResult result = world_.conclude();
    for (const OwnedFinding& finding : result.findings) EXPECT_EQ(finding.analyzer, "") << "only the host may speak";
    EXPECT_TRUE(is_empty(result.study_facts));
    EXPECT_EQ(world_.results[0].facts.size(), before[0].facts.size());
    return result.skips.empty() ? "it did not fail" : result.skips[0].reason;
  }
  std::string failure_of(const Finding& finding) {
    return failure([&](StudySink& sink) { sink.finding(finding); });
  }
  std::string failure_of(const Effect& effect) {
    return failure_of(Finding{FindingRole::kAnswer, "t", "x", effect, {}, {}});
  }
  static Effect sound() { return {EffectKind::kRatio, Scope::kWithinRun, "a.time", 2, 1, 3, 0.95, 1, ""}; }
};

TEST_F(Refusing, Facts) {
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.fact("b.time", 1); }), "'b.time'"));
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.fact("a.time", kNan); }), "'a.time'"));
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.report_fact(2, "a.time", 1); }), "report row 2"));
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.report_fact(-2, "a.time", 1); }), "report row -2"));
  EXPECT_TRUE(contains(failure([](StudySink& s) {
                         s.fact("a.time", 1);
                         s.fact("a.time", 2);
                       }),
                       "emitted twice for the study"));
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.report_fact(0, "a.time", 1, {{"k", "1"}}); }),
                       "emitted twice for 'x/1.sqlite'"))
      << "analyze gave it already";
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.emit_fact(kNone, "b.time", {}, 1, {}); }), "'b.time'"))
      << "swallowed, and failed all the same";
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.skip(5, "x"); }), "report row 5"));
}

TEST_F(Refusing, Findings) {
  EXPECT_TRUE(contains(failure_of(Finding{FindingRole::kAnswer, "t", "", {}, {}, {}}), "has no title or no text"));
  EXPECT_TRUE(contains(failure_of(Finding{FindingRole::kAnswer, "", "x", {}, {}, {}}), "has no title or no text"));
  EXPECT_TRUE(contains(failure_of(Finding{static_cast<FindingRole>(7), "t", "x", {}, {}, {}}), "role"));
  EXPECT_TRUE(
      contains(failure_of(Finding{FindingRole::kAnswer, "t", "x", {}, {}, {4}}), "fact row 4 as evidence, of 4"));
  EXPECT_TRUE(contains(failure_of(Finding{FindingRole::kAnswer, "t", "x", {}, {}, {-1}}), "fact row -1"));
  EXPECT_TRUE(contains(failure_of(Finding{FindingRole::kAnswer, "t", "x", {}, {{"k", "1"}, {"k", "2"}}, {}}), "label"));
  EXPECT_TRUE(contains(failure([](StudySink& s) {
                         FindingView view;
                         view.struct_size = 100;
                         s.emit_finding(&view);
                       }),
                       "version of FindingView"));
}

TEST_F(Refusing, Effects) {
  const auto with = [&](auto change) {
    Effect effect = sound();
    change(effect);
    return failure_of(effect);
  };
  EXPECT_TRUE(contains(with([](Effect& e) { e.value = kNan; }), "value is not a finite number"));
  EXPECT_TRUE(contains(with([](Effect& e) { e.lo = kNan; }), "bounds"));
  EXPECT_TRUE(contains(with([](Effect& e) { e.hi = kInfinity; }), "bounds"));
  EXPECT_TRUE(contains(with([](Effect& e) { std::swap(e.lo, e.hi); }), "bounds"));
  EXPECT_TRUE(contains(with([](Effect& e) { e.level = 95; }), "level"));
  EXPECT_TRUE(contains(with([](Effect& e) { e.n = -1; }), "negative n"));
  EXPECT_TRUE(contains(with([](Effect& e) { e.kind = static_cast<EffectKind>(9); }), "unknown kind"));
  EXPECT_TRUE(contains(with([](Effect& e) { e.metric = "typo.time"; }), "'typo.time'"));
}

TEST_F(Refusing, TextFiles) {
  const auto with = [&](Row report, std::string_view suffix) {
    return failure([=](StudySink& s) { s.text_file(report, suffix, "text"); });
  };
  EXPECT_TRUE(contains(with(kNone, ".txt"), "report row -1, but the study has"));
  EXPECT_TRUE(contains(with(9, ".txt"), "report row 9, but the study has"));
  for (const char* suffix : {"", "/x", "/../x", "a b", "\n", "\xC3\xA4"}) {
    EXPECT_TRUE(contains(with(0, suffix), "1 to 100 letters, digits")) << suffix;
  }
  EXPECT_TRUE(contains(with(0, std::string(101, 'x')), "1 to 100 letters, digits"));
  EXPECT_TRUE(contains(failure([](StudySink& s) {
                         s.text_file(0, ".txt", "one");
                         s.text_file(1, ".txt", "two");
                         s.text_file(0, ".txt", "three");
                       }),
                       "'.txt' was emitted twice for 'x/1.sqlite'"));
}

TEST_F(Refusing, KeepsSoundTextFiles) {
  A::on_conclude = [](const Study&, StudySink& sink) { sink.text_file(1, "_Of-2.txt", "a \xFF b"); };
  const QuestionResult result = world_.conclude();
  ASSERT_EQ(result.text_files.size(), 1U);
  EXPECT_EQ(result.text_files[0].analyzer, "a");
  EXPECT_EQ(result.text_files[0].report, "x/3.sqlite");
  EXPECT_EQ(result.text_files[0].suffix, "_Of-2.txt");
  EXPECT_EQ(result.text_files[0].content, "a \xEF\xBF\xBD b") << "as UTF-8, as every text of a plugin";
}

TEST_F(Refusing, AVerdictOfNoJudge) {
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.verdict(0, Verdict::kSupported, "", {}); }), "not a judge"));
}

class Judging : public Concluding {
 protected:
  void SetUp() override {
    add_reports();
    world_.add_linked(fixture::kA);
    world_.add_linked(fixture::kJudge);
    world_.add_claim("one");
    world_.add_claim("two");
  }
  QuestionResult judge(std::function<void(StudySink&)> body) {
    Scripted2::on_conclude = [body = std::move(body)](const Study&, StudySink& sink) { body(sink); };
    return world_.conclude();
  }
};

TEST_F(Judging, VerdictsStandInTheOrderOfTheClaims) {
  const QuestionResult result = judge([](StudySink& sink) {
    StratumVerdict stratum;
    stratum.verdict = Verdict::kRefuted;
    stratum.reason = "outside";
    stratum.effect = Effect{EffectKind::kRatio, Scope::kBetweenRun, "a.time", 3, 2, 4, 0.975, 2, ""};
    stratum.method = "composed";
    stratum.labels = {{"size", "2"}};
    stratum.evidence = {0, 3};
    const std::vector<StratumVerdict> strata = {stratum, StratumVerdict{}};
    sink.verdict(1, Verdict::kRefuted, "one stratum is outside", strata);
  });
  ASSERT_EQ(result.claims.size(), 2U);
  EXPECT_EQ(result.claims[0].id, "one");
  EXPECT_EQ(result.claims[0].verdict, Verdict::kUntestable);
  EXPECT_EQ(result.claims[0].reason, "no verdict was given");
  const OwnedClaim& two = result.claims[1];
  EXPECT_EQ(two.text, "It is so.");
  EXPECT_EQ(two.source, "somebody");
  EXPECT_EQ(two.verdict, Verdict::kRefuted);
  ASSERT_EQ(two.strata.size(), 2U);
  EXPECT_EQ(two.strata[0].reason, "outside");
  EXPECT_EQ(two.strata[0].effect->method, "composed");
  EXPECT_EQ(two.strata[0].effect->level, 0.975);
  EXPECT_EQ(two.strata[0].evidence.size(), 2U);
  EXPECT_EQ(two.strata[0].evidence[1].report, "x/3.sqlite");
  EXPECT_EQ(two.strata[1].verdict, Verdict::kUntestable);
  EXPECT_FALSE(two.strata[1].effect.has_value());
}

TEST_F(Judging, AJudgeThatFailsLeavesEveryClaimUntestable) {
  const QuestionResult result = judge([](StudySink& sink) {
    sink.verdict(0, Verdict::kSupported, "", {});
    throw std::runtime_error("no quorum");
  });
  for (const OwnedClaim& claim : result.claims) {
    EXPECT_EQ(claim.verdict, Verdict::kUntestable);
    EXPECT_TRUE(ends_with(claim.reason, ": no quorum"));
  }
}

TEST_F(Judging, AJudgeThatCannotBeMadeToo) {
  Scripted2::on_construct = [] { throw std::runtime_error("no robe"); };
  const QuestionResult result = judge([](StudySink&) {});
  EXPECT_EQ(result.claims[0].reason, "the judge 'judge' failed: its constructor failed: no robe");
}

TEST_F(Judging, RefusesUnsoundVerdicts) {
  const auto failure = [&](std::function<void(StudySink&)> body) {
    const QuestionResult result = judge(std::move(body));
    EXPECT_EQ(result.claims[0].verdict, Verdict::kUntestable);
    return result.skips.empty() ? std::string("it did not fail") : result.skips[0].reason;
  };
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.verdict(2, Verdict::kSupported, "", {}); }), "claim row 2, of 2"));
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.verdict(-1, Verdict::kSupported, "", {}); }), "claim row -1"));
  EXPECT_TRUE(contains(failure([](StudySink& s) {
                         s.verdict(0, Verdict::kSupported, "", {});
                         s.verdict(0, Verdict::kRefuted, "", {});
                       }),
                       "the verdict on 'one' was given twice"));
  EXPECT_TRUE(contains(failure([](StudySink& s) { s.verdict(0, static_cast<Verdict>(9), "", {}); }), "is not one"));
  EXPECT_TRUE(contains(failure([](StudySink& s) {
                         VerdictView view;
                         view.stratum_size = 8;
                         s.emit_verdict(&view);
                       }),
                       "version of StratumView"));
  EXPECT_TRUE(contains(failure([](StudySink& s) {
                         std::vector<StratumVerdict> strata(1);
                         strata[0].evidence = {99};
                         s.verdict(0, Verdict::kSupported, "", strata);
                       }),
                       "fact row 99"));
}

TEST_F(Judging, StrataOfANewerPluginAreReadByTheirOwnStride) {
  struct NewerStratum {
    StratumView known;
    std::uint64_t appended = ~0ULL;
  };
  const QuestionResult result = judge([](StudySink& sink) {
    std::vector<NewerStratum> strata(3);
    strata[1].known.reason = "the middle one";
    strata[2].known.verdict = Verdict::kSupported;
    VerdictView view;
    view.verdict = Verdict::kInconclusive;
    view.stratum_size = sizeof(NewerStratum);
    view.strata = {&strata.data()->known, strata.size()};
    EXPECT_EQ(sink.emit_verdict(&view), Emit::kOk);
  });
  ASSERT_EQ(result.claims[0].strata.size(), 3U);
  EXPECT_EQ(result.claims[0].strata[1].reason, "the middle one");
  EXPECT_EQ(result.claims[0].strata[2].verdict, Verdict::kSupported);
}

}  // namespace assay::study_sink_test
