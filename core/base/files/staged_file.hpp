// One file, written beside its place and renamed there when it is whole. It replaces only what assay wrote before.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "files/leftovers.hpp"
#include "result.hpp"

namespace assay::files {

/// A kind of output, and how earlier ones are known again. A constant of it is beside the code that writes the kind.
struct OutputKind {
  std::string name = {};       ///< "a timeline of assay"
  std::string begins = {};     ///< its first characters, white space left aside; empty: any
  std::string_view mark = {};  ///< is within its first kMarkedBytes; empty: nothing
  bool replaces_any = false;   ///< whatever the file holds
  bool in_folder = false;      ///< a fixed name in a folder that others may have filled: links are not followed
};

/// What `begins` and `mark` are looked for in.
inline constexpr std::size_t kMarkedBytes = 1024;

/// A file that the user wants changed: what is written holds what it held.
inline const OutputKind kChangedFile{.replaces_any = true};
/// A file of a folder that assay alone fills.
inline const OutputKind kOwnFile{.replaces_any = true, .in_folder = true};

/// "'WHERE' cannot be written (WHY); make room, change its permissions or write elsewhere", exit 3.
Error not_written(const std::filesystem::path& where, const std::string& why);

/// Names a file that this command reads: no output replaces it.
void declare_input(const std::filesystem::path& file);

/// Whether an output of this kind may go to `target`: nothing or an empty file is there, a pipe or character device
/// (which is written to), or an earlier output of this kind, and none of it is an input. Error: a file of another kind
/// or an input (exit 2); a folder, a link where none is followed, or what cannot be written to (exit 3).
Status check_replaceable(const std::filesystem::path& target, const OutputKind& kind);

/// Renames a finished file to `target`, over what check_replaceable allows. Both are on one file system.
Status rename_over(const std::filesystem::path& finished, const std::filesystem::path& target, const OutputKind& kind);

/// Opens a pipe or character device for writing, without waiting for a reader. Not open: `target` is none of these.
/// Error (exit 3): it cannot be opened, or nobody reads from the pipe.
Result<Descriptor> open_stream(const std::filesystem::path& target);

/// Removes itself unless it was published.
class StagedFile {
 public:
  /// Its folder exists. `mode` is what the process's mask is applied to. Errors are those of check_replaceable, or
  /// nothing can be written beside the target (exit 3).
  static Result<StagedFile> make(const std::filesystem::path& target, const OutputKind& kind,
                                 mode_t mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
  ~StagedFile();
  StagedFile(StagedFile&&) noexcept = default;
  StagedFile& operator=(StagedFile&&) = delete;

  [[nodiscard]] std::ostream& stream() { return output_->stream; }

  /// From now on it stands at the target, or an error (exit 2 or 3) says why not and what was there still is.
  Status publish();

 private:
  StagedFile(std::filesystem::path target, const OutputKind& kind, Descriptor to, LockedTemporary unfinished);

  /// Keeps why a write failed: the stream itself only says that one did.
  class Buffer : public std::filebuf {
   public:
    int problem = 0;  ///< errno of the first write that failed; 0: none did

   protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;
    int sync() override;
  };
  struct Output {
    Buffer buffer;
    std::ostream stream{&buffer};
  };

  std::filesystem::path target_;
  OutputKind kind_;
  Descriptor to_;  ///< a pipe or device, which gets a copy; not open: the file is renamed
  LockedTemporary unfinished_;
  std::unique_ptr<Output> output_;
};

/// Writes a whole file at once. Errors are those of StagedFile.
Status write_text(const std::filesystem::path& target, const OutputKind& kind, std::string_view text);

}  // namespace assay::files
