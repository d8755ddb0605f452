#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

#include "cli/scan_notice.hpp"
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

TerminalStyle output_style() {
  TerminalStyle style;
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  style.colour = has_colours(STDOUT_FILENO);
  winsize size{};
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = std::clamp<std::size_t>(size.ws_col, 40, 140);
  }
  return style;
}

std::size_t table_width() { return isatty(STDOUT_FILENO) == 1 ? output_style().width : 0; }

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

std::string progress_line(std::size_t done, std::size_t all, double seconds) {
  constexpr std::size_t width = 24;
  const std::size_t filled = all == 0 ? 0 : width * done / all;
  std::string line = "profiles [" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
  line += std::to_string(done) + "/" + std::to_string(all);
  if (done == 0 || seconds <= 0) return line;
  const double rate = static_cast<double>(done) / seconds;
  line += "  " + quantity(rate, "1") + "/s  " + fixed(std::ceil(static_cast<double>(all - done) / rate), 0) + " s left";
  return line.substr(0, 79);
}

ProgressBar::ProgressBar(bool wanted)
    : line_(wanted && isatty(STDERR_FILENO) == 1), text_(std::move()), delay_(delay) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void ProgressBar::show(std::size_t done, std::size_t all) {
  if (!visible_) return;
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  constexpr std::chrono::milliseconds kWorthABar{300};  // a shorter stage would only flicker
  if (!drawn_ && now - start_ < kWorthABar) return;
  const bool soon = now - last_ < std::chrono::milliseconds(100);
  if (done < most_ || (drawn_ && soon && done < all)) return;
  most_ = done;
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fprintf(stderr, "\r\x1b[K%s", progress_line(done, all, seconds).c_str());
  std::fflush(stderr);
}

ScanNotice::ScanNotice() {
  if (isatty(STDERR_FILENO) == 1) scan_watch() = [this](std::size_t done, std::size_t all) { show(done, all); };
}

ScanNotice::~ScanNotice() {
  scan_watch() = {};
  erase();
}

void ScanNotice::show(std::size_t done, std::size_t all) {
  constexpr std::chrono::seconds kWorthALine{2};
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (done == all) return erase();
  if (now - start_ < kWorthALine || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  std::fprintf(stderr, "\r\x1b[K%s", scan_line(done, all).c_str());
  std::fflush(stderr);
}

void ScanNotice::erase() {
  if (std::exchange(drawn_, false)) std::fputs("\r\x1b[K", stderr);
}

std::string scan_line(std::size_t done, std::size_t all) {
  return all == 0 ? "scanning folders: " + std::to_string(done) + " entries"
                  : "looking at files: " + std::to_string(done) + " of " + std::to_string(all);
}

std::function<Progress()> progress_bars(bool wanted) {
  return [wanted]() -> Progress {
    const auto bar = std::make_shared<ProgressBar>(wanted);
    return [bar](std::size_t done, std::size_t all) { bar->show(done, all); };
  };
}

}  // namespace assay
