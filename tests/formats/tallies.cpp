// Counters of kernels beside a profile: a line "tallies", then a line for each kernel: name, grid, block, value.
#include <assay/format.hpp>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace assay;

class Tallies {
 public:
  static constexpr std::string_view kSummary = "Counters of kernels.";
  static constexpr std::uint32_t kTraits = kTraitCounters;
  static constexpr Str kEnds[] = {".tallies"}, kGlobs[] = {"**/*.tallies"};
  static constexpr FileNames kNames = {.extensions = kEnds,
                                       .telling = kEnds,
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "file of tallies",
                                       .expected = "files of tallies (.tallies)"};

  static constexpr Str kCommand[] = {"tally", "-o", "{report}"};
  static constexpr RecorderSpec kRecorders[] = {{.name = "tally",
                                                 .command = kCommand,
                                                 .ends_options = "--",
                                                 .numbered_ending = ".tallies",
                                                 .install = "install tally"}};

  static bool sniff(const FormatFile& file) { return file.head.view().starts_with("tallies"); }

  static void load(const FormatRequest& file, Tables& out) {
    std::ifstream in{std::string(file.path.view())};
    std::string word, kernel;
    in >> word;
    std::vector<StringId> names;
    std::vector<std::int32_t> grids, blocks;
    std::vector<double> values;
    std::int32_t grid = 0, block = 0;
    for (double value = 0; in >> kernel >> grid >> block >> value;) {
      names.push_back(out.intern(kernel));
      grids.push_back(grid);
      blocks.push_back(block);
      values.push_back(value);
    }
    auto launches = out.rows<ProfiledTable>(col::profiled, names.size());
    std::ranges::copy(names, launches[&ProfiledTable::name].begin());
    for (auto column : {&ProfiledTable::grid_x, &ProfiledTable::grid_y, &ProfiledTable::grid_z})
      std::ranges::copy(grids, launches[column].begin());
    for (auto column : {&ProfiledTable::block_x, &ProfiledTable::block_y, &ProfiledTable::block_z})
      std::ranges::copy(blocks, launches[column].begin());
    auto counters = out.rows<CounterTable>(col::counters, names.size());
    const std::span<Row> profiled = counters[&CounterTable::profiled];
    for (std::size_t i = 0; i < profiled.size(); ++i) profiled[i] = static_cast<Row>(i);
    std::ranges::fill(counters[&CounterTable::name], out.intern("tally"));
    std::ranges::copy(values, counters[&CounterTable::value].begin());
  }
};

}  // namespace

ASSAY_FORMAT("tallies", "1.0.0", Tallies);
