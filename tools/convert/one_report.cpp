#include "convert/one_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "convert/export_check.hpp"
#include "files/staged_file.hpp"

namespace assay::convert {
namespace fs = std::filesystem;
namespace {

std::string beginning_of(const fs::path& file) {
  std::string bytes(4096, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

}  // namespace

ReportConversion::ReportConversion(const Source& source, const FoundTool& tool, std::chrono::seconds limit)
    : source_(source), tool_(tool), limit_(limit), deadline_(Clock::now() + limit), before_(stamp(source.report)) {
  std::error_code why;
  std::optional<files::StagedFolder> folder = files::StagedFolder::make(fs::absolute(source.report).parent_path(), why);
  if (!folder) {
    failure_ = fmt::format("its folder is not writable ({}); allow writing there, or copy the profile elsewhere",
                           why.message());
    return;
  }
  folder_.emplace(std::move(*folder));
  start();
}

std::optional<Failure> ReportConversion::advance() {
  if (failure_) return failure_;
  const std::optional<process::ExitStatus> status = child_->poll_exit();
  if (!status) {
    if (Clock::now() < deadline_) return std::nullopt;
    const std::string words = process::last_words(child_->output_tail());
    return fmt::format("{} did not end within {} s and was stopped; raise the limit with --time-limit{}",
                       words_of(tool_.tool).name, limit_.count(),
                       words.empty() ? "" : " (its last output: " + words + ")");
  }
  if (auto failure = judge(*status)) return failure;
  if (++next_ == source_.exports.size()) return publish();
  start();
  return failure_;
}

std::optional<ReportConversion::Stamp> ReportConversion::stamp(const fs::path& file) {
  std::error_code unsized, untimed;
  const Stamp now{fs::file_size(file, unsized), fs::last_write_time(file, untimed)};
  return unsized || untimed ? std::nullopt : std::optional(now);
}

fs::path ReportConversion::made(const Export& target) const {
  return folder_->path() / (target.page.empty() ? "export.sqlite" : target.page + ".csv");
}

process::Command ReportConversion::command(const Export& target) const {
  const std::string report = fs::absolute(source_.report).native();
  const std::string out = made(target).native();
  if (tool_.tool == Tool::kNsys) {
    return {
        tool_.program, {"export", "--type", "sqlite", "--force-overwrite", "true", "-o", out, report}, folder_->path()};
  }
  return {tool_.program, {"--import", report, "--csv", "--page", target.page}, folder_->path(), out};
}

void ReportConversion::start() {
  process::Child::StartResult started = process::Child::start(command(source_.exports[next_]));
  if (!started.child) failure_ = fmt::format("'{}' {}", tool_.program.native(), process::not_started(started.why));
  child_ = std::move(started.child);
}

/// Nsight Compute prints errors to standard output, where its table should be.
std::optional<Failure> ReportConversion::judge(const process::ExitStatus& status) const {
  const Export& target = source_.exports[next_];
  std::string output(child_->output_tail());
  if (!target.page.empty()) output += beginning_of(made(target));
  if (auto failure = failure_of(tool_, status, output)) return failure;
  const ExportCheck check = check_export({made(target), target.page});
  if (check.state == ExportState::kComplete) return std::nullopt;
  if (check.state == ExportState::kMissing) return empty_success(tool_, "wrote no export", output);
  return empty_success(tool_, "its export " + check.why, output);
}

Failure ReportConversion::publish() const {
  if (!before_ || stamp(source_.report) != before_) {
    return "it changed while it was converted; run again when its writer is done";
  }
  for (const Export& target : source_.exports) {
    std::error_code failed;
    // Logs of the replaced file: SQLite would apply them to the new one.
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
      if (target.page.empty()) fs::remove(target.file.native() + suffix, failed);
    }
    // Not older than its report, even if that has a time in the future.
    const fs::path from = made(target);
    fs::last_write_time(from, std::max(fs::last_write_time(from, failed), before_->written), failed);
    if (const Status put = files::rename_over(from, target.file, files::kOwnFile); !put) return put.error().sentence;
  }
  return {};
}

}  // namespace assay::convert
