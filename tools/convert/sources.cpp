#include "convert/sources.hpp"

#include <fmt/core.h>

#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "files/walk.hpp"
#include "load/format.hpp"
#include "load/report_names.hpp"

namespace assay::convert {
namespace fs = std::filesystem;
namespace {

std::optional<Tool> tool_for(const fs::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".nsys-rep" || extension == ".qdrep") return Tool::kNsys;
  if (extension == ".ncu-rep") return Tool::kNcu;
  return std::nullopt;
}

std::vector<Export> exports_of(Tool tool, const fs::path& report) {
  const std::string stem = (report.parent_path() / report.stem()).native();
  if (tool == Tool::kNsys) return {{stem + ".sqlite", ""}};
  return {{stem + ".ncu.raw.csv", "raw"}, {stem + ".ncu.details.csv", "details"}};
}

std::string problem_of(const fs::path& report) {
  std::error_code failed;
  const fs::file_status status = fs::status(report, failed);
  if (status.type() == fs::file_type::not_found) return "it is a dangling link; repair or remove it";
  if (!fs::is_regular_file(status)) return "it is not a regular file; expected a profile, rename or remove it";
  std::string head(64, '\0');
  std::ifstream in(report, std::ios::binary);
  if (!in) return "it cannot be read; check its permissions";
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (in.gcount() == 0) return "it is empty; copy or record it again";
  if (head.starts_with("version https://git-lfs")) {
    return "it is a Git LFS pointer, not the profile itself; fetch it with 'git lfs pull'";
  }
  return {};
}

class Collector {
 public:
  void add(const fs::path& report, Tool tool) {
    std::error_code ignored;
    const fs::path folder = fs::canonical(fs::absolute(report).parent_path(), ignored);
    if (!seen_.insert(folder / report.filename()).second) return;
    Source source{tool, report, exports_of(tool, report), problem_of(report)};
    for (const Export& made : source.exports) {
      const auto [at, fresh] = makers_.emplace(folder / made.file.filename(), report.filename().native());
      if (!fresh && source.problem.empty()) {
        source.problem = fmt::format("its export would be {}, which is also that of {}; rename one of them",
                                     made.file.filename().native(), at->second);
      }
    }
    found_.list.push_back(std::move(source));
  }

  void add_folder(const fs::path& root) {
    const Tree tree = walk(root, named_like_a_report);
    for (const WalkedFile& file : tree.files) {
      const fs::path path = file.below.empty() ? root : root / file.below;
      if (!file.reason.empty()) {
        found_.notes.push_back(
            fmt::format("{}: this folder cannot be listed ({}); check its permissions", path.native(), file.reason));
      } else if (const auto tool = tool_for(path)) {
        add(path, *tool);
      }
    }
    for (const std::string& link : tree.circles) {
      found_.notes.push_back(fmt::format("{}: this link leads to a folder that holds this one, so it was not followed",
                                         (root / link).native()));
    }
  }

  Sources release() { return std::move(found_); }

 private:
  Sources found_;
  std::set<fs::path> seen_;
  std::map<fs::path, std::string> makers_;
};

}  // namespace

Result<Sources> find_sources(std::span<const fs::path> places) {
  Collector collector;
  for (const fs::path& place : places) {
    std::error_code ignored;
    const fs::file_status status = fs::status(place, ignored);
    if (!fs::exists(status)) {
      return Error{fmt::format("'{}' does not exist", place.native())}
          .at(place.native())
          .advise("name profiles or the folder that holds them");
    }
    if (fs::is_directory(status)) {
      collector.add_folder(place);
    } else if (const auto tool = tool_for(place)) {
      collector.add(place, *tool);
    } else if (const load::Format* format = load::format_of(place)) {
      return Error{fmt::format("'{}' is a {}, which needs no conversion", place.native(), format->one_file)}
          .at(place.native())
          .advise(fmt::format("run assay look '{}'", place.native()));
    } else {
      return Error{fmt::format("'{}' cannot be converted", place.native())}
          .at(place.native())
          .advise("expected a .nsys-rep, .qdrep or .ncu-rep file, or a folder of them");
    }
  }
  return collector.release();
}

}  // namespace assay::convert
