#include "sql/loaded.hpp"

#include <algorithm>
#include <iostream>
#include <thread>

#include "load/window_columns.hpp"
#include "render/text.hpp"

namespace assay::query {

Status LoadedReports::ensure(const std::set<ColumnId>& asked) {
  const std::set<ColumnId> columns = with_window(asked, window_);
  if (read_ && std::ranges::includes(columns_, columns)) return ok();
  columns_.insert(columns.begin(), columns.end());
  read_ = true;
  loaded_.clear();
  std::uint64_t bytes = 0;
  std::string last;
  for (std::size_t f = 0; f < found_.size(); ++f) {
    const ProfileFiles& files = found_[f].files;
    const auto leave_out = [&](const std::string& why) {
      last = why;
      if (found_.size() > 1) std::cerr << one_line(files.file.name) << " is left out: " << one_line(why) << "\n";
    };
    Result<Profile> profile = read_profile(files, columns_, std::max(1U, std::thread::hardware_concurrency()));
    if (!profile) {
      leave_out(profile.error().sentence);
      continue;
    }
    bytes += profile->bytes();
    if (most_ > 0 && bytes > most_) {
      loaded_.clear();
      return Error{"the columns that the statement needs take more than " + std::to_string(most_ >> 20) + " MiB",
                   Exit::kFailed}
          .advise("name fewer columns or profiles, or raise --memory");
    }
    Result<Profile::View> view = profile->view(window_, iterations_);
    if (!view) {
      leave_out(view.error().sentence);
      continue;
    }
    // The view refers to data owned by the profile, whose address does not change when the profile is moved.
    loaded_.push_back(std::make_unique<LoadedReport>(LoadedReport{f, std::move(*profile), std::move(*view)}));
  }
  Status iterations = ok();
  for (const Report* report : reports()) {
    iterations = check_iterations(*report, iterations_.nvtx);
    if (iterations) break;
  }
  if (!iterations) return iterations.error();
  if (loaded_.empty()) return Error{last.empty() ? "there is no profile" : last, Exit::kFailed};
  return ok();
}

std::vector<const Report*> LoadedReports::reports() const {
  std::vector<const Report*> reports;
  for (const auto& loaded : loaded_) reports.push_back(&loaded->view.report());
  return reports;
}

std::vector<ReportLabel> LoadedReports::labels() const {
  std::vector<ReportLabel> labels;
  for (const auto& loaded : loaded_) {
    const std::vector<ReportLabel>& own = found_[loaded->found].labels;
    labels.insert(labels.end(), own.begin(), own.end());
  }
  return labels;
}

}  // namespace assay::query
