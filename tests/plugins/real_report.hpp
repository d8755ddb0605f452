// Real reports for tests of analyzers, read by the host's loader with the columns that the analyzer under test asks
// for.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "assay/abi.hpp"
#include "load/format.hpp"
#include "load/load.hpp"
#include "support/real_data.hpp"

namespace assay::testing {

class RealReport {
 public:
  /// `window` empty: the whole capture; `iterations` empty: none. Throws std::runtime_error with the loader's sentence.
  RealReport(const Descriptor& analyzer, const std::filesystem::path& file, const std::string& window,
             const std::string& iterations)
      : profile_(value(load_profile({file, kind_of(file)}, file.filename().string(), wanted(analyzer)))),
        view_(value(profile_.view(WindowSpec{window}, IterationSpec{iterations}))) {}

  [[nodiscard]] const Report& report() const { return view_.report(); }

 private:
  static std::set<ColumnId> wanted(const Descriptor& analyzer) {
    std::set<ColumnId> columns(analyzer.needs.begin(), analyzer.needs.end());
    columns.insert(analyzer.wants.begin(), analyzer.wants.end());
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

  assay::Profile profile_;
  assay::Profile::View view_;
};

}  // namespace assay::testing
