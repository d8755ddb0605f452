#include "golden_case.hpp"

#include <sqlite3.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "support/temp_folder.hpp"

namespace assay::testing {
namespace {

namespace fs = std::filesystem;

void make_database(const fs::path& file, const std::string& sql) {
  sqlite3* db = nullptr;
  char* error = nullptr;
  const bool good = sqlite3_open(file.c_str(), &db) == SQLITE_OK &&
                    sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error) == SQLITE_OK;
  const std::string why = error != nullptr ? error : "cannot be opened";
  sqlite3_free(error);
  sqlite3_close(db);
  if (!good) throw std::runtime_error(file.string() + ": " + why);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

void prepare_inputs(const fs::path& from, const fs::path& to) {
  const std::string schema = read_text(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/nsys_schema.sql");
  fs::create_directories(to);
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path target = to / entry.path().lexically_relative(from);
    if (entry.is_directory()) {
      fs::create_directories(target);
    } else if (entry.path().extension() == ".sql") {
      fs::create_directories(target.parent_path());
      make_database(fs::path(target).replace_extension(".sqlite"),
                    "PRAGMA synchronous = OFF; BEGIN;\n" + schema + read_text(entry.path()) + "COMMIT;");
    } else {
      fs::create_directories(target.parent_path());
      fs::copy_file(entry.path(), target, fs::copy_options::overwrite_existing);
    }
  }
}

std::string first_line_missing(const std::string& actual, const std::string& expected) {
  const std::vector<std::string> lines = lines_of(actual);
  std::size_t at = 0;
  for (const std::string& wanted : lines_of(expected)) {
    while (at < lines.size() && lines[at].find(wanted) == std::string::npos) ++at;
    if (at == lines.size()) return wanted.empty() ? "an empty line" : wanted;
    ++at;
  }
  return {};
}

std::string without_machine(std::string text, const fs::path& folder) {
  const std::pair<std::string, std::string_view> names[] = {{folder.string(), "{folder}"},
                                                            {ASSAY_PROBE_FOLDER, "{probe}"}};
  for (const auto& [path, name] : names) {
    for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos; at += name.size())
      text.replace(at, path.size(), name);
  }
  return text;
}

std::string first_difference(const std::string& actual, const std::string& expected) {
  if (actual == expected) return {};
  const std::vector<std::string> is = lines_of(actual), should = lines_of(expected);
  std::size_t at = 0;
  while (at < is.size() && at < should.size() && is[at] == should[at]) ++at;
  const auto line = [&](const std::vector<std::string>& lines) {
    return at < lines.size() ? "  " + lines[at] : std::string("  (the end)");
  };
  if (at == is.size() && at == should.size()) return "only one of them ends in a line break";
  return "line " + std::to_string(at + 1) + " is\n" + line(is) + "\nand should be\n" + line(should);
}

std::string json_difference(const nlohmann::json& actual, const nlohmann::json& expected, const std::string& path) {
  if (expected.is_object() && actual.is_object()) {
    for (const auto& [name, value] : expected.items()) {
      if (!actual.contains(name)) return path + "/" + name + " is missing";
      if (std::string below = json_difference(actual[name], value, path + "/" + name); !below.empty()) return below;
    }
    return {};
  }
  if (expected.is_array() && actual.is_array()) {
    if (expected.empty() && !actual.empty()) return path + " should be empty but is " + actual.dump();
    std::size_t at = 0;
    for (std::size_t i = 0; i < expected.size(); ++i, ++at) {
      std::string closest = path + " ends before element " + std::to_string(i);
      while (at < actual.size()) {
        closest = json_difference(actual[at], expected[i], path + "/" + std::to_string(at));
        if (closest.empty()) break;
        ++at;
      }
      if (at == actual.size()) return path + " has no " + expected[i].dump() + " (last difference: " + closest + ")";
    }
    return {};
  }
  return actual == expected ? "" : path + " is " + actual.dump() + " and not " + expected.dump();
}

CaseScript read_script(const fs::path& file) {
  CaseScript script;
  for (std::string line : lines_of(read_text(file))) {
    constexpr std::string_view probe = "{probe}";
    if (const std::size_t at = line.find(probe); at != std::string::npos)
      line.replace(at, probe.size(), ASSAY_PROBE_FOLDER);
    const auto rest = [&](std::size_t n) { return line.substr(n); };
    if (line.empty() || line.starts_with("#")) continue;
    if (line == "$ assay" || line.starts_with("$ assay ")) {
      script.steps.emplace_back().arguments = split_command(rest(7));
    } else if (script.steps.empty()) {
      throw std::runtime_error(file.string() + ": '" + line + "' stands before the first command");
    } else if (line.starts_with("exit ")) {
      script.steps.back().exit = std::stoi(rest(5));
    } else if (line.starts_with("out> ")) {
      script.steps.back().out += rest(5) + "\n";
    } else if (line.starts_with("err> ")) {
      script.steps.back().err.push_back(rest(5));
    } else {
      throw std::runtime_error(file.string() + ": '" + line + "' is none of '$ assay', 'exit', 'out>', 'err>', '#'");
    }
  }
  return script;
}

}  // namespace assay::testing
