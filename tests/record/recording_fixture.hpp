// A question whose runs are made by the profiler of the tests, and the recording of them.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "config/config.hpp"
#include "record/recorder.hpp"
#include "support/test.hpp"

namespace assay::record {

/// The lines of a journal as they stand on the disk, those that are JSON.
inline std::vector<Json> lines_of(const std::filesystem::path& folder) {
  std::vector<Json> lines;
  std::ifstream in(folder / kJournal);
  for (std::string line; std::getline(in, line);) {
    if (Json::accept(line)) lines.push_back(Json::parse(line));
  }
  return lines;
}

/// A member as text; empty when it is not there.
inline std::string text_in(const Json& event, const char* key) { return event.value(key, ""); }

class Recording : public ::testing::Test {
 protected:
  /// Runs "a" and "b" of the label mode; what each does is in words of the profiler (profiled.cpp). `more`: of the
  /// experiment; `sections`: behind it.
  void ask(const std::string& of_a, const std::string& of_b, const std::string& more = "",
           const std::string& sections = "") {
    home_.write("question.toml",
                "[question]\nid = \"q\"\n[iterations]\nnvtx = \"step_{i}\"\n[labels]\npatterns = [\"run_{mode}\"]\n"
                "mode = { values = [\"a\", \"b\"] }\n[[matrix]]\nmode = [\"a\", \"b\"]\n"
                "[experiment]\ncommand = [\"true\", \"count=" +
                    (home_ / "count").string() + "\", \"{mode}\"]\n" +
                    "profiler = { name = \"profiled\", command = [\"" + profiler() + "\", \"-o\", \"{report}\"] }\n" +
                    more + "\n[experiment.arguments]\nmode = { a = [" + of_a + "], b = [" + of_b + "] }\n" + sections);
  }
  /// The claim that b takes at least `least` times as long as a; behind kJudged.
  static std::string b_is_slower(const std::string& id, const std::string& metric, const std::string& least) {
    return "[[claim]]\nid = \"" + id + "\"\ntext = \"b takes longer.\"\nmetric = \"" + metric +
           "\"\ncompare = \"ratio\"\nlabel = \"mode\"\nbase = \"a\"\nbetween = [" + least + ", inf]\n";
  }
  static constexpr const char* kJudged = "[analyzers.run_summary]\n[analyzers.claim_verdicts]\n";
  static std::string profiler() { return ASSAY_PROFILED; }

  Result<RecordResult> record(RecordOptions options = {}, const DesignOptions& design = {}) {
    const std::filesystem::path files[] = {home_ / "question.toml"};
    const auto questions = read_configs(files);
    if (!questions) return questions.error();
    const Result<Design> made = make_design(*questions, design);
    if (!made) return made.error();
    options.root = home_ / "out";
    said_.str("");
    Result<RecordResult> done = assay::record::record(*made, options, stop_, said_);
    if (done) folder_ = done->folder;
    return done;
  }

  /// The newest recording, also of a recorder that failed.
  [[nodiscard]] std::filesystem::path folder() const { return newest_recording(home_ / "out", "q"); }
  [[nodiscard]] nlohmann::json results() const { return nlohmann::json::parse(read_text(folder() / "results.json")); }
  [[nodiscard]] std::vector<Json> events(const std::string& kind) const {
    std::vector<Json> out = lines_of(folder());
    std::erase_if(out, [&](const Json& event) { return text_in(event, "event") != kind; });
    return out;
  }
  /// Processes that runs said they left as daemons, and of them those that still run.
  [[nodiscard]] std::pair<std::size_t, std::size_t> daemons() const {
    std::ifstream in(home_ / "daemons");
    std::size_t left = 0, running = 0;
    for (pid_t pid = 0; in >> pid; ++left) running += ::kill(pid, 0) == 0 ? 1U : 0U;
    return {left, running};
  }
  [[nodiscard]] std::string daemon() const { return "\"daemon=" + (home_ / "daemons").string() + "\""; }

  /// How often the profiler ran.
  [[nodiscard]] std::size_t runs() const {
    const std::string lines = read_text(home_ / "count");
    return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  }
  void wait_for_runs(std::size_t count) const {
    for (int i = 0; i < 6000 && runs() < count; ++i) usleep(10000);
  }

  TempFolder home_;
  std::filesystem::path folder_;
  std::ostringstream said_;
  std::atomic<bool> stop_{false};
};

}  // namespace assay::record
