// A page on the terminal, and as one file of HTML.
#pragma once

#include <ostream>
#include <string>

#include "look/page.hpp"
#include "render/render.hpp"

namespace assay::look {

void print_page(const Page& page, std::ostream& to, const TerminalStyle& style);

/// A part as markup: its title, its table, its sentences.
std::string html_part(const Part& part, const std::string& id);

/// It fetches nothing and runs no script.
std::string html_page(const std::vector<Page>& pages);

/// For programs: an object with title, headline and parts; cells are the texts that people read.
std::string json_of(const Page& page);

}  // namespace assay::look
