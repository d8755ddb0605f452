#include "record/journal.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iterator>
#include <sstream>

#include "files/read_file.hpp"
#include "files/staged_file.hpp"
#include "machine.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

bool ends_inside_a_line(int file) {
  char last = '\n';
  const off_t size = lseek(file, 0, SEEK_END);
  return size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

/// Writes everything, or sets errno.
bool write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(to, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

bool begins_a_recorder(const Event& event) {
  return std::holds_alternative<event::RecordingBegan>(event) || std::holds_alternative<event::Epoch>(event) ||
         std::holds_alternative<event::RecordingResumed>(event);
}

/// Names and texts of a damaged file may contain anything.
std::string printable(std::string text) {
  constexpr std::size_t kMax = 300;
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text.size() <= kMax ? text : text.substr(0, kMax) + "...";
}

}  // namespace

Result<Journal> Journal::open(const fs::path& folder, Events before) {
  const fs::path file = folder / kJournal;
  Result<files::Descriptor> to = files::open_own_file(file, O_RDWR | O_APPEND);
  if (!to) return to.error();
  if (ends_inside_a_line(to->get()) && !write_all(to->get(), "\n"))
    return files::not_written(file, std::strerror(errno));
  const files::Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent) fsync(parent.get());
  return Journal(file, std::move(*to), std::move(before));
}

Status Journal::write(Event event) {
  const std::string line = line_of(event) + "\n";
  struct stat before{};
  const bool known = fstat(to_.get(), &before) == 0;
  if (write_all(to_.get(), line) && fsync(to_.get()) == 0) {
    events_.list.push_back(std::move(event));
    return ok();
  }
  const int why = errno;
  if (known && ftruncate(to_.get(), before.st_size) != 0) return files::not_written(file_, std::strerror(errno));
  return files::not_written(file_, std::strerror(why));
}

Result<Events> read_journal(const fs::path& folder) {
  const fs::path file = folder / kJournal;
  Events events;
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(file, failed))) return events;
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30U;
  Result<std::string> lines = files::read_file(file, kLargest, files::NamedBy::kAssay);
  if (!lines)
    return Error{fmt::format("'{}' {}", file.string(), lines.error().sentence), Exit::kFailed, file.string(),
                 lines.error().remedy};
  std::istringstream in(std::move(*lines));
  std::vector<std::string> unfinished;  // incomplete lines just read
  std::size_t number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (text.empty()) continue;
    JournalLine line = read_line(text);
    const std::string place = fmt::format("{}:{}: ", file.string(), number);
    if (line.cut_off) {
      unfinished.push_back(place + "it is not JSON");
      continue;
    }
    if (line.event && events.list.empty() && events.damaged.empty() &&
        !std::holds_alternative<event::RecordingBegan>(*line.event))
      line.problem = "'event' is not 'begin', which starts a journal";
    // A recorder that died left its last line incomplete, and the next one started with one of these events.
    const bool begins = line.event && begins_a_recorder(*line.event);
    if (begins) events.cut_off += unfinished.size();
    if (!begins) std::ranges::move(unfinished, std::back_inserter(events.damaged));
    unfinished.clear();
    if (line.problem.empty())
      events.list.push_back(*std::move(line.event));
    else
      events.damaged.push_back(place + printable(std::move(line.problem)));
  }
  events.cut_off += unfinished.size();
  return events;
}

Result<Events> read_whole_journal(const fs::path& folder) {
  Result<Events> events = read_journal(folder);
  if (!events || events->damaged.empty()) return events;
  const std::size_t others = events->damaged.size() - 1;
  return Error{events->damaged.front() +
               (others == 0
                    ? ""
                    : fmt::format("; and {}{} damaged", others, others == 1 ? " other line is" : " other lines are")) +
               ". The journal lists what has been recorded, so a recording whose journal is damaged is not resumed"}
      .advise("restore it from a copy, or start a new recording with --fresh");
}

std::string time_stamp() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milli = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03dZ", static_cast<int>(milli));
  return utc_text(seconds) + fraction.data();
}

}  // namespace assay::record
