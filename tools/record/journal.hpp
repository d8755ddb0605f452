// The append-only record of what was started and how it ended: the truth of a recording.
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
  std::vector<Event> list;           ///< in the order they were written
  std::size_t cut_off = 0;           ///< lines that were not finished because their recorder was ended
  std::vector<std::string> damaged;  ///< lines that say nothing that can be trusted: "FILE:LINE: what is wrong"

  /// The event that every whole journal begins with; null: there is none.
  [[nodiscard]] const event::RecordingBegan* begin() const {
    return list.empty() ? nullptr : std::get_if<event::RecordingBegan>(&list.front());
  }
};

/// Of a folder without a journal: none. Error: it cannot be read.
Result<Events> read_journal(const std::filesystem::path& folder);

/// The same of a journal that is to be relied on. Error also (exit 2): lines are damaged, with the first of them.
Result<Events> read_whole_journal(const std::filesystem::path& folder);

/// One line of JSON an event, each flushed to the disk before anything follows from it.
class Journal {
 public:
  /// Opens or begins it. `before` is what read_journal found there. A line that a dying recorder left unfinished is
  /// ended. Error (exit 3): it cannot be written.
  static Result<Journal> open(const std::filesystem::path& folder, Events before);

  /// Error (exit 3): the disk is full or gone; what was written before stays readable.
  Status write(Event event);

  /// All that stands in it.
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
