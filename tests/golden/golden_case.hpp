// Running the built program on a folder of inputs and comparing what it printed and wrote.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace assay::testing {

/// Copies a case's inputs to `to`; every NAME.sql becomes the database NAME.sqlite, made from nsys_schema.sql and
/// NAME.sql.
void prepare_inputs(const std::filesystem::path& from, const std::filesystem::path& to);

/// The first line of `expected` that is in no line of `actual` after the one that held its predecessor; empty when all
/// are.
std::string first_line_missing(const std::string& actual, const std::string& expected);

/// `text` as every machine would have it: `folder`, in which the case ran, and the folder of the test's own analyzer
/// stand in it as {folder} and {probe}.
std::string without_machine(std::string text, const std::filesystem::path& folder);

/// The first line in which two texts differ, its number and both forms; empty when they are equal to the byte.
std::string first_difference(const std::string& actual, const std::string& expected);

/// Why `actual` does not hold `expected`, or empty. Objects may have more members, and arrays more elements in between.
std::string json_difference(const nlohmann::json& actual, const nlohmann::json& expected, const std::string& path = "");

/// What a case's run.txt says. A line is "$ assay ARGUMENTS", "exit N", "out> TEXT" (a line of standard output holds
/// TEXT, in this order), or "err> TEXT" (the lines of standard error, all of them; "..." at the end of one stands for
/// any rest). {probe} stands for the folder of the test's own analyzer.
struct CaseScript {
  struct Step {
    std::vector<std::string> arguments;
    int exit = 0;
    std::string out;
    std::vector<std::string> err;
  };
  std::vector<Step> steps;
};
CaseScript read_script(const std::filesystem::path& file);

}  // namespace assay::testing
