#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "check/checks.hpp"
#include "check/configured.hpp"
#include "check/format_checks.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "files/glob.hpp"
#include "load/columns.hpp"
#include "load/format.hpp"
#include "plugins/formats.hpp"
#include "plugins/library_file.hpp"
#include "plugins/plugins.hpp"
#include "process/contained.hpp"
#include "recognise/profiles.hpp"
#include "render/format.hpp"
#include "render/rows.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "result.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::string plugin;                               ///< an id, or the file of a plugin
  std::vector<std::filesystem::path> plugin_paths;  ///< of analyzers whose metrics it reads
  std::filesystem::path config;                     ///< provides the options to check it with; empty: its defaults
  std::vector<std::filesystem::path> reports;       ///< folders of reports that must have the columns it reads; empty:
                                                    ///< not checked
  RowFormat format = RowFormat::kTable;
  process::Limits limits{std::chrono::minutes(1), std::uint64_t{4096} << 20};  ///< of one case
};

constexpr std::size_t kDetail = 160;  ///< columns

/// Opens the plugin in its own process first, since a library may do anything when it is loaded.
check::CheckResult handshake(const fs::path& file, const process::Limits& limits, const std::atomic<bool>& stop) {
  const auto open = [&]() -> check::CaseReply {
    const auto plugin = Plugin::open(file);
    if (!plugin) return {check::CaseStatus::kFailed, plugin.error().sentence};
    const Descriptor& d = (*plugin)->descriptor();
    return {check::CaseStatus::kOk, fmt::format("{} {}, built with {}", d.id.view(), d.version.view(), built_with(d))};
  };
  return run(check::Case{"", open}, limits, stop);
}

/// Producers of metrics among the analyzers of a run besides this one.
check::Makers makers_in(const std::vector<fs::path>& folders, std::string_view but) {
  check::Makers makers;
  for (const auto& plugin : load_plugins(folders).loaded) {
    if (plugin->id() == but) continue;
    for (const MetricSpec& metric : plugin->descriptor().produces) makers.emplace(metric.id.view(), plugin->id());
    for (const AttributeSpec& attribute : plugin->descriptor().attributes)
      makers.emplace(attribute.name.view(), plugin->id());
  }
  return makers;
}

/// For a plugin that rejects the options it is to be checked with.
Exit nothing_tried(const TextTable& table, RowFormat format, std::string_view id) {
  table.write(std::cout, format);
  std::cout << std::flush;
  const std::string name(id);
  return fail(Error{name + " refuses these options, so nothing else could be tested", Exit::kFailed}.advise(
      "give --config CONFIG with an [analyzers." + name + "] that it accepts"));
}

void add_row(TextTable& table, RowFormat format, const std::string& name, const check::CheckResult& checked) {
  if (format != RowFormat::kTable)
    return table.row({name, checked.result, exact(checked.seconds), std::to_string(checked.peak), checked.detail});
  table.row({name, checked.result, fixed(checked.seconds, 2) + " s",
             fixed(static_cast<double>(checked.peak) / (1 << 20), 1) + " MB",
             shortened(one_line(checked.detail), kDetail)});
}

TextTable table_of_checks(RowFormat format) {
  const bool for_people = format == RowFormat::kTable;
  return TextTable({{"check"},
                    {"result"},
                    {for_people ? "time" : "seconds", true},
                    {for_people ? "memory" : "memory_bytes", true},
                    {"detail"}});
}

Exit print_outcome(const TextTable& table, std::string_view id, std::size_t all, std::size_t bad, std::size_t odd,
                   RowFormat format) {
  table.write(std::cout, format);
  if (bad == 0) {
    if (format != RowFormat::kTable) return Exit::kOk;
    std::cout << "\n"
              << id << " passes all " << all << " checks"
              << (odd > 0 ? ", " + std::to_string(odd) + " of them with a warning" : "") << ".\n";
    return Exit::kOk;
  }
  std::cout << std::flush;
  return fail(
      Error{fmt::format("{} fails {} of {}", std::string(id), bad, counted(all, "check")), Exit::kFailed}.advise(
          "each row says why"));
}

/// Columns that the analyzer reads and none of these reports has.
Result<check::CheckResult> columns_of_reports(const Descriptor& declared, const std::vector<fs::path>& places) {
  const auto catalog = profiles_at(places, {}, {.option = "--reports"});
  if (!catalog) return catalog.error();
  std::set<ColumnId> absent(declared.needs.begin(), declared.needs.end());
  absent.insert(declared.wants.begin(), declared.wants.end());
  const std::set<ColumnId> reads = absent;
  std::size_t read = 0;
  check::CheckResult checked{"ok", {}};
  for (const ProfileFiles& files : files_of(*catalog)) {
    const auto profile = read_profile(files, reads);
    const auto view = profile ? profile->view({}, {}) : Result<Profile::View>(profile.error());
    if (!view) continue;
    ++read;
    std::erase_if(absent, [&](ColumnId id) {
      const ColumnInfo* info = find_column(id);
      return info != nullptr && info->has_column(view->report());
    });
  }
  if (read == 0) return Error{"no profile in the folders of --reports could be read"};
  for (const ColumnId id : absent) {
    const ColumnInfo* info = find_column(id);
    checked.detail += (checked.detail.empty() ? "no profile has " : ", ") +
                      std::string(info == nullptr ? "a column unknown to this host" : info->name);
  }
  if (!checked.detail.empty()) checked.result = "warning";
  checked.detail = counted(read, "profile") + (checked.detail.empty() ? "" : ": " + checked.detail);
  return checked;
}

/// Resolves an id as the host would, or a path.
Result<fs::path> file_of(const CheckOptions& options) {
  if (is_plugin_file(options.plugin)) return fs::absolute(options.plugin);
  const Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));
  if (const Plugin* plugin = plugins.find(options.plugin)) return plugin->file();
  if (const load::Format* format = load::format_named(options.plugin); format != nullptr && !format->notes.file.empty())
    return fs::path(format->notes.file);
  return Error{"there is no analyzer '" + options.plugin + "'"}
      .at(options.plugin)
      .advise("'assay plugins' shows those found, and a file is named with its folder ('./" + options.plugin + ".so')");
}

/// Files of --reports; from folders, those of the format.
std::vector<fs::path> files_of_format(const FormatDescriptor& declared, const std::vector<fs::path>& places) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const fs::path& place : places) {
    if (!fs::is_directory(place, failed)) files.push_back(place);
    for (fs::recursive_directory_iterator at(place, failed), end; !failed && at != end; at.increment(failed)) {
      const std::string name = at->path().filename().string();
      const bool own =
          std::ranges::any_of(declared.names.extensions, [&](Str ends) { return name.ends_with(ends.view()); }) ||
          std::ranges::any_of(declared.names.globs, [&](Str glob) { return glob_matches(glob.view(), name); });
      if (own && at->is_regular_file(failed)) files.push_back(at->path());
    }
  }
  std::ranges::sort(files);
  return files;
}

/// Prints one row per check, and the overall result.
Exit print_checks(const std::vector<check::Check>& checks, std::string_view id, const CheckOptions& options,
                  TextTable& table, const std::atomic<bool>& stop) {
  std::size_t bad = 0, odd = 0;
  for (const check::Check& check : checks) {
    const check::CheckResult checked = run(check, options.limits, stop);
    if (stop) return fail({"interrupted", Exit::kInterrupted});
    add_row(table, options.format, check.name, checked);
    bad += checked.passed ? 0U : 1U;
    odd += checked.result == "warning" ? 1U : 0U;
  }
  return print_outcome(table, id, checks.size(), bad, odd, options.format);
}

Exit check_format(const fs::path& file, const CheckOptions& options, const std::atomic<bool>& stop) {
  const check::CheckResult opened =
      run(check::Case{"",
                      [&]() -> check::CaseReply {
                        const auto format = open_format(file);
                        if (!format) return {check::CaseStatus::kFailed, format.error().sentence};
                        return {check::CaseStatus::kOk,
                                fmt::format("{} {}, built with {}", std::string((*format)->id.view()),
                                            std::string((*format)->version.view()),
                                            std::string((*format)->cxx_abi.view()))};
                      }},
          options.limits, stop);
  if (!opened.passed)
    return fail({opened.result == "failed" ? opened.detail : file.string() + ": loading it " + opened.detail});
  const auto format = open_format(file);
  if (!format) return fail(format.error());
  TextTable table = table_of_checks(options.format);
  add_row(table, options.format, "handshake", opened);
  const std::vector<fs::path> files = files_of_format(**format, options.reports);
  return print_checks(check::checks_of_format(**format, files), (*format)->id.view(), options, table, stop);
}

/// Prints one row per check. Exit 0: all passed; 3: one failed, or the plugin rejects its options so that none could
/// run; 2: not a plugin.
Exit check_plugin(const CheckOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const Result<fs::path> named = file_of(options);
  if (!named) return fail(named.error());
  const fs::path& file = *named;
  if (names_symbol(file, kFormatSymbol)) return check_format(file, options, stop);
  const check::CheckResult opened = handshake(file, options.limits, stop);
  if (!opened.passed) {
    return fail({opened.result == "failed"
                     ? opened.detail
                     : fmt::format("{}: loading it {}; a plugin must run nothing when it is loaded.", file.string(),
                                   opened.detail)});
  }
  const auto plugin = Plugin::open(file);
  if (!plugin) return fail(plugin.error());
  const auto usual = options_in(options.config, (*plugin)->descriptor());
  if (!usual) return fail(usual.error());

  TextTable table = table_of_checks(options.format);
  add_row(table, options.format, "handshake", opened);
  std::size_t all = 0, bad = 0, odd = 0;
  const check::Makers others = makers_in(plugin_folders(options.plugin_paths), (*plugin)->id());
  for (check::Check& check : check::checks_of((*plugin)->descriptor(), *usual, others)) {
    const check::CheckResult checked = run(check, options.limits, stop);
    if (stop) return fail({"interrupted", Exit::kInterrupted});
    add_row(table, options.format, check.name, checked);
    if (all == 0 && checked.result == "refused") return nothing_tried(table, options.format, (*plugin)->id());
    ++all;
    if (!checked.passed) ++bad;
    if (checked.result == "warning") ++odd;
  }
  if (!options.reports.empty()) {
    const auto checked = columns_of_reports((*plugin)->descriptor(), options.reports);
    if (!checked) return fail(checked.error());
    add_row(table, options.format, "columns of profiles", *checked);
    ++all;
    if (checked->result == "warning") ++odd;
  }
  return print_outcome(table, (*plugin)->id(), all, bad, odd, options.format);
}

}  // namespace

void add_check(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Each case runs in its own process: a crash, a hang or unlimited memory use fails that case and the check continues.
A plugin may refuse invalid options with an error message. Exit codes: 0 all passed; 2 not a plugin; 3 a case failed.

Examples:
  assay check ./build/plugins/short_kernels.so
  assay check run_summary --reports ~/profiles
  assay check ./short_kernels.so --time-limit 10 --memory-limit 512
  assay check ./kernel_breakdown.so --config configs/attention.toml
  assay check ./my_format.so --reports examples)";
  const auto options = std::make_shared<CheckOptions>();
  CLI::App& command = line.add(
      "check", "Stress-test an analyzer with hostile profiles, studies and options, or a format with damaged files",
      kFooter, options, &check_plugin);
  add_option(command, "plugin", options->plugin, "Id of an analyzer or format, or plugin file")
      ->required()
      ->type_name("PLUGIN|ID");
  add_option(command, "--config", options->config, "Take its options from this file (default: its defaults)")
      ->type_name("CONFIG");
  add_folders(command, "--reports", options->reports,
              "Folder of profiles: also list the columns it reads that no profile has; of a format: files to read and "
              "damage; may be repeated");
  document::add_rows(command, options->format);
  add_plugin_path(command, options->plugin_paths);
  add_limits(command, "--time-limit", "--memory-limit", options->limits, "one case");
}

}  // namespace assay
