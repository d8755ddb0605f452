// A format that is called across the ABI of assay/format.hpp.
#pragma once

#include <string>
#include <vector>

#include "load/finish_tables.hpp"
#include "load/format.hpp"

namespace assay::load {

/// Lives as long as the program, like every format; so must `descriptor`. `file`: its library; empty: linked in.
class ForeignFormat final : public Format {
 public:
  ForeignFormat(const FormatDescriptor& descriptor, std::string file);
  ForeignFormat(const ForeignFormat&) = delete;
  ForeignFormat& operator=(const ForeignFormat&) = delete;

  [[nodiscard]] bool sniff(const Candidate& file) const override;
  [[nodiscard]] Environment environment(const Candidate& file) const override;
  /// Also an error if the cells are invalid; the sentence names the format.
  [[nodiscard]] Result<std::unique_ptr<Profile::Store>> load(const LoadRequest& request) const override;
  [[nodiscard]] std::optional<Explanation> explain(const Candidate& file) const override;
  [[nodiscard]] Result<std::vector<RuledLaunch>> rules(const std::filesystem::path& file) const override;

  /// Result of `fill`: at most one of the texts is not empty.
  struct Filling {
    std::string unsound;      ///< what the format did wrong, as a predicate whose subject is the format
    std::string refusal;      ///< why the file cannot be read
    std::string remedy = {};  ///< what to do about that; may be empty
    StatedByFormat stated = {};
  };
  /// The format's part of `load`: fills the store and has its cells checked.
  [[nodiscard]] Filling fill(const LoadRequest& request, Profile::Store& store) const;
  /// The host's part: finishes the tables, and has the format derive others.
  [[nodiscard]] std::unique_ptr<Profile::Store> finish(std::unique_ptr<Profile::Store> store,
                                                       const WantedColumns& wanted, Filling& filling) const;

 private:
  [[nodiscard]] Error not_readable(const std::string& path, const std::string& why, const std::string& remedy) const;
  const FormatDescriptor& descriptor_;
  std::string file_, one_;
  std::vector<std::string_view> extensions_, telling_, raw_, globs_;
  std::vector<CaptureAdvice> captures_;
};

/// In this process, puts an inaccessible page behind each column of foreign formats, so that a write beyond the column
/// crashes. For processes that only try a format.
void guard_cells(bool guarded);

}  // namespace assay::load
