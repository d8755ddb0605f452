// An analyzer that reads every column and calls every function that the kept SDK of this major has (sdk_2_0/). Built
// twice: against those headers, and against today's. Both must make of one report, study and set of options the same.
#include <stdexcept>

#include "assay/plugin.hpp"
#include "for_each.hpp"

namespace assay::released {
namespace {

constexpr OptionSpec kAllOptions[] = {
    {"flag", OptionType::kBool, "true", "A flag."},
    {"count", OptionType::kInteger, "7", "A count.", {}, 0, 1000},
    {"share", OptionType::kNumber, "0.5", "A share.", {}, 0, 1},
    {"word", OptionType::kText, "one", "A word.", "one|two|throw"},
    {"words", OptionType::kTextList, "a, b", "Words."},
    {"numbers", OptionType::kNumberList, "1, 2.5", "Numbers."},
    {"metric", OptionType::kMetric, "released.sum", "A metric."},
    {"metrics", OptionType::kMetricList, "released.sum, released.rows", "Metrics."},
    {"label", OptionType::kLabel, "depth", "A label."},
    {"labels", OptionType::kLabelList, "depth", "Labels."},
    {"conditions", OptionType::kConditionList, "depth=1|2", "Conditions."},
};

/// Something that tells cells apart, whatever they are.
double number_of(double value) { return value != value ? 0.125 : value; }
double number_of(Str text) {
  double number = 1;
  for (const char c : text.view()) number = number * 31 + static_cast<unsigned char>(c);
  return number;
}
double number_of(const Options* keys) { return keys == nullptr ? -1 : number_of(keys->text("key")); }
template <class Enum>
  requires std::is_enum_v<Enum>
double number_of(Enum value) {
  return static_cast<double>(value);
}
template <class Integer>
  requires std::is_integral_v<Integer>
double number_of(Integer value) {
  return static_cast<double>(value);
}

/// Sum over the rows, which counts their order too.
template <class T>
double sum_of(const Column<T>& column) {
  double sum = 0, weight = 1;
  for (const T& cell : column) sum += weight++ * number_of(cell);
  return sum;
}

constexpr double kAbsent = -1e15;  ///< in place of rows or a sum

/// `emit(table, rows)` and `emit(table.column, sum)`.
#define COLUMN(table, name) emit(#table "." #name, t->name.present() ? sum_of(t->name) : kAbsent);
#define TABLE(owner, table, ...)                \
  if (const auto* t = (owner).table) {          \
    emit(#table, static_cast<double>(t->rows)); \
    COMPAT_FOR_EACH(COLUMN, table, __VA_ARGS__) \
  } else                                        \
    emit(#table, kAbsent)
#define EVENT start, end, device, stream, process, call

template <class Emit>
void read_device_tables(const Report& r, Emit&& emit) {
  TABLE(r, kernels, EVENT, membership, name, short_name, mangled_name, context, correlation, grid_x, grid_y, grid_z,
        block_x, block_y, block_z, registers, static_shared, dynamic_shared, executed_shared, graph_node, blocks_per_sm,
        warps_per_sm, occupancy, op, shared_a_block, profiled, green_context);
  TABLE(r, graphs, EVENT, membership, graph);
  TABLE(r, copies, EVENT, membership, bytes, direction, kind, context, correlation, source_kind, target_kind,
        green_context, address);
  TABLE(r, sets, EVENT, membership, bytes, context, correlation, memory_kind, green_context);
  TABLE(r, syncs, EVENT, type);
  TABLE(r, devices, id, name, sm_count, compute_major, compute_minor, max_threads_per_sm, max_blocks_per_sm,
        max_registers_per_sm, max_shared_per_sm, total_memory, memory_bandwidth);
}

template <class Emit>
void read_host_tables(const Report& r, Emit&& emit) {
  TABLE(r, calls, start, end, thread, kind, in_window, name, range, correlation, return_value, twin, op, full_name);
  TABLE(r, ranges, start, end, name, domain, thread, end_thread, open, parent, depth, reach, in_named_domain, row_id);
  TABLE(r, spans, start, end, name, domain, thread, end_thread, open, parent, depth, reach, in_named_domain, row_id);
  TABLE(r, overheads, start, end, process, name);
  TABLE(r, iterations, number, start, end, thread, overlapping);
  TABLE(r, processes, id);
  TABLE(r, threads, process, id, name, priority);
  TABLE(r, issues, name, severity, count, text);
  TABLE(r, ops, start, end, name, thread, kind, parent, depth, external_id, python_id, python_parent, python_module);
  TABLE(r, allocations, time, device, bytes, allocated, reserved, thread);
  TABLE(r, properties, name, value);
  TABLE(r, profiled, id, process, name, short_name, grid_x, grid_y, grid_z, block_x, block_y, block_z, device, context,
        stream, group);
  TABLE(r, counters, profiled, section, name, unit, value);
}

template <class Emit>
void read_tables_of_nsys(const Report& r, Emit&& emit) {
  TABLE(r, repeats, start, end, thread, in_window, full_name, correlation, return_value);
  TABLE(r, os_calls, start, end, name, thread, source);
  TABLE(r, mpi_events, start, end, name, thread, source);
  TABLE(r, openacc_events, start, end, name, thread, source);
  TABLE(r, openmp_events, start, end, name, thread, source);
  TABLE(r, mpi, tag, rank, remote_rank, root_rank, size, sent_size, recv_size);
  TABLE(r, cpu_faults, start, process, address, count, counter, function, unresolved);
  TABLE(r, gpu_faults, start, process, address, count, counter, function, unresolved);
}

template <class Emit>
void read_study(const Study& s, Emit&& emit) {
  TABLE(s, reports, path, role, believed, doubt, job);
  TABLE(s, labels, name, changes, numeric, descriptive, rank);
  TABLE(s, label_values, report, label, text, order, origin);
  TABLE(s, attributes, report, name, value);
  TABLE(s, metrics, id, unit, polarity, definition, title, extensive);
  TABLE(s, facts, report, metric, dims, value, sample_begin, sample_end, samples);
  TABLE(s, claims, id, text, source, keys);
  TABLE(s, sheets, id, path, lines, column_begin, column_end, label_begin, label_end);
  TABLE(s, sheet_columns, name, cell_begin);
  TABLE(s, sheet_cells, text, number_begin, number_end, numbers);
  TABLE(s, sheet_labels, label, text, order, origin);
  emit("question", number_of(s.question));
  emit("text", number_of(s.text));
}

}  // namespace

class ReleasedAnalyzer {
 public:
  static constexpr std::string_view kSummary = "Reads and calls everything that the kept SDK of this major has.";
  static constexpr ColumnId kWants[] = {col::kernels, col::kernel_name, col::kernel_grid, col::kernel_registers,
                                        col::graphs,  col::copies,      col::copy_bytes,  col::copy_direction,
                                        col::sets,    col::calls,       col::call_name,   col::call_range,
                                        col::ranges,  col::spans,       col::syncs};
  static constexpr auto& kOptions = kAllOptions;
  static constexpr MetricSpec kProduces[] = {
      {"released.rows", "1", Polarity::kNeutral, "Rows of a table; dims: table.", "rows of a table", kExtensive},
      {"released.sum", "1", Polarity::kNeutral, "Sum over a column; dims: column."},
      {"released.option", "1", Polarity::kNeutral, "What was given for an option; dims: option."},
      {"released.study", "1", Polarity::kNeutral, "Sum over a column of the study; dims: column."},
      {"released.of_report", "1", Polarity::kNeutral, "A derived fact of a report."},
  };
  static constexpr AttributeSpec kAttributes[] = {{"released.path", "Path of the report."}};
  static constexpr Str kConsumes[] = {"released.sum"};
  static constexpr OptionSpec kClaimKeys[] = {{"key", OptionType::kText, "none", "A key."}};

  static void check_claim(const Options& keys) {
    if (keys.text("key") == "bad") throw std::runtime_error("the key is bad");
  }

  explicit ReleasedAnalyzer(const Options& o) : fails_(o.text("word") == "throw") {
    option("flag", o.boolean("flag"));
    option("count", static_cast<double>(o.integer("count")));
    option("share", o.number("share"));
    option("word", number_of(Str(o.text("word"))));
    option("metric", number_of(Str(o.metric("metric"))));
    option("label", number_of(Str(o.label("label"))));
    option("words", sum(o.texts("words")));
    option("metrics", sum(o.metrics("metrics")));
    option("labels", sum(o.labels("labels")));
    option("conditions", sum(o.conditions("conditions")));
    option("numbers", sum(o.numbers("numbers")));
    option("given", o.given("count"));
    option("absent", o.find("absent") == nullptr);
  }

  void analyze(const Report& r, ReportSink& sink) const {
    if (fails_) throw std::runtime_error("told to fail");
    const auto emit = [&](std::string_view name, double value) {
      const bool table = name.find('.') == std::string_view::npos;
      sink.fact(table ? "released.rows" : "released.sum", value, {{table ? "table" : "column", name}});
    };
    read_device_tables(r, emit);
    read_host_tables(r, emit);
    read_tables_of_nsys(r, emit);
    const Window& w = *r.window;
    emit("window.",
         static_cast<double>(w.start + 2 * w.end + 3 * w.host_start + 4 * w.host_end + 5 * w.named + 6 * w.matches) +
             number_of(w.name));
    emit("strings.", sum_of(r.strings));
    const std::vector<double> samples = {1, 2, 4};
    sink.fact("released.option", 0, std::span<const double>(samples), {{"option", "samples"}});
    for (const auto& [name, value] : given_) sink.fact("released.option", value, {{"option", name}});
    sink.attribute("released.path", r.path);
    sink.table(table());
    if (table().with_view([&](const TableView& more) { return sink.emit_rows(&more); }) != Emit::kOk)
      throw std::runtime_error("the host refused rows of the table 'released'");
    sink.skip("released.of_report", "this is of the study");
    sink.emit_issue("released", Severity::kInfo, 3, "An issue of the released plugin.");
    sink.note("A note of the released plugin.");
  }

  void conclude(const Study& s, StudySink& sink) const {
    read_study(s, [&](std::string_view name, double value) { sink.fact("released.study", value, {{"column", name}}); });
    sink.report_fact(0, "released.of_report", 42);
    const Effect effect{EffectKind::kDifference, Scope::kBetweenRun, "released.sum", 3, 1, 5, 0.9, 4, "by hand"};
    sink.finding({FindingRole::kAnswer, "A finding", "It is found.", effect, {{"depth", "1"}}, {0}});
    const StratumVerdict strata[] = {{Verdict::kSupported, "so it is", effect, "by hand", {{"depth", "1"}}, {0}}};
    for (std::size_t c = 0; c < s.claims->rows; ++c)
      sink.verdict(static_cast<std::int64_t>(c), Verdict::kRefuted, "as the text says", strata);
    sink.table(table());
    sink.skip(0, "left out by the released plugin");
    sink.note("A note of the study.");
  }

 private:
  template <class T>
  static double sum(std::span<const T> cells) {
    return sum_of(Column<T>{cells.data(), cells.size()});
  }
  static Table table() {
    Table t("released", "A table");
    t.add("text", "", std::vector<std::string>{"x", "y"});
    t.add("integer", "1", std::vector<std::int64_t>{1, kNoInteger});
    t.add("number", "ns", std::vector<double>{0.5, 1.5});
    return t;
  }
  void option(std::string name, double value) { given_.emplace_back(std::move(name), value); }

  bool fails_;
  std::vector<std::pair<std::string, double>> given_;
};

ASSAY_PLUGIN("released", "1.0.0", ReleasedAnalyzer);

}  // namespace assay::released
