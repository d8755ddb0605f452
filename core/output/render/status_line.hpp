// A line of a terminal that is overwritten in place.
#pragma once

#include <ostream>
#include <string_view>

namespace assay {

class StatusLine {
 public:
  /// Null: draws nothing.
  explicit StatusLine(std::ostream* terminal) : terminal_(terminal) {}

  [[nodiscard]] bool is_visible() const { return terminal_ != nullptr; }

  void draw(std::string_view text) {
    if (terminal_ == nullptr) return;
    *terminal_ << kErase << text << std::flush;
    drawn_ = true;
  }
  void erase() {
    if (drawn_) *terminal_ << kErase << std::flush;
    drawn_ = false;
  }

 private:
  static constexpr std::string_view kErase = "\r\033[K";  ///< to the start of the line, and erase it
  std::ostream* terminal_;
  bool drawn_ = false;
};

}  // namespace assay
