#include "look/page_output.hpp"

#include <fmt/core.h>

#include <vector>

#include "files/staged_file.hpp"

namespace assay::look {
namespace {
namespace fs = std::filesystem;

const files::OutputKind kDocument{.name = "a document in JSON", .begins = "{"};

bool is_page(const fs::path& out) {
  std::error_code failed;
  return out.extension() == ".html" || (fs::exists(out, failed) && !fs::is_directory(out, failed));
}

/// The files with their kinds: the page first.
std::vector<std::pair<fs::path, files::OutputKind>> files_of(const PageOutput& output) {
  if (is_page(output.out)) return {{output.out, output.kind}};
  return {{output.out / (output.name + ".html"), output.kind}, {output.out / (output.name + ".json"), kDocument}};
}

}  // namespace

Status PageOutput::check() const {
  std::error_code failed;
  if (out.empty()) return ok();
  for (const auto& [file, kind_of] : files_of(*this)) {
    if (!fs::exists(file.parent_path(), failed) && !is_page(out)) continue;  // the folder is made
    if (Status free = files::check_replaceable(file, kind_of); !free) return free;
    if (!force && fs::is_regular_file(file, failed))
      return Error{fmt::format("'{}' already exists", file.string())}
          .at(file.string())
          .advise("name another file with -o, or replace it with --force");
  }
  return ok();
}

Status PageOutput::write(const std::string& html, const std::string& json) const {
  std::error_code failed;
  if (!is_page(out)) fs::create_directories(out, failed);
  if (failed) return files::not_written(out, failed.message());
  for (const auto& [file, kind_of] : files_of(*this)) {
    const bool page = file == files_of(*this).front().first;
    if (Status written = files::write_text(file, kind_of, page ? html : json); !written) return written;
  }
  return ok();
}

std::string text_page(const std::string& title, const std::string& text) {
  const std::size_t first = text.find_first_not_of('\n'), end = text.find('\n', first);
  return html_document(title + " – assay", "",
                       fmt::format("<section><h1>{}</h1>\n<div class=\"canvas\" tabindex=\"0\" role=\"group\" "
                                   "aria-label=\"{}\"><pre>{}</pre></div></section>\n",
                                   html(text.substr(first, end - first)), html(title), html(text.substr(end + 1))));
}

}  // namespace assay::look
