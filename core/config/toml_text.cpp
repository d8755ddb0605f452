#include "config/toml_text.hpp"

#include <fstream>
#include <sstream>

#include "config/section.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse_file(const fs::path& file, const std::string& problem) {
  throw ConfigMistake(file.string() + ": " + problem);
}

std::string read_text(const fs::path& file) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status)) refuse_file(file, "there is no such configuration file; check the path.");
  if (fs::is_directory(status)) refuse_file(file, "is a folder; give the TOML files in it by name.");
  if (!fs::is_regular_file(status)) refuse_file(file, "is not a regular file; expected a TOML file.");
  constexpr std::uintmax_t kLargest = 16U << 20;
  if (fs::file_size(file, failed) > kLargest) refuse_file(file, "has more than 16 MiB; expected a TOML file.");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) refuse_file(file, "cannot be read; allow reading it.");
  return std::move(text).str();
}

}  // namespace

toml::table parse_toml(const fs::path& file) {
  const std::string text = read_text(file);
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& e) {
    refuse({file.string(), e.source().begin.line, e.source().begin.column},
           "this is not valid TOML: " + std::string(e.description()) + ".");
  }
}

}  // namespace assay
