// Recordings of a machine whose clock was set back: the newest is the one that was made last.
#include "record/journal.hpp"
#include "record/recording.hpp"
#include "support/test.hpp"

namespace assay::record::clock_test {

fs::path recorded(const TempFolder& root, bool fresh) {
  const Result<Folder> folder = choose_folder(root.path(), "q", fresh);
  EXPECT_TRUE(folder) << folder.error().sentence;
  std::ofstream(folder->path / kJournal) << "{}\n";
  return folder->path;
}

TEST(SetBackClock, AFreshRecordingIsNewerThanThoseOfALaterClock) {
  const TempFolder root;
  const fs::path later = root.path() / "q/2999-12-31/23-59-59";
  fs::create_directories(later);
  std::ofstream(later / kJournal) << "{}\n";
  for (int again = 0; again < 12; ++again) {
    const fs::path fresh = recorded(root, true);
    EXPECT_GT(fresh, later);
    EXPECT_EQ(newest_recording(root.path(), "q"), fresh) << again;
    EXPECT_EQ(recorded(root, false), fresh) << "and it is the one that is gone on with";
  }
}

TEST(SetBackClock, RecordingsOfOneSecondAreInTheirOrder) {
  const TempFolder root;
  fs::path last;
  for (int again = 0; again < 12; ++again) {
    const fs::path fresh = recorded(root, true);
    EXPECT_GT(fresh, last);
    last = fresh;
  }
  EXPECT_EQ(newest_recording(root.path(), "q"), last);
}

}  // namespace assay::record::clock_test
