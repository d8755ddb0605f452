// Real reports for tests of analyzers, read by the host's loader with the columns that the analyzer under test asks
// for.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "load/format.hpp"
#include "load/load.hpp"
#include "plugin_under_test.hpp"

namespace assay::testing {

/// A file below the folder that an environment variable names (ASSAY_EXAMPLES, ASSAY_PUBLIC_DATA); nothing when the
/// variable is not set, which a test says by GTEST_SKIP.
inline std::optional<std::filesystem::path> data_file(const char* variable, const std::string& below) {
  const char* folder = std::getenv(variable);
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  return std::filesystem::path(folder) / below;
}

class RealReport {
 public:
  /// `window` empty: the whole capture; `iterations` empty: none. Throws std::runtime_error with the loader's sentence.
  RealReport(const std::filesystem::path& file, const std::string& window, const std::string& iterations)
      : profile_(value(load_profile({file, kind_of(file)}, file.filename().string(), wanted()))),
        view_(value(profile_.view(WindowSpec{window}, IterationSpec{iterations}))) {}

  [[nodiscard]] const Report& report() const { return view_.report(); }

 private:
  static std::set<ColumnId> wanted() {
    std::set<ColumnId> columns(assay_plugin.needs.begin(), assay_plugin.needs.end());
    columns.insert(assay_plugin.wants.begin(), assay_plugin.wants.end());
    return columns;
  }
  static FileKind kind_of(const std::filesystem::path& file) {
    const load::Format* format = load::format_of(file);
    if (format == nullptr) throw std::runtime_error(file.string() + " is no report");
    return format->kind;
  }
  template <class T>
  static T value(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().sentence);
    return std::move(*result);
  }

  Profile profile_;
  Profile::View view_;
};

}  // namespace assay::testing
