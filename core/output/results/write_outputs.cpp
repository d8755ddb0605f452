#include "results/write_outputs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "files/digest.hpp"
#include "files/result_folder.hpp"
#include "files/staged_file.hpp"
#include "render/outputs.hpp"
#include "results/fact_columns.hpp"
#include "results/kept_outputs.hpp"
#include "results/results_sqlite.hpp"
#include "workers.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDatabase = "results.sqlite";
constexpr const char* kFacts = "facts.csv";
constexpr const char* kWideFacts = "facts_wide.csv";
constexpr const char* kRunRecord = "run.json";

/// The manifest of a result is the table `files` of its database.
files::FolderRules rules(bool force) { return {kDatabase, files_of_earlier_run, force}; }

/// Writes what `write` puts into the stream.
Status write_file(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return files::not_written(file.parent_path(), error.message());
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  write(stream);
  stream.close();
  if (!stream) return files::not_written(file.filename(), std::strerror(errno != 0 ? errno : EIO));
  return ok();
}

Status write_text(const fs::path& file, const std::string& text) {
  return write_file(file, [&](std::ostream& to) { to.write(text.data(), static_cast<std::streamsize>(text.size())); });
}

}  // namespace

Status check_output_folder(const fs::path& out, bool force) {
  const Result<files::ResultFolder> folder = files::ResultFolder::make(out, rules(force));
  return folder ? ok() : folder.error();
}

namespace {

/// Writes all outputs but run.json into `folder`; gives their names, sorted.
Result<std::vector<std::string>> make_outputs(const RunResult& run, const fs::path& folder, const MoreOutputs& more) {
  const FactRows facts(run);
  std::vector<std::pair<std::string, std::string>> texts = text_files(run);
  for (auto& plot : plot_files(run)) texts.push_back(std::move(plot));
  const std::vector<std::pair<const char*, std::function<std::string()>>> larger = {
      {"findings.json", [&] { return findings_json(run); }},
      {"report.md", [&] { return report_md(run); }},
      {"summary.md", [&] { return summary_md(run); }},
      {"report.html", [&] { return report_html(run, facts); }},
  };
  std::vector<std::string> names = {kDatabase, kFacts, kWideFacts};
  for (const auto& [name, text] : texts) names.push_back(name);
  for (const auto& [name, text] : larger) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  std::vector<std::string> listed = names;
  if (more.run_json) listed.insert(std::ranges::lower_bound(listed, kRunRecord), kRunRecord);

  // The database takes longest and begins; of several failures it is told last.
  std::vector<std::function<Status()>> writers;
  writers.emplace_back([&] { return results_sqlite(run, facts, listed, folder / kDatabase); });
  writers.emplace_back(
      [&] { return write_file(folder / kFacts, [&](std::ostream& to) { write_facts_csv(facts, to); }); });
  writers.emplace_back(
      [&] { return write_file(folder / kWideFacts, [&](std::ostream& to) { write_facts_wide(run, facts, to); }); });
  for (const auto& one : larger)
    writers.emplace_back([&, text = &one] { return write_text(folder / text->first, text->second()); });
  std::vector<Status> written(writers.size(), ok());
  const auto stopped = [&] { return more.stop != nullptr && *more.stop; };
  for_each_on_workers(writers.size(), 0, [&](std::size_t i) {
    if (!stopped()) written[i] = writers[i]();
  });
  if (stopped()) return Error{"interrupted; nothing was written", Exit::kInterrupted};
  std::rotate(written.begin(), written.begin() + 1, written.end());
  for (const auto& [name, text] : texts) {
    if (Status status = write_text(folder / name, text); !status) return status.error();
  }
  for (const Status& status : written) {
    if (!status) return status.error();
  }
  return names;
}

/// Digests of the outputs; none when one of them cannot be read.
NamedDigests digests_of(const fs::path& folder, const std::vector<std::string>& names) {
  NamedDigests digests;
  for (const std::string& name : names) {
    const auto digest = files::hex_of_file(folder / name);
    if (!digest) return {};
    digests.emplace_back(name, *digest);
  }
  return digests;
}

}  // namespace

Result<std::vector<std::string>> write_outputs(const RunResult& run, const fs::path& out, bool force,
                                               const MoreOutputs& more) {
  Result<files::ResultFolder> folder = files::ResultFolder::make(out, rules(force));
  if (!folder) return folder.error();
  const Plugins none;
  const KeptOutputs kept(more.memory, more.plugins != nullptr ? *more.plugins : none, run,
                         more.run_json ? "recorded" : "");
  std::vector<std::string> names;
  if (auto linked = kept.link(out, folder->path())) {
    names = *std::move(linked);
  } else {
    Result<std::vector<std::string>> made = make_outputs(run, folder->path(), more);
    if (!made) return made.error();
    names = *std::move(made);
    kept.keep(folder->path(), names);
  }
  if (more.run_json) {
    if (Status status = write_text(folder->path() / kRunRecord, more.run_json()); !status) return status.error();
    names.insert(std::ranges::lower_bound(names, kRunRecord), kRunRecord);
  }
  if (more.digests != nullptr)
    *more.digests = digests_of(folder->path(), names);  // before anybody else can write there
  if (Status published = folder->publish(names); !published) return published.error();
  return names;
}

}  // namespace assay
