// Dumps of NCCL's flight recorder in PyTorch: what TORCH_NCCL_DUMP_ON_TIMEOUT and _dump_nccl_trace write.
#include "assay/format.hpp"

#include "dump.hpp"
#include "rank.hpp"
#include "tables.hpp"

namespace assay::flight_recorder {

class FlightRecorderFormat {
 public:
  static constexpr std::string_view kSummary =
      "Dumps of NCCL's flight recorder in PyTorch: the collectives, sends and receives that a rank called last.";
  static constexpr std::uint32_t kTraits = kTraitBeside;
  static constexpr Str kGlobs[] = {"**/*trace_rank_*", "**/*_dump_*"};
  static constexpr FileNames kNames = {.extensions = {},
                                       .telling = {},
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "flight recorder dump",
                                       .expected = "flight recorder dumps (nccl_trace_rank_N)"};
  static constexpr FormatPart kReads[] = {
      {"entries", "collective_records"}, {"pg_config, pg_status", "process_groups"}, {"version", "recorder_dumps"}};
  static constexpr FormatPart kPassesOver[] = {{"nccl_comm_state", "state inside NCCL"},
                                               {"thread_name, thread_id", "threads of the calls"}};
  static constexpr ColumnId kFills[] = {col::properties};
  static constexpr std::span<const TableSpec> kTables = flight_recorder::kTables;

  static bool sniff(const FormatFile& file) { return begins_like_a_dump(file.head); }

  static void explain(const FormatFile& file, ExplanationSink& out) {
    if (name_of(std::string(file.path.view())).find("trace_rank_") == std::string::npos) return;
    out.explain(file.size == 0 ? "This file is named like a dump of NCCL's flight recorder and is empty"
                               : "This file is named like a dump of NCCL's flight recorder and is none",
                "copy it again from the node that wrote it, or take it again.", false);
  }

  static void identify(const FormatFile& file, IdentitySink& out) {
    // A pickle has its groups before its calls; JSON is sorted, and has them at the end.
    constexpr std::size_t kFewGroups = std::size_t{8} << 10U, kManyGroups = std::size_t{256} << 10U;
    const bool is_pickle = file.head.view().starts_with('\x80');
    const std::string path(file.path.view());
    std::string bytes = bytes_of(path, is_pickle ? kFewGroups : std::string::npos);
    if (is_pickle && bytes.find("entries") == std::string::npos) bytes = bytes_of(path, kManyGroups);
    const Dump dump = read_dump(bytes, memory_for(file.size));
    out.add("profiler", "PyTorch flight recorder");
    const DumpRank rank = rank_of(dump, name_of(path));
    if (rank.rank >= 0) out.add("rank", std::to_string(rank.rank));
    if (const std::int64_t world = world_size(dump); world > 0) out.add("world_size", std::to_string(world));
  }

  static void load(const FormatRequest& file, Tables& out) {
    const std::string path(file.path.view());
    const Dump dump = read_dump(bytes_of(path), memory_for(file.size));
    fill_tables(dump, rank_of(dump, name_of(path)), out);
  }

 private:
  static std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }
  /// Shared values are repeated where they are used, at most some 20 bytes each.
  static std::size_t memory_for(std::uint64_t size) { return (std::size_t{64} << 20U) + 32 * size; }
};

ASSAY_FORMAT("flight_recorder", "1.0.0", FlightRecorderFormat);

}  // namespace assay::flight_recorder
