// Logs of torch.compile: what TORCH_TRACE=FOLDER writes, one per rank.
#include "assay/format.hpp"

#include <numeric>

#include "log_lines.hpp"
#include "tables.hpp"

namespace assay::torch_compile {

class TorchCompileFormat {
 public:
  static constexpr std::string_view kSummary =
      "Logs of torch.compile (TORCH_TRACE): compilations, graph breaks, recompiles and generated kernels.";
  static constexpr std::uint32_t kTraits = kTraitBeside;
  static constexpr Str kExtensions[] = {".log"};
  static constexpr Str kGlobs[] = {"**/*torch_trace*.log"};
  static constexpr FileNames kNames = {.extensions = kExtensions,
                                       .telling = {},
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "torch.compile log",
                                       .expected = "torch.compile logs (TORCH_TRACE)"};
  static constexpr FormatPart kReads[] = {
      {"dynamo_start, compilation_metrics, *_cache_*", "compilations"},
      {"chromium_event", "compile_phases"},
      {"dynamo_graph_break_reason", "graph_breaks"},
      {"recompile_reasons", "recompiles"},
      {"inductor_output_code, inductor_provenance_tracking_*", "generated_kernels, provenance_lines"},
      {"inductor_collective_schedule", "collective_schedules"}};
  static constexpr FormatPart kPassesOver[] = {
      {"describe_*, guard_added*, create_symbol", "tensors and symbols of traced graphs"},
      {"dynamo_cpp_guards_str, fx_graph_runnable, *_config", "guards, programs and settings as texts"}};
  static constexpr ColumnId kFills[] = {col::properties};
  static constexpr std::span<const TableSpec> kTables = torch_compile::kTables;
  static constexpr std::string_view kAgain = "copy it again from the folder of TORCH_TRACE";

  static bool sniff(const FormatFile& file) {
    const std::string_view head = file.head;
    const std::optional<LogLine> line = log_line(head.substr(0, head.find('\n')));
    return line && line->json.starts_with("{\"");
  }

  static void identify(const FormatFile& file, IdentitySink& out) {
    out.add("profiler", "torch.compile");
    if (const std::string rank = rank_of(file.path); !rank.empty()) out.add("rank", rank);
  }

  static void load(const FormatRequest& file, Tables& out) {
    CompileRows rows = read_log(std::string(file.path.view()), out);
    TableSink& sink = out.sink();
    if (const std::string rank = rank_of(file.path); !rank.empty()) rows.log.rank = std::atoll(rank.c_str());
    const auto first = std::ranges::min_element(rows.compilations, {}, &Compilation::start);
    const std::int64_t origin = first == rows.compilations.end() ? 0 : first->start;
    if (rows.clock != kNoCell) sink.set_origin(origin);
    if (rows.log.damaged > 0)
      sink.issue("damaged_entries", Severity::kWarning, rows.log.damaged,
                 std::to_string(rows.log.damaged) + " entries of this log are damaged and are left out.");
    for (const auto& [kind, count] : rows.others) sink.passed_over("entry", kind, count);
    sort_rows(rows);
    fill(out, rows.compilations);
    fill(out, rows.phases);
    fill(out, rows.breaks);
    fill(out, rows.recompiles);
    fill(out, rows.kernels);
    fill(out, rows.lines);
    fill(out, rows.schedules);
    fill(out, std::vector{rows.log});
  }

 private:
  /// Of the file's name, "dedicated_log_torch_trace_rank_3_x.log", as logs may say 0 in all ranks; empty: none.
  static std::string rank_of(std::string_view path) {
    constexpr std::string_view kRank = "_rank_";
    const std::size_t at = path.rfind(kRank);
    if (at == std::string_view::npos) return {};
    path.remove_prefix(at + kRank.size());
    return std::string(path.substr(0, path.find_first_not_of("0123456789")));
  }
  static void sort_rows(CompileRows& rows) {
    std::vector<std::size_t> order(rows.compilations.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return rows.compilations[row].start; });
    std::ranges::stable_sort(rows.compilations, {}, &Compilation::start);
    std::vector<std::int64_t> sorted(order.size());
    for (std::size_t row = 0; row < order.size(); ++row) sorted[order[row]] = static_cast<std::int64_t>(row);
    const auto follow = [&](auto& others) {
      for (auto& row : others) {
        if (row.compilation != kNone) row.compilation = sorted[static_cast<std::size_t>(row.compilation)];
      }
    };
    follow(rows.phases), follow(rows.breaks), follow(rows.recompiles);
    follow(rows.kernels), follow(rows.lines), follow(rows.schedules);
    std::ranges::stable_sort(rows.phases, {}, &Phase::start);
    std::ranges::stable_sort(rows.breaks, {}, &GraphBreak::time);
    std::ranges::stable_sort(rows.recompiles, {}, &Recompile::time);
  }
};

ASSAY_FORMAT("torch_compile", "1.0.0", TorchCompileFormat);

}  // namespace assay::torch_compile
