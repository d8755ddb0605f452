// One file, written beside its place and renamed there when it is whole.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <string>

#include "files/leftovers.hpp"
#include "result.hpp"

namespace assay::files {

/// "'WHERE' cannot be written (WHY); make room, change its permissions or write elsewhere", exit 3.
Error not_written(const std::filesystem::path& where, const std::string& why);

/// Nothing, or a regular file (also behind a link), stands at `target`: only these are ever replaced. Error (exit 3).
Status check_replaceable(const std::filesystem::path& target);

/// Renames a finished file to `target`, over what check_replaceable allows. Both are on one file system.
Status put_file(const std::filesystem::path& finished, const std::filesystem::path& target);

/// Removes itself unless it was published.
class StagedFile {
 public:
  /// Its folder exists. `mode` is what the process's mask is applied to. Errors (exit 3): the target is a device, a
  /// pipe or a folder, or nothing can be written beside it.
  static Result<StagedFile> make(const std::filesystem::path& target,
                                 mode_t mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
  ~StagedFile();
  StagedFile(StagedFile&&) noexcept = default;
  StagedFile& operator=(StagedFile&&) = delete;

  [[nodiscard]] std::ostream& stream() { return output_->stream; }

  /// From now on it stands at the target, or an error (exit 3) says why not and what was there still is.
  Status publish();

 private:
  StagedFile(std::filesystem::path target, Unfinished unfinished);

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
  Unfinished unfinished_;
  std::unique_ptr<Output> output_;
};

}  // namespace assay::files
