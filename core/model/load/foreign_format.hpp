// A format that is reached through the boundary of assay/format.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/format.hpp"

namespace assay::load {

/// Lives as long as the program, as formats do; `descriptor` must too. `file`: its library; empty: it is linked in.
class ForeignFormat final : public Format {
 public:
  ForeignFormat(const FormatDescriptor& descriptor, std::string file);
  ForeignFormat(const ForeignFormat&) = delete;
  ForeignFormat& operator=(const ForeignFormat&) = delete;

  [[nodiscard]] bool sniff(const Candidate& file) const override;
  [[nodiscard]] Environment environment(const Candidate& file) const override;
  /// Error also where the cells are not sound; the sentence names the format.
  [[nodiscard]] Result<std::unique_ptr<Profile::Store>> load(const LoadRequest& request) const override;

  /// What came of `fill`: at most one of the texts is not empty.
  struct Filling {
    std::string unsound;                      ///< what the format did wrong: the rest of a sentence that names it
    std::string refusal;                      ///< why the file cannot be read
    std::optional<std::int64_t> origin = {};  ///< time that becomes 0
  };
  /// The format's part of `load`: fills the store and has its cells checked.
  [[nodiscard]] Filling fill(const LoadRequest& request, Profile::Store& store) const;

 private:
  const FormatDescriptor& descriptor_;
  std::string file_, one_;
  std::vector<std::string_view> extensions_, telling_, raw_, globs_;
  std::vector<CaptureAdvice> captures_;
};

/// In this process: columns of foreign formats get a page behind them that nobody may touch, so that a write beyond
/// them is a crash. For processes that only try a format.
void guard_cells(bool guarded);

}  // namespace assay::load
