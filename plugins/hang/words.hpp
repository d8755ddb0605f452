// Verdicts as sentences.
#pragma once

#include <string>

#include "algo/rank_words.hpp"
#include "rule.hpp"

namespace assay::hang {

/// "nccl:all_reduce (train.py:28)"; without frames "nccl:all_reduce 17 of default_pg".
std::string call_text(const Job& job, const Call& call);

/// "reduce_gradients (hang.py:23) < <module> (hang.py:37)": files without folders.
std::string frames_text(const std::string& frames);

/// "rank 2 left out nccl:all_reduce (train.py:23); 3 ranks wait for it, as of these dumps".
std::string first_line(const Job& job, const Verdict& verdict);

}  // namespace assay::hang
