#include "made_job.hpp"

#include <algorithm>
#include <set>

namespace assay::made {
namespace {

bool is_p2p(const Step& step) { return step.act == Act::kSend || step.act == Act::kReceive; }

bool fits(const Step& a, const Step& b) {
  return a.operation == b.operation && a.type == b.type && (a.elements == b.elements || a.operation == "all_to_all");
}

std::string name_of(const Step& step, std::int64_t place) {
  if (!is_p2p(step)) return "nccl:" + step.operation;
  const bool sends = step.act == Act::kSend;
  return std::string(sends ? "nccl:send " : "nccl:recv ") + std::to_string(place) + (sends ? "->" : "<-") +
         std::to_string(step.peer);
}

}  // namespace

std::int64_t GroupSpec::place_of(std::int64_t rank) const {
  const auto at = std::ranges::find(members, rank);
  return at == members.end() ? -1 : at - members.begin();
}

std::string GroupSpec::ranks() const {
  std::string text;
  for (const std::int64_t rank : members) text += (text.empty() ? "" : ", ") + std::to_string(rank);
  return "[" + text + "]";
}

void MadeJob::run() {
  states_.assign(ranks(), {});
  takings.resize(ranks());
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      while (advance_host(rank)) moved = true;
      while (advance_device(rank)) moved = true;
    }
  }
}

bool MadeJob::is_through(std::size_t rank) const {
  const RankState& state = states_[rank];
  return state.next == programs[rank].size() && state.first_open == state.calls.size() && !state.is_asleep;
}

bool MadeJob::advance_host(std::size_t rank) {
  RankState& state = states_[rank];
  if (state.is_asleep || state.next == programs[rank].size()) return false;
  const Step& step = programs[rank][state.next];
  if (step.act == Act::kSync && state.first_open < state.calls.size()) return false;
  ++state.next;
  if (step.act == Act::kSleep) state.is_asleep = true;
  if (step.act != Act::kSleep && step.act != Act::kSync) issue(rank, step);
  return true;
}

MadeJob::End MadeJob::end_of(std::size_t rank, const Step& step) const {
  const std::int64_t own = groups[step.group].place_of(static_cast<std::int64_t>(rank));
  const bool sends = step.act == Act::kSend;
  return {step.group, sends ? own : step.peer, sends ? step.peer : own, sends};
}

void MadeJob::issue(std::size_t rank, const Step& step) {
  RankState& state = states_[rank];
  IssuedCall call{.step = &step, .turns = {}};
  if (step.act == Act::kCall) call.turns.push_back(state.turns[step.group]++);
  if (is_p2p(step)) call.turns.push_back(issued_[end_of(rank, step)]++);
  for (const Step& part : step.parts) call.turns.push_back(issued_[end_of(rank, part)]++);
  if (step.act == Act::kCall || step.act == Act::kBatch) ++state.numbers[step.group];
  if (is_p2p(step)) ++state.p2p_numbers[step.group];
  call.number = state.numbers[step.group];
  call.p2p_number = state.p2p_numbers[step.group];
  state.calls.push_back(std::move(call));
}

bool MadeJob::advance_device(std::size_t rank) {
  RankState& state = states_[rank];
  std::set<std::size_t> blocked;  // groups with an earlier open call
  for (std::size_t c = state.first_open; c < state.calls.size(); ++c) {
    IssuedCall& call = state.calls[c];
    if (call.completed) continue;
    if (!blocked.empty() && (!is_async || blocked.contains(call.step->group))) {
      if (!is_async) break;
      continue;
    }
    if (call.step->act == Act::kStick) return false;
    if (!call.started) start(rank, call);
    if (is_done(rank, call)) {
      call.completed = true;
      call.finished = ++state.finished;
      while (state.first_open < state.calls.size() && state.calls[state.first_open].completed) ++state.first_open;
      return true;
    }
    blocked.insert(call.step->group);
  }
  return false;
}

void MadeJob::start(std::size_t rank, IssuedCall& call) {
  call.started = true;
  const Step& step = *call.step;
  if (step.act == Act::kCall)
    entered_[{step.group, call.turns.front()}][groups[step.group].place_of(static_cast<std::int64_t>(rank))] = &step;
  if (is_p2p(step)) ++begun_[end_of(rank, step)];
  for (const Step& part : step.parts) ++begun_[end_of(rank, part)];
}

bool MadeJob::is_done(std::size_t rank, const IssuedCall& call) const {
  const Step& step = *call.step;
  const auto has_partner = [&](const Step& one, std::size_t turn) {
    End other = end_of(rank, one);
    std::get<3>(other) = !std::get<3>(other);
    const auto at = begun_.find(other);
    return at != begun_.end() && at->second > turn;
  };
  if (is_p2p(step)) return has_partner(step, call.turns.front());
  if (step.act == Act::kBatch) {
    for (std::size_t p = 0; p < step.parts.size(); ++p) {
      if (!has_partner(step.parts[p], call.turns[p])) return false;
    }
    return true;
  }
  const auto& entered = entered_.at({step.group, call.turns.front()});
  const std::int64_t own = groups[step.group].place_of(static_cast<std::int64_t>(rank));
  const bool is_root = own == step.peer;
  if ((step.operation == "broadcast" && is_root) || (step.operation == "reduce" && !is_root)) return true;
  if (step.operation == "broadcast") return entered.contains(step.peer) && fits(*entered.at(step.peer), step);
  if (entered.size() < groups[step.group].members.size()) return false;
  return std::ranges::all_of(entered, [&](const auto& one) { return fits(*one.second, step); });
}

std::vector<MadeRecord> MadeJob::records(std::size_t rank) const {
  const RankState& state = states_[rank];
  const DumpTaking& taking = takings[rank];
  std::vector<MadeRecord> all;
  for (const IssuedCall& call : state.calls) {
    const Step& step = *call.step;
    if (step.act == Act::kStick) continue;
    const bool completed = call.completed && call.finished + taking.unnoticed <= state.finished;
    const std::int64_t place = groups[step.group].place_of(static_cast<std::int64_t>(rank));
    const auto add = [&](const Step& one, const std::string& name, bool is_shown_completed) {
      all.push_back({static_cast<std::int64_t>(all.size()), step.group, call.number, call.p2p_number, name, one.type,
                     one.line, one.elements, is_p2p(one) || step.act == Act::kBatch, is_shown_completed});
    };
    // Parts of a batch are never seen to complete.
    for (const Step& part : step.parts) add(part, name_of(part, place), false);
    add(step, step.act == Act::kBatch ? "nccl:coalesced" : name_of(step, place), completed);
  }
  if (all.size() > taking.buffer) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(taking.buffer));
  if (taking.only_open) std::erase_if(all, &MadeRecord::completed);
  return all;
}

std::map<std::size_t, MadeStatus> MadeJob::statuses(std::size_t rank) const {
  std::map<std::size_t, MadeStatus> all;
  if (!takings[rank].has_status) return all;
  for (const IssuedCall& call : states_[rank].calls) {
    if (call.step->act == Act::kStick) continue;
    MadeStatus& status = all[call.step->group];
    status.called = std::max(status.called, call.number);
    const bool noticed = call.finished + takings[rank].unnoticed <= states_[rank].finished;
    if (call.completed && noticed) status.completed = std::max(status.completed, call.number);
  }
  return all;
}

}  // namespace assay::made
