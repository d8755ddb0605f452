#include "render/hidden_characters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <utility>

#include "files/utf8.hpp"

namespace assay {
namespace {

struct CodePoints {
  char32_t first, last;
};

/// Sorted. Unicode 14: Cc, Cf, Zl, Zp and Default_Ignorable_Code_Point, except tab, line feed and carriage return, and
/// the visible characters of Cf (Arabic and Syriac number marks, hieroglyph joiners).
constexpr CodePoints kHidden[] = {
    {0x0, 0x8},         {0xB, 0xC},         {0xE, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},     {0x34F, 0x34F},
    {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E},
    {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

/// First character of non-empty valid UTF-8, and its length in bytes.
std::pair<char32_t, std::size_t> first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80U ? 1 : lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
  char32_t character = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) character = character << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return {character, length};
}

bool plain(char c) { return c >= 0x20 && c < 0x7F; }

}  // namespace

bool is_hidden(char32_t character) {
  const auto after = std::upper_bound(std::begin(kHidden), std::end(kHidden), character,
                                      [](char32_t wanted, const CodePoints& range) { return wanted < range.first; });
  return after != std::begin(kHidden) && character <= std::prev(after)->last;
}

std::string visible(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  const std::string clean = to_utf8(text);
  std::string out;
  for (std::string_view rest = clean; !rest.empty();) {
    const auto [character, length] = first_of(rest);
    if (is_hidden(character)) {
      std::array<char, 8> digits{};
      const auto end = std::to_chars(digits.begin(), digits.end(), static_cast<std::uint32_t>(character), 16).ptr;
      out.append("\\u{").append(digits.data(), end).append("}");
    } else {
      out.append(rest.substr(0, length));
    }
    rest.remove_prefix(length);
  }
  return out;
}

}  // namespace assay
