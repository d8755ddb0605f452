#include "plugins/probe.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <gnu/libc-version.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <optional>

#include "assay/abi.hpp"
#include "cache/bytes.hpp"
#include "cache/still_file.hpp"
#include "cache/store.hpp"
#include "files/descriptor.hpp"
#include "process/contained.hpp"
#include "workers.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

constexpr process::Limits kLimits{std::chrono::seconds(5), std::uint64_t{4} << 30};

/// Key of a harmless library: this file, under this loader and after these libraries. A file that has not changed for a
/// while is identified by inode, size and times, because hashing all analyzers would cost every command 15 ms; a
/// recently written one by its bytes. Empty if the file cannot be read.
std::string key_of(const fs::path& file) {
  std::optional<cache::FileContent> content = cache::content_state(file);
  cache::ByteWriter key;
  if (content && cache::is_settled(*content)) {
    key.text("file that was loaded without harm");
    for (const std::uint64_t number : {content->device, content->node, content->size}) key.number(number);
    for (const std::int64_t time : {content->modified_s, content->modified_ns, content->changed_s, content->changed_ns})
      key.integer(time);
  } else {
    content = cache::read_content(file);
    if (!content) return {};
    key.text("library that was loaded without harm");
    key.text(files::hex(content->bytes));
  }
  key.text(gnu_get_libc_version());
  key.text(kCxxAbi);
  key.number(kAbiMajor);
  key.number(kAbiMinor);
  for (const char* name : {"LD_PRELOAD", "LD_LIBRARY_PATH"}) {
    const char* const value = std::getenv(name);
    key.text(value == nullptr ? "" : value);
  }
  return key.bytes();
}

/// First line written to a memory file, for the end of a sentence; empty if there is none.
std::string first_words(int file) {
  constexpr std::size_t kMax = 200;
  std::array<char, kMax> bytes{};
  const ssize_t got = ::pread(file, bytes.data(), bytes.size(), 0);
  std::string words(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  words.erase(0, std::min(words.find_first_not_of(" \r\n"), words.size()));
  words.resize(std::min(words.find_first_of("\r\n"), words.size()));
  return words;
}

/// Redirects output of a library while it is loaded to `errors`, away from the program's results.
void redirect_output(int errors) {
  if (const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nothing != -1) ::dup2(nothing, STDOUT_FILENO);
  if (errors != -1) ::dup2(errors, STDERR_FILENO);
}

/// Sentence that refuses a file; empty if it may be loaded.
std::string verdict(const fs::path& file, const process::Outcome& outcome, int errors) {
  if (outcome.answer) return *outcome.answer;
  if (outcome.status.how == process::ExitKind::kNotStarted)
    return {};  // no process can be created: loads it without a
                // probe
  const std::string said = first_words(errors);
  return fmt::format(
      "{}: {} when it was loaded in a separate process, so it is left out; remove it from the plugin folder or build "
      "it again{}",
      file.string(), process::what_happened(outcome, kLimits), said.empty() ? "." : " (it said: " + said + ").");
}

/// Probes the files in `which`. Uses no threads: a thread holding a lock of the C library during another's fork left a
/// copy that waited for ever, so that a good library was refused now and then.
void probe(std::span<const fs::path> files, std::span<const std::size_t> which, const TryLibrary& try_library,
           std::vector<std::string>& refused) {
  std::vector<files::Descriptor> errors;
  std::vector<std::function<std::string()>> works;
  for (const std::size_t f : which) {
    const int to = errors.emplace_back(::memfd_create("assay-probe", MFD_CLOEXEC)).get();
    works.emplace_back([&files, &try_library, f, to] {
      redirect_output(to);
      return try_library(files[f]);
    });
  }
  const std::vector<process::Outcome> outcomes = process::contained_together(kLimits, works);
  for (std::size_t i = 0; i < which.size(); ++i)
    refused[which[i]] = verdict(files[which[i]], outcomes[i], errors[i].get());
}

}  // namespace

std::vector<std::string> probe_libraries(std::span<const fs::path> files, const TryLibrary& try_library) {
  const std::optional<fs::path> folder = cache::default_folder();
  std::optional<cache::Store> store;
  if (folder) store.emplace(*folder);
  std::vector<std::string> keys(files.size()), refused(files.size());
  std::vector<std::size_t> unknown;
  constexpr std::size_t kAtOnce = 8;  // a failing probe mostly waits for its end
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (store) keys[f] = key_of(files[f]);
    if (keys[f].empty() || !store->find(keys[f])) unknown.push_back(f);
  }
  const std::size_t at_once = workers_of(kAtOnce);
  for (std::size_t from = 0; from < unknown.size(); from += at_once) {
    const auto these = std::span(unknown).subspan(from, std::min(at_once, unknown.size() - from));
    probe(files, these, try_library, refused);
    for (const std::size_t f : these) {
      if (refused[f].empty() && !keys[f].empty()) store->keep(keys[f], "");
    }
  }
  return refused;
}

}  // namespace assay
