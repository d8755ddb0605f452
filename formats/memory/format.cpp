// Memory snapshots of PyTorch: torch.cuda.memory._dump_snapshot.
#include "assay/format.hpp"

#include "snapshot.hpp"
#include "tables.hpp"

namespace assay::memory_snapshot {

class MemorySnapshotFormat {
 public:
  static constexpr std::string_view kSummary =
      "Memory snapshots of PyTorch (torch.cuda.memory._dump_snapshot): segments, blocks and the history of "
      "allocations.";
  static constexpr std::uint32_t kTraits = kTraitFramework | kTraitBeside;
  static constexpr Str kEnds[] = {".pickle", ".pkl"}, kGlobs[] = {"**/*.pickle", "**/*.pkl"};
  static constexpr FileNames kNames = {.extensions = kEnds,
                                       .telling = {},
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "memory snapshot",
                                       .expected = "memory snapshots of PyTorch (.pickle)"};
  static constexpr FormatPart kReads[] = {{"device_traces", "allocations, memory_allocations, memory_failures"},
                                          {"frames", "memory_stacks"},
                                          {"segments", "memory_segments, memory_blocks"},
                                          {"external_annotations", "memory_annotations"},
                                          {"allocator_settings", "how requests are rounded; properties"}};
  static constexpr FormatPart kPassesOver[] = {{"snapshot, user_defined", "events without memory"},
                                               {"user_metadata", "texts of the program"}};
  static constexpr ColumnId kFills[] = {col::allocations};
  static constexpr std::span<const TableSpec> kTables = memory_snapshot::kTables;

  static bool sniff(const FormatFile& file) { return begins_like_a_snapshot(file.head); }
  static void identify(const FormatFile& /*file*/, IdentitySink& out) {
    out.add("profiler", "PyTorch memory snapshot");
  }
  static void load(const FormatRequest& file, Tables& out) {
    // Including its columns, reading needs twice the size of the file.
    constexpr std::size_t kMin = std::size_t{64} << 20U;
    Snapshot snapshot = read_snapshot(std::string(file.path.view()), kMin + file.size + file.size / 2);
    fill_tables(snapshot, out);
  }
};

ASSAY_FORMAT("memory_snapshot", "1.0.0", MemorySnapshotFormat);

}  // namespace assay::memory_snapshot
