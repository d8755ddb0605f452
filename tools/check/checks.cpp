#include "check/checks.hpp"

#include <algorithm>
#include <barrier>
#include <memory>
#include <stdexcept>
#include <thread>

#include "analyze/stored_output.hpp"
#include "assay/words.hpp"
#include "check/growth.hpp"
#include "check/jobs.hpp"
#include "check/large_report.hpp"
#include "check/manners.hpp"
#include "check/replies.hpp"
#include "check/small_reports.hpp"
#include "check/studies.hpp"
#include "check/subject.hpp"
#include "load/columns.hpp"

namespace assay::check {
namespace {

constexpr std::size_t kLargeReport = 1000000;

/// A case that first constructs the analyzer; skipped if the options are rejected.
std::function<CaseReply()> with_subject(const Descriptor& declared, OptionInputs given,
                                        std::function<CaseReply(const Subject&)> body) {
  return [&declared, given = std::move(given), body = std::move(body)]() -> CaseReply {
    std::unique_ptr<const Subject> subject;
    try {
      subject = std::make_unique<const Subject>(declared, given);
    } catch (const std::invalid_argument& wrong) {  // its declarations do not match its own options
      return failed(wrong.what());
    }
    if (!subject->refusal().empty()) return {CaseStatus::kRefused, subject->refusal()};
    return body(*subject);
  };
}

struct PluginUnderTest {
  const Descriptor& declared;
  const OptionInputs& usual;
};

Check single(const PluginUnderTest& checkee, std::string name, std::function<CaseReply(const Subject&)> body) {
  return {std::move(name), {{"", with_subject(checkee.declared, checkee.usual, std::move(body))}}};
}

/// Bytes of the output of `analyze`, without notes, which may differ.
std::string analyzed(const Subject& subject, const Report& report) {
  AnalyzerOutput output = subject.analyze(report);
  output.notes.clear();
  return to_bytes(output);
}

CaseReply analyzed_twice(const Subject& subject) {
  ReportBuilder builder;
  fill_every_table(builder);
  const Report& report = builder.build();
  const std::string first = analyzed(subject, report);
  if (analyzed(subject, report) != first) return failed("the same report gives different results the second time");
  const Subject another(subject.declared(), subject.given());
  if (analyzed(another, report) != first)
    return failed("another analyzer with the same options gives different results");
  return reply_of(subject.analyze(report));
}

CaseReply analyzed_at_once(const Subject& subject) {
  constexpr int kThreads = 2, kRounds = 20;
  ReportBuilder builders[kThreads];
  std::vector<std::string> first(kThreads), problems(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    fill_every_table(builders[t], t + 1);
    first[static_cast<std::size_t>(t)] = analyzed(subject, builders[t].build());
  }
  std::barrier together(kThreads);
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const Report& report = builders[t].build();
      for (int round = 0; round < kRounds; ++round) {
        together.arrive_and_wait();
        if (analyzed(subject, report) != first[t])
          problems[t] = "two reports at once give different results than one by one";
      }
    });
  }
  threads.clear();
  for (const std::string& problem : problems) {
    if (!problem.empty()) return failed(problem);
  }
  return {CaseStatus::kOk, counted(kRounds, "round")};
}

CaseReply concluded_twice(const Subject& subject) {
  const auto study = study_of(subject, 2);
  const ConcludeResult first = subject.conclude(study->build());
  const Subject another(subject.declared(), subject.given());
  if (first.failure.empty() && another.conclude(study->build()).bytes != first.bytes)
    return failed("the same study gives different results the second time");
  return reply_of(first);
}

/// Runs both stages on everything available. Hostile options may be rejected as late as in `conclude`, which alone
/// knows the labels; breaking a rule is still a failure.
CaseReply everything(const Subject& subject, bool hostile) {
  CaseReply reply;
  if (analyzes(subject.declared())) {
    ReportBuilder builder;
    fill_every_table(builder);
    reply = reply_of(subject.analyze(builder.build()));
  }
  if (reply.answer != CaseStatus::kOk || !concludes(subject.declared())) return reply;
  const ConcludeResult given = subject.conclude(study_of(subject, 2)->build());
  if (hostile && given.refused) return {CaseStatus::kRefused, given.failure};
  const CaseReply concluded = reply_of(given);
  return {concluded.answer, reply.detail.empty() || concluded.answer != CaseStatus::kOk
                                ? concluded.detail
                                : reply.detail + "; concludes " + concluded.detail};
}

std::set<ColumnId> seen_by(const Descriptor& declared) {
  std::set<ColumnId> seen(declared.needs.begin(), declared.needs.end());
  seen.insert(declared.wants.begin(), declared.wants.end());
  return seen;
}

/// Detects a column that the analyzer reads without declaring it: with it visible the results differ. Such a column
/// would be present only if another analyzer declares it.
CaseReply reads_undeclared(const Subject& subject) {
  const Descriptor& declared = subject.declared();
  const std::set<ColumnId> seen = seen_by(declared);
  ReportBuilder builder;
  fill_every_table(builder);
  const Report& report = builder.build();
  const std::string usual = analyzed(subject, report);
  std::string names;
  for (const ColumnInfo& column : column_infos()) {
    if (seen.contains(column.id) || !column.has_column(report)) continue;
    Descriptor more = declared;
    std::vector<ColumnId> wants(declared.wants.begin(), declared.wants.end());
    wants.push_back(column.id);
    more.wants = wants;
    AnalyzerOutput output = subject.analyze_as(more, report);
    output.notes.clear();
    if (to_bytes(output) != usual) names += (names.empty() ? "" : ", ") + std::string(column.name);
  }
  if (names.empty()) return reply_of(subject.analyze(report));
  return failed("reads without declaring it in kNeeds or kWants: " + names);
}

/// If it crashes without its undeclared columns: each case hides one column and shows all others.
std::vector<Case> suspects_of(const PluginUnderTest& checkee) {
  const std::set<ColumnId> seen = seen_by(checkee.declared);
  std::vector<Case> cases;
  for (const ColumnInfo& column : column_infos()) {
    if (seen.contains(column.id)) continue;
    const auto without = [id = column.id](const Subject& subject) -> CaseReply {
      ReportBuilder builder;
      fill_every_table(builder);
      std::vector<ColumnId> wants;
      for (const ColumnInfo& other : column_infos()) {
        if (other.id != id && table_of(other.id) != id) wants.push_back(other.id);
      }
      Descriptor more = subject.declared();
      more.wants = wants;
      return reply_of(subject.analyze_as(more, builder.build()));
    };
    cases.push_back({std::string(column.name), with_subject(checkee.declared, checkee.usual, without)});
  }
  return cases;
}

CaseReply usual(const Subject& subject) { return everything(subject, false); }

/// If nothing is ever produced, the other rows mean little: they tested code that never ran.
CaseReply makes_something(const Subject& subject) {
  OutputCounts made;
  if (analyzes(subject.declared())) {
    ReportBuilder builder;
    fill_every_table(builder);
    made.add(subject.analyze(builder.build()));
  }
  if (gathers(subject.declared())) {
    for (const AnalyzerOutput& output : gathered(subject, 2)) made.add(output);
  }
  if (concludes(subject.declared())) made.add(subject.conclude(comparison_of(subject)->build()));
  if (made.any()) return {CaseStatus::kOk, made.text()};
  return {CaseStatus::kWarned,
          "nothing in any case, so the other checks mean little; give --config CONFIG with options with which it finds "
          "something in synthetic reports"};
}

CaseReply prints_nothing(const Subject& subject) {
  const std::string printed = printed_by([&] { everything(subject, false); });
  if (printed.empty()) return {};
  return failed("prints '" + printed + "'; use sink.note(), sink.skip() or sink.issue() instead");
}

CaseReply hostile(const Subject& subject) { return everything(subject, true); }

Check large_report(const PluginUnderTest& checkee) {
  const auto large = std::make_shared<std::unique_ptr<LargeReport>>();
  Check check = single(checkee, "a million kernels",
                       [large](const Subject& subject) { return reply_of(subject.analyze((*large)->report())); });
  check.prepare = [large, &declared = checkee.declared] {
    std::set<ColumnId> wanted(declared.needs.begin(), declared.needs.end());
    wanted.insert(declared.wants.begin(), declared.wants.end());
    *large = std::make_unique<LargeReport>(kLargeReport, wanted);
  };
  return check;
}

Check growth_of_time(const PluginUnderTest& checkee) {
  using OutputCounts = std::pair<std::unique_ptr<LargeReport>, std::unique_ptr<LargeReport>>;
  const auto made = std::make_shared<OutputCounts>();
  Check check = single(checkee, "growth", [made](const Subject& subject) {
    return growth(subject, made->first->report(), made->second->report());
  });
  check.prepare = [made, &declared = checkee.declared] {
    std::set<ColumnId> wanted = seen_by(declared);
    wanted.insert(col::kernels);
    // Large enough that a nested loop takes long, and too small for an analyzer without one to be worth comparing.
    *made = {std::make_unique<LargeReport>(kLargeReport / 16, wanted),
             std::make_unique<LargeReport>(kLargeReport / 4, wanted)};
  };
  return check;
}

/// Checks that need no run.
void add_declared_checks(const PluginUnderTest& checkee, const Makers& others, std::vector<Check>& to) {
  const auto add = [&](const char* name, const std::string& problem) {
    to.push_back({name, {{"", [problem] { return problem.empty() ? CaseReply{} : failed(problem); }}}});
  };
  add("version", version_problem(checkee.declared));
  add("defaults", default_problem(checkee.declared));
  add("metrics it makes", ownership_problem(checkee.declared, others));
  add("metrics it reads", reading_problem(checkee.declared, others));
}

void add_report_checks(const PluginUnderTest& checkee, std::vector<Check>& to) {
  const auto analyzed_as_made = [](const SmallReport& report) {
    return [fill = report.fill](const Subject& subject) {
      ReportBuilder builder;
      fill(builder);
      return reply_of(subject.analyze(builder.build()));
    };
  };
  for (const SmallReport& report : small_reports(checkee.declared))
    to.push_back(single(checkee, report.name, analyzed_as_made(report)));
  Check lacking{"a column missing", {}};
  for (const SmallReport& report : without_each_column(checkee.declared))
    lacking.cases.push_back(
        {"without " + report.name, with_subject(checkee.declared, checkee.usual, analyzed_as_made(report))});
  to.push_back(std::move(lacking));
  to.push_back(large_report(checkee));
  to.push_back(growth_of_time(checkee));
  to.push_back(single(checkee, "undeclared columns", reads_undeclared));
  to.back().suspects = suspects_of(checkee);
  to.push_back(single(checkee, "same report twice", analyzed_twice));
  to.push_back(single(checkee, "two threads at once", analyzed_at_once));
}

void add_job_checks(const PluginUnderTest& checkee, std::vector<Check>& to) {
  to.push_back(
      single(checkee, "job of one rank", [](const Subject& subject) { return reply_of(gathered(subject, 1)); }));
  to.push_back(
      single(checkee, "job of two ranks", [](const Subject& subject) { return reply_of(gathered(subject, 2)); }));
  to.push_back(single(checkee, "same job twice", gathered_twice));
}

void add_study_checks(const PluginUnderTest& checkee, std::vector<Check>& to) {
  const char* names[] = {"study without reports", "study of one report", "study of two reports"};
  for (int reports = 0; reports <= 2; ++reports) {
    to.push_back(single(checkee, names[reports], [reports](const Subject& subject) {
      return reply_of(subject.conclude(study_of(subject, reports)->build()));
    }));
  }
  to.push_back(single(checkee, "study of a comparison", [](const Subject& subject) {
    return reply_of(subject.conclude(comparison_of(subject)->build()));
  }));
  to.push_back(single(checkee, "same study twice", concluded_twice));
}

/// One row per option.
void add_option_checks(const PluginUnderTest& checkee, std::vector<Check>& to) {
  for (OptionCase& option : hostile_options(checkee.declared.options, checkee.usual)) {
    const std::string name = "option " + option.name;
    if (to.empty() || to.back().name != name) to.push_back({name, {}});
    to.back().cases.push_back({option.value, with_subject(checkee.declared, std::move(option.given), hostile)});
  }
}

std::string signal_word(const std::string& happened) {
  const std::size_t at = happened.find("SIG");
  return at == std::string::npos ? std::string("signal") : happened.substr(at, happened.find_first_of(", ", at) - at);
}

std::string word_for(const process::Outcome& outcome, const std::string& happened) {
  if (outcome.out_of_memory) return "out of memory";
  switch (outcome.status.how) {
    case process::ExitKind::kSignalled:
      return "crashed (" + signal_word(happened) + ")";
    case process::ExitKind::kTimedOut:
      return "hung";
    case process::ExitKind::kInterrupted:
      return "interrupted";
    default:
      return "failed";
  }
}

constexpr const char* kWords[] = {"ok", "refused", "warning", "failed"};

/// Names of the suspects that fail; empty if there are none, or if all fail.
std::string guilty(const std::vector<Case>& suspects, const process::Limits& limits, const std::atomic<bool>& stop) {
  std::string names;
  std::size_t count = 0;
  for (const Case& suspect : suspects) {
    if (stop.load()) return {};
    if (run(suspect, limits, stop).passed) continue;
    names += (count++ == 0 ? "" : ", ") + suspect.with;
  }
  return count == suspects.size() ? std::string() : names;
}

}  // namespace

std::vector<Check> checks_of(const Descriptor& declared, const OptionInputs& options, const Makers& others) {
  const PluginUnderTest checkee{declared, options};
  std::vector<Check> checks{single(checkee, "default options", [](const Subject&) { return CaseReply{}; }),
                            single(checkee, "only what it declares", usual)};
  add_declared_checks(checkee, others, checks);
  if (analyzes(declared)) add_report_checks(checkee, checks);
  if (gathers(declared)) add_job_checks(checkee, checks);
  if (concludes(declared)) add_study_checks(checkee, checks);
  checks.push_back(single(checkee, "what it makes", makes_something));
  checks.push_back(single(checkee, "standard output", prints_nothing));
  checks.push_back({"code at load", {{"", [&declared] { return runs_nothing_when_loaded(declared); }}}});
  add_option_checks(checkee, checks);
  return checks;
}

CheckResult run(const Case& one, const process::Limits& limits, const std::atomic<bool>& stop) {
  const auto body = [&] {
    const CaseReply reply = one.body();
    return static_cast<char>('0' + static_cast<int>(reply.answer)) + reply.detail;
  };
  const process::Outcome outcome = process::contained(limits, body, &stop);
  if (!outcome.answer || outcome.answer->empty()) {
    const std::string happened = what_happened(outcome, limits);
    return {word_for(outcome, happened), happened, false, outcome.seconds, outcome.peak};
  }
  const auto answer = static_cast<CaseStatus>(outcome.answer->front() - '0');
  return {kWords[static_cast<std::size_t>(answer)], outcome.answer->substr(1), answer != CaseStatus::kFailed,
          outcome.seconds, outcome.peak};
}

CheckResult run(const Check& check, const process::Limits& limits, const std::atomic<bool>& stop) {
  check.prepare();
  CheckResult all;
  std::size_t refused = 0;
  for (const Case& one : check.cases) {
    CheckResult checked = run(one, limits, stop);
    if (checked.result == "refused") ++refused;
    checked.seconds += all.seconds;
    checked.peak = std::max(checked.peak, all.peak);
    if (!checked.passed && !one.with.empty()) checked.detail = one.with + ": " + checked.detail;
    if (!checked.passed && checked.result != "failed") {
      if (const std::string names = guilty(check.suspects, limits, stop); !names.empty())
        checked.detail += "; reads without declaring it in kNeeds or kWants: " + names;
    }
    all = std::move(checked);
    if (!all.passed || stop.load()) return all;
  }
  if (check.cases.size() < 2) return all;
  all.result = refused == check.cases.size() ? "refused" : "ok";
  all.detail = counted(check.cases.size(), "value") + (refused > 0 ? ", " + std::to_string(refused) + " refused" : "");
  return all;
}

}  // namespace assay::check
