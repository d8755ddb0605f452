// Counters of instructions: reports against the source pages that ncu printed of them, and damaged code.
#include <map>
#include <random>

#include "formats/ncu/cubin.hpp"
#include "formats/ncu/message.hpp"
#include "formats/ncu/rep_file.hpp"
#include "formats/ncu/text_rows.hpp"
#include "made_rep.hpp"
#include "ncu_files.hpp"
#include "support/real_data.hpp"
#include "support/temp_folder.hpp"

namespace assay::source_test {

/// The table `source` of a report.
class SourceReport {
 public:
  explicit SourceReport(const std::filesystem::path& file)
      : profile_(load_profile({file, NcuReport::kind_of(file)}, "k", {col::declared, col::profiled}, 1, Reader::kDirect,
                              {})) {
    if (!profile_) return;
    view_.emplace(profile_->view({}, {}));
    table_ = (**view_).report().table("source");
  }
  [[nodiscard]] const DeclaredTable* table() const { return table_; }
  [[nodiscard]] std::int64_t sum(std::string_view column) const {
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < table_->rows; ++r) sum += std::max<std::int64_t>(table_->integers(column)[r], 0);
    return sum;
  }
  [[nodiscard]] std::string text(std::string_view column, std::size_t row) const {
    return std::string((**view_).report().string(table_->texts(column)[row]));
  }
  [[nodiscard]] std::string line_of(std::size_t row) const {
    const std::string file = text("file", row);
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(table_->integers("line")[row]);
  }
  [[nodiscard]] bool has_issue(std::string_view code) const {
    const IssueTable& issues = *(**view_).report().issues;
    return std::ranges::any_of(issues.name, [&](Str name) { return name.view() == code; });
  }

 private:
  Result<Profile> profile_;
  std::optional<Result<Profile::View>> view_;
  const DeclaredTable* table_ = nullptr;
};

/// ProfileSource messages of a report.
std::vector<std::string> sources_of(const std::filesystem::path& rep) {
  std::vector<std::string> sources;
  ncu::read_rep(
      rep, [](std::string_view, const ncu::RepNames&) { return true; },
      [&](std::string_view bytes) { sources.emplace_back(bytes); });
  return sources;
}

std::string_view cubin_of(std::string_view source) {
  ncu::Message message(source);
  for (ncu::Field field; message.next(field);)
    if (field.number == 4) return field.bytes;
  return {};
}

/// Headings of the page of ncu.
const std::map<std::string, std::string> kHeadings = {
    {"# Samples", "samples"},
    {"Warp Stall Sampling (Not-issued Samples)", "samples_not_issued"},
    {"Instructions Executed", "executed"},
    {"Thread Instructions Executed", "threads"},
    {"Predicated-On Thread Instructions Executed", "threads_on"},
    {"Divergent Branches", "divergent_branches"},
    {"Access Size", "access_bits"},
    {"L1 Tag Requests Global", "l1_tag_requests"},
    {"L1 Conflicts Shared N-Way", "shared_conflicts"},
    {"L1 Wavefronts Shared Excessive", "shared_wavefronts_excessive"},
    {"L1 Wavefronts Shared", "shared_wavefronts"},
    {"L1 Wavefronts Shared Ideal", "shared_wavefronts_needed"},
    {"L2 Theoretical Sectors Global Excessive", "sectors_excessive"},
    {"L2 Theoretical Sectors Global", "sectors"},
    {"L2 Theoretical Sectors Global Ideal", "sectors_needed"}};
const std::map<std::string, std::string> kStallHeadings = {
    {"dispatch", "dispatch_stall"}, {"imc", "imc_miss"},
    {"lg", "lg_throttle"},          {"long_sb", "long_scoreboard"},
    {"math", "math_pipe_throttle"}, {"mio", "mio_throttle"},
    {"no_inst", "no_instructions"}, {"short_sb", "short_scoreboard"},
    {"sleep", "sleeping"},          {"tex", "tex_throttle"}};

/// The column of a heading; empty: it is not compared.
std::string column_of(std::string heading) {
  if (const auto at = kHeadings.find(heading); at != kHeadings.end()) return at->second;
  if (!heading.starts_with("stall_")) return {};
  const bool is_not_issued = heading.ends_with(" (Not Issued)");
  heading = heading.substr(6, heading.find(' ') - 6);
  const auto at = kStallHeadings.find(heading);
  return "stall_" + (at == kStallHeadings.end() ? heading : at->second) + (is_not_issued ? "_not_issued" : "");
}

/// Cells of a row that differ from the page; `compared` is their number.
std::size_t different_cells(const SourceReport& report, std::size_t row, const std::vector<std::string>& headings,
                            std::span<const std::string> cells, std::size_t& compared) {
  std::size_t different = 0;
  const auto compare = [&](const std::string& of_report, const std::string& of_page) {
    ++compared;
    different += of_report != of_page ? 1U : 0U;
  };
  const auto number = [&](const std::string& column) {
    const std::int64_t value = report.table()->integers(column)[row];
    return value == kNoCell ? std::string("-") : std::to_string(value);
  };
  const auto bits = [](const std::string& words) {
    const std::map<std::string, std::string> known = {
        {"Global", "4"}, {"Shared", "16"}, {"Load", "2"}, {"Store", "4"}, {"Atomic", "8"}};
    const auto at = known.find(words);
    return at == known.end() ? std::string("0") : at->second;  // "-", and empty if it never ran
  };
  for (std::size_t c = 0; c < headings.size(); ++c) {
    const std::string column = column_of(headings[c]), cell = cells[c].empty() ? "0" : cells[c];
    if (column == "access_bits") compare(number(column), cell == "-" ? "0" : cell);
    if (!column.empty() && column != "access_bits") compare(number(column), cell);
    if (headings[c] == "Address Space") compare(number("address_space"), bits(cell));
    if (headings[c] == "Access Operation") compare(number("access"), bits(cell));
    if (headings[c] == "Address") compare(number("address"), std::to_string(std::stoll(cell, nullptr, 16)));
    if (headings[c] != "Source") continue;
    const std::size_t begin = cell.find_first_not_of(' ');
    const std::size_t opcode = cell[begin] == '@' ? cell.find_first_not_of(' ', cell.find(' ', begin)) : begin;
    compare(report.text("opcode", row), cell.substr(opcode, cell.find_first_of(" .", opcode) - opcode));
  }
  return different;
}

TEST(NcuSource, EqualsThePageOfNcuInEveryCell) {
  ASSAY_REAL_FILE(folder, "lines", "lines");
  // Cells: a kernel's page has the columns that any of its instructions has.
  for (const auto& [name, rows, cells] : {std::tuple("before", 1072U, 56368U), std::tuple("after", 520U, 27472U)}) {
    const SourceReport report(*folder / (std::string(name) + ".ncu-rep"));
    ASSERT_NE(report.table(), nullptr);
    ASSERT_EQ(report.table()->rows, rows);
    std::size_t row = 0, different = 0, compared = 0;
    std::vector<std::string> headings;
    std::string kernel;
    ncu::read_text_rows(*folder / (std::string(name) + ".sass.csv"),
                        [&](std::span<const std::string> line, std::uint64_t) {
                          if (line[0] == "Kernel Name") {
                            kernel = line[1];
                          } else if (line[0] == "Address") {
                            headings.assign(line.begin(), line.end());
                          } else {
                            ASSERT_LT(row, rows);
                            different += report.text("kernel", row) != kernel ? 1U : 0U;
                            different += different_cells(report, row++, headings, line, compared);
                          }
                        });
    EXPECT_EQ(row, rows);
    EXPECT_EQ(different, 0U) << name;
    EXPECT_EQ(compared, cells) << name;
  }
}

/// Sums by Python's csv of the page.
TEST(NcuSource, HasTheSumsOfThePage) {
  ASSAY_REAL_FILE(rep, "lines", "lines/before.ncu-rep");
  const SourceReport source(*rep);
  ASSERT_NE(source.table(), nullptr);
  EXPECT_EQ(source.sum("samples"), 21318 + 11440 + 9184);
  EXPECT_EQ(source.sum("sectors"), 33558528 + 8388608 + 131072);
  EXPECT_EQ(source.sum("sectors_needed"), 4198400 + 8388608 + 131072);
}

/// Lines by readelf --debug-dump=decodedline of the cubin; the registers of the two instructions show the wait.
TEST(NcuSource, PlacesInstructionsAndNamesTheLoadTheyWaitFor) {
  ASSAY_REAL_FILE(rep, "lines", "lines/before.ncu-rep");
  const SourceReport source(*rep);
  ASSERT_NE(source.table(), nullptr);
  EXPECT_EQ(source.line_of(0), "lines.py:7");
  EXPECT_EQ(source.line_of(57), "lines.py:12");
  EXPECT_EQ(source.text("text", 57),
            "v = tl.load(x + r * m + c, mask=r < n, other=0.0)      # strided: a line of the cache for each element");
  EXPECT_EQ(source.line_of(168), "standard.py:263");
  const auto waits_for = source.table()->integers("waits_for");
  ASSERT_EQ(waits_for[91], 83);
  EXPECT_EQ(source.text("opcode", 83), "LDG");
  EXPECT_EQ(source.line_of(83), "lines.py:12");
  EXPECT_EQ(waits_for[208 + 51], 208 + 14);  // of the second kernel
}

TEST(NcuSource, IsReadOnlyIfRequested) {
  ASSAY_REAL_FILE(rep, "lines", "lines/before.ncu-rep");
  EXPECT_EQ(NcuReport(*rep).report().table("source"), nullptr);
}

/// A report of one kernel with its real code and one counter.
std::string small_rep(const std::string& source) {
  std::string instances;
  for (std::uint64_t i = 0; i < 208; ++i) {
    const MadeMessage key = MadeMessage().number(5, 140378145186048 + 16 * i);
    instances += MadeMessage().message(3, MadeMessage().message(1, key).message(2, MadeMessage().number(5, i))).text();
  }
  MadeMessage result = made_result("column_sum_before", {});
  result.bytes(5, "column_sum_before").message(15, MadeMessage().number(1, 111669149697));
  result.bytes(13, MadeMessage().number(1, 0).text() + instances);
  return made_rep(made_block({"smsp__pcsamp_sample_count"}, {source}, {result}));
}

TEST(NcuSource, SurvivesDamagedBytes) {
  ASSAY_REAL_FILE(rep, "lines", "lines/before.ncu-rep");
  const std::string source = sources_of(*rep).front(), whole = small_rep(source);
  const TempFolder folder;
  folder.write("whole.ncu-rep", whole);
  const SourceReport intact(folder / "whole.ncu-rep");
  ASSERT_NE(intact.table(), nullptr);
  ASSERT_EQ(intact.sum("samples"), 207 * 208 / 2);
  std::mt19937 random(84);
  constexpr std::size_t kVariants = 500;
  std::size_t read = 0;
  for (std::size_t v = 0; v < kVariants; ++v) {
    std::string damaged = whole;
    for (int flips = 0; flips < 8; ++flips) damaged[random() % damaged.size()] ^= static_cast<char>(1U << random() % 8);
    if (v % 5 == 0) damaged.resize(random() % damaged.size());
    folder.write("damaged.ncu-rep", damaged);
    const SourceReport report(folder / "damaged.ncu-rep");
    if (report.table() != nullptr) ++read;
  }
  EXPECT_GT(read, kVariants / 10);  // else the flips hit headers alone, and nothing of this was tested
}

TEST(NcuSource, SurvivesDamagedCode) {
  ASSAY_REAL_FILE(rep, "lines", "lines/before.ncu-rep");
  const std::string source = sources_of(*rep).front(), cubin(cubin_of(source));
  const std::size_t table = 0x5E0, bytes = 0x19A;  // .debug_line, by readelf -S
  std::mt19937 random(85);
  std::size_t with_lines = 0;
  for (int v = 0; v < 500; ++v) {
    std::string damaged = cubin;
    for (int flips = 0; flips < 4; ++flips) {
      const std::size_t at = v % 2 == 0 ? table + random() % bytes : random() % cubin.size();
      damaged[at] = static_cast<char>(random());
    }
    const ncu::KernelCode code = ncu::kernel_code(damaged, "column_sum_before");
    for (const ncu::Instruction& instruction : code.instructions) {
      ASSERT_LT(instruction.file, code.files.size());
      ASSERT_LT(instruction.waits_for, static_cast<std::int64_t>(code.instructions.size()));
      with_lines += instruction.line > 0 ? 1U : 0U;
    }
  }
  EXPECT_GT(with_lines, 0U);
  for (std::size_t size = 0; size < cubin.size(); size += 61)
    ncu::kernel_code(cubin.substr(0, size), "column_sum_before");
}

TEST(NcuSource, SaysWhichLaunchesHaveNoCode) {
  ASSAY_REAL_FILE(rep, "lines", "lines/before.ncu-rep");
  const TempFolder folder;
  folder.write("k.ncu-rep", small_rep("no message"));
  const SourceReport report(folder / "k.ncu-rep");
  EXPECT_EQ(report.table(), nullptr);
  EXPECT_TRUE(report.has_issue("ncu_no_code"));
}

}  // namespace assay::source_test
