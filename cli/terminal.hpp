// Properties of the terminal that the program runs on.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <streambuf>
#include <string>

#include "render/render.hpp"
#include "render/status_line.hpp"

namespace CLI {
class App;
}

namespace assay {

/// Whether a descriptor is a terminal that supports colours and links; false with NO_COLOR or TERM=dumb.
bool has_colours(int descriptor);

/// Style for standard output: colour only on a terminal without NO_COLOR; the width of the terminal, or of COLUMNS,
/// clamped to 40..200; else 100.
TerminalStyle output_style();

/// Adds --wide to a command that prints in output_style().
void add_wide(CLI::App& command);

/// Wrap width of tables: that of the terminal, or COLUMNS; 0 if standard output is no terminal, since programs read
/// lines, and with --wide.
std::size_t table_width();

/// Whether that many lines scroll off the terminal; false if standard output is not one.
bool scrolls(std::size_t lines);

/// While alive, spells out hidden characters in standard output on a terminal, so that bytes of a report cannot control
/// it; files and other programs receive the bytes unchanged.
class HarmlessOutput : std::streambuf {
 public:
  HarmlessOutput();
  ~HarmlessOutput() override;
  HarmlessOutput(const HarmlessOutput&) = delete;
  HarmlessOutput& operator=(const HarmlessOutput&) = delete;

 private:
  int_type overflow(int_type byte) override;
  int sync() override;
  std::streambuf* behind_ = nullptr;  ///< null: standard output is not a terminal
  std::string line_;
};

/// Text of the bar without control characters, at most 79 columns. `seconds`: time since the start.
std::string progress_line(std::size_t done, std::size_t all, double seconds, std::string_view what = "profiles");

/// Progress of a stage in a line of standard error, from `delay` on: a shorter stage would only flicker. No effect if
/// standard error is not a terminal.
class ProgressBar {
 public:
  using Text = std::function<std::string(std::size_t done, std::size_t all, double seconds, std::string_view what)>;
  explicit ProgressBar(bool wanted, Text text = progress_line,
                       std::chrono::milliseconds delay = std::chrono::milliseconds(300));
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// From any thread. Erases the line once all are done; what takes long before the first one is shown at once.
  void show(std::size_t done, std::size_t all, const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;
  StatusLine line_;
  Text text_;
  std::chrono::milliseconds delay_;
  Clock::time_point start_ = Clock::now(), last_;
  std::mutex mutex_;
};

/// While alive, shows the progress of a folder scan that takes longer than 2 s on standard error, if that is a
/// terminal.
class ScanNotice {
 public:
  ScanNotice();
  ~ScanNotice();
  ScanNotice(const ScanNotice&) = delete;
  ScanNotice& operator=(const ScanNotice&) = delete;

 private:
  ProgressBar bar_;
};

/// Text of the notice: `done` entries found, or `done` of `all` files inspected.
std::string scan_line(std::size_t done, std::size_t all);

/// Returns a function for Settings::progress that shows a bar per long stage.
std::function<Progress()> progress_bars(bool wanted);

}  // namespace assay
