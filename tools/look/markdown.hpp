// A page as a comment on a pull request.
#pragma once

#include <string>

#include "look/page.hpp"

namespace assay::look {

/// Its headline, first table and sentences in Markdown, in at most 25 lines.
std::string markdown_of(const Page& page);

}  // namespace assay::look
