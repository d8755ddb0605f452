#include "record/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>

#include "files/staged_file.hpp"
#include "machine.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

bool ends_inside_a_line(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in || in.tellg() <= 0) return false;
  in.seekg(-1, std::ios::end);
  return in.get() != '\n';
}

/// All of it, or errno.
bool write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(to, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace

Result<Journal> Journal::open(const fs::path& folder, Events before) {
  const fs::path file = folder / kJournal;
  const bool torn = ends_inside_a_line(file);
  files::Descriptor to(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!to) return files::not_written(file, std::strerror(errno));
  if (torn && !write_all(to.get(), "\n")) return files::not_written(file, std::strerror(errno));
  const files::Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent) fsync(parent.get());
  return Journal(file, std::move(to), std::move(before));
}

Status Journal::write(const Json& event) {
  const std::string line = event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  struct stat before{};
  const bool known = fstat(to_.get(), &before) == 0;
  if (write_all(to_.get(), line) && fsync(to_.get()) == 0) {
    events_.list.push_back(event);
    return ok();
  }
  const int why = errno;
  if (known && ftruncate(to_.get(), before.st_size) != 0) return files::not_written(file_, std::strerror(errno));
  return files::not_written(file_, std::strerror(why));
}

Result<Events> read_journal(const fs::path& folder) {
  Events events;
  std::error_code failed;
  if (!fs::exists(folder / kJournal, failed)) return events;
  std::ifstream in(folder / kJournal, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    Json event = Json::parse(line, nullptr, false);
    if (event.is_object())
      events.list.push_back(std::move(event));
    else
      ++events.unreadable;
  }
  if (in.bad() || !in.eof())
    return Error{"'" + (folder / kJournal).string() + "' cannot be read; allow reading it", Exit::kFailed};
  return events;
}

std::string text_in(const Json& event, const char* key) {
  const auto at = event.find(key);
  return at != event.end() && at->is_string() ? at->get<std::string>() : std::string();
}

double number_in(const Json& event, const char* key, double otherwise) {
  const auto at = event.find(key);
  return at != event.end() && at->is_number() ? at->get<double>() : otherwise;
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
