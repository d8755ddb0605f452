// What the pages of `look` say: one for each run, and one for all together.
#pragma once

#include <string>
#include <vector>

#include "words.hpp"

namespace assay::overview {

/// `limits` and `unlike`: one for each run; `answer` heads the page of all.
void emit_pages(const StudyView& view, const std::vector<Run>& runs, const std::vector<Limit>& limits,
                const std::vector<Unlike>& unlike, const std::vector<Advice>& advice, const std::string& answer,
                StudySink& sink);

}  // namespace assay::overview
