// The conversion of one report, from the first program that runs to the export that stands beside it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "convert/sources.hpp"
#include "convert/tool.hpp"
#include "files/staged_folder.hpp"
#include "process/child.hpp"

namespace assay::convert {

using Clock = std::chrono::steady_clock;

/// How it ended: empty when the exports are there, else why not, as a sentence.
using Failure = std::string;

/// Exports are made in a work folder, checked, and only then renamed to their places: whatever happens, the file there
/// is the old one or a whole new one. Destroying a conversion ends its programs and removes what they have made.
class ReportConversion {
 public:
  /// Starts the first program. `source` and `tool` outlive it.
  ReportConversion(const Source& source, const FoundTool& tool, std::chrono::seconds limit);

  /// Sees what has happened, without waiting. Nothing while it goes on.
  std::optional<Failure> advance();

  /// What to poll for news; -1 for nothing.
  [[nodiscard]] int poll_fd() const { return child_ == nullptr ? -1 : child_->poll_fd(); }

 private:
  /// What tells one state of the report from another.
  struct Stamp {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  static std::optional<Stamp> stamp(const std::filesystem::path& file);

  [[nodiscard]] std::filesystem::path made(const Export& target) const;
  [[nodiscard]] process::Command command(const Export& target) const;
  void start();
  [[nodiscard]] std::optional<Failure> judge(const process::ExitStatus& status) const;
  [[nodiscard]] Failure publish() const;

  const Source& source_;
  const FoundTool& tool_;
  std::chrono::seconds limit_;
  Clock::time_point deadline_;
  std::optional<Stamp> before_;
  std::size_t next_ = 0;  ///< the export that is being made
  std::optional<Failure> failure_;
  std::optional<files::StagedFolder> folder_;
  std::unique_ptr<process::Child> child_;  ///< after the folder: it ends before that goes
};

}  // namespace assay::convert
