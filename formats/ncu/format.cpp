// Reports of Nsight Compute: as profiles of their own, or as counters for the kernels of another profile.
#include "assay/format.hpp"

#include <fmt/core.h>

#include <optional>
#include <string_view>
#include <vector>

#include "files/walk.hpp"
#include "formats/ncu/read_ncu.hpp"
#include "formats/ncu/rep_file.hpp"
#include "formats/ncu/rep_rules.hpp"
#include "formats/ncu/sniff_ncu.hpp"

namespace assay::ncu {
namespace {

/// For a table of ncu that was saved by another program or edited: its first columns still tell whose it is.
void explain_table(std::string_view head, ExplanationSink& out) {
  for (const std::string_view column : {"Process ID", "Process Name", "Host Name"}) {
    if (head.find(column) == std::string_view::npos) return;
  }
  const std::string_view behind = head.substr(head.find("Process ID") + std::string_view("Process ID").size());
  const bool semicolons = behind.starts_with(';') || behind.starts_with("\";");
  if (head.find("\"Invocations\"") != std::string_view::npos)
    return out.explain("This is a summary of Nsight Compute (--print-summary): means over launches, not the launches",
                       "write it again without --print-summary, or give the .ncu-rep.", true);
  out.explain(semicolons ? "This table of Nsight Compute is separated by semicolons, as spreadsheets save it"
                         : "This table of Nsight Compute lacks the column 'ID' or 'Kernel Name'",
              "write it again with ncu --import REPORT --csv.", true);
}

class NcuFormat {
 public:
  static constexpr std::string_view kSummary =
      "Reports of Nsight Compute: .ncu-rep, and the CSVs of its details and raw pages.";
  static constexpr std::string_view kAgain = "copy it again";
  static constexpr std::uint32_t kTraits = kTraitCounters | kTraitPages;
  static constexpr Str kExtensions[] = {".ncu.details.csv", ".ncu.raw.csv", ".ncu.csv", ".csv", ".ncu-rep"},
                       kTelling[] = {".ncu-rep"}, kGlobs[] = {"**/*.csv", "**/*.ncu-rep"};
  static constexpr FileNames kNames = {.extensions = kExtensions,
                                       .telling = kTelling,
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "Nsight Compute report",
                                       .expected = "reports of Nsight Compute (.ncu-rep, .csv)"};
  static constexpr Str kCommand[] = {"ncu", "-o", "{report}"};
  static constexpr RecorderSpec kRecorders[] = {
      {.name = "ncu",
       .command = kCommand,
       .ends_options = {},
       .numbered_ending = {},
       .install = "install Nsight Compute (developer.nvidia.com/nsight-compute; package nsight-compute of NVIDIA's "
                  "repository) and put it into PATH"}};
  static constexpr FormatPart kReads[] = {{"a result of .ncu-rep, a row of a CSV", "profiled"},
                                          {"metrics of a result, cells of a CSV", "counters"},
                                          {"rules of .ncu-rep and of details pages", "what look shows as gains"},
                                          {"instances of metrics, cubins, sources of .ncu-rep", "source"}};
  static constexpr FormatPart kPassesOver[] = {{"PTX", "virtual assembly"},
                                               {"cells without a number", "words such as n/a"}};
  static constexpr ColumnId kFills[] = {col::profiled, col::counters, col::kernel_profiled};
  static constexpr std::span<const TableSpec> kTables = kSourceTables;

  static bool sniff(const FormatFile& file) {
    if (is_rep(file.head)) return !has_ncu_csv(file.path.view());
    return is_ncu_csv(file.path.view());
  }

  static void identify(const FormatFile& file, IdentitySink& out) {
    if (!is_rep(file.head)) {
      out.add("device", ncu_device(file.path.view()));
      out.add("profiler", "Nsight Compute");
      return;
    }
    const RepSession session = rep_session(file.path.view());
    out.add("device", session.device);
    std::string profiler = "Nsight Compute";
    for (const auto& [component, version] : session.components) {
      if (component == "CUDA Version") out.add("cuda", version);
      if (component == "Nsight Compute Target") profiler += " " + version.substr(0, version.find(' '));
    }
    out.add("profiler", profiler);
  }

  static void explain(const FormatFile& file, ExplanationSink& out) {
    const std::string extension = lower_extension(file.path.view());
    if (extension == ".csv") return explain_table(file.head, out);
    if (extension != ".ncu-rep") return;
    if (has_ncu_csv(file.path.view())) return out.explain({}, {}, false);
    out.explain(
        "This file is not a readable Nsight Compute report (its first bytes are not those of one)",
        fmt::format("copy it again, or run assay convert '{}', which uses ncu --import --csv.", file.path.view()),
        true);
  }

  static void rules(const FormatFile& file, RuleSink& out) {
    const auto launches =
        is_ncu_csv(file.path.view()) ? read_text_rules(file.path.view()) : read_rules(file.path.view());
    for (const RuledLaunch& launch : launches) {
      const std::vector<Str> ranges(launch.ranges.begin(), launch.ranges.end());
      out.launch(launch.kernel, ranges);
      for (const RuleSaying& said : launch.sayings) {
        out.saying({.section = said.section,
                    .rule = said.rule,
                    .kind = said.kind,
                    .text = said.text,
                    .speedup = said.speedup,
                    .local = said.local});
      }
    }
  }

  /// Launches are the same ones over all files, since each page of a profile is a separate file. Reads what is
  /// readable; the rest becomes issues.
  static void load(const FormatRequest& request, Tables& out) {
    NcuReader reader(out.sink());
    std::vector<Str> files{request.path};
    files.insert(files.end(), request.also.begin(), request.also.end());
    std::optional<Unreadable> first;
    bool any = false;
    for (const Str file : files) {
      try {
        reader.read(file.view());
        any = true;
      } catch (const Unreadable& why) {
        if (!first) first = why;
        if (files.size() > 1)
          out.sink().issue("ncu_unreadable", Severity::kError, 0, fmt::format("'{}': {}.", file.view(), why.what()));
      }
    }
    if (!any) {
      out.sink().advise(first->remedy);
      throw *first;
    }
    reader.finish();
  }
};

}  // namespace
}  // namespace assay::ncu

ASSAY_FORMAT("ncu", "1.0.0", assay::ncu::NcuFormat);
