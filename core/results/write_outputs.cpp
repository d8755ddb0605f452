#include "results/write_outputs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "files/result_folder.hpp"
#include "files/staged_file.hpp"
#include "render/outputs.hpp"
#include "results/results_sqlite.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDatabase = "results.sqlite";

/// The manifest of a result is the table `files` of its database, which is written last.
files::FolderRules rules(bool force) { return {kDatabase, files_of_earlier_run, force}; }

Status write_text(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return files::not_written(file.parent_path(), error.message());
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream) return files::not_written(file.filename(), std::strerror(errno != 0 ? errno : EIO));
  return ok();
}

}  // namespace

Status check_output_folder(const fs::path& out, bool force) {
  const Result<files::ResultFolder> folder = files::ResultFolder::make(out, rules(force));
  return folder ? ok() : folder.error();
}

Result<std::vector<std::string>> write_outputs(const RunResult& run, const fs::path& out, bool force) {
  Result<files::ResultFolder> folder = files::ResultFolder::make(out, rules(force));
  if (!folder) return folder.error();
  const std::vector<FactRow> facts = fact_rows(run);
  std::vector<std::pair<std::string, std::string>> texts = seed_texts(run);
  texts.emplace_back("facts.csv", facts_csv(facts));
  texts.emplace_back("findings.json", findings_json(run));
  texts.emplace_back("report.md", report_md(run));
  texts.emplace_back("report.html", report_html(run, facts));
  for (auto& plot : plot_files(run)) texts.push_back(std::move(plot));

  std::vector<std::string> names = {kDatabase};
  for (const auto& [name, text] : texts) {
    names.push_back(name);
    if (Status written = write_text(folder->path() / name, text); !written) return written.error();
  }
  std::sort(names.begin(), names.end());
  if (Status written = results_sqlite(run, facts, names, folder->path() / kDatabase); !written) return written.error();
  if (Status published = folder->publish(names); !published) return published.error();
  return names;
}

}  // namespace assay
