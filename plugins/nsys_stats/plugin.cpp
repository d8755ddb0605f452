// The reports of `nsys stats`, from a single pass over the file.
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "assay/detail/nsys_columns.hpp"
#include "assay/sdk.hpp"
#include "device_time.hpp"
#include "over.hpp"
#include "remarks.hpp"
#include "repeats.hpp"
#include "reports.hpp"

namespace assay::nsys {
namespace {

/// Data used by several reports, computed on first use.
class SharedLaunches {
 public:
  SharedLaunches(const Report& report, Mode mode) : report_(report), mode_(mode) {}
  const Launches& get() {
    std::call_once(once_, [this] { launches_.emplace(report_, mode_ == Mode::kCorrected); });
    return *launches_;
  }

 private:
  const Report& report_;
  Mode mode_;
  std::once_flag once_;
  std::optional<Launches> launches_;
};

}  // namespace

class NsysStats {
 public:
  static constexpr std::string_view kSummary = "Prints the tables of nsys stats, with its columns and its rounding.";
  static constexpr OptionSpec kOptions[] = {
      {"reports", OptionType::kTextList,
       "nvtx_sum, cuda_api_sum, cuda_gpu_kern_sum, cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum",
       "Reports to print, by their names in nsys stats."},
      option::integer("gap_ns", "500000000", "gpu_gaps: shortest gap that is not listed.").within(0, 1e18),
      option::integer("util_chunks", "30", "gpu_time_util: parts that the time is cut into.").within(1, 1e6),
      {"corrected", OptionType::kBool, "false",
       "Count duplicated API rows once, instead of printing nsys's numbers with a note."},
      option::integer("threads", "1", "Threads that print the reports of one file.").within(1, 1024),
      {"over", OptionType::kBool, "false",
       "Print the tables of all profiles together, as the recipes of nsys do, and none for single profiles."},
      {"pace_name", OptionType::kText, "", "over: the kernel, or NVTX range, whose pace the recipes *_pace follow."},
  };
  static constexpr const auto& kProduces = kRowMetrics;
  static constexpr const auto& kAttributes = kRowAttributes;
  static constexpr auto kWants = nsys_columns_and({col::call_range});

  explicit NsysStats(const Options& options)
      : gap_rule_{options.integer("gap_ns")},
        use_rule_{options.integer("util_chunks")},
        mode_(options.boolean("corrected") ? Mode::kCorrected : Mode::kExact),
        threads_(static_cast<std::size_t>(options.integer("threads"))),
        over_(options.boolean("over")),
        pace_name_(options.text("pace_name")) {
    for (const Str name : options.texts("reports")) {
      if (over_ ? !find_nsys_recipe(name) : !find_nsys_report(name))
        throw std::invalid_argument("there is no report '" + std::string(name) +
                                    "', or it does not take these options");
      if (std::ranges::find(reports_, name.view()) == reports_.end()) reports_.emplace_back(name.view());
    }
  }

  void analyze(const Report& given, ReportSink& sink) const {
    // nsys counts calls that the export lists twice two times.
    std::optional<WithRepeats> repeated;
    const bool repeats = given.calls != nullptr && given.repeats != nullptr && given.repeats->rows > 0;
    if (repeats && mode_ == Mode::kExact) repeated.emplace(given);
    const Report& report = repeated ? repeated->report() : given;
    SharedLaunches launches(report, mode_);
    if (over_) return emit_parts(report, launches, sink);
    std::vector<Task> tasks;
    for (const std::string& name : reports_) tasks.push_back({*find_nsys_report(name), mode_});
    std::vector<ReportTable> made(tasks.size());
    for (std::size_t i = 0; i < made.size(); ++i) made[i].lack = refusal(report, tasks[i]);
    on_threads(made.size(), [&](std::size_t i) {
      if (made[i].lack.empty() && !is_trace(tasks[i])) made[i] = make(report, tasks[i], launches);
    });
    if (repeated) emit_repeated(given, sink);
    emit_notes(made, tasks, report, launches, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    if (!over_) return;
    std::vector<AskedNsysRecipe> recipes;
    for (const std::string& name : reports_) recipes.push_back(*find_nsys_recipe(name));
    conclude_over(study, recipes, sink);
  }

 private:
  /// Emits tables and remarks in the requested order; traces are computed here.
  void emit_notes(std::vector<ReportTable>& made, const std::vector<Task>& tasks, const Report& report,
                  SharedLaunches& launches, ReportSink& sink) const {
    std::vector<Remark> said;
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (made[i].lack.empty() && is_trace(tasks[i])) made[i] = trace(report, tasks[i], launches, sink);
      if (made[i].table) {
        sink.table(*made[i].table);
        made[i].table.reset();
      }
      if (!made[i].lack.empty()) sink.skip(reports_[i], made[i].lack);
      for (const Remark& remark : made[i].remarks) {
        if (std::ranges::find(said, remark) != said.end()) continue;
        emit_remark(remark, sink);
        said.push_back(remark);
      }
    }
  }

  /// The facts of this report that `conclude` needs.
  void emit_parts(const Report& report, SharedLaunches& launches, ReportSink& sink) const {
    emit_origin(report, sink);
    for (const std::string& name : reports_) {
      const AskedNsysRecipe recipe = *find_nsys_recipe(name);
      const std::string lack = emit_part(report, recipe, launches, sink);
      if (!lack.empty()) sink.skip(name, lack);
      if (recipe.recipe->kind == NsysRecipeKind::kUse) {
        for (const Remark& remark : use_remarks(report, mode_)) emit_remark(remark, sink);
      }
    }
  }

  static void emit_remark(const Remark& remark, ReportSink& sink) {
    sink.emit_issue(remark.name, Severity::kInfo, remark.count, remark.text);
  }

  /// Returns why there is nothing to contribute; empty if there is.
  [[nodiscard]] std::string emit_part(const Report& report, const AskedNsysRecipe& recipe, SharedLaunches& launches,
                                      ReportSink& sink) const {
    if (recipe.recipe->kind == NsysRecipeKind::kUse) return emit_use(report, use_rule_.chunks, mode_, sink);
    if (recipe.recipe->name == "cuda_gpu_kern_pace") return emit_kernel_pace(report, pace_name_, sink);
    if (recipe.recipe->kind == NsysRecipeKind::kPace) {
      return report.calls == nullptr ? kNoCalls : emit_range_pace(report, pace_name_, launches.get(), sink);
    }
    const Task task{recipe.report, mode_, true};
    std::string lack = refusal(report, task);
    if (!lack.empty()) return lack;
    const ReportTable made = make(report, task, launches);
    if (made.table) emit_groups(recipe, made, sink);
    return made.lack;
  }

  /// Traces are emitted row by row, one trace after the other.
  static bool is_trace(const Task& task) { return task.asked.report->name.ends_with("_trace"); }

  /// Why nsys prints nothing for this export; empty if it does, or if the tables of the export are unknown.
  static std::string refusal(const Report& report, const Task& task) {
    if (task.corrected() || report.properties == nullptr) return {};
    const PropertyTable& properties = *report.properties;
    bool told = false;
    const auto has = [&](std::string_view table) {
      bool found = false;
      for (std::size_t row = 0; row < properties.rows; ++row) {
        if (properties.name[row].view() != "table") continue;
        told = true;
        found = found || properties.value[row].view() == table;
      }
      return found;
    };
    std::vector<std::string_view> needed(task.asked.report->companions.begin(), task.asked.report->companions.end());
    if (task.asked.with_range) needed.insert(needed.end(), {"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME"});
    for (const std::string_view table : needed) {
      const bool of_copies = table.starts_with("ENUM_CUDA_MEM") && report.copies == nullptr && report.sets == nullptr;
      if (!has(table) && told && !of_copies) {
        return "nsys prints nothing of this report where the export has no table " + std::string(table) +
               ", and neither does assay; --corrected prints what can be computed";
      }
    }
    return {};
  }

  /// nsys projects ranges without graphs traced as a whole, whose time would be missing in them.
  static bool counts_graphs(const Report& report, const Task& task) {
    return task.corrected() && report.graphs != nullptr && report.graphs->rows > 0;
  }

  static void emit_repeated(const Report& report, ReportSink& sink) {
    const auto rows = static_cast<std::int64_t>(report.repeats->rows);
    sink.emit_issue("calls_listed_twice", Severity::kInfo, rows,
                    "The export lists " + std::to_string(rows) +
                        " API calls a second time under another name; as nsys does, they and what they launched count "
                        "again in reports of calls and launches; --corrected counts each call once.");
  }

  ReportTable make(const Report& report, const Task& task, SharedLaunches& launches) const {
    const std::string_view name = task.asked.report->name;
    if (name == "cuda_gpu_kern_sum") return kernel_sum(report, task);
    if (name == "cuda_gpu_kern_gb_sum") return shape_sum(report, task);
    if (name == "cuda_gpu_sum") return work_sum(report, task, false);
    if (name == "cuda_api_gpu_sum") return work_sum(report, task, true);
    if (name == "cuda_api_sum") return call_sum(report, task);
    if (name == "cuda_api_sync") return sync_calls(report, task);
    if (name == "cuda_gpu_mem_time_sum") return memory_time_sum(report, task);
    if (name == "cuda_gpu_mem_size_sum") return memory_size_sum(report, task);
    if (name == "nvtx_sum") return range_sum(report, task);
    if (name == "nvtx_pushpop_sum") return range_sum(report, task, Style::kPushPop);
    if (name == "nvtx_startend_sum") return range_sum(report, task, Style::kStartEnd);
    if (name == "gpu_gaps") return gaps(report, task, {gap_rule_.longer_than, rows_of(task)});
    if (name == "gpu_time_util") return low_use(report, task, use_rule_);
    if (name == "osrt_sum") return host_sum(report, task, report.os_calls, kOsCalls);
    if (name == "openacc_sum") return host_sum(report, task, report.openacc_events, kOpenAcc);
    if (name == "openmp_sum") return host_sum(report, task, report.openmp_events, kOpenMp);
    if (name == "mpi_event_sum") return mpi_sum(report, task);
    if (name == "um_cpu_page_faults_sum") return cpu_faults_sum(report, task);
    if (name == "um_sum") return unified_memory_sum(report, task);
    if (name == "um_total_sum") return unified_memory_totals(report, task);
    if (report.calls == nullptr) return lacking(kNoCalls);
    if (name == "nvtx_gpu_proj_sum" && counts_graphs(report, task))
      return projection_sum(report, task, Launches(report, true, true));
    if (name == "nvtx_gpu_proj_sum") return projection_sum(report, task, launches.get());
    if (name == "nvtx_kern_sum") return range_kernel_sum(report, task, launches.get());
    if (name == "cuda_memcpy_async") return pageable_copies(report, task);
    if (name == "cuda_memcpy_sync") return synchronous_copies(report, task);
    if (name == "cuda_memset_sync") return synchronous_sets(report, task);
    return launch_sum(report, task, launches.get());
  }

  static ReportTable trace(const Report& report, const Task& task, SharedLaunches& launches, ReportSink& sink) {
    const std::string_view name = task.asked.report->name;
    if (name == "cuda_api_trace") return call_trace(report, task, sink);
    if (name == "cuda_gpu_trace") return work_trace(report, task, sink);
    if (name == "mpi_event_trace") return mpi_trace(report, task, sink);
    if (name == "nvtx_pushpop_trace") return push_pop_trace(report, task, sink);
    if (report.calls == nullptr) return lacking(kNoCalls);
    if (name == "nvtx_gpu_proj_trace" && counts_graphs(report, task))
      return projection_trace(report, task, Launches(report, true, true), sink);
    if (name == "nvtx_gpu_proj_trace") return projection_trace(report, task, launches.get(), sink);
    return launch_trace(report, task, launches.get(), sink);
  }

  /// Number of rows of gpu_gaps: from the report request, otherwise from the option.
  [[nodiscard]] std::size_t rows_of(const Task& task) const {
    const bool asked = task.asked.text.find(':') != std::string_view::npos;
    return asked ? static_cast<std::size_t>(task.asked.rows) : gap_rule_.rows;
  }

  /// Runs `work(i)` for 0 <= i < count on at most `threads_` threads; rethrows the first exception.
  template <class Work>
  void on_threads(std::size_t count, const Work& work) const {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&] {
      try {
        for (std::size_t i = next++; i < count; i = next++) work(i);
      } catch (...) {
        const std::scoped_lock lock(failing);
        if (!failure) failure = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t t = 1; t < std::min(threads_, count); ++t) others.emplace_back(run);
      run();
    }
    if (failure) std::rethrow_exception(failure);
  }

  std::vector<std::string> reports_;
  GapRule gap_rule_;
  UseRule use_rule_;
  Mode mode_;
  std::size_t threads_;
  bool over_;
  std::string pace_name_;
};

ASSAY_PLUGIN("nsys_stats", "1.0.0", NsysStats);

}  // namespace assay::nsys
