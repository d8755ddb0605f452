#include "payloads.hpp"

#include <charconv>

namespace assay::torch_compile {
namespace {

constexpr std::string_view kFrame = "File \"";

std::int64_t number_of(std::string_view text) {
  std::int64_t number = kNoCell;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The text between two marks; empty if either is missing.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) return {};
  const std::size_t to = text.find(end, from + begin.size());
  return to == std::string_view::npos ? std::string_view() : text.substr(from + begin.size(), to - from - begin.size());
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

SourcePlace innermost_frame(std::string_view traceback) {
  const std::size_t at = traceback.rfind(kFrame);
  if (at == std::string_view::npos) return {};
  const std::string_view frame = traceback.substr(at);
  SourcePlace place;
  place.file = between(frame, kFrame, "\"");
  place.line = number_of(between(frame, "line ", ","));
  const std::size_t end = std::min(frame.find('\n'), frame.size());
  const std::string_view rest = frame.substr(std::min(end + 1, frame.size()));
  place.code = trimmed(rest.substr(0, rest.find('\n')));
  return place;
}

std::string place_text(std::string_view file, std::int64_t line) {
  std::string text(file.substr(file.rfind('/') + 1));
  if (!text.empty() && line >= 0) text.append(":").append(std::to_string(line));
  return text;
}

BreakReason break_reason(std::string_view payload) {
  BreakReason out;
  const std::string_view first = payload.substr(0, payload.find('\n'));
  constexpr std::string_view kPlace = "in user code at ";
  if (const std::size_t at = first.find(kPlace); at != std::string_view::npos) {
    const std::size_t colon = first.rfind(':');
    out.file = first.substr(at + kPlace.size(), colon - at - kPlace.size());
    out.line = number_of(first.substr(colon + 1));
  }
  const std::size_t stack = payload.find("User code traceback:");
  if (stack != std::string_view::npos) out.frames = trimmed(payload.substr(payload.find('\n', stack) + 1));
  bool is_after_blank = false;
  each_line(payload.substr(0, stack), [&](std::string_view line) {
    const std::string_view text = trimmed(line);
    const auto read = [&](std::string_view label, std::string_view& to) {
      if (text.starts_with(label) && to.empty()) to = text.substr(label.size());
    };
    read("Explanation: ", out.explanation);
    read("Hint: ", out.hint);
    read("Reason: ", out.reason);
    if (is_after_blank && out.reason.empty()) out.reason = text;
    is_after_blank = is_after_blank || text.empty();
  });
  if (out.reason.empty()) out.reason = trimmed(first);
  return out;
}

FailedGuard failed_guard(std::string_view text) {
  FailedGuard out;
  const std::size_t colon = text.find(": ");
  if (colon != std::string_view::npos && text.find('/') < colon) {
    out.previous = text.substr(0, colon);
    text.remove_prefix(colon + 2);
  }
  const std::string_view first = text.substr(0, text.find('\n'));
  const std::size_t comment = first.find("  # ");
  out.guard = trimmed(first.substr(0, comment));
  out.place = innermost_frame(text);
  if (!out.place.file.empty() || comment == std::string_view::npos) return out;
  // Older guards have "# CODE  # .../model.py:12 in forward", whose path is cut off on the left.
  const std::string_view remark = first.substr(comment + 4);
  const std::size_t path = remark.rfind("# "), in = remark.rfind(" in ");
  if (path == std::string_view::npos || in == std::string_view::npos || in < path) return out;
  const std::string_view where = remark.substr(path + 2, in - path - 2);
  const std::size_t colon_before_line = where.rfind(':');
  if (colon_before_line == std::string_view::npos) return out;
  out.place = {where.substr(0, colon_before_line), trimmed(remark.substr(0, path)),
               number_of(where.substr(colon_before_line + 1))};
  return out;
}

}  // namespace assay::torch_compile
