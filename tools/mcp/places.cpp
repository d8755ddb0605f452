#include "mcp/places.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "files/served.hpp"

namespace assay::mcp {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 20000, kMaxTexts = 2000;

bool is_text_name(const fs::path& file) {
  constexpr std::string_view kEndings[] = {".md", ".json", ".csv", ".toml", ".txt", ".tsv"};
  return std::ranges::find(kEndings, file.extension().string()) != std::end(kEndings);
}

/// The byte for two hexadecimal digits; -1: invalid.
int byte_of(std::string_view digits) {
  int value = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return digits.size() == 2 ? value : -1;
}

}  // namespace

Result<AllowedFiles> AllowedFiles::below(const std::vector<fs::path>& roots) {
  AllowedFiles places;
  for (const fs::path& root : roots) {
    std::error_code failed;
    const fs::path real = fs::canonical(root, failed);
    if (failed || !fs::is_directory(real, failed))
      return Error{"'" + root.string() + "' is no folder"}.at(root.string()).advise("name one whose files may be read");
    if (real.native().find('\n') != std::string::npos)
      return Error{"the name of '" + root.string() + "' has a line break"}.at(root.string()).advise("rename it");
    places.roots_.push_back(real);
  }
  return places;
}

std::string AllowedFiles::names() const {
  std::string names;
  for (const fs::path& root : roots_) names += (names.empty() ? "" : ", ") + root.string();
  return names;
}

bool AllowedFiles::inside(const fs::path& real) const { return files::lies_open_below(roots_, real); }

Result<fs::path> AllowedFiles::existing(const std::string& named) const {
  if (named.empty() || named.find('\0') != std::string::npos)
    return Error{"the path is empty or has a NUL"}.advise("name a file or a folder below " + names());
  const Error outside{fmt::format("'{}' is not there or does not lie below {}; name what lies there", named, names())};
  for (const fs::path& root : roots_) {
    std::error_code failed;
    const fs::path real = fs::canonical(root / named, failed);  // `named` itself if it is absolute
    if (failed) continue;
    if (!inside(real)) return outside;
    if (!fs::is_directory(real, failed)) return real;
    // Reading a folder includes everything below it, also through links.
    std::size_t seen = 0;
    for (fs::recursive_directory_iterator at(real, failed), end; !failed && at != end; at.increment(failed)) {
      if (++seen > kMaxFiles)
        return Error{fmt::format("'{}' holds more than {} files", named, kMaxFiles)}.at(named).advise(
            "name a folder below it");
      std::error_code ignored;
      if (!at->is_symlink(ignored)) continue;
      const fs::path target = fs::canonical(at->path(), ignored);
      if (!ignored && !inside(target))
        return Error{fmt::format("'{}' holds the link '{}', which leads outside of {}", named,
                                 at->path().filename().string(), names())}
            .at(named)
            .advise("name a folder without it");
    }
    if (failed)
      return Error{fmt::format("'{}' cannot be read with all below it: {}", named, failed.message())}.at(named);
    return real;
  }
  return outside;
}

Result<fs::path> AllowedFiles::new_one(const std::string& named) const {
  const fs::path path(named);
  if (path.filename().empty() || path.filename() == ".." || path.filename() == ".")
    return Error{"'" + named + "' does not end with a name"}.at(named).advise("name a folder below " + names());
  for (const fs::path& root : roots_) {
    std::error_code failed;
    const fs::path folder = fs::canonical((root / path).parent_path(), failed);
    if (failed || !inside(folder)) continue;
    const fs::path whole = folder / path.filename();
    if (fs::is_symlink(whole, failed)) break;
    return whole;
  }
  return Error{fmt::format("'{}' does not lie in a folder below {}", named, names())}.at(named).advise(
      "name one that does");
}

Result<fs::path> AllowedFiles::of_uri(const std::string& uri) const {
  constexpr std::string_view kScheme = "file://";
  const Error wrong{"'" + uri.substr(0, 200) +
                    "' is no address of a file; expected file:///PATH as resources/list has it"};
  if (!uri.starts_with(std::string(kScheme) + "/")) return wrong;
  std::string path;
  for (std::size_t i = kScheme.size(); i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    const int byte = byte_of(std::string_view(uri).substr(i + 1, 2));
    if (byte <= 0) return wrong;
    path += static_cast<char>(byte);
    i += 2;
  }
  return existing(path);
}

std::string AllowedFiles::uri_of(const fs::path& file) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : file.generic_string()) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain)
      uri += c;
    else
      uri.append("%").append(1, kDigits[static_cast<unsigned char>(c) >> 4]).append(1, kDigits[c & 0xF]);
  }
  return uri;
}

std::vector<fs::path> AllowedFiles::texts(bool& more) const {
  std::vector<fs::path> found;
  std::size_t seen = 0;
  more = false;
  for (const fs::path& root : roots_) {
    std::error_code failed;
    for (fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, failed), end;
         !failed && at != end; at.increment(failed)) {
      if (++seen > kMaxFiles || found.size() == kMaxTexts) {
        more = true;
        break;
      }
      std::error_code ignored;
      if (at->path().filename().string().starts_with('.')) {
        at.disable_recursion_pending();
        continue;
      }
      if (!at->is_symlink(ignored) && at->is_regular_file(ignored) && is_text_name(at->path()))
        found.push_back(at->path());
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace assay::mcp
