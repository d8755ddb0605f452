// When analyzers are asked to conclude and when what they concluded is remembered; and how it is kept.
#include "analyze/result_cache.hpp"
#include "assay/plot.hpp"
#include "conclude/concluding.hpp"
#include "conclude/stored_conclusion.hpp"
#include "support/test.hpp"

namespace assay::recall_conclusions_test {

using fixture::A;
using fixture::B;

/// Something of everything that an analyzer can conclude.
void conclude_everything(const Study& study, StudySink& sink) {
  const StudyView view(study);
  sink.fact("a.share", 0.25, std::vector<double>{0.2, 0.3}, {{"of", "all"}});
  sink.report_fact(0, "a.share", static_cast<double>(view.report_count()), {{"derived", "yes"}});
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.title = "Caf\xC3\xA9";
  finding.text = "It does.";
  finding.effect =
      Effect{EffectKind::kRatio, Scope::kBetweenRun, "a.time", 1.5, std::nan(""), std::nan(""), 0.95, 3, "m"};
  finding.labels = {{"size", "1"}};
  finding.evidence = {0, 1};
  sink.finding(finding);
  Table table("t", "Table");
  table.add("name", "", std::vector<std::string>{"x", ""});
  table.add("time", "ns", std::vector<double>{-0.0, std::nan("")});
  sink.table(table);
  sink.plot({.id = "p",
             .title = "Plot",
             .caption = "How to read it.",
             .x = {"Name", PlotScale::kLinear, PlotOrder::kDescending, kAxisFree},
             .y = {"Time", PlotScale::kLog, PlotOrder::kGiven, kAxisZero},
             .series_title = "",
             .layers = {{PlotMark::kBar, table, {"name", "time"}}},
             .references = {{1, 2, "band", true}},
             .evidence = {0}});
  sink.text_file(0, "a.txt", "text");
  sink.skip(kNone, "not told");
  sink.note("a note");
}

class RecallConclusions : public fixture::Concluding {
 protected:
  RecallConclusions() {
    add_reports();
    A::on_conclude = [this](const Study& study, StudySink& sink) {
      ++asked_;
      conclude_everything(study, sink);
    };
    B::on_conclude = [this](const Study& study, StudySink& sink) {
      ++asked_b_;
      sink.fact("b.time", static_cast<double>(study.facts->rows));
    };
    world_.add_linked(fixture::kA);
  }

  [[nodiscard]] fs::path cache_folder() const { return scratch_ / "cache"; }

  /// One run of the program over `world_`; how often A was asked in it.
  int run() {
    cache::Store store(cache_folder());
    const auto cache = ResultCache::make(store, world_.plan, Plugins{});
    EXPECT_TRUE(cache.has_value());
    const PlannedQuestion& planned = world_.plan.questions[0];
    const int before = asked_;
    reports_ = world_.results;
    result_ = conclude({planned, world_.catalog, world_.catalog.questions[0], reports_}, Analyzers::make(planned), {},
                       {.cache = &*cache});
    return asked_ - before;
  }
  /// What was concluded, and the facts that joined the reports, as text.
  [[nodiscard]] std::string text() const {
    StudyOutput all;
    all.findings = result_.findings;
    all.tables = result_.tables;
    all.plots = result_.plots;
    all.text_files = result_.text_files;
    all.skips = result_.skips;
    all.notes = result_.notes;
    for (const Fact& fact : result_.study_facts) all.facts.emplace_back(kNone, fact);
    std::string text = to_bytes(all);
    for (const ReportResult& report : reports_) text += fixture::text_of_result(report);
    return text;
  }
  void set_options(const std::vector<OptionSet::Entry>& entries) {
    std::vector<PlannedAnalyzer>& analyzers = world_.plan.questions[0].analyzers;
    std::vector<const Plugin*> plugins;
    for (const PlannedAnalyzer& analyzer : analyzers) plugins.push_back(analyzer.plugin);
    analyzers.clear();
    for (const Plugin* plugin : plugins)
      analyzers.push_back({plugin, OptionSet(plugin == plugins[0] ? entries : std::vector<OptionSet::Entry>()), {}});
  }

  testing::TempFolder scratch_;
  QuestionResult result_;
  std::vector<ReportResult> reports_;
  int asked_ = 0, asked_b_ = 0;
};

TEST_F(RecallConclusions, TheSameStudyIsNotConcludedAgainAndGivesTheSameBytes) {
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(result_.recalled, 0U);
  const std::string first = text();
  ASSERT_EQ(result_.findings.size(), 1U);
  ASSERT_EQ(result_.plots.size(), 1U);
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(result_.recalled, 1U);
  EXPECT_EQ(text(), first);
}

TEST_F(RecallConclusions, WithoutACacheEveryOneIsAsked) {
  run();
  world_.conclude();
  EXPECT_EQ(asked_, 2);
}

TEST_F(RecallConclusions, DependsOnEverythingTheAnalyzerSees) {
  run();
  std::vector<ReportResult>& reports = world_.results;
  CatalogEntry& entry = world_.catalog.questions[0].entries[0];
  Question& question = world_.question;
  const std::pair<const char*, std::function<void()>> changes[] = {
      {"an option", [&] { set_options({{"share", OptionType::kNumber, true, 0.5}}); }},
      {"the last bit of one", [&] { set_options({{"share", OptionType::kNumber, true, std::nextafter(0.5, 1.0)}}); }},
      {"the last bit of a fact", [&] { reports[2].facts[0].value = std::nextafter(30.0, 31.0); }},
      {"a sample", [&] { reports[2].facts[0].samples[1] = 31; }},
      {"a dimension", [&] { reports[0].facts[1].dims = "k=0"; }},
      {"one fact less", [&] { reports[0].facts.pop_back(); }},
      {"an attribute", [&] { reports[0].attributes[0].value = "other"; }},
      {"a doubt", [&] { reports[2].doubt = "it was not believed then"; }},
      {"a label", [&] { entry.labels[0].text = "7"; }},
      {"the order of a label", [&] { entry.labels[0].order = 7; }},
      {"where a label comes from", [&] { entry.labels[0].origin = LabelOrigin::kImplied; }},
      {"the role of a report", [&] { entry.role = ReportRole::kNoise; }},
      {"the name of a report", [&] { world_.catalog.files[0].name = "renamed.sqlite"; }},
      {"one report more", [&] { reports[1].loaded = true; }},
      {"what a label changes", [&] { question.labels.labels[0].changes = kChangesCopies; }},
      {"the text of the question", [&] { question.text = "Does it still?"; }},
      {"the level", [&] { question.level = 0.9; }},
  };
  for (const auto& [what, change] : changes) {
    change();
    EXPECT_EQ(run(), 1) << what;
    const std::string changed = text();
    EXPECT_EQ(run(), 0) << what << ", remembered";
    EXPECT_EQ(text(), changed) << what;
  }
}

TEST_F(RecallConclusions, AClaimAndItsKeysAreSeen) {
  world_.add_linked(fixture::kJudge);
  world_.add_claim("first");
  fixture::ScriptedAnalyzer<2>::on_conclude = [](const Study& study, StudySink& sink) {
    for (Row claim = 0; static_cast<std::uint64_t>(claim) < study.claims->rows; ++claim)
      sink.verdict(claim, Verdict::kRefuted, "no", {});
  };
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(result_.recalled, 2U);
  EXPECT_EQ(result_.claims.at(0).verdict, Verdict::kRefuted) << "a verdict comes back";
  std::vector<PlannedClaim>& claims = world_.plan.questions[0].claims;
  std::vector<OptionSet::Entry> keys = claims[0].keys.entries();
  ASSERT_FALSE(keys.empty());
  keys[0].value = std::string("another.metric");
  const ClaimConfig* const config = claims[0].config;
  claims.clear();
  claims.push_back({config, OptionSet(keys)});
  EXPECT_EQ(run(), 1) << "another key";
  world_.add_claim("second");
  EXPECT_EQ(run(), 1) << "another claim";
  EXPECT_EQ(result_.claims.at(1).verdict, Verdict::kRefuted);
}

TEST_F(RecallConclusions, RerunsReadersOfChangedFacts) {
  world_.add_linked(fixture::kB);
  run();
  run();
  EXPECT_EQ(asked_b_, 1);
  A::on_conclude = [this](const Study&, StudySink& sink) {
    ++asked_;
    sink.fact("a.share", 0.75);
  };
  set_options({{"share", OptionType::kNumber, true, 0.5}});
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(asked_b_, 2);
}

TEST_F(RecallConclusions, FailuresAreNotRemembered) {
  A::on_conclude = [this](const Study&, StudySink&) {
    ++asked_;
    throw std::runtime_error("no");
  };
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(result_.recalled, 0U);
  ASSERT_EQ(result_.skips.size(), 1U);
  EXPECT_TRUE(result_.skips[0].failed);
}

TEST_F(RecallConclusions, ADamagedEntryIsConcludedAgainAndReplaced) {
  run();
  const std::string first = text();
  const auto entries = testing::files_below(cache_folder());
  ASSERT_EQ(entries.size(), 1U);
  const fs::path file = cache_folder() / entries[0];
  const std::string entry = testing::read_text(file);
  for (const std::size_t at : {std::size_t{0}, entry.size() / 2, entry.size() - 1}) {
    std::string damaged = entry;
    damaged[at] ^= 1;
    testing::write_text(file, damaged);
    EXPECT_EQ(run(), 1) << at;
    EXPECT_EQ(text(), first) << at;
    EXPECT_EQ(testing::read_text(file), entry) << "replaced";
  }
}

/// What A concludes in the study of RecallConclusions, and that study.
class StoredConclusion : public fixture::Concluding {
 protected:
  StoredConclusion() {
    add_reports();
    world_.add_linked(fixture::kA);
    A::on_conclude = [&](const Study& study, StudySink&) {
      RecordingStudySink sink(fixture::kA, study);
      conclude_everything(study, sink);
      given_ = sink.release();
      bytes_ = to_bytes(given_);
      judge_(study);
    };
  }
  /// Calls `judge` while the study is there.
  void in_study(std::function<void(const Study&)> judge) {
    judge_ = std::move(judge);
    world_.conclude();
  }
  StudyOutput given_;
  std::string bytes_;

 private:
  std::function<void(const Study&)> judge_;
};

TEST_F(StoredConclusion, ComesBackToTheLastBitOrNotAtAll) {
  in_study([&](const Study& study) {
    const auto back = conclusion_from_bytes(bytes_, fixture::kA, study);
    ASSERT_TRUE(back);
    EXPECT_EQ(to_bytes(*back), bytes_);
    ASSERT_EQ(back->plots.size(), 1U);
    EXPECT_EQ(back->plots[0].x.flags, kAxisFree);
    EXPECT_EQ(back->plots[0].y.scale, PlotScale::kLog);
    EXPECT_EQ(back->plots[0].layers[0].channels.y, 1U);
    EXPECT_EQ(back->plots[0].references[0].to, 2);
    EXPECT_TRUE(std::signbit(back->tables.at(0).columns[1].numbers[0]));
    for (std::size_t size = 0; size < bytes_.size(); ++size)
      EXPECT_FALSE(conclusion_from_bytes(bytes_.substr(0, size), fixture::kA, study)) << size;
    EXPECT_FALSE(conclusion_from_bytes(bytes_ + std::string(8, '\0'), fixture::kA, study));
  });
}

TEST_F(StoredConclusion, IsEmptyIfNoAnalyzerCouldEmitIt) {
  in_study([&](const Study& study) {
    const auto survives = [&](const std::function<void(StudyOutput&)>& change) {
      StudyOutput output = given_;
      change(output);
      return conclusion_from_bytes(to_bytes(output), fixture::kA, study).has_value();
    };
    ASSERT_TRUE(survives([](StudyOutput&) {}));
    EXPECT_FALSE(survives([](StudyOutput& o) { o.facts[0].second.metric = "b.time"; })) << "not declared";
    EXPECT_FALSE(survives([](StudyOutput& o) { o.facts[1].first = 2; })) << "no such report";
    EXPECT_FALSE(survives([](StudyOutput& o) { o.facts[1].first = -2; })) << "no such report";
    EXPECT_FALSE(survives([](StudyOutput& o) { o.verdicts[0] = {}; })) << "no such claim";
    EXPECT_FALSE(survives([](StudyOutput& o) { o.findings[0].role = static_cast<FindingRole>(3); }));
    EXPECT_FALSE(survives([](StudyOutput& o) { o.findings[0].title = "\xFF"; })) << "not UTF-8";
    EXPECT_FALSE(survives([](StudyOutput& o) { o.plots[0].layers.clear(); })) << "no layer";
    EXPECT_FALSE(survives([](StudyOutput& o) { o.plots[0].layers[0].channels.y = 2; })) << "no such column";
  });
}

}  // namespace assay::recall_conclusions_test
