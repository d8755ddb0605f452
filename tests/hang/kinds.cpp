#include "kinds.hpp"

#include <algorithm>
#include <functional>

namespace assay::made {
namespace {

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}
bool is_heads(Random& random) { return below(random, 2) == 0; }

/// A job of tensor, pipeline and data parallel groups.
class Builder {
 public:
  Builder(std::size_t ranks, Random& random) : random_(random) {
    constexpr std::size_t kSizes[] = {4, 2, 1};
    const std::size_t skip = below(random, 3);
    for (std::size_t i = skip; i < 3 && tensor_ == 0; ++i) tensor_ = ranks % kSizes[i] == 0 ? kSizes[i] : 0;
    for (std::size_t i = below(random, 3); i < 3 && stages_ == 0; ++i)
      stages_ = (ranks / tensor_) % kSizes[i] == 0 ? kSizes[i] : 0;
    of_.job.programs.resize(ranks);
    of_.job.takings.resize(ranks);
    of_.job.is_async = below(random, 3) == 0;
    for (std::size_t r = 0; r < ranks; ++r) member(0, "default_pg", r);
    for (std::size_t r = 0; r < ranks; ++r) member(1 + r / tensor_, "TENSOR", r);
    const std::size_t block = tensor_ * stages_;
    for (std::size_t r = 0; r < ranks; ++r) member(1000 + r / block * tensor_ + r % tensor_, "PIPELINE", r);
    for (std::size_t r = 0; r < ranks; ++r) member(2000 + r % block, "DATA", r);
  }

  Case build() {
    const std::size_t steps = 6 + below(random_, 3);
    const bool batches = below(random_, 3) == 0, broadcasts = is_heads(random_);
    for (std::size_t s = 0; s < steps; ++s) {
      const bool syncs = is_heads(random_);
      for (std::size_t r = 0; r < of_.job.ranks(); ++r) add_step(r, batches, broadcasts, syncs);
    }
    return std::move(of_);
  }

 private:
  void member(std::size_t key, const char* description, std::size_t rank) {
    const auto [at, is_new] = numbers_.try_emplace(key, of_.job.groups.size());
    if (is_new) of_.job.groups.push_back({std::to_string(at->second), description, {}});
    of_.job.groups[at->second].members.push_back(static_cast<std::int64_t>(rank));
  }
  std::size_t group_of(std::size_t rank, const char* description) const {
    const auto at = std::ranges::find_if(of_.job.groups, [&](const GroupSpec& group) {
      return group.description == description && group.has(static_cast<std::int64_t>(rank));
    });
    return static_cast<std::size_t>(at - of_.job.groups.begin());
  }

  void add_step(std::size_t rank, bool batches, bool broadcasts, bool syncs) {
    std::vector<Step>& program = of_.job.programs[rank];
    const std::size_t tensor = group_of(rank, "TENSOR"), pipeline = group_of(rank, "PIPELINE"),
                      data = group_of(rank, "DATA");
    const auto call = [&](std::size_t group, const char* operation, std::int64_t elements, const char* line) {
      if (of_.job.groups[group].members.size() > 1)
        program.push_back({.group = group, .operation = operation, .line = line, .elements = elements});
    };
    add_pipeline(rank, pipeline, batches);
    call(tensor, "all_reduce", 4096, "layer.py:20");
    call(tensor, "all_gather", 512, "layer.py:21");
    call(data, "_reduce_scatter_base", 2048, "optimizer.py:30");
    call(data, "all_to_all", static_cast<std::int64_t>(100 + below(random_, 50)), "experts.py:31");
    if (!batches) call(pipeline, "all_reduce", 16, "loss.py:45");
    call(0, "all_reduce", 1 << 20, "train.py:40");
    if (broadcasts) {
      call(0, "broadcast", 8, "train.py:41");
      program.back().peer = 0;
    }
    if (syncs) program.push_back({.act = Act::kSync});
  }

  void add_pipeline(std::size_t rank, std::size_t group, bool batches) {
    const auto stages = static_cast<std::int64_t>(of_.job.groups[group].members.size());
    const std::int64_t stage = of_.job.groups[group].place_of(static_cast<std::int64_t>(rank));
    std::vector<Step>& program = of_.job.programs[rank];
    if (stages < 2) return;
    const auto end = [&](Act act, std::int64_t peer, const char* line) {
      return Step{.act = act, .group = group, .line = line, .elements = 64, .peer = peer};
    };
    if (batches) {
      program.push_back({.act = Act::kBatch,
                         .group = group,
                         .line = "ring.py:12",
                         .parts = {end(Act::kSend, (stage + 1) % stages, "ring.py:10"),
                                   end(Act::kReceive, (stage + stages - 1) % stages, "ring.py:11")}});
      return;
    }
    const std::size_t microbatches = 2;
    for (std::size_t m = 0; m < microbatches; ++m) {
      if (stage > 0) program.push_back(end(Act::kReceive, stage - 1, "pipeline.py:10"));
      if (stage + 1 < stages) program.push_back(end(Act::kSend, stage + 1, "pipeline.py:11"));
    }
  }

  Random& random_;
  std::size_t tensor_ = 0, stages_ = 0;
  std::map<std::size_t, std::size_t> numbers_;
  Case of_;
};

/// Positions in the first half of a program, before which and after which a job goes on as usual.
std::size_t any_place(const std::vector<Step>& program, Random& random) { return below(random, program.size() / 2); }

/// Positions of steps that fit, of these.
std::vector<std::size_t> places(const std::vector<Step>& program, const std::function<bool(const Step&)>& fits) {
  std::vector<std::size_t> at;
  for (std::size_t s = 0; s < program.size() / 2; ++s) {
    if (fits(program[s])) at.push_back(s);
  }
  return at;
}

class Fault {
 public:
  Fault(Case& of, Random& random) : of_(of), random_(random), victim_(below(random, of.job.ranks())) {}

  void apply(const std::string& kind) {
    if (kind == "healthy") return;
    if (kind == "unlike operation") return differ([](Step& step) { step.operation = "all_to_all"; });
    if (kind == "unlike size") return differ([](Step& step) { step.elements /= 2; });
    if (kind == "unlike type") return differ([](Step& step) { step.type = "Half"; });
    if (kind == "missing call") return leave_out([](const Step& step) { return step.act == Act::kCall; });
    if (kind == "extra call") return add_call();
    if (kind == "order of groups") return swap_calls();
    if (kind == "subgroup without member") return leave_subgroup();
    if (kind == "send or receive left out")
      return leave_out([](const Step& step) { return step.act == Act::kSend || step.act == Act::kReceive; });
    if (kind == "collective between sends left out")
      return leave_out([&](const Step& step) { return step.line == "loss.py:45"; });
    if (kind == "call that most have not") return add_last_call();
    if (kind == "device stuck") return stick();
    if (kind == "device stuck in a completed call") return unnotice();
    if (kind == "slow host") return sleep(victim_, true);
    if (kind == "chain") return chain();
    if (kind == "dead process") return die();
    if (kind == "cut buffer") return cut();
    if (kind == "open calls only") return open_only();
    if (kind == "two slow hosts") return two();
    if (kind == "two faults") return two_kinds();
    if (kind == "few dumps") return few();
  }

 private:
  std::vector<Step>& program() { return of_.job.programs[victim_]; }
  [[nodiscard]] std::int64_t rank() const { return static_cast<std::int64_t>(victim_); }
  [[nodiscard]] const GroupSpec& group(const Step& step) const { return of_.job.groups[step.group]; }
  void blame(std::int64_t rank) { of_.guilty.insert(rank); }
  std::size_t one_of(const std::vector<std::size_t>& places) { return places[below(random_, places.size())]; }

  template <class Change>
  void differ(const Change& change) {
    const auto at = places(program(), [&](const Step& step) {
      return step.act == Act::kCall && (step.operation == "all_reduce" || step.operation == "_reduce_scatter_base");
    });
    if (at.empty()) return;
    Step& step = program()[one_of(at)];
    change(step);
    blame(rank());
    of_.shows = true;
  }

  template <class Fits>
  void leave_out(const Fits& fits) {
    const auto at = places(program(), fits);
    if (at.empty()) return;
    const auto out = static_cast<std::ptrdiff_t>(one_of(at));
    program().erase(program().begin() + out);
    blame(rank());
  }

  void add_call() {
    const auto at = places(program(), [](const Step& step) { return step.act == Act::kCall; });
    if (at.empty()) return;
    Step step = program()[one_of(at)];
    step.line = "extra.py:5";
    program().insert(program().begin() + static_cast<std::ptrdiff_t>(any_place(program(), random_)), step);
    blame(rank());
  }

  void add_last_call() {
    if (of_.job.ranks() < 3) return;
    program().push_back({.line = "save.py:9"});
    blame(rank());
    of_.shows = true;
  }

  void swap_calls() {
    const auto at = places(program(), [](const Step& step) { return step.act == Act::kCall; });
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      Step &first = program()[at[i]], &second = program()[at[i + 1]];
      if (at[i] + 1 != at[i + 1] || first.group == second.group) continue;
      if (first.operation == "broadcast" || second.operation == "broadcast") continue;
      std::swap(first, second);
      first.line = second.line = "swapped.py:7";
      blame(rank());
      return;
    }
  }

  void leave_subgroup() {
    const auto at = places(program(), [](const Step& step) { return step.act == Act::kCall && step.group != 0; });
    if (at.empty()) return;
    const std::size_t out = program()[one_of(at)].group;
    std::erase_if(program(), [&](const Step& step) { return step.act == Act::kCall && step.group == out; });
    blame(rank());
  }

  void sleep(std::size_t victim, bool shows) {
    std::vector<Step>& steps = of_.job.programs[victim];
    if (steps.empty()) return;
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(any_place(steps, random_)), {.act = Act::kSleep});
    blame(static_cast<std::int64_t>(victim));
    of_.shows = shows;
  }

  void chain() {
    victim_ = 0;
    sleep(0, true);
  }

  void stick() {
    program().insert(program().begin() + static_cast<std::ptrdiff_t>(any_place(program(), random_)),
                     {.act = Act::kStick});
    blame(rank());
  }

  void unnotice() {
    of_.job.takings[victim_].unnoticed = 1;
    of_.shows = std::ranges::none_of(program(), [](const Step& step) { return step.operation == "broadcast"; });
    blame(rank());
  }

  void die() {
    sleep(victim_, of_.job.ranks() > 1);
    of_.job.takings[victim_].is_missing = true;
  }

  void cut() {
    for (DumpTaking& taking : of_.job.takings) taking.buffer = 6 + below(random_, 10);
    sleep(victim_, false);
  }

  void open_only() {
    const bool has_status = is_heads(random_);
    for (DumpTaking& taking : of_.job.takings) {
      taking.only_open = true;
      taking.has_status = has_status;
    }
    sleep(victim_, has_status);
  }

  void two() {
    sleep(victim_, false);
    sleep((victim_ + 1 + below(random_, of_.job.ranks() - 1)) % of_.job.ranks(), false);
  }

  void two_kinds() {
    sleep(victim_, false);
    victim_ = (victim_ + 1) % of_.job.ranks();
    differ([](Step& step) { step.elements *= 2; });
    of_.shows = false;
  }

  void few() {
    sleep(victim_, false);
    for (std::size_t r = 0; r < of_.job.ranks() / 2 + 1; ++r) of_.job.takings[r].is_missing = true;
    of_.guilty.clear();
  }

  Case& of_;
  Random& random_;
  std::size_t victim_;
};

}  // namespace

std::vector<std::string> kinds() {
  return {"healthy",
          "missing call",
          "extra call",
          "unlike operation",
          "unlike size",
          "unlike type",
          "order of groups",
          "subgroup without member",
          "send or receive left out",
          "collective between sends left out",
          "call that most have not",
          "slow host",
          "chain",
          "device stuck",
          "device stuck in a completed call",
          "dead process",
          "cut buffer",
          "open calls only",
          "two slow hosts",
          "two faults",
          "few dumps"};
}

Case made_case(const std::string& kind, std::size_t ranks, unsigned seed) {
  Random random(seed * 7919U + static_cast<unsigned>(ranks));
  Case made = Builder(ranks, random).build();
  Fault(made, random).apply(kind);
  made.job.run();
  return made;
}

}  // namespace assay::made
