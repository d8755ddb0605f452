#include "pipeline/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "assay/words.hpp"
#include "conclude/gather.hpp"
#include "discover/discover.hpp"
#include "files/log_line.hpp"
#include "pipeline/setup.hpp"
#include "plugins/formats.hpp"
#include "workers.hpp"

namespace assay {
namespace {

Error interruption() { return Error{"interrupted", Exit::kInterrupted}.advise("nothing was written"); }

const std::atomic<bool> kNeverStopped{false};

}  // namespace

Pipeline::Pipeline(std::vector<Question> questions, PipelineSettings settings)
    : settings_(std::move(settings)), questions_(std::move(questions)) {
  if (settings_.stop == nullptr) settings_.stop = &kNeverStopped;
  metrics_ = declared_metrics(settings_.sql);
  if (settings_.cache) store_.emplace(settings_.cache->folder);
}

Result<std::unique_ptr<Pipeline>> Pipeline::plan(std::vector<Question> questions, PipelineSettings settings) {
  std::unique_ptr<Pipeline> line(new Pipeline(std::move(questions), std::move(settings)));
  if (const Status planned = line->load_and_plan(); !planned) return planned.error();
  return line;
}

Result<std::vector<std::filesystem::path>> analyzer_folders(std::span<const Question> questions,
                                                            std::span<const std::filesystem::path> paths,
                                                            bool trusted) {
  const std::vector<std::filesystem::path> of_user = plugin_folders(paths);
  std::vector<std::filesystem::path> all(paths.begin(), paths.end());
  for (const Question& question : questions) {
    for (const std::filesystem::path& folder : question.plugins.folders) {
      const std::vector<std::string> libraries =
          trusted ? std::vector<std::string>() : foreign_libraries(folder, of_user);
      if (!libraries.empty()) {
        return Error{fmt::format("{}: [plugins] folders names '{}', whose {} {} would run as a program of yours",
                                 question.file.string(), folder.string(),
                                 libraries.size() == 1 ? "library" : "libraries", fmt::join(libraries, ", "))}
            .at(folder.string())
            .advise("give --trust-plugins if you trust them, or name the folder in ASSAY_PLUGIN_PATH");
      }
      all.push_back(folder);
    }
  }
  return plugin_folders(all);
}

std::optional<CacheSettings> cache_of_large_files() {
  constexpr std::uint64_t kReadWithinASecond = std::uint64_t{64} << 20;  // bytes
  const auto folder = cache::default_folder();
  if (!folder) return std::nullopt;
  return CacheSettings{.folder = *folder, .least_file = kReadWithinASecond};
}

Status Pipeline::load_and_plan() {
  const auto folders = analyzer_folders(questions_, settings_.plugin_paths, settings_.trust_plugins);
  if (!folders) return folders.error();
  const bool of_questions = std::ranges::any_of(questions_, [](const auto& q) { return !q.plugins.folders.empty(); });
  if (of_questions) {
    for (const RefusedPlugin& refused : load_formats(*folders)) log_warning("{}", refused.sentence);
  }
  plugins_ = load_plugins(*folders);
  if (const Status added = metrics_->add_to(plugins_, questions_); !added) return added.error();
  Result<Plan> plan = make_plan(questions_, plugins_);
  if (!plan) return plan.error();
  plan_ = std::move(*plan);
  return ok();
}

const std::vector<Analyzers>& Pipeline::analyzers() {
  if (analyzers_) return *analyzers_;
  analyzers_.emplace();
  for (const PlannedQuestion& question : plan_.questions) analyzers_->push_back(Analyzers::make(question, isolated()));
  return *analyzers_;
}

Status Pipeline::discover(std::span<const std::filesystem::path> folders) {
  std::string whose;
  for (const std::filesystem::path& folder : folders) whose += folder.native() + '\0';
  if (store_) seen_ = SeenFiles::make(*store_, plugins_, whose, settings_.cache->trust_times);
  std::function<void(std::size_t, std::size_t)> looked;
  if (const Progress stage = begin_stage())
    looked = [stage](std::size_t done, std::size_t all) { stage(done, all, "profiles"); };
  Result<Catalog> catalog = assay::discover(questions_, folders, looked, seen_.get(), settings_.stop);
  if (!catalog) return catalog.error();
  set_inputs(std::move(*catalog));
  learn_sheets();
  log_info("{}, {}, {}", counted(questions_.size(), "question"), counted(plugins_.loaded.size(), "plugin"),
           counted(catalog_.files.size(), "file"));
  return ok();
}

void Pipeline::set_inputs(Catalog catalog) {
  catalog_ = std::move(catalog);
  analysis_ = {};
}

/// Digests sheets before anything reads them, so that a change during the run shows.
void Pipeline::learn_sheets() const {
  for (const QuestionCatalog& found : catalog_.questions) {
    for (const FoundSheet& sheet : found.sheets) {
      if (seen_) static_cast<void>(seen_->content(catalog_.files[sheet.file].path, false));
    }
  }
}

namespace {

/// Files that the questions read: by path, whether it is a report.
std::map<std::string, bool> files_read(const Catalog& catalog) {
  std::map<std::string, bool> read;
  const auto add = [&](std::size_t file, bool report) { read[catalog.files[file].path.native()] |= report; };
  for (const QuestionCatalog& found : catalog.questions) {
    for (const CatalogEntry& entry : found.entries) {
      if (is_report(catalog.files[entry.file].kind)) add(entry.file, true);
      for (const std::size_t joined : entry.counters) add(joined, false);
    }
    for (const FoundSheet& sheet : found.sheets) add(sheet.file, false);
  }
  return read;
}

}  // namespace

std::string Pipeline::contents() const {
  if (!seen_) return {};
  const std::map<std::string, bool> named = files_read(catalog_);
  const std::vector<std::pair<std::string, bool>> read(named.begin(), named.end());
  std::vector<std::optional<cache::FileContent>> held(read.size());
  for_each_on_workers(read.size(), settings_.jobs,
                      [&](std::size_t i) { held[i] = seen_->steady(read[i].first, read[i].second); });
  files::Digester all;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!held[i]) return {};
    all.add(read[i].first + '\0' + files::hex(held[i]->bytes));
  }
  return files::hex(all.value());
}

Status Pipeline::check_setup() {
  std::vector<Error> mistakes = refused_options(plan_, analyzers());
  if (!catalog_.questions.empty()) {
    for (Error& unfit : unfit_patterns(plan_, catalog_)) mistakes.push_back(std::move(unfit));
  }
  if (mistakes.empty()) mistakes = absent_values(plan_, catalog_);
  return mistakes.empty() ? ok() : setup_error(std::move(mistakes));
}

Status Pipeline::check_windows() const {
  std::vector<Error> mistakes = absent_windows(plan_, catalog_, analysis_);
  if (mistakes.empty()) mistakes = absent_iterations(plan_, catalog_, analysis_);
  return mistakes.empty() ? ok() : setup_error(std::move(mistakes));
}

const ResultCache* Pipeline::cache() {
  if (!store_) return nullptr;
  if (!cache_made_) {
    cache_ = ResultCache::make(*store_, plan_, plugins_, seen_.get(), settings_.cache->least_file);
    if (!cache_) log_info("no result cache: the system does not say which program is running");
  }
  cache_made_ = true;
  return cache_ ? &*cache_ : nullptr;
}

const ResultCache* Pipeline::cache_of_conclusions() {
  return store_ && settings_.cache->least_file == 0 ? cache() : nullptr;
}

Status Pipeline::analyze(AnalyzeScope part) {
  if (stopped()) return interruption();
  const ResultCache* remembered = part.tables == nullptr && !part.needs_only ? cache() : nullptr;
  analysis_ = assay::analyze(plan_, catalog_, analyzers(), *settings_.stop,
                             {.jobs = settings_.jobs,
                              .progress = begin_stage(),
                              .cache = remembered,
                              .isolated = isolated(),
                              .tables = part.tables,
                              .only = part.only,
                              .needs_only = part.needs_only});
  if (remembered != nullptr) {
    log_info("{} not read again: what they gave was in {}", counted(analysis_.recalled, "profile"),
             remembered->folder().string());
  }
  if (!analysis_.interrupted && !stopped()) return ok();
  close_cache();
  return interruption();
}

Status Pipeline::gather() {
  // One question at a time, since what it gathers of a job may be large.
  for (std::size_t q = 0; q < plan_.questions.size(); ++q) {
    assay::gather(
        {plan_.questions[q], catalog_, catalog_.questions[q], analysis_.questions[q]}, analyzers()[q],
        {.jobs = settings_.jobs, .cache = cache_of_conclusions(), .isolated = isolated(), .stop = settings_.stop});
  }
  return stopped() ? interruption() : ok();
}

Result<RunResult> Pipeline::conclude(const Beside& beside) {
  RunResult result{&plan_, &catalog_, std::move(analysis_), std::vector<QuestionResult>(plan_.questions.size())};
  const std::vector<Analyzers>& made = analyzers();
  const ResultCache* remembered = cache_of_conclusions();
  // Questions share only constant data, so each concludes independently.
  for_each_on_workers(plan_.questions.size(), settings_.jobs, [&](std::size_t q) {
    const QuestionCatalog& found = catalog_.questions[q];
    const Sheets sheets = beside.sheets ? beside.sheets(q) : read_sheets(questions_[q], catalog_, found);
    result.questions[q] =
        assay::conclude({plan_.questions[q], catalog_, found, result.analysis.questions[q]}, made[q], sheets,
                        {.given = beside.metrics.empty() ? std::vector<OwnedMetric>{} : beside.metrics[q],
                         .cache = remembered,
                         .isolated = isolated()});
  });
  if (remembered != nullptr) {
    std::size_t recalled = 0;
    for (const QuestionResult& question : result.questions) recalled += question.recalled;
    log_info("{} not drawn again: they were in {}", counted(recalled, "conclusion"), remembered->folder().string());
  }
  close_cache();
  if (stopped()) return interruption();
  return result;
}

/// A cache that cannot be written costs only time.
void Pipeline::close_cache() {
  if (!store_) return;
  if (seen_) seen_->keep();
  if (const auto problem = store_->problem()) {
    if (settings_.cache->least_file > 0)
      log_info("the result cache was not filled: {}", *problem);
    else
      log_warning("the result cache was not filled: {}; --cache names another folder, --no-cache does without",
                  *problem);
  }
  if (store_->wrote()) store_->trim(settings_.cache->most_bytes);
}

Result<RequestResult> answer(Request request) {
  Result<std::unique_ptr<Pipeline>> planned = Pipeline::plan(std::move(request.questions), std::move(request.settings));
  if (!planned) return planned.error();
  Pipeline& line = **planned;
  if (request.columns) line.read_only(request.columns(line.plan()));
  if (request.catalog)
    line.set_inputs(*std::move(request.catalog));
  else if (const Status found = line.discover(request.places); !found)
    return found.error();
  for (const Analyzers& analyzers : line.analyzers()) {
    for (const Skip& failure : analyzers.failures()) return Error{failure.reason, Exit::kUsage};
  }
  if (const Status analyzed = line.analyze({.tables = request.tables}); !analyzed) return analyzed.error();
  if (request.windows_must_exist) {
    if (const Status found = line.check_windows(); !found) return found.error();
  }
  if (const Status gathered = line.gather(); !gathered) return gathered.error();
  Result<RunResult> result = line.conclude();
  if (!result) return result.error();
  return RequestResult{std::move(*planned), std::move(*result)};
}

}  // namespace assay
