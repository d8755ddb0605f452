#include "formats/torch/hosts.hpp"

#include "formats/torch/number.hpp"

namespace assay::load {
namespace {

/// Length of "[TP01-DP00] "; 0: the token has no such prefix.
std::size_t rank_length(std::string_view token) {
  const std::size_t close = token.starts_with('[') ? token.find("] ") : std::string_view::npos;
  return close == std::string_view::npos ? 0 : close + 2;
}

std::int64_t id_of(std::string_view token) { return parse_decimal(token.substr(rank_length(token))).value_or(kNone); }

}  // namespace

std::uint32_t Hosts::thread(std::string_view process, std::string_view thread) {
  const bool known = last_ != std::numeric_limits<std::uint32_t>::max();
  if (known && thread == last_thread_ && process == last_process_) return last_;  // neighbours mostly agree
  last_ = look_up(process, thread);
  last_process_ = process;
  last_thread_ = thread;
  return last_;
}

std::uint32_t Hosts::look_up(std::string_view process, std::string_view thread) {
  auto at = processes_.find(process);
  if (at == processes_.end()) {
    const std::int64_t id = id_of(process);
    at = processes_.emplace(process, out_.add_process(id)).first;
    rank_of_process_.push_back(rank(process));
    process_numbered_.push_back(id != kNone);
  }
  const auto [row, fresh] = rows_.try_emplace({at->second, std::string(thread)}, 0U);
  if (fresh) {
    const std::int64_t id = id_of(thread);
    row->second = out_.add_thread(at->second, id, {});
    process_of_thread_.push_back(at->second);
    numbered_.push_back(id != kNone && process_numbered_[at->second]);
  }
  return row->second;
}

const std::vector<std::uint32_t>& Hosts::ranks() {
  if (rank_of_process_.empty()) rank_of_process_.assign(out_.add_process(kNone) + 1, kUnknown);
  return rank_of_process_;
}

std::uint32_t Hosts::rank(std::string_view process) {
  const std::string_view name = process.substr(0, rank_length(process));
  if (name.empty()) return kUnknown;
  const auto at = ranks_.find(name);
  return at != ranks_.end() ? at->second
                            : ranks_.emplace(name, static_cast<std::uint32_t>(ranks_.size())).first->second;
}

}  // namespace assay::load
