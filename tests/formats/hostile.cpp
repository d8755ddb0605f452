// A format that does what its file names: each is something that no format may do.
#include <assay/format.hpp>
#include <fstream>
#include <string>

namespace {

using namespace assay;

class Hostile {
 public:
  static constexpr std::string_view kSummary = "Does what no format may do.";
  static constexpr Str kEnds[] = {".hostile"}, kGlobs[] = {"**/*.hostile"};
  static constexpr FileNames kNames = {.extensions = kEnds,
                                       .telling = kEnds,
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "hostile file",
                                       .expected = "hostile files (.hostile)"};
  static constexpr ColumnSpec kColumns[] = {{.name = "time", .role = CellRole::kTime, .unit = "ns"},
                                            {.name = "thread", .role = CellRole::kRow, .of = "threads"},
                                            {.name = "range", .role = CellRole::kRow, .of = "ranges"}};
  static constexpr TableSpec kTables[] = {{"odd_rows", "odd rows", "Rows that are wrong.", kColumns}};

  static bool sniff(const FormatFile& file) { return file.head.view().starts_with("hostile "); }

  /// The starts of operators, and a time that is none where there are ranges.
  static void derive(const Report& report, Tables& out) {
    if (report.ops != nullptr)
      std::ranges::copy(report.ops->start, out.declared("odd_rows", report.ops->rows).integers("time").begin());
    if (report.ranges != nullptr && report.ranges->rows == 0) out.declared("odd_rows", 1).integers("time")[0] = kNoCell;
  }

  /// One thread calls from 5 to 8 and launches the first of three kernels; it does not run from 0 to 10.
  static void fill_linked(Tables& out) {
    const std::uint32_t thread = out.sink().add_thread(out.sink().add_process(1), 2, "main");
    out.links<std::int32_t>(col::thread_names, LinkColumn::kPriority, 1)[0] = 20;
    auto calls = out.rows<CallTable>(col::calls, 1);
    calls[&CallTable::start][0] = 5;
    calls[&CallTable::end][0] = 8;
    calls[&CallTable::name][0] = out.intern("cudaLaunchKernel");
    out.links<std::uint32_t>(col::calls, LinkColumn::kNarrowId, 1)[0] = 7;
    auto kernels = out.rows<KernelTable>(col::kernels, 3);
    std::ranges::fill(kernels[&KernelTable::start], 20);
    std::ranges::fill(kernels[&KernelTable::end], 300);
    std::ranges::fill(kernels[&KernelTable::process], kNoProcess);
    const auto ids = out.links<std::uint32_t>(col::kernels, LinkColumn::kNarrowId, 3);
    ids[0] = 7;
    ids[1] = 0;
    ids[2] = 9;
    auto ranges = out.rows<RangeTable>(col::ranges, 1);
    ranges[&RangeTable::start][0] = 1;
    ranges[&RangeTable::end][0] = 100;
    auto odd = out.declared("odd_rows", 2);
    const auto time = odd.integers("time");
    time[0] = 50;
    time[1] = 200;
    std::ranges::fill(odd.integers("thread"), thread);
    auto causes = out.rows<CauseTable>(col::causes, 1);
    causes[&CauseTable::start][0] = 0;
    causes[&CauseTable::end][0] = 10;
    causes[&CauseTable::name][0] = out.intern("scheduled out");
    causes[&CauseTable::kind][0] = out.intern("scheduling");
    out.sink().read_from(col::causes, "SCHEDULE");
  }

  static void load(const FormatRequest& file, Tables& out) {
    std::ifstream in{std::string(file.path.view())};
    std::string word, deed;
    in >> word >> deed;
    auto kernels = out.rows<KernelTable>(col::kernels, 3);
    std::ranges::fill(kernels[&KernelTable::start], 1);
    std::ranges::fill(kernels[&KernelTable::end], 2);
    if (deed == "lengths") {
      kernels.resize(2);
      kernels[&KernelTable::device][0] = 0;
    }
    if (deed == "text") std::ranges::fill(kernels[&KernelTable::name], StringId{4000000000});
    if (deed == "process") std::ranges::fill(kernels[&KernelTable::process], 7U);
    if (deed == "computed") std::ranges::fill(kernels[&KernelTable::call], 0);
    if (deed == "column") out.sink().cells(col::kernels, 4242, 3);
    if (deed == "table") out.sink().cells(static_cast<ColumnId>(99 << 8), 8, 3);
    if (deed == "rows") out.rows<KernelTable>(col::kernels, std::uint64_t{1} << 40)[&KernelTable::start][0] = 1;
    if (deed == "enumerator") {
      auto calls = out.rows<CallTable>(col::calls, 1);
      calls[&CallTable::start][0] = 1;
      calls[&CallTable::end][0] = 2;
      calls[&CallTable::kind][0] = static_cast<CallKind>(200);
    }
    if (deed == "order") {
      const auto times = out.declared("odd_rows", 2).integers("time");
      times[0] = 20;
      times[1] = 10;
    }
    if (deed == "row") {
      auto odd = out.declared("odd_rows", 1);
      odd.integers("time")[0] = 0;
      odd.integers("thread")[0] = 12;
    }
    if (deed == "kind") out.declared("odd_rows", 1).reals("time")[0] = 0;
    if (deed == "undeclared") out.declared("unheard_of", 1).integers("time")[0] = 0;
    if (deed == "operators") {  // the one thing here that a format may do
      auto ops = out.rows<OpTable>(col::ops, 2);
      auto start = ops[&OpTable::start], end = ops[&OpTable::end], id = ops[&OpTable::external_id];
      start[0] = 500;
      end[0] = 510;
      id[0] = 11;
      start[1] = 400;
      end[1] = 410;
      id[1] = 12;
      auto kernel = kernels[&KernelTable::start];
      kernel[0] = 30;
      kernel[1] = 20;
      kernel[2] = 10;
      std::ranges::fill(kernels[&KernelTable::end], 40);
      auto op = out.links<std::int64_t>(col::kernels, LinkColumn::kOperator, 3);
      op[0] = 11;
      op[1] = 12;
      op[2] = 99;
      auto collectives = out.rows<CollectiveTable>(col::collectives, 2);
      for (const std::size_t i : {0U, 1U}) {
        collectives[&CollectiveTable::kernel][i] = static_cast<Row>(2 * i);
        collectives[&CollectiveTable::sent][i] = 100 + static_cast<std::int64_t>(i);
      }
    }
    if (deed == "links") out.links<std::uint32_t>(col::kernels, LinkColumn::kNarrowId, 2)[0] = 7;
    if (deed == "communicator") {
      out.rows<RangeTable>(col::ranges, 1)[&RangeTable::start][0] = 1;
      out.links<StringId>(col::ranges, LinkColumn::kCommunicator, 1)[0] = 4000000000;
    }
    if (deed == "linked") fill_linked(out);  // a format may do this, too
    if (deed == "collective") out.rows<CollectiveTable>(col::collectives, 1)[&CollectiveTable::kernel][0] = 7;
    if (deed == "derives") out.rows<RangeTable>(col::ranges, 0)[&RangeTable::start];
    if (deed == "thread") out.sink().add_thread(5, 1, "");
    if (deed == "throws") throw std::runtime_error("line 3 is none");
    if (deed == "throws_anything") throw 3;
    for (volatile bool forever = deed == "hangs"; forever;) {
    }
    if (deed == "beyond") {
      std::int64_t* volatile cells = kernels[&KernelTable::start].data();
      for (std::size_t i = 3; i < 2000; ++i) cells[i] = 7;
    }
  }
};

}  // namespace

ASSAY_FORMAT("hostile", "1.0.0", Hostile);
