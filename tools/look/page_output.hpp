// Where -o of a command writes its page: a file, or a folder.
#pragma once

#include <filesystem>
#include <string>

#include "render/html/html.hpp"
#include "result.hpp"

namespace assay::look {

struct PageOutput {
  std::filesystem::path out;  ///< ends in .html, or is no folder but there: the page; else a folder; empty: none
  std::string name;           ///< the folder gets NAME.html and NAME.json
  bool force = false;         ///< replaces a page of assay
  files::OutputKind kind = kHtmlPage;

  /// Whether it may be written, before anything is read.
  [[nodiscard]] Status check() const;
  [[nodiscard]] Status write(const std::string& html, const std::string& json) const;
};

/// A page of a text as printed, whose first line is the heading.
std::string text_page(const std::string& title, const std::string& text);

}  // namespace assay::look
