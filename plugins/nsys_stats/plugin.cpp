// The reports of `nsys stats`, from one reading of the file.
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "assay/sdk.hpp"
#include "device_sums.hpp"
#include "device_time.hpp"
#include "launch_report.hpp"
#include "range_reports.hpp"

namespace assay::nsys {
namespace {

/// What several reports read, made when the first one asks.
class SharedLaunches {
 public:
  explicit SharedLaunches(const Report& report) : report_(report) {}
  const Launches& get() {
    std::call_once(once_, [this] { launches_.emplace(report_); });
    return *launches_;
  }

 private:
  const Report& report_;
  std::once_flag once_;
  std::optional<Launches> launches_;
};

}  // namespace

class NsysStats {
 public:
  static constexpr std::string_view kSummary = "Makes the tables of nsys stats, with its columns and its rounding.";
  static constexpr OptionSpec kOptions[] = {
      {"reports", OptionType::kTextList,
       "nvtx_sum, cuda_api_sum, cuda_gpu_kern_sum, cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum",
       "Reports to make, by their names in nsys stats."},
      {"gap_ns", OptionType::kInteger, "500000000", "gpu_gaps: shortest gap that is not listed.", {}, 0, 1e18},
      {"gap_rows", OptionType::kInteger, "50", "gpu_gaps: most rows.", {}, 1, 1e9},
      {"util_chunks", OptionType::kInteger, "30", "gpu_time_util: parts that the time is cut into.", {}, 1, 1e6},
      {"util_percent", OptionType::kNumber, "50", "gpu_time_util: parts in use for less are listed.", {}, 0, 100},
      {"threads", OptionType::kInteger, "1", "Threads that make the reports of one file.", {}, 1, 1024},
  };
  static constexpr ColumnId kWants[] = {
      col::kernels,
      col::kernel_name,
      col::kernel_short_name,
      col::kernel_mangled_name,
      col::kernel_context,
      col::kernel_grid,
      col::kernel_block,
      col::graphs,
      col::copies,
      col::copy_bytes,
      col::copy_direction,
      col::copy_context,
      col::sets,
      col::set_bytes,
      col::set_context,
      col::calls,
      col::call_full_name,
      col::call_twin,
      col::ranges,
      col::spans,
      col::overheads,
  };

  explicit NsysStats(const Options& options)
      : gap_rule_{options.integer("gap_ns"), static_cast<std::size_t>(options.integer("gap_rows"))},
        use_rule_{options.integer("util_chunks"), options.number("util_percent")},
        threads_(static_cast<std::size_t>(options.integer("threads"))) {
    for (const Str name : options.texts("reports")) {
      if (find_nsys_report(name) == nullptr)
        throw std::invalid_argument("there is no report '" + std::string(name) + "'");
      if (std::find(reports_.begin(), reports_.end(), name.view()) == reports_.end())
        reports_.emplace_back(name.view());
    }
  }

  void analyze(const Report& report, ReportSink& sink) const {
    SharedLaunches launches(report);
    std::vector<Made> made(reports_.size());
    on_threads(made.size(), [&](std::size_t i) { made[i] = make(report, reports_[i], launches); });
    std::vector<Remark> said;
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (made[i].table) {
        sink.table(*made[i].table);
        made[i].table.reset();
      } else {
        sink.skip(reports_[i], made[i].lack);
      }
      for (const Remark& remark : made[i].remarks) {
        if (std::find(said.begin(), said.end(), remark) != said.end()) continue;
        sink.emit_issue(remark.name, Severity::kInfo, remark.count, remark.text);
        said.push_back(remark);
      }
    }
  }

 private:
  Made make(const Report& report, std::string_view name, SharedLaunches& launches) const {
    if (name == "cuda_gpu_kern_sum") return kernel_sum(report, name, &KernelTable::name);
    if (name == "cuda_gpu_kern_sum:base") return kernel_sum(report, name, &KernelTable::short_name);
    if (name == "cuda_gpu_kern_sum:mangled") return kernel_sum(report, name, &KernelTable::mangled_name);
    if (name == "cuda_gpu_kern_gb_sum") return shape_sum(report);
    if (name == "cuda_api_sum") return call_sum(report);
    if (name == "cuda_gpu_mem_time_sum") return memory_time_sum(report);
    if (name == "cuda_gpu_mem_size_sum") return memory_size_sum(report);
    if (name == "nvtx_sum") return range_sum(report);
    if (name == "gpu_gaps") return gaps(report, gap_rule_);
    if (name == "gpu_time_util") return low_use(report, use_rule_);
    if (report.calls == nullptr) return lacking("the export holds no CUDA API calls");
    if (name == "nvtx_gpu_proj_sum") return projection_sum(report, launches.get());
    if (name == "nvtx_kern_sum") return range_kernel_sum(report, launches.get());
    return launch_sum(report, launches.get());
  }

  /// Runs `work(i)` for 0 <= i < count on at most `threads_` threads; hands on the first thing that any of them throws.
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
  std::size_t threads_;
};

ASSAY_PLUGIN("nsys_stats", "1.0.0", NsysStats);

}  // namespace assay::nsys
