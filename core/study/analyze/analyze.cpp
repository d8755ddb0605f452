#include "analyze/analyze.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "algo/fingerprint.hpp"
#include "analyze/columns_read.hpp"
#include "analyze/isolated.hpp"
#include "analyze/one_report.hpp"
#include "analyze/result_cache.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "files/utf8.hpp"
#include "plan/plan.hpp"
#include "recognise/profiles.hpp"
#include "workers.hpp"

namespace assay {
namespace {

/// Work shared between questions: the same analyzer with the same options on the same window and iterations gives equal
/// results.
struct Sharing {
  std::vector<std::size_t> view;               ///< [question]: first question with equal window and iterations
  std::vector<std::vector<std::size_t>> work;  ///< [question][analyzer]: number of the piece of work, equal if shared
  std::size_t works = 0;
};

bool equal_options(const OptionSet& a, const OptionSet& b) {
  return std::equal(a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end(),
                    [](const OptionSet::Entry& x, const OptionSet::Entry& y) {
                      return std::tie(x.name, x.type, x.given, x.value) == std::tie(y.name, y.type, y.given, y.value);
                    });
}

Sharing find_sharing(const Plan& plan) {
  struct WorkKey {
    std::size_t view;
    const PlannedAnalyzer* analyzer;
  };
  std::vector<WorkKey> pieces;
  Sharing sharing;
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    const Question& question = *plan.questions[q].question;
    std::size_t view = 0;
    while (view < q && !(plan.questions[view].question->window == question.window &&
                         plan.questions[view].question->iterations == question.iterations)) {
      ++view;
    }
    sharing.view.push_back(view);
    std::vector<std::size_t>& works = sharing.work.emplace_back();
    for (const PlannedAnalyzer& analyzer : plan.questions[q].analyzers) {
      const auto at = std::ranges::find_if(pieces, [&](const WorkKey& piece) {
        return piece.view == view && piece.analyzer->plugin == analyzer.plugin &&
               equal_options(piece.analyzer->options, analyzer.options);
      });
      works.push_back(static_cast<std::size_t>(at - pieces.begin()));
      if (at == pieces.end()) pieces.push_back({view, &analyzer});
    }
  }
  sharing.works = pieces.size();
  return sharing;
}

/// A question that uses a file.
struct Use {
  std::size_t question;
  std::size_t entry;
};

struct FileWork {
  const FoundFile* file;
  std::vector<std::filesystem::path> counters;  ///< CSVs of Nsight Compute that are read with it
  std::vector<Use> uses;                        ///< questions with equal windows are adjacent
};

/// Files of all questions, largest first, so that a small one finishes last.
std::vector<FileWork> files_to_read(const Catalog& catalog, const Sharing& sharing, const std::vector<char>* only) {
  // Questions that join different counters to a file read it separately.
  std::map<std::pair<std::size_t, std::vector<std::size_t>>, FileWork> all;
  for (std::size_t q = 0; q < catalog.questions.size(); ++q) {
    const std::vector<CatalogEntry>& entries = catalog.questions[q].entries;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (only == nullptr || (*only)[entries[e].file] != 0)
        all[{entries[e].file, entries[e].counters}].uses.push_back({q, e});
    }
  }
  std::vector<FileWork> wanted;
  for (auto& [files, work] : all) {
    work.file = &catalog.files[files.first];
    for (const std::size_t counters : files.second) work.counters.push_back(catalog.files[counters].path);
    std::ranges::stable_sort(
        work.uses, [&](const Use& a, const Use& b) { return sharing.view[a.question] < sharing.view[b.question]; });
    wanted.push_back(std::move(work));
  }
  std::ranges::stable_sort(wanted, [](const FileWork& a, const FileWork& b) { return a.file->size > b.file->size; });
  return wanted;
}

ReportResult not_read(const FoundFile& file, const std::string& reason, bool failed) {
  ReportResult result;
  result.skips.push_back({to_utf8(file.name), "", to_utf8(reason), failed});
  return result;
}

/// A file that discovery recognized as a report but that could not be read, or lacks the window: an issue as well as a
/// skip.
ReportResult unusable(const FoundFile& file, const std::string& sentence, const char* issue, bool failed) {
  ReportResult result = not_read(file, sentence, failed);
  result.lacking = !failed;
  result.issues.push_back({issue, Severity::kError, 0, to_utf8(sentence)});
  return result;
}

ViewIssues issues_of(const Result<Profile::View>& view) {
  ViewIssues seen;
  if (!view) {
    seen.missing = to_utf8(view.error().sentence);
    return seen;
  }
  ReportResult issues;
  add_issues(issues, *view->report().issues);
  seen.issues = std::move(issues.issues);
  return seen;
}

/// What takes longer makes people ask what is going on.
constexpr std::uint64_t kSlowToRead = std::uint64_t{256} << 20;  // bytes
constexpr std::size_t kSlowToAnalyze = 1'000'000;                // kernels

/// Results for one file, cached or computed by now, while its questions are answered.
struct KnownResults {
  std::vector<std::optional<ViewIssues>> views;      ///< [view]
  std::vector<std::optional<AnalyzerOutput>> works;  ///< [piece of work]
};

/// State shared by all workers; constant except for the results, each of which is written by one worker.
class FileAnswers {
 public:
  FileAnswers(const Plan& plan, const std::vector<Analyzers>& analyzers, const Sharing& sharing,
              const AnalysisSettings& settings, const std::atomic<bool>& stop, Analysis& analysis)
      : plan_(plan),
        columns_(columns_read(plan)),
        fingerprints_(!settings.needs_only && needs_fingerprints(plan)),
        analyzers_(analyzers),
        sharing_(sharing),
        settings_(settings),
        stop_(stop),
        analysis_(analysis) {}

  /// Reads one file and runs its analyzers with that many threads, and answers every question that uses it. Failures of
  /// the host affect only this file. `only`: it is the only file, so its analyzers are what progresses.
  void run(const FileWork& work, unsigned threads, bool only) {
    try {
      read_and_answer(work, threads, only ? settings_.progress : Progress());
    } catch (const std::bad_alloc&) {
      fail(work, "out of memory while analyzing this profile; run with fewer jobs (-j)");
    } catch (const std::exception& e) {
      fail(work, std::string("this profile could not be analyzed: ") + e.what());
    }
  }

  /// Number of files answered without reading them.
  [[nodiscard]] std::size_t recalled() const { return recalled_; }

 private:
  ReportResult& result_of(const Use& use) const { return analysis_.questions[use.question][use.entry]; }
  const Question& question_of(const Use& use) const { return *plan_.questions[use.question].question; }

  void fail(const FileWork& work, const std::string& sentence) const {
    for (const Use& use : work.uses) result_of(use) = not_read(*work.file, sentence, true);
  }

  void read_and_answer(const FileWork& work, unsigned threads, const Progress& progress) {
    if (!is_report(work.file->kind)) {
      return fail(work, work.file->problem.empty() ? "this file is not a profile" : work.file->problem);
    }
    RememberedReport memory(settings_.cache, *work.file, work.counters);
    KnownResults known = recall(work, memory);
    std::optional<Profile> profile;
    if (!answers_all(work.uses, known)) {
      const ProfileFiles files{*work.file, work.counters};
      const Status tried =
          settings_.isolated == nullptr ? ok() : rehearse_reading(files, columns_, *settings_.isolated);
      if (progress && work.file->size >= kSlowToRead) {
        const std::string size = quantity(static_cast<double>(work.file->size), "bytes");
        const std::string& foretold = work.file->foretold;
        progress(0, 1,
                 filled("reading {}, {}{}", {work.file->name, size, foretold.empty() ? foretold : ", " + foretold}));
      }
      Result<Profile> loaded = tried ? read_profile(files, columns_, threads) : Result<Profile>(tried.error());
      if (!loaded) {
        for (const Use& use : work.uses)
          result_of(use) = unusable(*work.file, loaded.error().sentence, "unreadable", true);
        return;
      }
      profile.emplace(std::move(*loaded));
    } else {
      ++recalled_;
    }
    for (auto first = work.uses.begin(); first != work.uses.end();) {
      const std::size_t view = sharing_.view[first->question];
      const auto last =
          std::find_if(first, work.uses.end(), [&](const Use& use) { return sharing_.view[use.question] != view; });
      const std::span<const Use> uses(first, last);
      if (!answers_all(uses, known)) find_out(*profile, uses, threads, progress, known, memory);
      for (auto use = first; use != last; ++use) {
        result_of(*use) = answer(*work.file, {use, last}, profile ? &*profile : nullptr, known);
      }
      first = last;
    }
    memory.keep();
  }

  /// Calls `each(planned analyzer, its index, piece of work)` for the analyzers of a question that analyze reports.
  template <class Each>
  void for_each_work(std::size_t question, const Each& each) const {
    const std::vector<PlannedAnalyzer>& planned = plan_.questions[question].analyzers;
    for (std::size_t a = 0; a < planned.size(); ++a) {
      const bool looks = (planned[a].plugin->descriptor().stages & kStageAnalyze) != 0;
      if (looks && analyzers_[question].at(a) != nullptr) each(planned[a], a, sharing_.work[question][a]);
    }
  }

  KnownResults recall(const FileWork& work, const RememberedReport& memory) const {
    KnownResults known{std::vector<std::optional<ViewIssues>>(plan_.questions.size()),
                       std::vector<std::optional<AnalyzerOutput>>(sharing_.works)};
    if (settings_.cache == nullptr) return known;
    for (const Use& use : work.uses) {
      std::optional<ViewIssues>& view = known.views[sharing_.view[use.question]];
      if (!view) view = memory.view(question_of(use));
      for_each_work(use.question, [&](const PlannedAnalyzer& analyzer, std::size_t, std::size_t piece) {
        if (!known.works[piece]) known.works[piece] = memory.output(question_of(use), analyzer);
      });
    }
    return known;
  }

  bool answers_all(std::span<const Use> uses, const KnownResults& known) const {
    return std::ranges::all_of(uses, [&](const Use& use) {
      const std::optional<ViewIssues>& view = known.views[sharing_.view[use.question]];
      bool all = view.has_value();
      if (all && view->missing) return true;
      for_each_work(use.question, [&](const PlannedAnalyzer&, std::size_t, std::size_t piece) {
        all = all && known.works[piece].has_value();
      });
      return all;
    });
  }

  struct OpenWork {
    const PlannedAnalyzer* planned;
    const Analyzer* analyzer;
    std::size_t piece;
  };

  /// Analyzes the profile through the window shared by all of `uses`. Only one view exists at a time.
  void find_out(const Profile& profile, std::span<const Use> uses, unsigned threads, const Progress& progress,
                KnownResults& known, RememberedReport& memory) const {
    const Question& question = question_of(uses.front());
    const Result<Profile::View> view = profile.view(question.window, question.iterations);
    std::optional<ViewIssues>& seen = known.views[sharing_.view[uses.front().question]];
    seen = issues_of(view);
    if (view && fingerprints_) seen->fingerprint = to_utf8(fingerprint_of(view->report()).text);
    memory.remember(question, *seen);
    if (!view) return;
    const std::size_t kernels = view->report().kernels == nullptr ? 0 : view->report().kernels->rows;
    if (progress && kernels >= kSlowToAnalyze) {
      const Window& window = *view->report().window;
      const std::string span = time_text(static_cast<double>(window.end - window.start));
      progress(0, 1, filled("analyzing {} over {}", {counted(kernels, "kernel"), span}));
    }
    std::vector<OpenWork> open;
    for (const Use& use : uses) {
      for_each_work(use.question, [&](const PlannedAnalyzer& planned, std::size_t number, std::size_t piece) {
        if (known.works[piece] || std::ranges::find(open, piece, &OpenWork::piece) != open.end()) return;
        open.push_back({&planned, analyzers_[use.question].at(number), piece});
      });
    }
    // A stream takes the tables of a report from one analyzer after the other.
    std::atomic<std::size_t> done{0};
    const bool alone = settings_.isolated != nullptr || settings_.tables != nullptr;
    if (!alone) {  // who reads most works longest, and alone if begun last
      std::ranges::stable_sort(open, std::greater<>(), [](const OpenWork& work) {
        const Descriptor& own = work.planned->plugin->descriptor();
        return own.needs.size + own.wants.size;
      });
    }
    for_each_on_workers(open.size(), alone ? 1 : threads, [&](std::size_t w) {
      known.works[open[w].piece] = result_of(*open[w].planned->plugin, *open[w].analyzer, view->report());
      if (progress) progress(++done, open.size(), "analyzers");
    });
    for (const OpenWork& work : open) memory.remember(question, *work.planned, *known.works[work.piece]);
  }

  AnalyzerOutput result_of(const Plugin& plugin, const Analyzer& analyzer, const Report& report) const {
    if (settings_.needs_only) return unmet_need(plugin.descriptor(), report).value_or(AnalyzerOutput{});
    if (settings_.isolated == nullptr) return run_analyzer(plugin.descriptor(), analyzer, report, settings_.tables);
    return run_isolated(plugin.descriptor(), analyzer, report, *settings_.isolated, stop_);
  }

  /// Whether any of `uses` needs a piece of work.
  bool wanted(std::size_t piece, std::span<const Use> uses) const {
    return std::ranges::any_of(uses, [&](const Use& use) {
      const std::vector<std::size_t>& pieces = sharing_.work[use.question];
      return std::ranges::find(pieces, piece) != pieces.end();
    });
  }

  /// Collects the results for the first of `uses`; the others share the view and follow later. `profile` is null if the
  /// file was not read.
  ReportResult answer(const FoundFile& file, std::span<const Use> uses, const Profile* profile,
                      KnownResults& known) const {
    const Use& use = uses.front();
    const ViewIssues& view = *known.views[sharing_.view[use.question]];
    if (view.missing) return unusable(file, *view.missing, "window_missing", false);
    ReportResult result;
    result.loaded = true;
    if (profile != nullptr) {
      for (const std::string& note : profile->notes()) result.notes.push_back(to_utf8(note));
    }
    result.issues = view.issues;
    for (const auto& [name, value] : file.environment) result.attributes.push_back({name, value});
    result.attributes.push_back({"format", std::string(file.kind.word)});
    if (plan_.questions[use.question].fingerprints && !view.fingerprint.empty())
      result.attributes.push_back({std::string(kFingerprint), view.fingerprint});
    for_each_work(use.question, [&](const PlannedAnalyzer&, std::size_t, std::size_t piece) {
      std::optional<AnalyzerOutput>& output = known.works[piece];
      if (wanted(piece, uses.subspan(1)))
        add_output(result, *output);
      else
        add_output(result, std::move(*output));  // tables may have millions of rows
    });
    sort_result(result);
    return result;
  }

  const Plan& plan_;
  std::set<ColumnId> columns_;
  bool fingerprints_;
  const std::vector<Analyzers>& analyzers_;
  const Sharing& sharing_;
  const AnalysisSettings& settings_;
  const std::atomic<bool>& stop_;
  Analysis& analysis_;
  std::atomic<std::size_t> recalled_{0};
};

/// A result for every entry, which remains if the run is interrupted before the file is reached.
Analysis unread(const Catalog& catalog) {
  Analysis analysis;
  for (const QuestionCatalog& question : catalog.questions) {
    std::vector<ReportResult>& results = analysis.questions.emplace_back();
    for (const CatalogEntry& entry : question.entries) {
      results.push_back(
          not_read(catalog.files[entry.file], "the run was interrupted before this profile was read", false));
    }
  }
  return analysis;
}

}  // namespace

Analysis analyze(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers,
                 const std::atomic<bool>& stop, const AnalysisSettings& settings) {
  const std::size_t workers = workers_of(settings.jobs);
  Analysis analysis = unread(catalog);
  const Sharing sharing = find_sharing(plan);
  const std::vector<FileWork> files = files_to_read(catalog, sharing, settings.only);
  FileAnswers answers(plan, analyzers, sharing, settings, stop, analysis);
  const auto threads =
      static_cast<unsigned>(std::max<std::size_t>(1, workers / std::max<std::size_t>(1, files.size())));

  // Each worker takes the next file after releasing its last, so at most `workers` reports are in memory.
  std::atomic<std::size_t> next{0}, done{0};
  on_workers(std::min(workers, files.size()), [&] {
    for (std::size_t i = next++; i < files.size() && !stop.load(); i = next++) {
      answers.run(files[i], threads, files.size() == 1);
      const std::size_t count = ++done;
      if (settings.progress) settings.progress(count, files.size(), "profiles");
    }
  });
  analysis.recalled = answers.recalled();
  analysis.interrupted = done.load() < files.size();
  return analysis;
}

}  // namespace assay
