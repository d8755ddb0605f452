#include "analyze/analyze.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "analyze/one_report.hpp"
#include "analyze/sharing.hpp"
#include "analyze/utf8.hpp"
#include "load/load.hpp"

namespace assay {
namespace {

/// One question that wants a file.
struct Use {
  std::size_t question;
  std::size_t entry;
};

struct FileWork {
  const FoundFile* file;
  std::vector<Use> uses;  ///< questions with equal windows stand together
};

/// The files that any question has, largest first, so that the last one to finish is a small one.
std::vector<FileWork> files_to_read(const Catalog& catalog, const Sharing& sharing) {
  std::vector<FileWork> all(catalog.files.size());
  for (std::size_t q = 0; q < catalog.questions.size(); ++q) {
    const std::vector<CatalogEntry>& entries = catalog.questions[q].entries;
    for (std::size_t e = 0; e < entries.size(); ++e) all[entries[e].file].uses.push_back({q, e});
  }
  std::vector<FileWork> wanted;
  for (std::size_t f = 0; f < all.size(); ++f) {
    if (all[f].uses.empty()) continue;
    all[f].file = &catalog.files[f];
    std::stable_sort(all[f].uses.begin(), all[f].uses.end(),
                     [&](const Use& a, const Use& b) { return sharing.view[a.question] < sharing.view[b.question]; });
    wanted.push_back(std::move(all[f]));
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const FileWork& a, const FileWork& b) { return a.file->size > b.file->size; });
  return wanted;
}

ReportResult not_read(const FoundFile& file, std::string reason, bool failed) {
  ReportResult result;
  result.skips.push_back({to_utf8(file.name), "", to_utf8(reason), failed});
  return result;
}

/// A file that discovery took for a report and that could not be read or has not the window: an issue as well as a
/// skip.
ReportResult unusable(const FoundFile& file, const Error& error, const char* issue, bool failed) {
  ReportResult result = not_read(file, error.sentence, failed);
  result.lacking = !failed;
  result.issues.push_back({issue, Severity::kError, 0, to_utf8(error.sentence)});
  return result;
}

/// Everything that all workers share and nobody changes, except for the results: each is written by one worker.
class Runner {
 public:
  Runner(const Plan& plan, const std::vector<Analyzers>& analyzers, const Sharing& sharing, unsigned load_threads,
         Reader reader, Analysis& analysis)
      : plan_(plan),
        analyzers_(analyzers),
        sharing_(sharing),
        load_threads_(load_threads),
        reader_(reader),
        analysis_(analysis) {}

  /// Reads one file and answers every question that wants it. Failures of the host stay with the file.
  void run(const FileWork& work) const {
    try {
      read_and_answer(work);
    } catch (const std::bad_alloc&) {
      fail(work, "memory ran out while this report was analyzed; run with fewer jobs (-j)");
    } catch (const std::exception& e) {
      fail(work, std::string("this report could not be analyzed: ") + e.what());
    }
  }

 private:
  ReportResult& result_of(const Use& use) const { return analysis_.questions[use.question][use.entry]; }

  void fail(const FileWork& work, const std::string& sentence) const {
    for (const Use& use : work.uses) result_of(use) = not_read(*work.file, sentence, true);
  }

  void read_and_answer(const FileWork& work) const {
    if (!is_report(work.file->kind)) {
      return fail(work, work.file->problem.empty() ? "this file is not a report" : work.file->problem);
    }
    const Result<Profile> profile =
        load_profile(work.file->path, work.file->name, plan_.wanted, load_threads_, reader_);
    if (!profile) {
      for (const Use& use : work.uses) result_of(use) = unusable(*work.file, profile.error(), "unreadable", true);
      return;
    }
    for (auto first = work.uses.begin(); first != work.uses.end();) {
      const std::size_t view = sharing_.view[first->question];
      const auto last =
          std::find_if(first, work.uses.end(), [&](const Use& use) { return sharing_.view[use.question] != view; });
      answer(*work.file, *profile, {first, last});
      first = last;
    }
  }

  /// Answers the questions that see the file through one window. One view is alive at a time.
  void answer(const FoundFile& file, const Profile& profile, std::span<const Use> uses) const {
    const Question& question = *plan_.questions[uses.front().question].question;
    const Result<Profile::View> view = profile.view(question.window, question.iterations);
    if (!view) {
      for (const Use& use : uses) result_of(use) = unusable(file, view.error(), "window_missing", false);
      return;
    }
    std::vector<std::optional<AnalyzerOutput>> done(sharing_.works);
    for (const Use& use : uses) {
      ReportResult result;
      result.loaded = true;
      for (const std::string& note : profile.notes()) result.notes.push_back(to_utf8(note));
      add_issues(result, *view->report().issues);
      run_analyzers(use.question, view->report(), done, result);
      sort_result(result);
      result_of(use) = std::move(result);
    }
  }

  void run_analyzers(std::size_t question, const Report& report, std::vector<std::optional<AnalyzerOutput>>& done,
                     ReportResult& result) const {
    const std::vector<PlannedAnalyzer>& planned = plan_.questions[question].analyzers;
    for (std::size_t a = 0; a < planned.size(); ++a) {
      const Descriptor& declared = planned[a].plugin->descriptor();
      const Analyzer* analyzer = analyzers_[question].at(a);
      if ((declared.stages & kStageAnalyze) == 0 || analyzer == nullptr) continue;
      std::optional<AnalyzerOutput>& output = done[sharing_.work[question][a]];
      if (!output) output = run_analyzer(declared, *analyzer, report);
      add_output(result, *output);
    }
  }

  const Plan& plan_;
  const std::vector<Analyzers>& analyzers_;
  const Sharing& sharing_;
  unsigned load_threads_;
  Reader reader_;
  Analysis& analysis_;
};

/// A result for every entry, as it stays when the run is interrupted before the file's turn.
Analysis unread(const Catalog& catalog) {
  Analysis analysis;
  for (const QuestionCatalog& question : catalog.questions) {
    std::vector<ReportResult>& results = analysis.questions.emplace_back();
    for (const CatalogEntry& entry : question.entries) {
      results.push_back(
          not_read(catalog.files[entry.file], "the run was interrupted before this report was read", false));
    }
  }
  return analysis;
}

/// Runs `work` on this thread and on `workers - 1` others, and waits for all. Threads of our own, because what a pool
/// in an uninstrumented library hands over is invisible to the thread sanitizer, which then cannot vouch for the work.
template <class Work>
void on_workers(std::size_t workers, const Work& work) {
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < workers) others.emplace_back(work);
  } catch (const std::system_error&) {  // the system has no more threads: those that there are do it all
  }
  work();
}

}  // namespace

Analysis analyze(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers, unsigned jobs,
                 const Progress& progress, const std::atomic<bool>& stop, Reader reader) {
  const unsigned workers = std::max(1U, jobs > 0 ? jobs : std::thread::hardware_concurrency());
  Analysis analysis = unread(catalog);
  const Sharing sharing = find_sharing(plan);
  const std::vector<FileWork> files = files_to_read(catalog, sharing);
  const Runner runner(plan, analyzers, sharing, files.size() < workers ? 2 : 1, reader, analysis);

  // Each worker takes the next file when it has let go of its last: no more than `workers` reports are in memory.
  std::atomic<std::size_t> next{0}, done{0};
  on_workers(std::min<std::size_t>(workers, files.size()), [&] {
    for (std::size_t i = next++; i < files.size() && !stop.load(); i = next++) {
      runner.run(files[i]);
      const std::size_t count = ++done;
      if (progress) progress(count, files.size());
    }
  });
  analysis.interrupted = done.load() < files.size();
  return analysis;
}

}  // namespace assay
