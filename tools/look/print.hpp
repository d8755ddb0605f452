// Prints a page to the terminal or as a single HTML file.
#pragma once

#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "look/page.hpp"
#include "render/render.hpp"

namespace assay::look {

/// The commands that print 12 rows of a table write all of them with -o.
inline constexpr std::size_t kPrintedRows = 12, kEveryRow = std::string::npos - 1;

/// `rows`: of a table at most; `all`: the option that shows all.
void print_page(const Page& page, std::ostream& to, const TerminalStyle& style, std::size_t rows = kPrintedRows,
                std::string_view all = "-o");

/// Anchors by link text.
using PageLinks = std::map<std::string, std::string, std::less<>>;

/// Leaves out columns that say nothing.
void leave_out_what_says_nothing(PageSection& part);

/// Markup of a section: title, bar or picture, table, sentences, advice. Rows whose first cell is in `links` link
/// there.
std::string html_part(const PageSection& part, const std::string& id, const PageLinks& links = {}, bool folded = false);

/// A page of a command: the first of `pages`, below it the others, folded. `opened`: tables below a picture that are
/// not folded. Fetches nothing.
std::string html_page(const std::vector<Page>& pages, const std::string& command = "look", std::size_t opened = 0);

/// For programs: an object with title, headline and parts; cells are the texts shown to people.
std::string json_of(const Page& page);

}  // namespace assay::look
