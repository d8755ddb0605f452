// A page on the terminal, and as one file of HTML.
#pragma once

#include <functional>
#include <map>
#include <ostream>
#include <string>

#include "look/page.hpp"
#include "render/render.hpp"

namespace assay::look {

void print_page(const Page& page, std::ostream& to, const TerminalStyle& style);

/// Anchors by the texts that link to them.
using PageLinks = std::map<std::string, std::string, std::less<>>;

/// A part as markup: its title, its bar and table, its sentences. Rows whose first cell is in `links` link there.
std::string html_part(const PageSection& part, const std::string& id, const PageLinks& links = {});

/// It fetches nothing and runs no script.
std::string html_page(const std::vector<Page>& pages);

/// For programs: an object with title, headline and parts; cells are the texts that people read.
std::string json_of(const Page& page);

}  // namespace assay::look
