// Append-only log of the runs that were started and how they ended: the source of truth of a recording.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catalog/recorded_run.hpp"
#include "files/descriptor.hpp"
#include "record/event.hpp"
#include "result.hpp"

namespace assay::record {

inline constexpr const char* kJournal = kRecordJournal;

struct Events {
  std::vector<Event> list;           ///< in the order written
  std::size_t cut_off = 0;           ///< incomplete lines, left by recorders that were ended
  std::vector<std::string> damaged;  ///< untrusted lines: "FILE:LINE: what is wrong"

  /// First event of every intact journal; null: there is none.
  [[nodiscard]] const event::RecordingBegan* begin() const {
    return list.empty() ? nullptr : std::get_if<event::RecordingBegan>(&list.front());
  }
};

/// Empty for a folder without a journal. Error: it cannot be read.
Result<Events> read_journal(const std::filesystem::path& folder);

/// Like read_journal, for a caller that depends on it: damaged lines are an error (exit 2) with the first of them.
Result<Events> read_whole_journal(const std::filesystem::path& folder);

/// One line of JSON per event, flushed to disk before anything depends on it.
class Journal {
 public:
  /// Opens or creates it. `before`: result of read_journal. Ends an incomplete line left by a dying recorder. Error
  /// (exit 3): not writable.
  static Result<Journal> open(const std::filesystem::path& folder, Events before);

  /// Error (exit 3): the disk is full or gone; earlier lines stay readable.
  Status write(Event event);

  /// All events in it.
  [[nodiscard]] const Events& events() const { return events_; }

 private:
  Journal(std::filesystem::path file, files::Descriptor to, Events events)
      : file_(std::move(file)), to_(std::move(to)), events_(std::move(events)) {}

  std::filesystem::path file_;
  files::Descriptor to_;
  Events events_;
};

/// Now, as "2026-01-31T12:00:00.123Z".
std::string time_stamp();

}  // namespace assay::record
