// A program that runs in a process group of its own, so that it and all that it starts can be ended together.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result.hpp"

namespace assay::convert {

struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;  ///< any bytes but NUL; no shell sees them
  std::filesystem::path folder;        ///< where it runs; empty: here
  std::filesystem::path output;        ///< the file that its standard output goes to; empty: kept with its errors
};

struct Ending {
  int code = 0;    ///< exit code
  int signal = 0;  ///< of what ended it, 0 for none
};

class Child {
 public:
  /// Error: the program cannot be started; the sentence has no subject ("cannot be started (Permission denied)").
  static Result<std::unique_ptr<Child>> start(const Command& command);

  /// Ends the whole group, at once.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// What to poll for news; -1 once the program has closed it.
  [[nodiscard]] int news() const { return pipe_; }

  /// How it ended, once it has; what it left running is ended then. Never waits.
  std::optional<Ending> ended();

  /// The last kilobytes that it wrote to standard error (and to standard output without `output`).
  [[nodiscard]] std::string_view said() const { return said_; }

 private:
  Child(pid_t process, int pipe) : process_(process), pipe_(pipe) {}
  void listen();
  Ending reap();

  pid_t process_;  ///< 0 once it is gone
  int pipe_;
  std::string said_;
};

/// The last lines in what a program said, as one line of at most 300 bytes; progress bars do not count.
std::string last_words(std::string_view said);

}  // namespace assay::convert
