#include "log.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "algo/crossing_rows.hpp"
#include "algo/properties.hpp"

namespace assay::compile {

void each_member(const Compilation*, auto&& use) {
  using Row = Compilation;
  use("compile_id", &Row::compile_id), use("function", &Row::function), use("place", &Row::place),
      use("failure", &Row::failure), use("graph_cache", &Row::graph_cache), use("autograd_cache", &Row::autograd_cache),
      use("start", &Row::start), use("end", &Row::end), use("finished", &Row::finished), use("graphs", &Row::graphs),
      use("backend", &Row::backend), use("triton", &Row::triton), use("autotuning", &Row::autotuning);
}
void each_member(const GraphBreak*, auto&& use) {
  use("compilation", &GraphBreak::compilation), use("line", &GraphBreak::line), use("place", &GraphBreak::place),
      use("reason", &GraphBreak::reason), use("hint", &GraphBreak::hint);
}
void each_member(const Recompile*, auto&& use) {
  use("compilation", &Recompile::compilation), use("guard", &Recompile::guard), use("place", &Recompile::place),
      use("code", &Recompile::code);
}
void each_member(const Kernel*, auto&& use) {
  use("compilation", &Kernel::compilation), use("name", &Kernel::name), use("hash", &Kernel::hash),
      use("place", &Kernel::place), use("code", &Kernel::code);
}
void each_member(const Collective*, auto&& use) {
  use("compilation", &Collective::compilation), use("operation", &Collective::operation);
}
void each_member(const LogHead*, auto&& use) {
  use("process", &LogHead::process), use("rank", &LogHead::rank), use("damaged", &LogHead::damaged);
}
void each_member(const ProfileStep*, auto&& use) {
  use("name", &ProfileStep::name), use("process", &ProfileStep::process), use("start", &ProfileStep::start),
      use("end", &ProfileStep::end);
}
void each_member(const KernelTime*, auto&& use) {
  use("compile_id", &KernelTime::compile_id), use("name", &KernelTime::name), use("hash", &KernelTime::hash),
      use("file", &KernelTime::file), use("process", &KernelTime::process), use("count", &KernelTime::count),
      use("time", &KernelTime::time);
}

namespace {

using crossing::rows_of, crossing::table_of;

template <class Row>
std::vector<Row> declared_rows(const Report& report, const char* name) {
  const DeclaredTable* const table = report.table(name);
  std::vector<Row> rows(table == nullptr ? 0 : static_cast<std::size_t>(table->rows));
  if (table == nullptr) return rows;
  each_member(static_cast<const Row*>(nullptr), [&](const char* column, auto member) {
    using Cell = std::remove_reference_t<decltype(std::declval<Row&>().*member)>;
    if constexpr (std::is_same_v<Cell, std::string>) {
      const auto cells = table->texts(column);
      for (std::size_t r = 0; r < rows.size(); ++r) rows[r].*member = std::string(report.string(cells[r]));
    } else {
      const auto cells = table->integers(column);
      for (std::size_t r = 0; r < rows.size(); ++r) rows[r].*member = cells[r];
    }
  });
  return rows;
}

constexpr std::string_view kRegion = "Torch-Compiled Region: ";

/// Compile id of the region around an operator; empty: none.
std::string_view compile_id_of(const Report& report, Row op, StringId& known) {
  const OpTable& ops = *report.ops;
  for (; op != kNone; op = ops.parent[static_cast<std::size_t>(op)]) {
    known = ops.name[static_cast<std::size_t>(op)];
    const std::string_view name = report.string(known);
    if (name.starts_with(kRegion)) return name.substr(kRegion.size());
  }
  return {};
}

/// Code of a generated kernel.
struct Code {
  StringId hash = 0, file = 0;
};

/// By the external id of the operator that launches it.
std::map<std::int64_t, Code> codes_of(const Report& report) {
  std::map<std::int64_t, Code> codes;
  const DeclaredTable* const table = report.table("generated_launches");
  if (table == nullptr) return codes;
  const auto ids = table->integers("external_id");
  const auto hashes = table->texts("kernel_hash"), files = table->texts("kernel_file");
  for (std::size_t r = 0; r < table->rows; ++r) codes.emplace(ids[r], Code{hashes[r], files[r]});
  return codes;
}

Code code_of(const Report& report, Row op, const std::map<std::int64_t, Code>& codes) {
  if (op < 0 || !report.ops->external_id.present()) return {};
  const auto at = codes.find(report.ops->external_id[static_cast<std::size_t>(op)]);
  return at == codes.end() ? Code{} : at->second;
}

std::int64_t process_id(const Report& report, std::uint32_t process) {
  return process < report.processes->rows ? report.processes->id[process] : kNoCell;
}

}  // namespace

std::optional<CompileLog> log_of(const Report& report) {
  const std::vector<LogHead> head = declared_rows<LogHead>(report, "compile_logs");
  if (head.size() != 1) return std::nullopt;
  CompileLog log{head.front(),
                 declared_rows<Compilation>(report, "compilations"),
                 declared_rows<GraphBreak>(report, "graph_breaks"),
                 declared_rows<Recompile>(report, "recompiles"),
                 declared_rows<Kernel>(report, "generated_kernels"),
                 declared_rows<Collective>(report, "collective_schedules")};
  const std::int64_t origin = origin_of(report).value_or(0);
  for (Compilation& row : log.compilations) row.start += origin, row.end += origin;
  return log;
}

CompiledProfile profile_of(const Report& report) {
  CompiledProfile profile;
  const std::optional<std::int64_t> origin = origin_of(report);
  if (!origin || report.ops == nullptr || report.kernels == nullptr || report.processes == nullptr) return profile;
  if (!report.kernels->op.present() || !report.kernels->name.present()) return profile;
  const std::map<std::int64_t, Code> codes = codes_of(report);
  std::map<std::tuple<StringId, StringId, StringId>, KernelTime> kernels;
  for (std::size_t k = 0; k < report.kernels->rows; ++k) {
    const StringId name = report.kernels->name[k];
    if (!report.string(name).starts_with("triton_")) continue;
    StringId region = 0;
    const std::string_view id = compile_id_of(report, report.kernels->op[k], region);
    const Code code = code_of(report, report.kernels->op[k], codes);
    if (id.empty() && code.file == 0) continue;
    KernelTime& sum = kernels[{region, name, code.hash}];
    if (sum.count == 0) {
      sum.compile_id = id;
      sum.name = report.string(name);
      sum.hash = report.string(code.hash);
      sum.file = report.string(code.file);
      sum.process = process_id(report, report.kernels->process[k]);
    }
    ++sum.count;
    sum.time += report.kernels->end[k] - report.kernels->start[k];
  }
  for (auto& [key, sum] : kernels) profile.kernels.push_back(std::move(sum));
  for (std::size_t s = 0; !kernels.empty() && report.steps != nullptr && s < report.steps->rows; ++s) {
    profile.steps.push_back({std::string(report.string(report.steps->name[s])),
                             process_id(report, report.steps->process[s]), *origin + report.steps->start[s],
                             *origin + report.steps->end[s]});
  }
  return profile;
}

void emit_rows(const CompileLog& log, ReportSink& sink) {
  sink.study_rows(table_of("head", std::vector{log.head}));
  sink.study_rows(table_of("compilations", log.compilations));
  sink.study_rows(table_of("breaks", log.breaks));
  sink.study_rows(table_of("recompiles", log.recompiles));
  sink.study_rows(table_of("kernels", log.kernels));
  sink.study_rows(table_of("collectives", log.collectives));
}

void emit_rows(const CompiledProfile& profile, ReportSink& sink) {
  sink.study_rows(table_of("steps", profile.steps));
  sink.study_rows(table_of("kernel_times", profile.kernels));
}

std::optional<CompileLog> log_from_rows(const StudyView& view, std::size_t report) {
  const auto rows = [&](const char* id) { return view.rows(report, "compile", id); };
  if (!rows("head").present()) return std::nullopt;
  return CompileLog{rows_of<LogHead>(rows("head")).front(), rows_of<Compilation>(rows("compilations")),
                    rows_of<GraphBreak>(rows("breaks")),    rows_of<Recompile>(rows("recompiles")),
                    rows_of<Kernel>(rows("kernels")),       rows_of<Collective>(rows("collectives"))};
}

CompiledProfile profile_from_rows(const StudyView& view, std::size_t report) {
  const auto rows = [&](const char* id) { return view.rows(report, "compile", id); };
  if (!rows("steps").present()) return {};
  return {rows_of<ProfileStep>(rows("steps")), rows_of<KernelTime>(rows("kernel_times"))};
}

}  // namespace assay::compile
