// Every column of a page of Nsight Compute, and every number in the headers of a .ncu-rep, damaged in turn.
#include <fmt/core.h>

#include <fstream>

#include "fingerprint.hpp"
#include "load/made_export.hpp"
#include "ncu/made_rep.hpp"
#include "support/temp_folder.hpp"

namespace assay::ncu_test {

using Rows = std::vector<std::vector<std::string>>;

std::filesystem::path write(const TempFolder& folder, const std::string& name, const std::string& bytes) {
  std::ofstream(folder.path() / name, std::ios::binary) << bytes;
  return folder.path() / name;
}

std::filesystem::path write(const TempFolder& folder, const Rows& rows) {
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (const std::string& cell : row) line += (line.empty() ? "\"" : ",\"") + cell + "\"";
    text += line + "\n";
  }
  return write(folder, "made.ncu.csv", text);
}

Rows details() {
  Rows rows = {{"ID", "Process ID", "Process Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
                "Device", "CC", "Section Name", "Metric Name", "Metric Unit", "Metric Value"}};
  for (int launch = 0; launch < 3; ++launch) {
    for (const auto& [name, unit, value] :
         {std::tuple("Duration", "usecond", "12.5"), std::tuple("Registers", "register/thread", "40")})
      rows.push_back({std::to_string(launch), "42", "app", "gemm", "1", "7", "(128, 1, 1)", "(8, 2, 1)", "0", "9.0",
                      "Launch", name, unit, value});
  }
  return rows;
}

Rows raw() {
  Rows rows = {{"ID", "Process ID", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device",
                "gpu__time_duration.sum", "sm__cycles_active.avg"},
               {"", "", "", "", "", "", "", "", "usecond", "cycle"}};
  for (int launch = 0; launch < 3; ++launch)
    rows.push_back({std::to_string(launch), "42", "gemm", "1", "7", "(128, 1, 1)", "(8, 2, 1)", "0", "12.5", "1000"});
  return rows;
}

TEST(RequiredColumns, AreKnownForNcuPages) {
  const TempFolder folder;
  for (const Rows& whole : {details(), raw()}) {
    const Fingerprint before = fingerprint(write(folder, whole));
    ASSERT_EQ(before.refusal, "");
    ASSERT_EQ(before.issues, std::vector<std::string>());
    for (std::size_t column = 0; column < whole[0].size(); ++column) {
      for (const std::string way : {"gone", "empty", "another type", "one extreme"}) {
        Rows rows = whole;
        for (std::size_t r = way == "gone" ? 0 : 1; r < rows.size(); ++r) {
          std::string& cell = rows[r][column];
          if (way == "gone") rows[r].erase(rows[r].begin() + static_cast<std::ptrdiff_t>(column));
          if (way == "empty") cell = "";
          if (way == "another type" && !cell.empty()) cell = cell.find_first_of("0123456789") == 0 ? "words" : "5";
          if (way == "one extreme" && r + 1 == rows.size()) cell = "9223372036854775808000";
        }
        // A number is a name as well as any; a value may be as great.
        const std::string& name = whole[0][column];
        const bool is_text = name.ends_with("Name");
        const bool is_value = name == "Metric Value" || name.find("__") != std::string::npos;
        if ((is_text && (way == "another type" || way == "one extreme")) || (is_value && way == "one extreme"))
          continue;
        // Pages of 2020 have no device.
        if (name == "Device" && way == "gone") continue;
        // Not every launch has every counter on the raw page, and not every counter a unit.
        if (name.find("__") != std::string::npos && way != "another type") continue;
        expect_said(before, write(folder, rows), name + " " + way);
      }
    }
  }
}

TEST(RequiredColumns, AreKnownForReportsOfNcu) {
  const TempFolder folder;
  const std::vector<std::string> names = {"gpu__time_duration.sum", "launch__grid_size"};
  const auto result = [&](const char* name) {
    return made_result(name,
                       {made_metric(0, MadeMessage().fixed(3, 210720.0)), made_metric(1, MadeMessage().number(4, 8))});
  };
  const auto report = [&](std::uint64_t sources, std::uint64_t results, std::uint64_t range_results,
                          std::int64_t payload_more, bool names_too) {
    const std::string payload =
        with_size("code") + with_size(result("first").text()) + with_size(result("second").text());
    MadeMessage table, header;
    for (const std::string& name : names) table.bytes(1, name);
    header.number(1, sources).number(2, results);
    if (names_too) header.message(4, table);
    header.number(5, payload.size() + static_cast<std::uint64_t>(payload_more)).number(7, range_results);
    return write(folder, "made.ncu-rep", made_rep(with_size(header.text()) + payload));
  };
  const Fingerprint before = fingerprint(report(1, 2, 0, 0, true));
  ASSERT_EQ(before.refusal, "");
  ASSERT_EQ(before.issues, std::vector<std::string>());
  for (const std::uint64_t sources : {0U, 1U, 2U, 3U})
    for (const std::uint64_t results : {0U, 1U, 2U, 3U, 1'000'000'000U})
      for (const std::uint64_t ranges : {0U, 1U, 2U})
        for (const std::int64_t more : {-200, -1, 0, 1, 200})
          for (const bool names_too : {true, false})
            expect_said(before, report(sources, results, ranges, more, names_too),
                        fmt::format("{} sources, {} results, {} range results, {} bytes, names {}", sources, results,
                                    ranges, more, names_too));
}

}  // namespace assay::ncu_test
