#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "render/outputs.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

Error failure(const std::string& what, const fs::path& where, const std::string& why) {
  return {what + " '" + where.string() + "' cannot be written (" + why +
              "); make room or change its permissions, or choose another output folder with -o",
          Exit::kFailed};
}

/// A folder for the unfinished files inside the output folder, so that renaming stays on one file system. Removes
/// itself, and the output folder too when that was made for this run and nothing came of it.
class Staging {
 public:
  static Result<Staging> make(const fs::path& out) {
    Staging staging;
    std::error_code error;
    if (fs::exists(out, error) && !fs::is_directory(out, error)) {
      return Error{"output '" + out.string() + "' is a file and not a folder; choose another one with -o",
                   Exit::kFailed};
    }
    if (fs::create_directories(out, error)) staging.made_ = out;
    if (error) return failure("output folder", out, error.message());
    std::string pattern = (out / ".assay-unfinished-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) return failure("output folder", out, std::strerror(errno));
    staging.folder_ = pattern;
    return staging;
  }

  Staging(Staging&& other) noexcept : folder_(std::move(other.folder_)), made_(std::move(other.made_)) {
    other.folder_.clear();
    other.made_.clear();
  }
  ~Staging() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
    if (!made_.empty()) fs::remove(made_, ignored);  // only when empty
  }

  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  Staging() = default;
  fs::path folder_, made_;
};

Status write_text(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return failure("folder", file.parent_path(), error.message());
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream) return failure("output", file.filename(), std::strerror(errno != 0 ? errno : EIO));
  return ok();
}

/// Whatever would make a rename fail half-way, found before the first one.
Status check_targets(const fs::path& out, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::error_code error;
    if (fs::is_directory(out / name, error)) {
      return Error{"output '" + (out / name).string() +
                       "' is a folder where a file belongs; move it away or choose another "
                       "output folder with -o",
                   Exit::kFailed};
    }
    fs::create_directories((out / name).parent_path(), error);
    if (error) return failure("folder", (out / name).parent_path(), error.message());
    if (access((out / name).parent_path().c_str(), W_OK) != 0) {
      return failure("folder", (out / name).parent_path(), std::strerror(errno));
    }
  }
  return ok();
}

/// Removes what an earlier run wrote and this one did not, so that it is not taken for this run's.
void remove_stale(const fs::path& out, const std::vector<std::string>& earlier, const std::vector<std::string>& names) {
  for (const std::string& name : earlier) {
    const fs::path relative = fs::path(name).lexically_normal();
    const bool below = relative.is_relative() && !relative.empty() && *relative.begin() != "..";
    if (!below || std::binary_search(names.begin(), names.end(), name)) continue;
    std::error_code ignored;
    if (!fs::is_regular_file(fs::symlink_status(out / relative, ignored))) continue;
    fs::remove(out / relative, ignored);
    for (fs::path folder = relative.parent_path(); !folder.empty(); folder = folder.parent_path()) {
      if (!fs::remove(out / folder, ignored)) break;  // not empty
    }
  }
}

}  // namespace

Status check_output_folder(const fs::path& out) {
  const Result<Staging> staging = Staging::make(out);
  return staging ? ok() : staging.error();
}

Result<std::vector<std::string>> write_outputs(const RunResult& run, const fs::path& out) {
  Result<Staging> staging = Staging::make(out);
  if (!staging) return staging.error();
  const std::vector<FactRow> facts = fact_rows(run);
  std::vector<std::pair<std::string, std::string>> texts = seed_texts(run);
  texts.emplace_back("facts.csv", facts_csv(facts));
  texts.emplace_back("findings.json", findings_json(run));
  texts.emplace_back("report.md", report_md(run));
  texts.emplace_back("report.html", report_html(run, facts));
  for (auto& plot : plot_files(run)) texts.push_back(std::move(plot));

  std::vector<std::string> names = {"results.sqlite"};
  for (const auto& [name, text] : texts) {
    names.push_back(name);
    if (Status written = write_text(staging->folder() / name, text); !written) return written.error();
  }
  std::sort(names.begin(), names.end());
  if (Status written = results_sqlite(run, facts, names, staging->folder() / "results.sqlite"); !written)
    return written.error();

  const std::vector<std::string> earlier = files_of_earlier_run(out / "results.sqlite");
  if (Status clear = check_targets(out, names); !clear) return clear.error();
  for (const std::string& name : names) {
    std::error_code error;
    fs::rename(staging->folder() / name, out / name, error);
    if (error) return failure("output", out / name, error.message());
  }
  remove_stale(out, earlier, names);
  return names;
}

}  // namespace assay
