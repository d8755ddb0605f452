// Writes a file next to its target and renames it when it is complete. Replaces only files that assay wrote.
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

/// A kind of output and how earlier ones are recognized. Its constant is next to the code that writes the kind.
struct OutputKind {
  std::string name = {};       ///< "a timeline of assay"
  std::string begins = {};     ///< its first characters, after white space; empty: any
  std::string_view mark = {};  ///< is within its first kMarkedBytes; empty: not checked
  bool replaces_any = false;   ///< replaces a file of any content
  bool in_folder = false;      ///< a fixed name in a folder that others may have filled: links are not followed
};

/// Range in which `begins` and `mark` are searched, in bytes.
inline constexpr std::size_t kMarkedBytes = 1024;

/// A file that the user wants changed: the output contains the earlier content.
inline const OutputKind kChangedFile{.replaces_any = true};
/// A file of a folder that only assay writes to.
inline const OutputKind kOwnFile{.replaces_any = true, .in_folder = true};

/// "'WHERE' cannot be written (WHY); make room, change its permissions or write elsewhere", exit 3.
Error not_written(const std::filesystem::path& where, const std::string& why);

/// Registers a file that this command reads; no output replaces it.
void declare_input(const std::filesystem::path& file);

/// Checks that an output of this kind may be written to `target`: nothing or an empty file is there, a pipe or
/// character device (which is written to), or an earlier output of this kind, and none of them is an input. Error: a
/// file of another kind or an input (exit 2); a folder, a link not to be followed or to nowhere, not writable (exit 3).
Status check_replaceable(const std::filesystem::path& target, const OutputKind& kind);

/// Renames a finished file to `target`, over whatever check_replaceable allows. Both have to be on one file system.
Status rename_over(const std::filesystem::path& finished, const std::filesystem::path& target, const OutputKind& kind);

/// Opens a pipe or character device for writing, without waiting for a reader. Not open if `target` is neither. Error
/// (exit 3): it cannot be opened, or the pipe has no reader.
Result<Descriptor> open_stream(const std::filesystem::path& target);

/// Removes its file unless it was published.
class StagedFile {
 public:
  /// The folder of `target` exists. `mode` is subject to the umask. Errors as of check_replaceable, or nothing can be
  /// written next to the target (exit 3).
  static Result<StagedFile> make(const std::filesystem::path& target, const OutputKind& kind,
                                 mode_t mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
  ~StagedFile();
  StagedFile(StagedFile&&) noexcept = default;
  StagedFile& operator=(StagedFile&&) = delete;

  [[nodiscard]] std::ostream& stream() { return output_->stream; }

  /// Renames the file to its target. On error (exit 2 or 3) the previous target is unchanged.
  Status publish();

 private:
  StagedFile(std::filesystem::path target, const OutputKind& kind, Descriptor to, LockedTemporary unfinished);

  /// Stores why a write failed; the stream itself reports only that one did.
  class Buffer : public std::filebuf {
   public:
    int problem = 0;  ///< errno of the first failed write; 0: none

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
  Descriptor to_;  ///< a pipe or device, which receives a copy; not open: the file is renamed
  LockedTemporary unfinished_;
  std::unique_ptr<Output> output_;
};

/// Writes a whole file. Errors as of StagedFile.
Status write_text(const std::filesystem::path& target, const OutputKind& kind, std::string_view text);

}  // namespace assay::files
