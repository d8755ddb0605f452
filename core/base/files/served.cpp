#include "files/served.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "files/program.hpp"

namespace assay::files {
namespace {
namespace fs = std::filesystem;

constexpr const char* kRoots = "ASSAY_SERVED_ROOTS";  // a line each
constexpr const char* kBytes = "ASSAY_SERVED_BYTES";

const std::vector<fs::path>& roots_of_process() {
  static const std::vector<fs::path> roots = [] {
    std::vector<fs::path> found;
    const char* const text = std::getenv(kRoots);
    for (std::string_view rest = text == nullptr ? "" : text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      found.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::error_code failed;
    const fs::path installed = fs::weakly_canonical(installed_questions(), failed);
    if (!found.empty() && !failed && !installed.empty()) found.push_back(installed);
    return found;
  }();
  return roots;
}

}  // namespace

void serve_below(std::span<const fs::path> roots, std::uint64_t most_bytes) {
  std::string text;
  for (const fs::path& root : roots) text += root.native() + '\n';
  ::setenv(kRoots, text.c_str(), 1);
  ::setenv(kBytes, std::to_string(most_bytes).c_str(), 1);
}

bool lies_open_below(std::span<const fs::path> roots, const fs::path& real) {
  return std::ranges::any_of(roots, [&](const fs::path& root) {
    const auto [end, rest] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
    return end == root.end() &&
           std::all_of(rest, real.end(), [](const fs::path& part) { return !part.native().starts_with('.'); });
  });
}

bool may_read(const fs::path& named) {
  if (roots_of_process().empty()) return true;
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(named, failed);
  return !failed && lies_open_below(roots_of_process(), real);
}

std::uint64_t most_answered() {
  const char* const text = std::getenv(kBytes);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

}  // namespace assay::files
