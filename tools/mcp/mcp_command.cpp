#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iostream>

#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "cli/version.hpp"
#include "files/program.hpp"
#include "files/served.hpp"
#include "mcp/tools.hpp"

namespace assay {

extern const std::string_view kSkill;  ///< skills/assay/SKILL.md

namespace {

struct McpCommand {
  std::vector<std::filesystem::path> roots, results;
  unsigned seconds = 60;
  bool skill = false;
};

/// Lines of standard input; holds at most one message.
class LineReader {
 public:
  enum class Got { kLine, kTooLong, kEnd };

  /// Ends when SIGINT or SIGTERM sets `stop`.
  explicit LineReader(const std::atomic<bool>& stop) : stop_(stop) {}

  Got next(std::string& line) {
    line.clear();
    bool too_long = false;
    while (true) {
      const std::size_t end = held_.find('\n');
      const std::size_t taken = std::min(end, held_.size());
      if (line.size() + taken > mcp::kLongestLine) too_long = true;
      if (!too_long) line.append(held_, 0, taken);
      held_.erase(0, end == std::string::npos ? taken : taken + 1);
      if (end != std::string::npos) return too_long ? Got::kTooLong : Got::kLine;
      if (!more()) return line.empty() && !too_long ? Got::kEnd : too_long ? Got::kTooLong : Got::kLine;
    }
  }

 private:
  /// Waits for input; false at the end of input and if the server should stop. Signals are unblocked only during this
  /// wait, so none is lost between checking the flag and waiting.
  [[nodiscard]] bool wait() const {
    sigset_t ending, before;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM}) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    int ready = -1;
    while (!stop_ && (ready = ppoll(&input, 1, nullptr, &before)) < 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return ready > 0;
  }

  bool more() {
    constexpr std::size_t kPiece = std::size_t{1} << 16;
    if (!wait()) return false;
    std::string piece(kPiece, '\0');
    const ssize_t got = read(STDIN_FILENO, piece.data(), piece.size());
    if (got <= 0) return false;
    held_.append(piece, 0, static_cast<std::size_t>(got));
    return true;
  }
  const std::atomic<bool>& stop_;
  std::string held_;
};

Exit serve(const McpCommand& options) {
  if (options.skill) {
    std::cout << kSkill;
    return Exit::kOk;
  }
  const std::atomic<bool>& stop = stop_on_signals();
  Result<mcp::AllowedFiles> places =
      mcp::AllowedFiles::below(options.roots.empty() ? std::vector<std::filesystem::path>{"."} : options.roots);
  if (!places) return fail(places.error());
  std::optional<mcp::AllowedFiles> results;
  if (!options.results.empty()) {
    Result<mcp::AllowedFiles> allowed = mcp::AllowedFiles::below(options.results);
    if (!allowed) return fail(allowed.error());
    results = std::move(*allowed);
  }
  mcp::ToolSettings settings{.program = own_program(),
                             .places = *places,
                             .results = results,
                             .time = std::chrono::seconds(options.seconds),
                             .stop = &stop};
  if (settings.program.empty())
    return fail(Error{"this program's own file is not known, and tools run it", Exit::kFailed}.advise("mount /proc"));
  constexpr std::uint64_t kMaxPrinted = 16U << 20;  // by a tool, of which at most `most_bytes` are returned
  files::serve_below(places->roots(), kMaxPrinted);
  mcp::Server server(version_text(), *places, mcp::tools(settings), settings.most_bytes);
  LineReader lines(stop);
  std::string line;
  for (LineReader::Got got = lines.next(line); got != LineReader::Got::kEnd && !stop; got = lines.next(line)) {
    if (got == LineReader::Got::kLine && line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::optional<std::string> answer =
        got == LineReader::Got::kTooLong ? mcp::Server::answer_to_too_long() : server.answer(line);
    if (answer) std::cout << *answer << "\n" << std::flush;
    if (!std::cout) break;  // the client is gone
  }
  return stop ? Exit::kInterrupted : Exit::kOk;
}

}  // namespace

void add_mcp(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Speaks the Model Context Protocol (2024-11-05, 2025-03-26, 2025-06-18) on standard input and output, one message per line.
Reads only files below the roots, leaves out hidden ones, and follows no link out of them. docs/agents.md has examples.

Examples:
  assay mcp --root ~/profiles
  assay mcp --root ~/profiles --root ~/results --allow-run ~/results
  assay mcp --skill > SKILL.md)";
  const auto options = std::make_shared<McpCommand>();
  CLI::App& command = line.add("mcp", "Serve profiles and results to agents, read-only", kFooter, options, &serve);
  add_folders(command, "--root", options->roots,
              "Folder whose files may be read; may be repeated (default: the current folder)");
  add_folders(command, "--allow-run", options->results,
              "Also offer 'run', which writes results to folders below this one; may be repeated");
  add_flag(command, "--skill", options->skill,
           "Print what an agent should know: which command answers which question, what not to conclude, what to "
           "record");
  add_option(command, "--time-limit", options->seconds, "Longest time of a tool but 'run' (default: 60)")
      ->type_name("SECONDS")
      ->check(in_range(1, 86400));
}

}  // namespace assay
