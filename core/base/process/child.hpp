// A program that runs in a process group of its own, so that it and all that it starts can be ended together.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/descriptor.hpp"
#include "process/exit_status.hpp"

namespace assay::process {

struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;         ///< any bytes but NUL; no shell sees them
  std::filesystem::path folder = {};          ///< where it runs; empty: here
  std::filesystem::path output = {};          ///< the file that its standard output goes to; empty: `Sinks::out`
  std::vector<std::string> environment = {};  ///< all of it, "NAME=VALUE"; empty: as this process has it
  std::string name = {};                      ///< argv[0]; empty: the path of the program
  std::chrono::milliseconds grace{0};         ///< from TERM to KILL for what is ended; 0: KILL at once
};

/// Who takes what a program prints, in pieces; without one it goes to `Child::said`.
using Sink = std::function<void(std::string_view)>;
struct Sinks {
  Sink out = nullptr, err = nullptr;
};

/// Appends to `text`, which outlives it, at most 64 MiB.
Sink into(std::string& text);

class Child {
 public:
  struct StartResult {
    std::unique_ptr<Child> child;  ///< null: the program cannot be started
    int why = 0;                   ///< then errno
  };
  /// The calling thread outlives the child: the child ends when that thread does.
  static StartResult start(const Command& command, Sinks sinks = {});

  /// Ends the whole group, at once.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] pid_t id() const { return process_; }

  /// What to poll for news: what it prints to standard error; -1 once the program has closed it.
  [[nodiscard]] int poll_fd() const { return err_.pipe.get(); }

  /// How it ended, once it has; what is left of its group is ended then. Never waits.
  std::optional<ExitStatus> poll_exit();

  /// The same, waiting for as long as that for its end or for what it prints.
  std::optional<ExitStatus> wait(std::chrono::milliseconds time);

  /// Ends its group and waits for its end; how it ended.
  ExitStatus end();

  /// Hands what it has printed to the sinks. Never waits.
  void read_output();

  /// The last kilobytes that it printed and no sink took.
  [[nodiscard]] std::string_view output_tail() const { return said_; }

 private:
  struct Stream {
    files::Descriptor pipe;
    Sink sink;
  };

  Child(pid_t process, std::chrono::milliseconds grace) : process_(process), grace_(grace) {}
  void append_tail(std::string_view bytes);
  ExitStatus reap();

  pid_t process_;  ///< 0 once it is gone
  std::chrono::milliseconds grace_;
  Stream out_, err_;
  std::string said_;
};

struct ProcessResult {
  ExitStatus status;
  std::string said;  ///< as of Child
};

/// Runs a program to its end. When the time is up or `stop` is raised its group is ended.
ProcessResult run_to_end(const Command& command, std::chrono::milliseconds limit, const std::atomic<bool>* stop = nullptr,
                 Sinks sinks = {});

/// The last lines in what a program said, as one line of at most 300 bytes; progress bars do not count.
std::string last_words(std::string_view said);

}  // namespace assay::process
