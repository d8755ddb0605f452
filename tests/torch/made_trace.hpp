// Traces from a few lines of JSON, in a folder that goes away with them.
#pragma once

#include <zlib.h>

#include "load/columns.hpp"
#include "load/every_column.hpp"
#include "load/load.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay {

class TraceFolder {
 public:
  [[nodiscard]] std::filesystem::path write(const std::string& bytes,
                                            const std::string& name = "made.pt.trace.json") const {
    std::filesystem::remove(folder_ / name);  // some file systems write out a file that is shortened at once
    return folder_.write(name, bytes);
  }

 private:
  TempFolder folder_;
};

inline std::string gzipped(const std::string& text) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16, kMemory = 8;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("no zlib");
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// One trace, loaded, with its iterations by ProfilerStep.
class LoadedTrace {
 public:
  explicit LoadedTrace(const std::filesystem::path& file, const std::set<ColumnId>& wanted = every_column(),
                       const WindowSpec& window = {})
      : profile_(load_profile({file, kind::kTorch}, file.filename().string(), wanted)), view_(look(window)) {}
  [[nodiscard]] const Report& report() const { return (*view_).report(); }
  [[nodiscard]] const Report* operator->() const { return &report(); }
  /// Count of an issue, or nothing when there is none of that name.
  [[nodiscard]] std::optional<std::int64_t> issue(std::string_view name) const {
    const IssueTable& issues = *report().issues;
    for (std::size_t i = 0; i < issues.rows; ++i) {
      if (issues.name[i] == name) return issues.count[i];
    }
    return std::nullopt;
  }
  /// Value of a property; "-" when there is none.
  [[nodiscard]] std::string property(std::string_view name) const {
    for (std::size_t i = 0; report().properties != nullptr && i < report().properties->rows; ++i) {
      if (report().properties->name[i] == name) return std::string(report().properties->value[i].view());
    }
    return "-";
  }
  [[nodiscard]] std::string name(StringId id) const { return std::string(report().string(id)); }

 private:
  Result<Profile::View> look(const WindowSpec& window) const {
    if (!profile_) throw std::runtime_error(profile_.error().sentence);
    return profile_->view(window, {"ProfilerStep#{i}"});
  }

  Result<Profile> profile_;
  Result<Profile::View> view_;
};

template <class T>
std::vector<T> values(Column<T> column) {
  return {column.begin(), column.end()};
}

/// A document around events.
inline std::string document(const std::string& events, const std::string& header = "\"schemaVersion\": 1,") {
  return "{" + header + "\"traceEvents\": [" + events + "], \"traceName\": \"made\"}";
}

}  // namespace assay
