// Reads profiles of JSON lines. Change it from here: share/doc/assay/docs/formats.md explains every member.
//   {"format": "@NAME@", "device": "NVIDIA H100"}               the first line
//   {"kernel": "gemm", "start": 100, "end": 250, "stream": 7, "call": 80, "call_end": 90}   a line for each kernel, ns
//   {"watts": 312.5, "time": 100}                               a line for each sample of the power
#include "assay/format.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "json_line.hpp"

class @CLASS@ {
 public:
  static constexpr std::string_view kSummary = "Profiles of JSON lines: one line for each kernel.";
  static constexpr assay::Str kEnds[] = {".@NAME@.jsonl"}, kGlobs[] = {"**/*.@NAME@.jsonl"};
  static constexpr assay::FileNames kNames = {.extensions = kEnds,
                                              .telling = kEnds,
                                              .raw = {},
                                              .globs = kGlobs,
                                              .one_file = "@NAME@ profile",
                                              .expected = "profiles of @NAME@ (.@NAME@.jsonl)"};
  static constexpr assay::FormatPart kReads[] = {{"lines with \"kernel\"", "kernels, and calls that launch them"},
                                                 {"lines with \"watts\"", "@NAME@_power"}};
  static constexpr assay::FormatPart kPassesOver[] = {{"other lines", "counted, with the issue passed_over"}};
  static constexpr assay::ColumnId kFills[] = {assay::col::kernels, assay::col::kernel_name, assay::col::calls,
                                               assay::col::call_name};
  static constexpr assay::ColumnSpec kPower[] = {
      {.name = "time", .role = assay::CellRole::kTime, .unit = "ns"},
      {.name = "watts", .kind = assay::CellKind::kReal, .role = assay::CellRole::kCounter, .unit = "W"}};
  static constexpr assay::TableSpec kTables[] = {
      {"@NAME@_power", "samples of the power", "Power of the board at points in time.", kPower}};

  static bool sniff(const assay::FormatFile& file) {
    return file.head.view().starts_with(R"({"format": "@NAME@")");
  }

  static void identify(const assay::FormatFile& file, assay::IdentitySink& out) {
    const std::string_view head = file.head.view();
    if (const auto device = text_in(head.substr(0, head.find('\n')), "device")) out.add("device", *device);
    out.add("profiler", "@NAME@");
  }

  struct Kernel {
    assay::StringId name;
    std::int64_t start, end, call, call_end;
    std::int32_t stream;
  };
  struct Sample {
    std::int64_t time;
    double watts;
  };

  static void load(const assay::FormatRequest& file, assay::Tables& out) {
    std::vector<Kernel> kernels;
    std::vector<Sample> samples;
    std::int64_t passed_over = 0;
    std::ifstream in{std::string(file.path.view())};
    std::string line;
    if (!std::getline(in, line)) throw std::runtime_error("it is empty");
    for (std::size_t number = 2; std::getline(in, line); ++number) {
      const auto time = [&](const char* key) { return number_in<std::int64_t>(line, key); };
      if (const auto name = text_in(line, "kernel"); name && time("start") && time("end")) {
        const std::int64_t start = *time("start"), call = time("call").value_or(start);
        kernels.push_back({out.intern(*name), start, *time("end"), call, time("call_end").value_or(call),
                           number_in<std::int32_t>(line, "stream").value_or(assay::kNone)});
      } else if (const auto watts = number_in<double>(line, "watts"); watts && time("time")) {
        samples.push_back({*time("time"), *watts});
      } else if (line.starts_with('{')) {
        ++passed_over;
      } else if (!line.empty()) {
        throw std::runtime_error("line " + std::to_string(number) + " is no object of JSON");
      }
    }
    fill(kernels, out);
    std::ranges::stable_sort(samples, {}, &Sample::time);  // the rows of a custom table must be sorted by time
    auto power = out.declared("@NAME@_power", samples.size());
    std::ranges::transform(samples, power.integers("time").begin(), &Sample::time);
    std::ranges::transform(samples, power.reals("watts").begin(), &Sample::watts);
    out.sink().passed_over("kind", "unknown lines", passed_over);
  }

 private:
  /// Each kernel and the call that launched it, linked by a correlation id.
  static void fill(const std::vector<Kernel>& from, assay::Tables& out) {
    using assay::CallTable, assay::KernelTable;
    auto kernels = out.rows<KernelTable>(assay::col::kernels, from.size());
    std::ranges::transform(from, kernels[&KernelTable::start].begin(), &Kernel::start);
    std::ranges::transform(from, kernels[&KernelTable::end].begin(), &Kernel::end);
    std::ranges::transform(from, kernels[&KernelTable::stream].begin(), &Kernel::stream);
    std::ranges::transform(from, kernels[&KernelTable::name].begin(), &Kernel::name);
    auto calls = out.rows<CallTable>(assay::col::calls, from.size());
    std::ranges::transform(from, calls[&CallTable::start].begin(), &Kernel::call);
    std::ranges::transform(from, calls[&CallTable::end].begin(), &Kernel::call_end);
    std::ranges::fill(calls[&CallTable::name], out.intern("cudaLaunchKernel"));
    for (const std::span<std::int64_t> ids : {kernels[&KernelTable::correlation], calls[&CallTable::correlation]})
      std::iota(ids.begin(), ids.end(), 1);
  }
};

ASSAY_FORMAT("@NAME@", "0.1.0", @CLASS@);
