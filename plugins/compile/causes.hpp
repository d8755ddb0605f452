// Why a program compiled: each compilation has one cause.
#pragma once

#include "log.hpp"

namespace assay::compile {

enum class CauseKind : std::uint8_t { kFirst, kBreak, kRecompile, kFailure };

struct Cause {
  CauseKind kind = CauseKind::kFirst;
  std::string what = {};       ///< "size of 'x' at index 0 changes (8, then 12)"
  std::string place = {};      ///< "model.py:28"; of several functions those of the first
  std::string remedy = {};     ///< what PyTorch says to do; empty: nothing
  std::size_t count = 0;       ///< breaks met, recompiles, compilations
  std::int64_t time = 0;       ///< ns, of the compilations that it caused
  bool in_every_call = false;  ///< of a break: every graph of the function ends there
};

struct CauseList {
  std::vector<Cause> causes;    ///< by time, largest first
  std::vector<std::size_t> of;  ///< the cause of each compilation
  std::int64_t time = 0;        ///< of all compilations
  std::size_t graphs = 0, failed = 0;
};

/// The times of all causes sum to that of the log.
CauseList causes_of(const CompileLog& log);

}  // namespace assay::compile
