#include "formats/torch/category.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace assay::load {
namespace {

constexpr std::pair<std::string_view, Category> kWords[] = {
    {"kernel", Category::kKernel},
    {"cpu_op", Category::kOperator},
    {"cuda_runtime", Category::kCall},
    {"python_function", Category::kPythonFunction},
    {"cuda_driver", Category::kCall},
    {"gpu_memcpy", Category::kCopy},
    {"gpu_memset", Category::kSet},
    {"user_annotation", Category::kAnnotation},
    {"cuda_sync", Category::kSync},
    {"overhead", Category::kOverhead},
    {"Kernel", Category::kKernel},
    {"Operator", Category::kOperator},
    {"Runtime", Category::kCall},
    {"Memcpy", Category::kCopy},
    {"Memset", Category::kSet},
    {"hip_runtime", Category::kCall},
    {"musa_runtime", Category::kCall},
    {"musa_driver", Category::kCall},
    {"musa_sync", Category::kSync},
    {"hip_driver", Category::kCall},
    {"xpu_runtime", Category::kCall},
    {"xpu_driver", Category::kCall},
    {"mtia_runtime", Category::kCall},
    {"mtia_ccp_events", Category::kKernel},  // device work; later versions of kineto name it kernel too
    {"privateuse1_runtime", Category::kCall},
    {"privateuse1_driver", Category::kCall},
};

bool says(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Four hexadecimal digits at `at`.
std::optional<std::uint32_t> code_unit(std::string_view text, std::size_t at) {
  std::uint32_t unit = 0;
  if (at + 4 > text.size()) return std::nullopt;
  const auto [stop, error] = std::from_chars(text.data() + at, text.data() + at + 4, unit, 16);
  return error == std::errc() && stop == text.data() + at + 4 ? std::optional(unit) : std::nullopt;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto append = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    append(code);
  } else if (code < 0x800) {
    append(0xC0 | code >> 6);
    append(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    append(0xE0 | code >> 12);
    append(0x80 | (code >> 6 & 0x3F));
    append(0x80 | (code & 0x3F));
  } else {
    append(0xF0 | code >> 18);
    append(0x80 | (code >> 12 & 0x3F));
    append(0x80 | (code >> 6 & 0x3F));
    append(0x80 | (code & 0x3F));
  }
}

/// Appends the character written as \uXXXX, or as two of them, at the backslash `at`. Returns its length in `text`; 0
/// if malformed.
std::size_t append_unicode(std::string& out, std::string_view text, std::size_t at) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  const auto high = code_unit(text, at + 2);
  if (!high) return 0;
  const bool leads = *high >= 0xD800 && *high < 0xDC00;
  if (leads && text.substr(std::min(at + 6, text.size()), 2) == "\\u") {
    const auto low = code_unit(text, at + 8);
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      append_utf8(out, 0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00));
      return 12;
    }
  }
  append_utf8(out, *high >= 0xD800 && *high < 0xE000 ? kReplacement : *high);
  return 6;
}

}  // namespace

Category category_of(std::string_view cat) {
  for (const auto& [word, category] : kWords) {
    if (cat == word) return category;
  }
  return Category::kOther;
}

Category category_by_name(Category known, std::string_view cat, std::string_view name) {
  if (known != Category::kKernel || cat != "mtia_ccp_events") return known;
  if (name == "dma_request") return Category::kCopy;
  return name == "event_wait" || name == "event_record" ? Category::kSync : known;
}

bool repeats_others(std::string_view cat) {
  constexpr std::string_view kWordsOfRepeats[] = {
      "gpu_user_annotation", "Trace", "Traces", "ac2g", "fwdbwd", "async_gpu", "async_cpu_to_gpu", "forward_backward",
      "cpu_instant_event"};
  return std::ranges::find(kWordsOfRepeats, cat) != std::end(kWordsOfRepeats);
}

bool is_annotation(std::string_view name) {
  return name.starts_with("ProfilerStep#") || name.starts_with("enumerate(DataLoader)#") ||
         name.starts_with("Optimizer.");
}

CopyDirection direction_of_copy(std::string_view name) {
  constexpr std::pair<std::string_view, CopyDirection> kDirections[] = {
      {"HOST_TO_DEVICE", CopyDirection::kHostToDevice},
      {"DEVICE_TO_HOST", CopyDirection::kDeviceToHost},
      {"DEVICE_TO_DEVICE", CopyDirection::kDeviceToDevice},
      {"HtoD", CopyDirection::kHostToDevice},
      {"DtoH", CopyDirection::kDeviceToHost},
      {"DtoD", CopyDirection::kDeviceToDevice},
      {"PtoP", CopyDirection::kPeerToPeer},
      {"HtoH", CopyDirection::kHostToHost},
      {"HtoA", CopyDirection::kArray},
      {"AtoH", CopyDirection::kArray},
      {"AtoA", CopyDirection::kArray},
      {"AtoD", CopyDirection::kArray},
      {"DtoA", CopyDirection::kArray},
      {"M2D", CopyDirection::kHostToDevice},
      {"D2M", CopyDirection::kDeviceToHost},
      {"HostToDevice", CopyDirection::kHostToDevice},
      {"DeviceToHost", CopyDirection::kDeviceToHost},
      {"DeviceToDevice", CopyDirection::kDeviceToDevice}};
  for (const auto& [word, direction] : kDirections) {
    if (says(name, word)) return direction;
  }
  return CopyDirection::kUnknown;
}

namespace {

MemoryKind memory_kind_of(std::string_view word) {
  constexpr std::string_view kWordsOfKinds[] = {"Pageable", "Pinned",        "Device",        "Array",
                                                "Managed",  "Device Static", "Managed Static"};
  const auto at = std::find(std::begin(kWordsOfKinds), std::end(kWordsOfKinds), word);
  return at == std::end(kWordsOfKinds) ? MemoryKind::kUnknown : static_cast<MemoryKind>(at - std::begin(kWordsOfKinds));
}

}  // namespace

MemoryKinds memory_kinds_of(std::string_view name) {
  constexpr std::string_view kArrow = " -> ";
  const std::size_t open = name.rfind('(');
  if (open == std::string_view::npos || !name.ends_with(')')) return {};
  const std::string_view words = name.substr(open + 1, name.size() - open - 2);
  const std::size_t arrow = words.find(kArrow);
  if (arrow == std::string_view::npos) return {MemoryKind::kUnknown, memory_kind_of(words)};
  return {memory_kind_of(words.substr(0, arrow)), memory_kind_of(words.substr(arrow + kArrow.size()))};
}

std::int32_t sync_type_of(std::string_view name) {
  if (says(name, "Wait Event") || name == "event_wait") return 2;
  if (says(name, "Event")) return 1;
  if (says(name, "Stream")) return 3;
  return says(name, "Context") || says(name, "Device") ? 4 : 0;
}

std::string unescaped(std::string_view text) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    if (text[at] == '\\' && at + 1 < text.size()) {
      const std::size_t letter = kLetters.find(text[at + 1]);
      if (letter != std::string_view::npos) {
        out += kMeanings[letter];
        length = 2;
      } else if (text[at + 1] == 'u') {
        length = append_unicode(out, text, at);
      }
    }
    if (length == 0) out += text[at];
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::int64_t dtype_bytes(std::string_view dtype) {
  constexpr std::pair<std::string_view, std::int64_t> kSizes[] = {
      {"Float", 4},  {"Half", 2},   {"BFloat16", 2}, {"Double", 8},       {"Long", 8},          {"Int", 4},
      {"Short", 2},  {"Char", 1},   {"Byte", 1},     {"Bool", 1},         {"Float8_e4m3fn", 1}, {"Float8_e5m2", 1},
      {"UInt16", 2}, {"UInt32", 4}, {"UInt64", 8},   {"ComplexFloat", 8}, {"ComplexDouble", 16}};
  for (const auto& [name, bytes] : kSizes) {
    if (name == dtype) return bytes;
  }
  return 0;
}

std::string rank_list(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ' ') continue;
    if (c != ',' && (c < '0' || c > '9')) return {};
    out += c;
  }
  return out;
}

}  // namespace assay::load
