// Stage 5, load: reads one file into a Report.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "assay/report.hpp"
#include "load/file_kind.hpp"
#include "load/reader.hpp"
#include "result.hpp"
#include "window_spec.hpp"

namespace assay {

/// Remedy for a window that a profile does not have.
inline constexpr std::string_view kOtherWindow = "name another in [window] or set fallback = \"capture\"";

/// The columns of one profile, owned. Independent of the window of any question.
class Profile {
 public:
  ~Profile();
  Profile(Profile&&) noexcept;

  /// A Report over this profile with the window and iterations of one question; borrows the profile.
  class View {
   public:
    ~View();
    View(View&&) noexcept;
    [[nodiscard]] const Report& report() const;

   private:
    friend class Profile;
    struct State;
    explicit View(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  /// What Report::iterations is: the ranges that the question declares, or the steps (needs col::steps).
  enum class Iterations : std::uint8_t { kDeclared, kSteps };

  /// Error if the window names a missing range and no fallback is set: the report is then skipped with that sentence.
  [[nodiscard]] Result<View> view(const WindowSpec& window, const IterationSpec& iterations,
                                  Iterations from = Iterations::kDeclared) const;

  /// Messages for the log: tables that were not read directly, and why.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  /// Bytes held in columns, for the log and the memory figure.
  [[nodiscard]] std::size_t bytes() const;

  struct Store;  ///< core/load only
  explicit Profile(std::unique_ptr<Store> store);
  [[nodiscard]] std::unique_ptr<Store> release();

 private:
  std::unique_ptr<Store> store_;
};

/// A file and its kind.
struct ReportFile {
  std::filesystem::path path;
  FileKind kind;
};

/// Reads the columns in `wanted` (and those that linking needs) of one report with the format of its kind
/// (load/format.hpp). `name` becomes Report::path. `counters`: CSVs of Nsight Compute of the same run, whose launches
/// are joined to the kernels. Problems inside the file become issues; an Error means that nothing could be read. Never
/// modifies, locks or leaves files next to `file`. Thread-safe; uses up to `threads` threads itself; `threads` and
/// `reader` apply to exports.
Result<Profile> load_profile(const ReportFile& file, const std::string& name, const std::set<ColumnId>& wanted,
                             unsigned threads = 1, Reader reader = Reader::kDirect,
                             std::span<const std::filesystem::path> counters = {});

}  // namespace assay
