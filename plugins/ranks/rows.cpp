#include "rows.hpp"

#include <algorithm>
#include <map>

#include "algo/properties.hpp"
#include "assay/words.hpp"

namespace assay::ranks {
namespace {

/// Origin of the file's times as stated in it: for an export the start of the session, for a trace its base time; empty
/// if unknown.
std::string base_of(const Report& report) {
  const std::string_view base = property_of(report, "baseTimeNanoseconds");
  return std::string(base.empty() ? property_of(report, "origin_ns") : base);
}

std::int64_t number_or_none(const std::string& text) { return number_in<std::int64_t>(text).value_or(kNoInteger); }

StringId cell(const Column<StringId>& column, std::size_t row) { return column.present() ? column[row] : 0; }
template <class T>
std::int64_t number(const Column<T>& column, std::size_t row) {
  return column.present() ? static_cast<std::int64_t>(column[row]) : std::int64_t{kNone};
}

/// Group names that are equal on all ranks: the id of a communicator in the export, or the ranks, with a number if
/// several groups have the same ranks. Process groups are distinguished by names that count up in every process.
class Groups {
 public:
  explicit Groups(const Report& report) {
    const CollectiveTable& t = *report.collectives;
    std::map<std::string, std::vector<std::string>> names;  // by ranks
    std::map<std::string, std::int64_t> sizes;
    std::vector<std::pair<std::string, std::string>> keys;
    for (std::size_t c = 0; c < t.rows; ++c) {
      const std::string ranks(report.string(cell(t.group_ranks, c))), name(report.string(cell(t.group, c)));
      keys.emplace_back(ranks, name);
      std::vector<std::string>& known = names[ranks];
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
    for (auto& [ranks, known] : names) {
      std::sort(known.begin(), known.end(),
                [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
    }
    std::map<std::string, std::int64_t> places;
    for (std::size_t c = 0; c < keys.size(); ++c) {
      const auto& [ranks, name] = keys[c];
      const std::vector<std::string>& known = names[ranks];
      const auto place = std::find(known.begin(), known.end(), name) - known.begin();
      const std::string key = ranks.empty() ? name : ranks + (place > 0 ? "#" + std::to_string(place + 1) : "");
      const auto [at, fresh] = places.emplace(key, static_cast<std::int64_t>(names_.size()));
      if (fresh) {
        names_.push_back(key);
        sizes_.push_back(ranks.empty() ? number(t.group_size, c) : 1 + std::count(ranks.begin(), ranks.end(), ','));
      }
      of_row_.push_back(at->second);
    }
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::vector<std::int64_t>& sizes() const { return sizes_; }
  [[nodiscard]] std::int64_t group_of(std::size_t row) const { return of_row_[row]; }

 private:
  std::vector<std::string> names_;
  std::vector<std::int64_t> sizes_, of_row_;
};

void emit_steps(const DeviceWork& work, const std::vector<DeviceStep>& steps, ReportSink& sink) {
  std::vector<StepParts> parts;
  for (const DeviceStep& step : steps) parts.push_back(work.parts(step.window));
  Table table("steps", "steps");
  table.column("step", "", steps, [](const DeviceStep& s) { return s.number; });
  table.column("host_start", "ns", steps, [](const DeviceStep& s) { return s.host.start; });
  table.column("start", "ns", steps, [](const DeviceStep& s) { return s.window.start; });
  table.column("end", "ns", steps, [](const DeviceStep& s) { return s.window.end; });
  table.column("compute", "ns", parts, &StepParts::compute_busy);
  table.column("copy", "ns", parts, &StepParts::copy_only);
  table.column("idle", "ns", parts, &StepParts::idle);
  sink.rank_rows(table);
}

/// Whether a kernel sends or receives between two ranks, which is not a collective of its group: other ranks do
/// something else meanwhile (analyzer pipeline). A format with a list of messages identifies kernels of both kinds that
/// are all-to-alls.
bool is_message(const Report& report, CollectiveKind kind) {
  return kind == CollectiveKind::kSend || kind == CollectiveKind::kReceive ||
         (kind == CollectiveKind::kSendReceive && report.table("messages") != nullptr);
}

void emit_collectives(const Report& report, const DeviceWork& work, const std::vector<DeviceStep>& steps,
                      const Groups& groups, ReportSink& sink) {
  const CollectiveTable& t = *report.collectives;
  std::vector<std::ptrdiff_t> row_of(static_cast<std::size_t>(report.kernels->rows), -1);
  for (std::size_t c = 0; c < t.rows; ++c)
    row_of[static_cast<std::size_t>(t.kernel[c])] = static_cast<std::ptrdiff_t>(c);
  struct One {
    std::int64_t step;
    std::size_t row, kernel;
    std::int64_t first_uncovered, before;
  };
  std::vector<One> all;
  Intervals uncovered;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    std::int64_t done = steps[s].window.start;
    for (const Row kernel : steps[s].kernels) {
      const auto k = static_cast<std::size_t>(kernel);
      if (row_of[k] < 0 || is_message(report, t.kind[static_cast<std::size_t>(row_of[k])])) continue;
      const Interval time{report.kernels->start[k], report.kernels->end[k]};
      const std::int64_t before =
          time.start > done ? measure(DeviceWork::within(work.compute(), {done, time.start})) : 0;
      done = std::max(done, time.end);
      all.push_back({static_cast<std::int64_t>(s), static_cast<std::size_t>(row_of[k]), k,
                     static_cast<std::int64_t>(uncovered.size()), before});
      const Intervals bare = complement(DeviceWork::within(work.compute(), time), time);
      uncovered.insert(uncovered.end(), bare.begin(), bare.end());
    }
  }
  Table table("collectives", "collectives");
  table.column("step", "", all, &One::step);
  table.column("group", "", all, [&](const One& o) { return groups.group_of(o.row); });
  table.column("kind", "", all, [&](const One& o) { return static_cast<std::int64_t>(t.kind[o.row]); });
  table.column("sequence", "", all, [&](const One& o) { return number(t.sequence, o.row); });
  table.column("sent", "bytes", all, [&](const One& o) { return number(t.sent, o.row); });
  table.column("received", "bytes", all, [&](const One& o) { return number(t.received, o.row); });
  table.column("start", "ns", all, [&](const One& o) { return report.kernels->start[o.kernel]; });
  table.column("end", "ns", all, [&](const One& o) { return report.kernels->end[o.kernel]; });
  table.column("uncovered", "", all, &One::first_uncovered);
  table.column("before", "ns", all, &One::before);
  sink.rank_rows(table);
  Table bare("uncovered", "parts of collectives without compute");
  bare.column("start", "ns", uncovered, &Interval::start);
  bare.column("end", "ns", uncovered, &Interval::end);
  sink.rank_rows(bare);
}

}  // namespace

double opaque_share(const Report& report) {
  double graphs = 0, kernels = 0;
  for (std::size_t g = 0; report.graphs != nullptr && g < report.graphs->rows; ++g)
    graphs += static_cast<double>(report.graphs->end[g] - report.graphs->start[g]);
  for (std::size_t k = 0; k < report.kernels->rows; ++k)
    kernels += static_cast<double>(report.kernels->end[k] - report.kernels->start[k]);
  return graphs > 0 ? graphs / (graphs + kernels) : 0;
}

void emit_rank(const Report& report, const DeviceWork& work, const std::vector<DeviceStep>& steps, ReportSink& sink) {
  const Groups groups(report);
  Table rank("rank", "rank");
  const std::string_view address = property_of(report, "environment.MASTER_ADDR");
  rank.add("origin", "ns", std::vector<std::int64_t>{origin_of(report).value_or(kNoInteger)});
  const std::string base = base_of(report);
  if (!base.empty()) sink.attribute(kBaseAttribute, base);
  rank.add("base", "ns", std::vector<std::int64_t>{number_or_none(base)});
  rank.add("host", "", std::vector<std::string>{std::string(property_of(report, "hostname"))});
  rank.add("master", "",
           std::vector<std::string>{
               address.empty() ? "" : filled("{}:{}", {address, property_of(report, "environment.MASTER_PORT")})});
  sink.rank_rows(rank);
  Table names("groups", "groups");
  names.add("name", "", groups.names());
  names.add("size", "1", groups.sizes());
  sink.rank_rows(names);
  emit_steps(work, steps, sink);
  emit_collectives(report, work, steps, groups, sink);
}

void RankRows::add_uncovered(std::size_t c, std::int64_t length, Intervals& to) const {
  if (length <= 0) return;
  const std::int64_t until = begin[c] + length;
  const auto last =
      c + 1 < uncovered_begin.size() ? static_cast<std::size_t>(uncovered_begin[c + 1]) : uncovered_start.size();
  for (auto u = static_cast<std::size_t>(uncovered_begin[c]); u < last && uncovered_start[u] < until; ++u)
    to.push_back({uncovered_start[u], std::min(uncovered_end[u], until)});
}

JobRows read_job(const Job& job) {
  const JobView view(job);
  JobRows out;
  for (std::size_t r = 0; r < view.rank_count(); ++r) {
    if (job.ranks->world[r] != kNoInteger) out.world = std::max(out.world, job.ranks->world[r]);
    if (!view.has(r, "steps")) continue;
    RankRows& rank = out.ranks.emplace_back();
    out.rows.push_back(static_cast<Row>(r));
    rank.number = view.rank(r).value_or(static_cast<std::int64_t>(r));
    rank.origin = view.integers(r, "rank", "origin")[0];
    rank.base = view.integers(r, "rank", "base")[0];
    rank.host = std::string(view.texts(r, "rank", "host")[0].view());
    rank.master = std::string(view.texts(r, "rank", "master")[0].view());
    rank.path = std::string(view.path(r));
    rank.groups = view.texts(r, "groups", "name");
    rank.group_sizes = view.integers(r, "groups", "size");
    const auto steps = [&](std::string_view column) { return view.integers(r, "steps", column); };
    rank.step = steps("step");
    rank.host_start = steps("host_start");
    rank.start = steps("start");
    rank.end = steps("end");
    rank.compute = steps("compute");
    rank.copy = steps("copy");
    rank.idle = steps("idle");
    const auto all = [&](std::string_view column) { return view.integers(r, "collectives", column); };
    rank.of_step = all("step");
    rank.group = all("group");
    rank.kind = all("kind");
    rank.sequence = all("sequence");
    rank.sent = all("sent");
    rank.received = all("received");
    rank.begin = all("start");
    rank.finish = all("end");
    rank.uncovered_begin = all("uncovered");
    rank.before = all("before");
    rank.uncovered_start = view.integers(r, "uncovered", "start");
    rank.uncovered_end = view.integers(r, "uncovered", "end");
  }
  return out;
}

}  // namespace assay::ranks
