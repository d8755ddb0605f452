// A rocpd file read with every column of the model.
#pragma once

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "load/columns.hpp"
#include "load/every_column.hpp"
#include "load/format.hpp"

namespace assay {

class LoadedRocpd {
 public:
  LoadedRocpd(const std::filesystem::path& file, Reader reader)
      : profile_(load_profile({file, kind_of(file)}, "made", every_column(), 1, reader)), view_(look()) {}

  [[nodiscard]] const Report& report() const { return (*view_).report(); }
  /// Texts of warnings and errors.
  [[nodiscard]] std::vector<std::string> issues() const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < report().issues->rows; ++i) {
      if (report().issues->severity[i] != Severity::kInfo) texts.emplace_back(report().issues->text[i].view());
    }
    return texts;
  }
  [[nodiscard]] const std::vector<std::string>& notes() const { return (*profile_).notes(); }

  static FileKind kind_of(const std::filesystem::path& file) {
    const load::Format* format = load::format_of(file);
    return format == nullptr ? FileKind::kUnreadable : format->kind;
  }

 private:
  [[nodiscard]] Result<Profile::View> look() const {
    if (!profile_) throw std::runtime_error(profile_.error().sentence);
    return (*profile_).view({}, {});
  }

  Result<Profile> profile_;
  Result<Profile::View> view_;
};

}  // namespace assay
