// How a recording begins: as a new one, as another epoch of one, or where an earlier recorder stopped.
#pragma once

#include <atomic>
#include <iosfwd>

#include "record/conditions.hpp"
#include "record/design.hpp"
#include "record/journal.hpp"
#include "record/recorder.hpp"
#include "record/recording.hpp"
#include "result.hpp"

namespace assay::record {

struct StartedRecording {
  Folder folder;
  Journal journal;  ///< its first event, or that of this epoch or resumption, is written
  State state;      ///< what is done
};

/// Chooses the folder, ends what an earlier recorder left running there, reads what has been done, and refuses to mix
/// it with what would not be the same; says on `out` what is recorded where. Errors: what check_programs and
/// choose_folder refuse, a recording that was started differently, no room, a check of the design that fails, a journal
/// that cannot be opened.
Result<StartedRecording> start_recording(const Design& design, const RecordOptions& options,
                                         const std::atomic<bool>& stop, std::ostream& out);

}  // namespace assay::record
