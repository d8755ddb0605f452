// The append-only record of what was started and how it ended: the truth of a recording.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files/descriptor.hpp"
#include "result.hpp"

namespace assay::record {

using Json = nlohmann::ordered_json;

inline constexpr const char* kJournal = "journal.jsonl";

struct Events {
  std::vector<Json> list;      ///< in the order they were written
  std::size_t unreadable = 0;  ///< lines that are no JSON: cut off by what ended a recorder
};

/// Of a folder without a journal: none. Error: it cannot be read.
Result<Events> read_journal(const std::filesystem::path& folder);

/// One line of JSON an event, each flushed to the disk before anything follows from it.
class Journal {
 public:
  /// Opens or begins it. `before` is what read_journal found there. A line that a dying recorder left unfinished is
  /// ended. Error (exit 3): it cannot be written.
  static Result<Journal> open(const std::filesystem::path& folder, Events before);

  /// Error (exit 3): the disk is full or gone; what was written before stays readable.
  Status write(const Json& event);

  /// All that stands in it.
  [[nodiscard]] const Events& events() const { return events_; }

 private:
  Journal(std::filesystem::path file, files::Descriptor to, Events events)
      : file_(std::move(file)), to_(std::move(to)), events_(std::move(events)) {}

  std::filesystem::path file_;
  files::Descriptor to_;
  Events events_;
};

/// A member as text; empty when it is not there or no text.
std::string text_in(const Json& event, const char* key);
double number_in(const Json& event, const char* key, double otherwise);

/// Now, as "2026-01-31T12:00:00.123Z".
std::string time_stamp();

}  // namespace assay::record
