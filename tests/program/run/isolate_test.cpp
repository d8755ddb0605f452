// `assay run --isolate`: good analyzers give the same bytes, and bad ones cost only their own results.
#include "golden/golden_case.hpp"
#include "process/contained.hpp"
#include "support/test.hpp"

namespace assay::testing::isolate_test {

using nlohmann::json;

const fs::path kCase = fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports";

class IsolatedRun : public ::testing::Test {
 protected:
  IsolatedRun() {
    prepare_inputs(kCase, scratch_.path());
    fs::create_directories(scratch_ / "plugins");
  }

  /// Enables analyzers of the tests beside nothing else.
  void enable(std::initializer_list<std::string> ids) {
    std::string config = "[question]\nid = \"q\"\n";
    for (const std::string& id : ids) {
      fs::copy_file(fs::path(ASSAY_BINARY_DIR) / "tests/loader/plugins" / (id + ".so"),
                    scratch_ / "plugins" / (id + ".so"), fs::copy_options::skip_existing);
      config += "[analyzers." + id + "]\n";
    }
    write_text(scratch_ / "config.toml", config);
  }

  Outcome run(const std::string& arguments) {
    fs::remove_all(scratch_ / "out");
    return run_assay(scratch_.path(),
                     split_command("run config.toml --reports reports -o out --plugin-path plugins " + arguments));
  }

  std::map<std::string, std::string> written() { return contents_but_run_json(scratch_ / "out"); }

  /// Lines of facts.csv with the text.
  std::string facts_with(const std::string& text) {
    std::istringstream lines(read_text(scratch_ / "out/facts.csv"));
    std::string found;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(text) != std::string::npos) found += line + "\n";
    }
    return found;
  }

  /// Reasons of what is skipped of an analyzer, by report.
  std::map<std::string, std::string> failures_of(const std::string& id) {
    std::map<std::string, std::string> reasons;
    const json findings = json::parse(read_text(scratch_ / "out/findings.json"));
    for (const json& question : findings.at("questions")) {
      for (const json& skip : question.at("skipped")) {
        const json report = skip.value("report", json());
        if (skip.value("analyzer", "") == id)
          reasons[report.is_string() ? report.get<std::string>() : ""] = skip.at("reason");
      }
    }
    return reasons;
  }

  TempFolder scratch_;
};

TEST_F(IsolatedRun, GoodAnalyzersGiveTheSameBytes) {
  ASSERT_EQ(run("--no-cache").exit, 0);
  const auto plain = written();
  ASSERT_GE(plain.size(), 4U);
  ASSERT_GT(plain.at("facts.csv").size(), 1000U);
  for (const char* jobs : {"-j1", "-j4"}) {
    const Outcome outcome = run(std::string("--no-cache --isolate ") + jobs);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(written(), plain) << jobs;
  }
  EXPECT_EQ(run("--isolate --cache cache").exit, 0);
  EXPECT_EQ(run("--cache cache").exit, 0);
  EXPECT_EQ(written(), plain) << "remembered from processes of their own";
}

struct Broken {
  const char* plugin;
  const char* reason;
};
void PrintTo(const Broken& bad, std::ostream* to) { *to << bad.plugin; }

class Contains : public IsolatedRun, public ::testing::WithParamInterface<Broken> {};

TEST_P(Contains, ABadAnalyzerAndTheGoodOneIsComplete) {
  const std::string bad = GetParam().plugin;
  if (bad == "eating" && !process::limits_memory()) GTEST_SKIP() << "a sanitizer's build: memory is not limited";
  enable({"good"});
  ASSERT_EQ(run("--no-cache").exit, 0);
  const std::string alone = facts_with("good.");
  ASSERT_TRUE(contains_all(alone, {"good.kernel_count", "good.total_ns"}));

  enable({"good", bad});
  const std::string limits = bad.starts_with("hanging") ? " --plugin-time-limit 1" : " --plugin-memory-limit 512";
  const Outcome outcome = run("--no-cache --isolate -j2" + limits);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(facts_with("good."), alone);
  const bool in_analyze = std::string(GetParam().reason).find("while analyzing") != std::string::npos;
  const auto failures = failures_of(bad);
  ASSERT_EQ(failures.size(), in_analyze ? 3U : 1U);
  for (const auto& [report, reason] : failures) {
    EXPECT_TRUE(contains(reason, GetParam().reason));
    EXPECT_EQ(report.empty(), !in_analyze);
    if (in_analyze) {
      EXPECT_TRUE(contains(reason, report));
    }
  }
  EXPECT_TRUE(is_empty(failures_of("good")));
  EXPECT_EQ(run("--no-cache --isolate --strict" + limits).exit, 3);
}

INSTANTIATE_TEST_SUITE_P(All, Contains,
                         ::testing::Values(Broken{"crashing", "crashed with SIGSEGV while analyzing "},
                                           Broken{"crashing_constructor", "its constructor crashed with SIGSEGV"},
                                           Broken{"crashing_conclude", "conclude crashed with SIGABRT"},
                                           Broken{"hanging", "was stopped after 1 s while analyzing "},
                                           Broken{"hanging_conclude", "conclude was stopped after 1 s"},
                                           Broken{"eating", "asked for more than 512 MB while analyzing "},
                                           Broken{"leaving", "ended its process with exit code 0 while analyzing "},
                                           // Under LeakSanitizer with its code: what the analyzer held is lost.
                                           Broken{"exiting", " while analyzing "},
                                           Broken{"exiting_conclude", "conclude ended its process with exit code 0"}),
                         [](const auto& named) { return std::string(named.param.plugin); });

TEST_F(IsolatedRun, AnAnalyzerThatEndsTheProgramDoesNotEndItWell) {
  for (const std::string bad : {"leaving", "exiting", "exiting_conclude"}) {
    enable({"good", bad});
    const Outcome plain = run("--no-cache");
    EXPECT_EQ(plain.exit, 3) << bad;
    EXPECT_TRUE(contains(plain.err, "the analyzer '" + bad + "' ended the program before its results were written"));
    EXPECT_FALSE(fs::exists(scratch_ / "out")) << bad;
    const Outcome isolated = run("--no-cache --isolate");
    EXPECT_EQ(isolated.exit, 0) << isolated.err;
    EXPECT_TRUE(contains(facts_with("good."), "good.kernel_count")) << bad;
  }
}

TEST_F(IsolatedRun, FailuresOfAllAnalyzersAreATotalFailure) {
  enable({"crashing"});
  const Outcome outcome = run("--no-cache --isolate");
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_TRUE(contains(outcome.err, "every analyzer failed"));
}

TEST_F(IsolatedRun, ReportsExceptionsLikeAPlainRun) {
  enable({"good", "throwing_analyze", "undeclared_metric"});
  ASSERT_EQ(run("--no-cache").exit, 0);
  const auto plain = written();
  ASSERT_EQ(run("--no-cache --isolate").exit, 0);
  EXPECT_EQ(written(), plain);
}

TEST_F(IsolatedRun, ACrashIsNotRemembered) {
  enable({"good", "crashing"});
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(run("--isolate --cache cache").exit, 0);
    EXPECT_EQ(failures_of("crashing").size(), 3U);
  }
}

TEST_F(IsolatedRun, LimitsWithoutIsolationAreAMistake) {
  for (const char* option : {"--plugin-time-limit 5", "--plugin-memory-limit 100"}) {
    const Outcome outcome = run(option);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_TRUE(contains(outcome.err, "--isolate"));
  }
}

}  // namespace assay::testing::isolate_test
