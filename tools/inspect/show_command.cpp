#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "files/read_file.hpp"
#include "results/stored_results.hpp"

namespace assay {
namespace {

/// Prints findings.json of the result, byte for byte.
Exit print_findings(const std::filesystem::path& out) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::is_directory(out, failed) ? out : out.parent_path();
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30U;
  const Result<std::string> text = files::read_file(folder / "findings.json", kLargest, files::NamedBy::kAssay);
  if (!text || !nlohmann::json::accept(*text))
    return fail(
        Error{fmt::format("'{}' {}", (folder / "findings.json").string(), text ? "is not JSON" : text.error().sentence)}
            .at((folder / "findings.json").string())
            .advise("run the question again"));
  std::cout << *text;
  return Exit::kOk;
}

Exit show_results(const std::filesystem::path& out, bool whole) {
  const auto questions = read_results(out, false);
  if (!questions) return fail(questions.error());
  if (document::wanted()) return print_findings(out);
  std::vector<SummaryInput> inputs;
  for (const StoredQuestion& question : *questions) inputs.push_back(question.summary());
  TerminalStyle style = output_style();
  style.whole = whole;
  print_summary(inputs, std::cout, style);
  return Exit::kOk;
}

}  // namespace

void add_show(CommandLine& line) {
  constexpr const char* kFooter = R"(Examples:
  assay show out
  assay show out -v)";
  const auto out = std::make_shared<std::filesystem::path>();
  CLI::App& command = line.add("show", "Print a finished result again", kFooter, out,
                               [&line](const auto& folder) { return show_results(folder, line.verbose > 0); });
  add_option(command, "out", *out, "Folder that 'assay run -o' wrote")->required()->type_name("OUT");
  document::add_flag(command);
  add_verbose(command, line);
}

}  // namespace assay
