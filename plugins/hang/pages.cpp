#include "pages.hpp"

#include <algorithm>
#include <list>

#include "algo/page_sections.hpp"
#include "assay/words.hpp"
#include "rows.hpp"
#include "words.hpp"

namespace assay::hang {
namespace {

constexpr std::size_t kMaxGroups = 4, kMaxJobs = 8;

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

/// What the profile of each rank at fault saw last.
void add_last_work(const StudyView& view, FoundJob& found) {
  constexpr std::size_t kMax = 4;
  std::int64_t last_of_job = 0;
  for (const Dump& dump : found.job.dumps) last_of_job = std::max(last_of_job, dump.last_call);
  for (std::size_t report = 0; report < view.report_count() && last_of_job > 0; ++report) {
    const std::optional<LastWork> work = last_work_from_rows(view, report);
    if (!work) continue;
    for (const Culprit& culprit : found.verdict.culprits) {
      const Dump* const dump = found.job.ranks.at(culprit.rank).dump;
      if (view.attribute(report, "rank") != std::to_string(culprit.rank) || found.last_work.size() == kMax) continue;
      const std::int64_t last = dump != nullptr && dump->last_call > 0 ? dump->last_call : last_of_job;
      found.last_work.push_back(last_work_text(culprit.rank, view.path(report), *work, last));
    }
  }
}

FoundJob found_job(const StudyView& view, std::string folder, std::vector<std::size_t> reports) {
  std::vector<Dump> dumps;
  for (const std::size_t report : reports) dumps.push_back(*dump_from_rows(view, report));
  FoundJob found{std::move(folder), std::move(reports), job_of(std::move(dumps)), {}, {}};
  found.verdict = verdict_on(found.job);
  add_last_work(view, found);
  return found;
}

/// A rank in the table: those at fault first, then those that wait.
struct RankRow {
  std::int64_t rank = 0, order = 0;
  std::string state;
  const Member* member = nullptr;
};

std::vector<RankRow> rank_rows(const FoundJob& found) {
  std::vector<RankRow> rows;
  for (const auto& [rank, member] : found.job.ranks) {
    const auto culprit = std::ranges::find(found.verdict.culprits, rank, &Culprit::rank);
    const bool is_named = culprit != found.verdict.culprits.end();
    const std::string state = member.is_damaged        ? "its dump cannot be read"
                              : member.dump == nullptr ? "no dump"
                              : member.head.empty()    ? "no open call"
                                                       : "waits";
    rows.push_back({rank,
                    is_named              ? 0
                    : member.head.empty() ? 2
                                          : 1,
                    is_named ? "at fault: " + state : state, &member});
    if (is_named && !member.head.empty()) rows.back().state = "at fault";
  }
  std::ranges::stable_sort(rows, {}, &RankRow::order);
  return rows;
}

std::string description_of(const Group& group) {
  return group.description.empty() ? "group " + group.name : group.description;
}

/// "16 done; in all_gather 17": where the rank is in its group of that description.
std::string progress_text(const Job& job, const Member& member, const std::string& description) {
  std::string text;
  for (const auto& [group, progress] : member.groups) {
    if (description_of(job.groups[group]) != description) continue;
    const auto open = member.open.find(group);
    const std::int64_t completed = std::max(progress.completed, progress.status_completed);
    if (open == member.open.end() && !text.empty()) continue;
    text = completed > 0 ? std::to_string(completed) + " done" : std::string();
    if (open == member.open.end()) continue;
    const Call& call = *open->second.front();
    if (!text.empty()) text += "; ";
    const std::string_view name = std::string_view(call.operation).substr(call.operation.find(':') + 1);
    text.append(member.head.front() == &call ? "in " : "then ").append(name.substr(0, name.find(' ')));
    return call.peer == kNone ? text + " " + std::to_string(call.number) : text;
  }
  return text;
}

/// Descriptions of groups with open calls, those that most ranks are in first.
std::vector<std::string> open_groups(const Job& job) {
  std::map<std::string, std::size_t> heads;
  for (const auto& [rank, member] : job.ranks) {
    if (!member.head.empty()) ++heads[description_of(job.groups[member.head.front()->group])];
  }
  std::vector<std::string> groups;
  for (const auto& [description, count] : heads) groups.push_back(description);
  std::ranges::stable_sort(groups, [&](const auto& a, const auto& b) { return heads[a] > heads[b]; });
  groups.resize(std::min(groups.size(), kMaxGroups));
  return groups;
}

/// Ranks that are in one call.
struct CallRow {
  std::vector<std::int64_t> ranks;
  const Call* call = nullptr;
};

std::vector<CallRow> call_rows(const FoundJob& found) {
  std::vector<CallRow> rows;
  for (const RankRow& rank : rank_rows(found)) {
    if (rank.member->head.empty()) continue;
    const auto culprit = std::ranges::find(found.verdict.culprits, rank.rank, &Culprit::rank);
    const bool has_own = culprit != found.verdict.culprits.end() && culprit->own != nullptr;
    const Call& call = has_own ? *culprit->own : *rank.member->head.front();
    const auto like = std::ranges::find_if(rows, [&](const CallRow& row) {
      return call_text(found.job, *row.call) == call_text(found.job, call) && row.call->frames == call.frames;
    });
    if (like == rows.end())
      rows.push_back({{rank.rank}, &call});
    else
      like->ranks.push_back(rank.rank);
  }
  return rows;
}

class Pages {
 public:
  Pages(const StudyView& view, const std::vector<FoundJob>& jobs, StudySink& sink)
      : view_(view), jobs_(jobs), sink_(sink) {}

  void emit() {
    to_.page({}, headline());
    if (jobs_.size() > 1) add_jobs();
    for (std::size_t j = 0; j < std::min(jobs_.size(), kMaxJobs); ++j) add_job(j);
    for (const FoundJob& found : jobs_) {
      for (const std::size_t report : found.reports) {
        // A profile that the dump joined has a page of its own.
        if (view_.attribute(report, "fingerprint")) continue;
        to_.page(view_.path(report), first_line(found.job, found.verdict));
        if (view_.report_count() == 1) add_job(0);
      }
    }
    to_.emit(sink_);
  }

  [[nodiscard]] std::string headline() const {
    std::vector<std::string> lines;
    for (const FoundJob& found : jobs_) {
      const std::string line = first_line(found.job, found.verdict);
      lines.push_back(jobs_.size() == 1 ? line : found.folder + ": " + line);
    }
    std::string text = lines.front();
    if (lines.size() > 1) text += filled("; and {}, below", {counted(lines.size() - 1, "more job")});
    return text;
  }

 private:
  void add_jobs() {
    Table table("jobs", "Jobs whose dumps were given");
    table.column("job", "", jobs_, &FoundJob::folder)
        .column("dumps", "1", jobs_, [](const FoundJob& found) { return std::int64_t(found.reports.size()); })
        .column("answer", "", jobs_, [](const FoundJob& found) { return first_line(found.job, found.verdict); });
    sink_.table(table);
    to_.section("Jobs", {.table = "jobs", .columns = "job|dumps|answer"});
  }

  const char* kept(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }
  [[nodiscard]] std::string title(const std::string& text, const FoundJob& found) const {
    return jobs_.size() == 1 ? text : found.folder + ": " + text;
  }

  void add_job(std::size_t j) {
    const FoundJob& found = jobs_[j];
    if (found.verdict.outcome == Outcome::kRefused) return;
    const std::string number = j == 0 ? "" : "_" + std::to_string(j);
    const bool is_new = emitted_.insert(j).second;
    if (found.verdict.outcome != Outcome::kNothing) {
      add_ranks(found, "ranks" + number, is_new);
      add_calls(found, "calls" + number, is_new);
    }
    if (!found.last_work.empty())
      to_.section(title("What the profiles of these ranks saw last", found), {.leads = true});
    for (const std::string& sentence : found.last_work) to_.add_sentence(sentence);
    if (found.job.remarks.empty() && found.verdict.outcome == Outcome::kNothing) return;
    to_.section(title("About the dumps", found));
    for (const std::string& remark : found.job.remarks) to_.add_sentence(remark);
    if (found.verdict.outcome != Outcome::kNothing)
      to_.add_sentence(
          "A dump has no time of its own, and one set cannot tell a job that hangs from one that was caught while it "
          "ran: a second set a minute later does.");
  }

  void add_ranks(const FoundJob& found, const std::string& id, bool is_new) {
    const std::vector<RankRow> rows = rank_rows(found);
    Table table(id, "Ranks by process group: last call completed, first call open");
    std::string columns = "rank|state";
    table.column("rank", "1", rows, &RankRow::rank).column("state", "", rows, &RankRow::state);
    for (const std::string& group : open_groups(found.job)) {
      std::string name = group;
      std::ranges::replace_if(name, [](char c) { return c == '|' || c == '=' || c == '?'; }, ' ');
      columns += "|" + name;
      table.column(name, "", rows, [&](const RankRow& row) { return progress_text(found.job, *row.member, group); });
    }
    if (is_new) sink_.table(table);
    to_.section(title("Ranks by process group: last call completed, first call open", found),
                {.table = kept(id), .columns = kept(columns), .leads = true});
  }

  void add_calls(const FoundJob& found, const std::string& id, bool is_new) {
    const std::vector<CallRow> rows = call_rows(found);
    Table table(id, "Open calls, and where they were made");
    table.column("ranks", "", rows, [](const CallRow& row) { return ranks_text(row.ranks); })
        .column("call", "", rows, [&](const CallRow& row) { return call_text(found.job, *row.call); })
        .column("frames", "", rows, [](const CallRow& row) { return frames_text(row.call->frames); });
    if (is_new) sink_.table(table);
    const bool has_frames = std::ranges::any_of(rows, [](const CallRow& row) { return !row.call->frames.empty(); });
    to_.section(
        title("Open calls, and where they were made", found),
        {.table = kept(id), .columns = has_frames ? "ranks=|call|frames=called from" : "ranks=|call", .leads = true});
  }

  const StudyView& view_;
  const std::vector<FoundJob>& jobs_;
  StudySink& sink_;
  page::Sections to_;
  std::list<std::string> texts_;
  std::set<std::size_t> emitted_;
};

}  // namespace

std::vector<FoundJob> jobs_of(const StudyView& view) {
  std::vector<std::size_t> reports;
  std::map<std::string, std::vector<std::size_t>> folders;
  for (std::size_t report = 0; report < view.report_count(); ++report) {
    if (!view.rows(report, "hang", "dump").present()) continue;
    reports.push_back(report);
    folders[folder_of(view.path(report))].push_back(report);
  }
  std::vector<FoundJob> jobs;
  if (reports.empty()) return jobs;
  jobs.push_back(found_job(view, {}, std::move(reports)));
  if (jobs.front().job.refusal.empty() || folders.size() == 1) return jobs;
  jobs.clear();
  for (auto& [folder, of_folder] : folders) jobs.push_back(found_job(view, folder, std::move(of_folder)));
  return jobs;
}

void emit_jobs(const StudyView& view, const std::vector<FoundJob>& jobs, StudySink& sink) {
  for (const FoundJob& found : jobs) {
    Dims dims;
    if (jobs.size() > 1) dims.add("job", found.folder.empty() ? std::string(".") : found.folder);
    const auto heads = std::ranges::count_if(found.job.ranks, [](const auto& one) { return !one.second.head.empty(); });
    sink.fact("hang.open_rank_count", static_cast<double>(heads), dims);
    // Where all wait and nobody is named, and where too little is known, no number of culprits is.
    if (found.verdict.outcome == Outcome::kNamed || found.verdict.outcome == Outcome::kNothing)
      sink.fact("hang.named_rank_count", static_cast<double>(found.verdict.culprits.size()), dims);
    for (const Culprit& culprit : found.verdict.culprits) {
      Dims of_rank = dims;
      sink.fact("hang.named", 1, of_rank.add("rank", culprit.rank));
    }
    const std::string line = first_line(found.job, found.verdict);
    std::string text = line + ".";
    for (const std::string& remark : found.job.remarks) text += " " + remark;
    for (const std::string& sentence : found.last_work) text += " " + sentence;
    sink.finding({.role = FindingRole::kAnswer,
                  .title = jobs.size() == 1 ? line : found.folder + ": " + line,
                  .text = text,
                  .effect = {},
                  .labels = {},
                  .evidence = {}});
  }
  Pages(view, jobs, sink).emit();
}

}  // namespace assay::hang
