// Converts one report, from the first program to the finished export next to it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "child/child.hpp"
#include "convert/sources.hpp"
#include "convert/tool.hpp"
#include "files/staged_folder.hpp"

namespace assay::convert {

using Clock = std::chrono::steady_clock;

/// Outcome: empty if the exports exist, else the reason, as a sentence.
using Failure = std::string;

/// Creates exports in a work folder, checks them, and only then renames them: the file at the target is always the old
/// one or a complete new one. Destruction ends the programs and removes their output.
class ReportConversion {
 public:
  /// Starts the first program. `source` and `tool` must outlive it.
  ReportConversion(const Source& source, const FoundTool& tool, std::chrono::seconds limit);

  /// Polls the conversion without blocking. Empty while it is running.
  std::optional<Failure> advance();

  /// Descriptor to poll; -1: none.
  [[nodiscard]] int poll_fd() const { return child_ == nullptr ? -1 : child_->poll_fd(); }

 private:
  /// Identifies a state of the report.
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
  std::size_t next_ = 0;  ///< index of the export in progress
  std::optional<Failure> failure_;
  std::optional<files::StagedFolder> folder_;
  std::unique_ptr<process::Child> child_;  ///< after the folder, so that it ends before that is removed
};

}  // namespace assay::convert
