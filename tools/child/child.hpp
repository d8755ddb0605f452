// Runs a program in its own process group, so that it and everything it starts can be ended together.
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
  std::vector<std::string> arguments;         ///< any bytes but NUL; not interpreted by a shell
  std::filesystem::path folder = {};          ///< working directory; empty: that of this process
  std::filesystem::path output = {};          ///< file for its standard output; empty: `Sinks::out`
  std::vector<std::string> environment = {};  ///< complete, as "NAME=VALUE"; empty: that of this process
  std::string name = {};                      ///< argv[0]; empty: the path of the program
  std::chrono::milliseconds grace{0};         ///< from TERM to KILL; 0: KILL at once
};

/// Receives the output of a program in pieces; without a sink it goes to `Child::said`.
using Sink = std::function<void(std::string_view)>;
struct Sinks {
  Sink out = nullptr, err = nullptr;
};

/// Appends to `text`, which must outlive the sink, at most 64 MiB.
Sink into(std::string& text);

class Child {
 public:
  struct StartResult {
    std::unique_ptr<Child> child;  ///< null: the program could not be started
    int why = 0;                   ///< then errno
  };
  /// The calling thread must outlive the child: the child is ended with that thread.
  static StartResult start(const Command& command, Sinks sinks = {});

  /// Ends the whole group at once.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] pid_t id() const { return process_; }

  /// Descriptor to poll: standard error of the child; -1 once it is closed.
  [[nodiscard]] int poll_fd() const { return err_.pipe.get(); }

  /// Exit status once the program has ended; then also ends the rest of its group. Never waits.
  std::optional<ExitStatus> poll_exit();

  /// Like ended, but waits up to `time` for its end or for output.
  std::optional<ExitStatus> wait(std::chrono::milliseconds time);

  /// Ends the group, waits for it, and returns the exit status.
  ExitStatus end();

  /// Passes available output to the sinks. Never waits.
  void read_output();

  /// Last kilobytes of output that went to no sink.
  [[nodiscard]] std::string_view output_tail() const { return said_; }

 private:
  struct Stream {
    files::Descriptor pipe;
    Sink sink;
  };

  Child(pid_t process, std::chrono::milliseconds grace) : process_(process), grace_(grace) {}
  void append_tail(std::string_view bytes);
  ExitStatus reap();

  pid_t process_;  ///< 0 once it has been reaped
  std::chrono::milliseconds grace_;
  Stream out_, err_;
  std::string said_;
};

struct ProcessResult {
  ExitStatus status;
  std::string said;  ///< as of Child
};

/// Runs a program to its end. Ends its group after the time limit or once `stop` is true.
ProcessResult run_to_end(const Command& command, std::chrono::milliseconds limit,
                         const std::atomic<bool>* stop = nullptr, Sinks sinks = {});

/// Last lines of a program's output in one line of at most 300 bytes, without progress bars.
std::string last_words(std::string_view said);

}  // namespace assay::process
