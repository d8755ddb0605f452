#include "cli/terminal.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

#include "assay/detail/text.hpp"
#include "cli/command_line.hpp"
#include "files/scan_watch.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay {

bool has_colours(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  return isatty(descriptor) == 1 && !dumb && (no_colour == nullptr || *no_colour == '\0');
}

static bool wide = false;

TerminalStyle output_style() {
  constexpr std::size_t kLeast = 40, kMost = 200;
  TerminalStyle style;
  style.colour = has_colours(STDOUT_FILENO);
  style.wide = wide;
  const char* columns = std::getenv("COLUMNS");
  const auto asked = columns == nullptr ? std::nullopt : number_in<std::size_t>(columns);
  winsize size{};
  if (isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = std::clamp<std::size_t>(size.ws_col, kLeast, kMost);
  else if (asked)
    style.width = std::clamp(*asked, kLeast, kMost);
  return style;
}

void add_wide(CLI::App& command) {
  add_flag(command, "--wide", wide, "Print tables as wide as they are, instead of the columns that fit");
}

std::size_t table_width() {
  const bool asked = isatty(STDOUT_FILENO) == 1 || std::getenv("COLUMNS") != nullptr;
  return asked && !wide ? output_style().width : 0;
}

bool scrolls(std::size_t lines) {
  winsize size{};
  const bool terminal = isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return terminal && size.ws_row > 0 && lines >= size.ws_row;
}

HarmlessOutput::HarmlessOutput() {
  if (isatty(STDOUT_FILENO) == 1) behind_ = std::cout.rdbuf(this);
}

HarmlessOutput::~HarmlessOutput() {
  if (behind_ == nullptr) return;
  HarmlessOutput::sync();
  std::cout.rdbuf(behind_);
}

HarmlessOutput::int_type HarmlessOutput::overflow(int_type byte) {
  line_ += traits_type::to_char_type(byte);
  if (line_.back() == '\n') sync();
  return byte;
}

int HarmlessOutput::sync() {
  const bool whole = line_.ends_with('\n');
  if (whole) line_.pop_back();
  const std::string shown = one_line(line_) + (whole ? "\n" : "");
  line_.clear();
  const auto size = static_cast<std::streamsize>(shown.size());
  return behind_->sputn(shown.data(), size) == size ? behind_->pubsync() : -1;
}

std::string progress_line(std::size_t done, std::size_t all, double seconds, std::string_view what) {
  constexpr std::size_t width = 24;
  const std::size_t filled = all == 0 ? 0 : width * done / all;
  std::string line = fmt::format("{} [{}{}] ", what, std::string(filled, '#'), std::string(width - filled, '.'));
  line += std::to_string(done) + "/" + std::to_string(all);
  if (done == 0 || seconds <= 0) return line;
  const double rate = static_cast<double>(done) / seconds;
  line += fmt::format("  {}/s  {} s left", quantity(rate, "1"),
                      fixed(std::ceil(static_cast<double>(all - done) / rate), 0));
  return line.substr(0, 79);
}

ProgressBar::ProgressBar(bool wanted, Text text, std::chrono::milliseconds delay)
    : line_(wanted && isatty(STDERR_FILENO) == 1 ? &std::cerr : nullptr), text_(std::move(text)), delay_(delay) {}

ProgressBar::~ProgressBar() { line_.erase(); }

void ProgressBar::show(std::size_t done, std::size_t all, const std::string& what) {
  if (!line_.is_visible()) return;
  const std::lock_guard lock(mutex_);
  if (done == all) return line_.erase();
  if (done == 0 && !what.empty()) return line_.draw(one_line(what).substr(0, 79));
  const Clock::time_point now = Clock::now();
  if (now - start_ < delay_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  line_.draw(text_(done, all, std::chrono::duration<double>(now - start_).count(), what));
}

ScanNotice::ScanNotice()
    : bar_(
          true, [](std::size_t done, std::size_t all, double, std::string_view) { return scan_line(done, all); },
          std::chrono::seconds(2)) {
  scan_watch() = [this](std::size_t done, std::size_t all) { bar_.show(done, all, ""); };
}

ScanNotice::~ScanNotice() { scan_watch() = {}; }

std::string scan_line(std::size_t done, std::size_t all) {
  return all == 0 ? "scanning folders: " + std::to_string(done) + " entries"
                  : fmt::format("looking at files: {} of {}", done, all);
}

std::function<Progress()> progress_bars(bool wanted) {
  return [wanted]() -> Progress {
    const auto bar = std::make_shared<ProgressBar>(wanted);
    return [bar](std::size_t done, std::size_t all, const std::string& what) { bar->show(done, all, what); };
  };
}

}  // namespace assay
