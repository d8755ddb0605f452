// What the program knows of the terminal it runs on.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <streambuf>
#include <string>

#include "render/render.hpp"

namespace assay {

/// Whether a descriptor is a terminal that shows colours and links: not under NO_COLOR, nor where TERM is "dumb".
bool has_colours(int descriptor);

/// Style for standard output: colour only on a terminal and without NO_COLOR; width of the terminal within 72 and 140.
TerminalStyle output_style();

/// Columns to which tables are wrapped: the terminal's; 0 where standard output is none, since programs read lines.
std::size_t table_width();

/// Whether so many lines leave their beginning behind on the terminal; false where standard output is none.
bool scrolls(std::size_t lines);

/// While it lives, what is written to standard output reaches a terminal with its hidden characters spelled out, so
/// that bytes of a report cannot steer it; a file or another program gets the bytes.
class HarmlessOutput : std::streambuf {
 public:
  HarmlessOutput();
  ~HarmlessOutput() override;
  HarmlessOutput(const HarmlessOutput&) = delete;
  HarmlessOutput& operator=(const HarmlessOutput&) = delete;

 private:
  int_type overflow(int_type byte) override;
  int sync() override;
  std::streambuf* behind_ = nullptr;  ///< null: standard output is no terminal
  std::string line_;
};

/// A bar on standard error: reports done, rate and remaining time. Nothing when standard error is no terminal.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// From any thread.
  void show(std::size_t done, std::size_t all);

 private:
  using Clock = std::chrono::steady_clock;
  bool visible_;
  bool drawn_ = false;
  std::size_t most_ = 0;
  Clock::time_point start_, last_;
  std::mutex mutex_;
};

/// A bar for each stage that takes long, for Settings::progress.
std::function<Progress()> progress_bars(bool wanted);

/// The line of the bar, without control characters; at most 79 columns. `seconds` since the start.
std::string progress_line(std::size_t done, std::size_t all, double seconds);

}  // namespace assay
