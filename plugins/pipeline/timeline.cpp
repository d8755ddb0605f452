#include "timeline.hpp"

#include "assay/words.hpp"

namespace assay::pipeline {
namespace {

std::string alignment_text(const JobRows& job, const stages::Alignment& by, std::size_t rank) {
  const std::string first = "rank " + std::to_string(job.ranks.front());
  if (rank == 0) return "reference clock";
  if (!by.known[rank]) return "not aligned: no message connects it to " + first;
  const std::string to = time_text(static_cast<double>(by.uncertainty));
  if (by.shift[rank] == 0) return filled("aligned by file timestamps, by messages within {} of {}", {to, first});
  return filled("shifted by {} against {} by the ends of messages, right to {}",
                {time_text(static_cast<double>(by.shift[rank])), first, to});
}

}  // namespace

void emit_timeline(const JobRows& job, const std::vector<stages::Alignment>& by, JobSink& sink) {
  struct Side {
    std::int64_t message, rank, start, end, wait;
  };
  std::vector<std::size_t> ranks(job.ranks.size());
  for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r] = r;
  const stages::Alignment& of_all = by[by.size() / 2];
  Table clocks("clocks", "Clocks of the ranks against the first rank's");
  clocks.column("report", "", ranks, [&](std::size_t r) { return job.paths[r]; });
  clocks.column("rank", "", ranks, [&](std::size_t r) { return job.ranks[r]; });
  clocks.column("base", "ns", ranks, [&](std::size_t r) { return job.bases[r]; });
  clocks.column("offset", "ns", ranks, [&](std::size_t r) { return of_all.shift[r]; });
  clocks.column("slope", "1", ranks, [](std::size_t) { return 0.0; });
  clocks.column("pivot", "ns", ranks, [](std::size_t) { return std::int64_t{0}; });
  clocks.column("aligned", "", ranks, [&](std::size_t r) { return std::int64_t{of_all.known[r] ? 1 : 0}; });
  clocks.column("alignment", "", ranks, [&](std::size_t r) { return alignment_text(job, of_all, r); });
  sink.table(clocks);
  std::vector<Side> sides;
  std::int64_t number = 0;
  for (std::size_t s = 0; s < job.steps.size(); ++s) {
    const stages::JobStep& step = job.steps[s];
    const auto waits = stages::waits_of(step);
    const auto add = [&](std::uint32_t rank, std::uint32_t event) {
      const std::int64_t moved = by[s].shift[rank] + job.bases[rank];
      const Interval time = step.ranks[rank].events[event].time;
      sides.push_back({number, rank, time.start - moved, time.end - moved, waits[rank][event]});
    };
    for (const stages::Message& m : step.messages) {
      add(m.from, m.from_event);
      add(m.to, m.to_event);
      ++number;
    }
  }
  Table matched("matched", "Messages on both ranks");
  matched.column("collective", "", sides, &Side::message).column("clock", "", sides, &Side::rank);
  matched.column("start", "ns", sides, &Side::start).column("end", "ns", sides, &Side::end);
  matched.column("wait", "ns", sides, &Side::wait);
  sink.table(matched);
}

}  // namespace assay::pipeline
