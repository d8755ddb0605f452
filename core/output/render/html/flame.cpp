#include "render/html/flame.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "assay/words.hpp"
#include "render/format.hpp"
#include "render/html/html.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr double kFlameWidth = 1000, kFrameHeight = 20, kFrameLetter = 6.6, kLeastFrame = 0.5;  // user units
constexpr std::size_t kDeepestFrame = 64;

struct FlameNode {
  double time = 0;
  std::map<std::string, FlameNode, std::less<>> inner;
};

std::size_t depth_of(const FlameNode& node, double least) {
  std::size_t deepest = 0;
  for (const auto& [name, inner] : node.inner) {
    if (inner.time >= least) deepest = std::max(deepest, 1 + depth_of(inner, least));
  }
  return deepest;
}

class FlameWriter {
 public:
  FlameWriter(double all, std::size_t depth) : all_(all), depth_(depth) {}

  void add(const FlameNode& node, double left, std::size_t depth) {
    for (const auto& [name, inner] : node.inner) {
      const double width = kFlameWidth * inner.time / all_;
      if (width < kLeastFrame) continue;
      const double top = kFrameHeight * static_cast<double>(depth_ - depth - 1);
      const auto letters = static_cast<std::size_t>(std::max(0.0, (width - 6) / kFrameLetter));
      out += fmt::format(
          "<g><title>{}: {} ({})</title><rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", html(name),
          html(time_text(inner.time)), percent(inner.time / all_, 0), depth % 2 == 0 ? "ih" : "io", fixed(left, 2),
          fixed(top, 0), fixed(std::max(width - 0.5, 0.1), 2), fixed(kFrameHeight - 1, 0));
      if (letters >= 4)
        out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"12\">{}</text>", fixed(left + 3, 2), fixed(top + 14, 0),
                           html(shortened(one_line(name), letters)));
      out += "</g>";
      add(inner, left, depth + 1);
      left += width;
    }
  }
  std::string out;

 private:
  double all_;
  std::size_t depth_;
};

}  // namespace

std::string flame_figure(const OwnedTable& table) {
  const OwnedTable::Column *stacks = table.find("stack"), *times = table.find("time");
  FlameNode root;
  for (std::size_t r = 0; stacks != nullptr && times != nullptr && r < table.rows(); ++r) {
    std::string_view rest = stacks->texts[r];
    root.time += times->numbers[r];
    FlameNode* at = &root;
    for (std::size_t depth = 0; depth < kDeepestFrame && !rest.empty(); ++depth) {
      const std::size_t end = rest.find(';');
      at = &at->inner[std::string(rest.substr(0, end))];
      at->time += times->numbers[r];
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
  }
  if (!(root.time > 0)) return {};
  const std::size_t depth = depth_of(root, kLeastFrame * root.time / kFlameWidth);
  FlameWriter writer(root.time, depth);
  writer.add(root, 0, 0);
  return fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" role=\"img\" aria-label=\"flame graph\">{}</svg>",
      kFlameWidth, kFrameHeight * static_cast<double>(depth), kFlameWidth, writer.out);
}

}  // namespace assay
