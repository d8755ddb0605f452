// The pages of `look`: one per run, and one for all.
#pragma once

#include <string>
#include <vector>

#include "words.hpp"

namespace assay::overview {

/// `limits` and `unlike`: one per run; `answer` is the headline of the common page.
void emit_pages(const StudyView& view, const std::vector<Run>& runs, const std::vector<Limit>& limits,
                const std::vector<Unlike>& unlike, const std::vector<Advice>& advice, const std::string& answer,
                StudySink& sink);

}  // namespace assay::overview
