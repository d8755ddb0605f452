#include "check/new_command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iostream>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "files/placement.hpp"
#include "files/shell_word.hpp"
#include "files/staged_file.hpp"
#include "files/staged_folder.hpp"
#include "load/format.hpp"
#include "plugins/plugins.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// Keywords of C++, and targets of every CMake project, separated by blanks.
constexpr std::string_view kReserved =
    " alignas alignof all and and_eq asm assay auto bitand bitor bool break case catch char char16_t char32_t char8_t "
    "class clean co_await co_return co_yield compl concept const consteval constexpr constinit continue decltype "
    "default delete do double edit_cache else enum explicit export extern false float for friend goto help if inline "
    "install int long mutable namespace new noexcept not not_eq nullptr operator or or_eq package preinstall private "
    "protected public rebuild_cache register reinterpret_cast requires return short signed sizeof static "
    "static_assert static_cast std struct switch template test this throw true try typedef typeid typename union "
    "unsigned using virtual void volatile wchar_t while xor xor_eq ";

/// A file of the template and its destination; "@NAME@" is replaced by the analyzer's name in paths and texts.
struct TemplateFile {
  std::string_view from, to;
};

constexpr TemplateFile kInTree[] = {
    {"in_tree/CMakeLists.txt", "plugins/@NAME@/CMakeLists.txt"},
    {"plugin.cpp", "plugins/@NAME@/plugin.cpp"},
    {"count.hpp", "plugins/@NAME@/count.hpp"},
    {"count.cpp", "plugins/@NAME@/count.cpp"},
    {"words.hpp", "plugins/@NAME@/words.hpp"},
    {"words.cpp", "plugins/@NAME@/words.cpp"},
    {"README.md", "plugins/@NAME@/README.md"},
    {"question.toml", "configs/@NAME@.toml"},
    {"test.cpp", "tests/plugins/@NAME@/@NAME@_test.cpp"},
    {"question.toml", "tests/golden/cases/@NAME@/config.toml"},
    {"golden/run.txt", "tests/golden/cases/@NAME@/run.txt"},
    {"golden/reports/batch1.pt.trace.json", "tests/golden/cases/@NAME@/reports/batch1.pt.trace.json"},
    {"golden/reports/batch8.pt.trace.json", "tests/golden/cases/@NAME@/reports/batch8.pt.trace.json"},
    {"golden/expected/facts.csv", "tests/golden/cases/@NAME@/expected/facts.csv"},
};
/// Units that are renamed as a whole once everything is written.
constexpr std::string_view kInTreeUnits[] = {"plugins/@NAME@", "configs/@NAME@.toml",
                                             "tests/plugins/@NAME@/@NAME@_test.cpp", "tests/golden/cases/@NAME@"};

constexpr TemplateFile kOutOfTree[] = {
    {"out_of_tree/CMakeLists.txt", "@NAME@/CMakeLists.txt"},
    {"out_of_tree/ci.sh", "@NAME@/ci.sh"},
    {"out_of_tree/ci.yml", "@NAME@/.github/workflows/ci.yml"},
    {"out_of_tree/gitignore", "@NAME@/.gitignore"},
    {"plugin.cpp", "@NAME@/plugin.cpp"},
    {"count.hpp", "@NAME@/count.hpp"},
    {"count.cpp", "@NAME@/count.cpp"},
    {"words.hpp", "@NAME@/words.hpp"},
    {"words.cpp", "@NAME@/words.cpp"},
    {"README.md", "@NAME@/README.md"},
    {"question.toml", "@NAME@/@NAME@.toml"},
    {"test.cpp", "@NAME@/@NAME@_test.cpp"},
    {"question.toml", "@NAME@/golden/config.toml"},
    {"golden/reports/batch1.pt.trace.json", "@NAME@/golden/reports/batch1.pt.trace.json"},
    {"golden/reports/batch8.pt.trace.json", "@NAME@/golden/reports/batch8.pt.trace.json"},
    {"golden/expected/facts.csv", "@NAME@/golden/expected/facts.csv"},
};
constexpr TemplateFile kSmall[] = {
    {"small/CMakeLists.txt", "@NAME@/CMakeLists.txt"},
    {"small/plugin.cpp", "@NAME@/plugin.cpp"},
    {"small/question.toml", "@NAME@/@NAME@.toml"},
};
constexpr TemplateFile kFormat[] = {
    {"format/CMakeLists.txt", "@NAME@/CMakeLists.txt"},
    {"format/format.cpp", "@NAME@/format.cpp"},
    {"format/json_line.hpp", "@NAME@/json_line.hpp"},
    {"format/test.cpp", "@NAME@/@NAME@_test.cpp"},
    {"format/fuzz.cpp", "@NAME@/@NAME@_fuzz.cpp"},
    {"format/README.md", "@NAME@/README.md"},
    {"format/golden/example.jsonl", "@NAME@/golden/example.@NAME@.jsonl"},
};
constexpr TemplateFile kCommand[] = {
    {"command/program.py", "@NAME@/assay-@NAME@"},
    {"command/README.md", "@NAME@/README.md"},
};
constexpr TemplateFile kQuestion[] = {{"question/question.toml", "@NAME@.toml"}};
constexpr std::string_view kOutOfTreeUnits[] = {"@NAME@"}, kQuestionUnits[] = {"@NAME@.toml"};

/// "short_kernels" -> "ShortKernels".
std::string class_name(std::string_view name) {
  std::string out;
  bool upper = true;
  for (const char c : name) {
    if (c != '_') out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = c == '_';
  }
  return out;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string filled(std::string_view text, std::string_view name) {
  return replaced(replaced(std::string(text), "@NAME@", name), "@CLASS@", class_name(name));
}

/// Adapts the call in a test: the linked analyzer, or in the tree, where all are linked into one program, the one with
/// its name.
std::string with_calls(std::string text, bool in_tree) {
  text = replaced(std::move(text), "@HEADER@", in_tree ? "analyzers.hpp" : "assay/testing/plugin_under_test.hpp");
  return replaced(std::move(text), "@UNDER_TEST@", in_tree ? "under_test::@NAME@" : "testing");
}

Result<std::string> text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()))
    return Error{file.string() + ": cannot be read", Exit::kFailed}.at(file.string()).advise("install assay again");
  return text.str();
}

Status write(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return files::not_written(file.parent_path(), error.message());
  return files::write_text(file, files::kChangedFile, text);
}

/// A sorted list of the source tree to which the analyzer is added.
struct SortedList {
  std::string_view file, head, prefix, line;
};
constexpr SortedList kLists[] = {
    {"plugins/CMakeLists.txt", "set(ASSAY_PLUGINS", "  ", "  @NAME@"},
    {"tests/plugins/analyzers.hpp", "ASSAY_UNDER_TEST(", "ASSAY_UNDER_TEST(", "ASSAY_UNDER_TEST(@NAME@)"},
};

struct Scaffold {
  fs::path root, template_folder;
  std::span<const TemplateFile> files;
  std::span<const std::string_view> units;
  std::span<const SortedList> lists;
};

/// <host>/../share/assay/template, in an installation and in the build tree.
Result<fs::path> template_folder() {
  const fs::path folder = install_prefix() / "share" / "assay" / "template";
  if (fs::exists(folder / "plugin.cpp")) return folder;
  return Error{"the template of an analyzer is not in " + folder.string(), Exit::kFailed}.advise("install assay again");
}

std::optional<fs::path> source_tree() {
  for (fs::path folder = fs::current_path();; folder = folder.parent_path()) {
    if (fs::exists(folder / kLists[0].file) && fs::exists(folder / "sdk" / "template")) return folder;
    if (folder == folder.root_path()) return std::nullopt;
  }
}

Result<Scaffold> job_of(const NewOptions& options) {
  const Result<fs::path> from = template_folder();
  if (!from) return from.error();
  if (options.format) return Scaffold{options.out_of_tree.value_or("."), *from, kFormat, kOutOfTreeUnits, {}};
  if (options.command) return Scaffold{options.out_of_tree.value_or("."), *from, kCommand, kOutOfTreeUnits, {}};
  if (options.question) return Scaffold{options.out_of_tree.value_or("."), *from, kQuestion, kQuestionUnits, {}};
  if (options.small) return Scaffold{options.out_of_tree.value_or("."), *from, kSmall, kOutOfTreeUnits, {}};
  if (options.out_of_tree) return Scaffold{*options.out_of_tree, *from, kOutOfTree, kOutOfTreeUnits, {}};
  const std::optional<fs::path> tree = source_tree();
  if (!tree) {
    return Error{"the current folder is not in a source tree of assay"}.advise(
        "change to one, or give --out-of-tree DIR");
  }
  return Scaffold{*tree, *from, kInTree, kInTreeUnits, kLists};
}

Status check_free(const Scaffold& job, const std::string& name) {
  for (const std::string_view unit : job.units) {
    const fs::path place = job.root / filled(unit, name);
    if (fs::exists(fs::symlink_status(place)))
      return Error{"'" + place.string() + "' already exists and is not overwritten"}
          .at(place.string())
          .advise("choose another name or remove it");
  }
  if (job.files.data() == kQuestion) return ok();
  if (load::format_named(name) != nullptr)
    return Error{"there is a format '" + name + "' already"}.at(name).advise("choose another name");
  const Plugins plugins = load_plugins(plugin_folders({}));
  if (const Plugin* other = plugins.find(name)) {
    return Error{fmt::format("there is an analyzer '{}' already, {}", name, other->file().string())}.at(name).advise(
        "choose another name");
  }
  return ok();
}

Status stage(const Scaffold& job, const std::string& name, const fs::path& staging) {
  for (const TemplateFile& file : job.files) {
    const Result<std::string> text = text_of(job.template_folder / file.from);
    if (!text) return text.error();
    if (const Status done = write(staging / filled(file.to, name), filled(with_calls(*text, !job.lists.empty()), name));
        !done)
      return done;
    if (file.from == kCommand[0].from) {
      std::error_code error;
      fs::permissions(staging / filled(file.to, name), fs::perms(0755), error);
      if (error) return files::not_written(staging, error.message());
    }
  }
  for (const SortedList& list : job.lists) {
    const Result<std::string> text = text_of(job.root / list.file);
    if (!text) return text.error();
    const auto longer = with_sorted_line(*text, list.head, list.prefix, filled(list.line, name));
    if (!longer) {
      return Error{fmt::format("{}: no line begins with '{}'", (job.root / list.file).string(), std::string(list.head))}
          .at((job.root / list.file).string())
          .advise("restore the list of analyzers");
    }
    if (const Status done = write(staging / list.file, *longer); !done) return done;
  }
  return ok();
}

Status install(const Scaffold& job, const std::string& name, const fs::path& staging) {
  files::RenameTransaction placement;
  for (const std::string_view unit : job.units) {
    const std::string path = filled(unit, name);
    if (const Status done = placement.move_in(staging / path, job.root / path); !done) return done;
  }
  for (const SortedList& list : job.lists) {
    const fs::path aside = staging / (std::string(list.file) + ".before");
    if (const Status done = placement.replace(staging / list.file, job.root / list.file, aside); !done) return done;
  }
  placement.commit();
  return ok();
}

void print_next(const Scaffold& job, const NewOptions& options) {
  std::cout << "Written below " << one_line(job.root.string()) << "\n";
  for (const TemplateFile& file : job.files) std::cout << "  " << filled(file.to, options.name) << "\n";
  for (const SortedList& list : job.lists) std::cout << "  " << list.file << " (one line more)\n";
  if (options.command || options.question) {
    const std::string toml = shell_word((job.root / (options.name + ".toml")).string());
    if (options.command)
      std::cout << "\nRun it\n  PATH=" << shell_word((job.root / options.name).string()) << ":$PATH assay "
                << options.name << " PROFILE\n";
    else
      std::cout << "\nCheck and run it\n  assay plan " << toml << " --reports FOLDER\n  assay run " << toml
                << " --reports FOLDER\n";
    return;
  }
  if (!options.out_of_tree && !options.small && !options.format) {
    std::cout << "\nBuild and test it, from " << job.root.string() << "\n  ./dev build\n"
              << "  ctest --test-dir build/release -R '" << class_name(options.name) << "|" << options.name << "'\n";
    return;
  }
  const fs::path project = job.root / options.name;
  const std::string at = shell_word(project.string()), build = shell_word((project / "build").string());
  std::cout << (options.small ? "\nBuild and run it\n" : "\nBuild, test and run it\n") << "  cmake -S " << at << " -B "
            << build << " -DCMAKE_PREFIX_PATH=" << shell_word(install_prefix().string()) << "\n"
            << "  cmake --build " << build << "\n";
  if (!options.small) std::cout << "  ctest --test-dir " << build << "\n";
  if (options.format) {
    const std::string golden = shell_word((project / "golden").string());
    std::cout << "  assay check " << shell_word((project / "build" / (options.name + ".so")).string()) << " --reports "
              << golden << "\n"
              << "  assay look " << golden << " --plugin-path " << build << "\n";
    return;
  }
  std::cout << "  assay run " << shell_word((project / (options.name + ".toml")).string()) << " --reports "
            << (options.small ? "FOLDER" : shell_word((project / "golden" / "reports").string())) << " --plugin-path "
            << build << "\n";
}

}  // namespace

std::string name_problem(std::string_view name) {
  const std::string it = "the name '" + std::string(name) + "' ";
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool identifier = !name.empty() && small(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return small(c) || (c >= '0' && c <= '9') || c == '_';
  });
  if (!identifier)
    return it + "is not an identifier; use lowercase letters, digits and '_', starting with a letter: short_kernels";
  if (kReserved.find(" " + std::string(name) + " ") != std::string_view::npos)
    return it + "is reserved in C++ or CMake; choose another name";
  if (name.starts_with("assay_")) return it + "begins with 'assay_' like assay's own libraries; choose another name";
  if (name.ends_with("_test")) return it + "ends with '_test' like test programs; choose another name";
  return {};
}

std::optional<std::string> with_sorted_line(std::string_view text, std::string_view head, std::string_view prefix,
                                            std::string_view line) {
  const auto line_at = [&](std::size_t at) { return text.substr(at, text.find('\n', at) - at); };
  const auto next = [&](std::size_t at) { return std::min(text.find('\n', at), text.size() - 1) + 1; };
  std::size_t at = 0;
  while (at < text.size() && !line_at(at).starts_with(head)) at = next(at);
  if (at >= text.size()) return std::nullopt;
  if (!line_at(at).starts_with(prefix)) at = next(at);
  while (at < text.size() && line_at(at).starts_with(prefix) && line_at(at) < line) at = next(at);
  return fmt::format("{}{}\n{}", std::string(text.substr(0, at)), std::string(line), std::string(text.substr(at)));
}

Exit write_new_analyzer(const NewOptions& options) {
  if (const std::string problem = name_problem(options.name); !problem.empty()) return fail({problem});
  if (options.command && std::ranges::find(options.commands, options.name) != options.commands.end())
    return fail(Error{"assay has a command '" + options.name + "', which would be run instead"}
                    .at(options.name)
                    .advise("choose another name"));
  const Result<Scaffold> job = job_of(options);
  if (!job) return fail(job.error());
  if (const Status free = check_free(*job, options.name); !free) return fail(free.error());
  const std::atomic<bool>& stop = stop_on_signals();  // from here on there is something to clean up
  std::error_code why;
  const std::optional<files::StagedFolder> staging = files::StagedFolder::make(job->root, why);
  if (!staging) return fail(files::not_written(job->root, why.message()));
  if (const Status staged = stage(*job, options.name, staging->path()); !staged) return fail(staged.error());
  if (stop) return fail(Error{"interrupted", Exit::kInterrupted}.advise("nothing was written"));
  if (const Status placed = install(*job, options.name, staging->path()); !placed) return fail(placed.error());
  print_next(*job, options);
  return Exit::kOk;
}

void add_new(CommandLine& line) {
  constexpr const char* kFooter =
      R"(The new analyzer measures something real, builds, and passes its tests; edit it from there. In a source tree of assay it is
added to the lists of analyzers and tests; with --out-of-tree it becomes a project of its own, DIR/NAME. With --small the
project is one source file without tests. --command writes a command of your own, --question a commented question.

Examples:
  assay new short_kernels
  assay new short_kernels --out-of-tree ~/my_analyzers
  assay new short_kernels --small
  assay new my_profiler --format
  assay new worst --command
  assay new mine --question)";
  const auto options = std::make_shared<NewOptions>();
  CLI::App& command = line.add("new", "Create a new analyzer, format, command or question that works", kFooter, options,
                               [&line](NewOptions chosen) {
                                 chosen.commands = command_names(line.app);
                                 return write_new_analyzer(chosen);
                               });
  add_option(command, "name", options->name, "Its id: lowercase letters, digits, '_'")->required()->type_name("NAME");
  add_option(command, "--out-of-tree", options->out_of_tree, "Folder in which the project NAME is written")
      ->type_name("DIR");
  add_flag(command, "--small", options->small,
           "Write one source file and its CMakeLists.txt, below the current folder or DIR");
  add_flag(command, "--format", options->format,
           "Write a format, which reads files of another profiler, below the current folder or DIR")
      ->excludes("--small");
  add_flag(command, "--command", options->command,
           "Write a program that 'assay NAME' runs, below the current folder or DIR")
      ->excludes("--small", "--format");
  add_flag(command, "--question", options->question, "Write the question NAME.toml, below the current folder or DIR")
      ->excludes("--small", "--format", "--command");
}

}  // namespace assay
