#include "words.hpp"

#include <algorithm>

#include "assay/words.hpp"

namespace assay::hang {
namespace {

constexpr std::size_t kMaxClauses = 2;

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

const char* pick(std::size_t count, const char* one, const char* several) { return count == 1 ? one : several; }

std::string ranks_count(std::size_t count) { return counted(count, "rank"); }

/// The operation with the place that called it; without frames with its number, if wanted, and its group.
std::string place_text(const Job& job, const Call& call, bool with_number) {
  if (!call.line.empty()) return filled("{} ({})", {call.operation, call.line});
  const Group& group = job.groups[call.group];
  return filled("{} of {}", {with_number ? call.operation + " " + std::to_string(call.number) : call.operation,
                             group.description.empty() ? "group " + group.name : group.description});
}

/// Culprits with one sentence.
struct Clause {
  std::vector<std::int64_t> ranks;
  Culprit first;
};

class Sentence {
 public:
  Sentence(const Job& job, const Verdict& verdict) : job_(job), verdict_(verdict) {}

  [[nodiscard]] std::string text() const {
    switch (verdict_.outcome) {
      case Outcome::kRefused:
        return job_.refusal;
      case Outcome::kNothing:
        return dumps() == job_.ranks.size()
                   ? filled("nothing hangs: no call of {} is open, as of these dumps", {ranks_count(dumps())})
                   : filled("no call of the {} whose dumps were read is open; of {} more nothing is known",
                            {ranks_count(dumps()), ranks_count(job_.ranks.size() - dumps())});
      case Outcome::kTooFew:
        if (std::ranges::all_of(verdict_.missing, [&](std::int64_t rank) { return job_.ranks.at(rank).is_damaged; }))
          return filled("nobody can be named: the dumps of {} are cut off, damaged, or of a version that is not read",
                        {ranks_text(verdict_.missing)});
        return filled(
            "give the dumps of {}: more than half of {} has none, so nobody can be named",
            {ranks_text(verdict_.missing), 2 * verdict_.missing.size() > job_.ranks.size() ? "the job" : "a group"});
      case Outcome::kCircle:
        return circle() + ", as of these dumps";
      case Outcome::kDevice:
        return filled(
            "{} {} on the device in {}: the recorder cannot tell which one is stuck; look at GPU errors or a long "
            "kernel before it, as of these dumps",
            {ranks_count(waiting()), pick(waiting(), "waits", "wait"), call_text(job_, *first_head())});
      case Outcome::kNamed:
        break;
    }
    return culprits() + ", as of these dumps";
  }

 private:
  [[nodiscard]] std::size_t dumps() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(job_.ranks, [](const auto& one) { return one.second.dump != nullptr; }));
  }
  /// Ranks with an open call that are not named.
  [[nodiscard]] std::size_t waiting() const {
    return static_cast<std::size_t>(std::ranges::count_if(job_.ranks, [&](const auto& one) {
      return !one.second.head.empty() &&
             std::ranges::find(verdict_.culprits, one.first, &Culprit::rank) == verdict_.culprits.end();
    }));
  }
  [[nodiscard]] const Call* first_head() const {
    const auto at = std::ranges::find_if(job_.ranks, [](const auto& one) { return !one.second.head.empty(); });
    return at->second.head.front();
  }

  [[nodiscard]] std::string circle() const {
    std::vector<std::string> sides;
    for (std::size_t r = 0; r < std::min(verdict_.circle.size(), kMaxClauses); ++r) {
      const std::int64_t rank = verdict_.circle[r];
      sides.push_back(
          filled("rank {} is in {}", {std::to_string(rank), call_text(job_, *job_.ranks.at(rank).head.front())}));
    }
    return ranks_text(verdict_.circle) + " wait for each other: " + listed(sides);
  }

  /// What the ranks that a call waits for lack: the call itself, or the other end.
  [[nodiscard]] std::string missing_text(const Call& call) const {
    if (call.peer == kNone) return call_text(job_, call);
    Call end = call;
    end.peer = kNone;
    end.operation = call.is_send ? "nccl:recv" : "nccl:send";
    return place_text(job_, end, false);
  }

  [[nodiscard]] std::vector<Clause> clauses() const {
    std::vector<Clause> clauses;
    const auto like = [&](const Call* a, const Call* b) {
      return a == b || (a != nullptr && b != nullptr && missing_text(*a) == missing_text(*b) &&
                        a->elements == b->elements && a->types == b->types);
    };
    for (const Culprit& culprit : verdict_.culprits) {
      const auto at = std::ranges::find_if(clauses, [&](const Clause& clause) {
        return clause.first.fault == culprit.fault &&
               job_.ranks.at(clause.first.rank).is_damaged == job_.ranks.at(culprit.rank).is_damaged &&
               like(clause.first.own, culprit.own) && like(clause.first.others, culprit.others);
      });
      if (at == clauses.end())
        clauses.push_back({{culprit.rank}, culprit});
      else
        at->ranks.push_back(culprit.rank);
    }
    return clauses;
  }

  [[nodiscard]] std::string culprits() const {
    const std::vector<Clause> all = clauses();
    std::vector<std::string> texts;
    for (std::size_t c = 0; c < std::min(all.size(), kMaxClauses); ++c) texts.push_back(clause_text(all[c]));
    std::string text = texts.front();
    for (std::size_t c = 1; c < texts.size(); ++c) text += (all[c].first.is_tie ? ", or " : "; ") + texts[c];
    if (all.size() > kMaxClauses) text += filled("; and {} more", {std::to_string(all.size() - kMaxClauses)});
    const std::size_t count = verdict_.culprits.size();
    if (const std::size_t others = waiting(); others > 0 && all.front().first.fault != Fault::kExtraCall)
      text += filled("; {} {} for {}", {ranks_count(others), pick(others, "waits", "wait"), pick(count, "it", "them")});
    return text;
  }

  [[nodiscard]] std::string clause_text(const Clause& clause) const {
    const std::string who = ranks_text(clause.ranks);
    const std::size_t count = clause.ranks.size();
    const auto text = [&](const Call* call) { return call == nullptr ? std::string() : call_text(job_, *call); };
    const std::string own = text(clause.first.own);
    const std::string others =
        clause.first.fault == Fault::kNotCalled ? missing_text(*clause.first.others) : text(clause.first.others);
    const char* const has = pick(count, "has", "have");
    switch (clause.first.fault) {
      case Fault::kNotCalled:
        return filled("{} {} not called {}{}",
                      {who, has, clause.first.others->peer == kNone ? "" : pick(count, "its ", "their "), others});
      case Fault::kStuck:
        return filled("{} {} still in {}, which others have completed: {}",
                      {who, pick(count, "is", "are"), own,
                       pick(count, "its device is stuck, or its dump is older",
                            "their devices are stuck, or their dumps are older")});
      case Fault::kDiffers:
        return difference_text(who, clause);
      case Fault::kLeftOut:
        return filled("{} left out the other end of the {} on rank {}",
                      {who, others, std::to_string(clause.first.others->rank)});
      case Fault::kCollective:
        return filled("{} left out a collective before {}", {who, own});
      case Fault::kNoDump:
        return job_.ranks.at(clause.first.rank).is_damaged
                   ? filled("the dump of {} cannot be read: copy it again; {} missing in {}",
                            {who, pick(count, "it is", "they are"), others})
                   : filled("{} left no dump, and {} missing in {}", {who, pick(count, "is", "are"), others});
      case Fault::kExtraCall:
        return filled("{} made a call that most have not: {}", {who, own});
      case Fault::kOrder:
        return filled("{} called {} before {}, which the others call first", {who, own, others});
    }
    return who;
  }

  [[nodiscard]] std::string difference_text(const std::string& who, const Clause& clause) const {
    const Call& own = *clause.first.own;
    const Call& others = *clause.first.others;
    const std::string call = call_text(job_, own), other = call_text(job_, others);
    if (own.operation != others.operation) {
      if (is_next(others, own)) return filled("{} left out {} and called {}", {who, other, call});
      if (is_next(own, others)) return filled("{} made a call more than the others before {}: {}", {who, other, call});
      return filled("{} called {} where others called {}", {who, call, other});
    }
    if (own.types != others.types)
      return filled("{} gave {} to {}, others gave {}", {who, own.types, call, others.types});
    return filled("{} gave {} elements to {}, others gave {}",
                  {who, grouped(own.elements), call, grouped(others.elements)});
  }

  /// Whether the rank of `call` goes on with a call like `next`.
  [[nodiscard]] bool is_next(const Call& call, const Call& next) const {
    const auto open = job_.ranks.at(call.rank).open.find(call.group);
    return std::ranges::any_of(open->second, [&](const Call* one) {
      return one->number == call.number + 1 && one->operation == next.operation && one->elements == next.elements;
    });
  }

  const Job& job_;
  const Verdict& verdict_;
};

}  // namespace

std::string call_text(const Job& job, const Call& call) {
  const Group& group = job.groups[call.group];
  std::string text = call.operation;
  if (call.peer >= 0 && call.peer < static_cast<std::int64_t>(group.members.size()))
    text = filled("nccl:{} rank {}", {call.is_send ? "send to" : "recv from",
                                      std::to_string(group.members[static_cast<std::size_t>(call.peer)])});
  Call named = call;
  named.operation = text;
  return place_text(job, named, call.peer == kNone);
}

std::string frames_text(const std::string& frames) {
  std::string text;
  for (std::size_t at = 0; at < frames.size();) {
    const std::size_t open = std::min(frames.find('(', at), frames.size() - 1) + 1;
    text += frames.substr(at, open - at);
    const std::size_t end = std::min(frames.find(" < ", open), frames.size());
    const std::string place = frames.substr(open, end - open);
    text += place.substr(place.rfind('/') + 1);
    at = end;
    const std::size_t next = std::min(at + 3, frames.size());
    text += frames.substr(at, next - at);
    at = next;
  }
  return text;
}

std::string first_line(const Job& job, const Verdict& verdict) { return Sentence(job, verdict).text(); }

}  // namespace assay::hang
