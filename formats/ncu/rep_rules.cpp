#include "formats/ncu/rep_rules.hpp"

#include <fmt/core.h>

#include <cmath>

#include "formats/ncu/message.hpp"
#include "formats/ncu/rep_file.hpp"

namespace assay::ncu {
namespace {

/// Limits per launch on rules and ranges: Nsight Compute has a few dozen rules, programs nest a few ranges.
constexpr std::size_t kMaxOfLaunch = 4096;

std::string kind_text(std::uint64_t kind) {
  constexpr std::string_view kNames[] = {"", "INF", "WRN", "ERR", "OPT"};
  return kind < std::size(kNames) ? std::string(kNames[kind]) : std::string();
}

/// Calls `use(field)` for every bytes field; false if the bytes are not a message.
template <class Use>
bool each_bytes(std::string_view bytes, Use&& use) {
  Message message(bytes);
  for (Field field; message.next(field);)
    if (field.is_bytes()) use(field);
  return !message.broken();
}

/// An item: 1 the message {1 text, 2 kind}, 10 the estimate {1 kind, 2 percents}. Items without a text are ignored.
bool read_item(std::string_view bytes, RuleSaying saying, std::vector<RuleSaying>& out) {
  bool sound = each_bytes(bytes, [&](const Field& item) {
    Message message(item.bytes);
    for (Field field; message.next(field);) {
      if (item.number == 1 && field.number == 1 && field.is_bytes()) saying.text = without_markup(field.bytes);
      if (item.number == 1 && field.number == 2 && !field.is_bytes()) saying.kind = kind_text(field.value);
      if (item.number != 10) continue;
      if (field.number == 1 && !field.is_bytes()) saying.local = field.value == 1;
      if (field.number == 2 && field.type == Field::Type::kFixed64 && std::isfinite(field.as_double()))
        saying.speedup = field.as_double();
    }
  });
  if (sound && !saying.text.empty() && out.size() < kMaxOfLaunch) out.push_back(std::move(saying));
  return sound;
}

/// 1 the rule, 3 the body {1 items}, 4 the section.
bool read_rule(std::string_view bytes, std::vector<RuleSaying>& out) {
  RuleSaying saying;
  std::string_view body;
  const bool sound = each_bytes(bytes, [&](const Field& field) {
    if (field.number == 1) saying.rule = field.bytes;
    if (field.number == 3) body = field.bytes;
    if (field.number == 4) saying.section = field.bytes;
  });
  bool items = true;
  return sound &&
         each_bytes(body,
                    [&](const Field& field) {
                      items = items && (field.number != 1 || read_item(field.bytes, saying, out));
                    }) &&
         items;
}

/// 2 the threads {2 domains {3 ranges {1 name}}}; other messages in these positions have no such text.
bool read_ranges(std::string_view bytes, std::vector<std::string>& out) {
  return each_bytes(bytes, [&](const Field& thread) {
    if (thread.number != 2) return;
    each_bytes(thread.bytes, [&](const Field& domain) {
      if (domain.number != 2) return;
      each_bytes(domain.bytes, [&](const Field& range) {
        if (range.number != 3) return;
        each_bytes(range.bytes, [&](const Field& name) {
          if (name.number == 1 && !name.bytes.empty() && out.size() < kMaxOfLaunch) out.emplace_back(name.bytes);
        });
      });
    });
  });
}

bool read_launch(std::string_view bytes, RuledLaunch& out) {
  std::string_view names[3];  // 7 demangled, 6 function, 5 mangled: the first that is present
  bool whole = true;
  const bool sound = each_bytes(bytes, [&](const Field& field) {
    if (field.number >= 5 && field.number <= 7) names[7 - field.number] = field.bytes;
    if (field.number == 19) whole = whole && read_rule(field.bytes, out.sayings);
    if (field.number == 21) whole = whole && read_ranges(field.bytes, out.ranges);
  });
  for (const std::string_view name : names)
    if (out.kernel.empty()) out.kernel = name;
  return sound && whole;
}

}  // namespace

std::string without_markup(std::string_view text) {
  constexpr std::string_view kSection = "@section:", kUrl = "@url:";
  std::string out;
  while (!text.empty()) {
    const bool section = text.starts_with(kSection), url = text.starts_with(kUrl);
    const std::size_t skipped = section ? kSection.size() : kUrl.size();
    const std::size_t end = section || url ? text.find('@', skipped) : std::string_view::npos;
    const std::string_view inside = end == std::string_view::npos ? "" : text.substr(skipped, end - skipped);
    const std::size_t colon = inside.find(':');
    if (colon == std::string_view::npos) {
      const std::size_t next = text.find('@', 1);
      out += text.substr(0, next);
      text.remove_prefix(std::min(text.size(), next));
      continue;
    }
    const std::string first(inside.substr(0, colon)), second(inside.substr(colon + 1));
    out += section ? second : fmt::format("{} ({})", first, second);
    text.remove_prefix(end + 1);
  }
  return out;
}

std::vector<RuledLaunch> read_rules(const std::filesystem::path& file) {
  // Less is kept of a rule than the hundreds of bytes it takes; a file of empty rules only is not a report.
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(file, failed);
  std::uint64_t left = failed ? 0 : 3 * size;
  std::vector<RuledLaunch> out;
  read_rep(file, [&](std::string_view bytes, const RepNames&) {
    RuledLaunch launch;
    if (!read_launch(bytes, launch) || launch.kernel.empty()) return false;
    const std::uint64_t takes = sizeof(RuledLaunch) + launch.sayings.size() * sizeof(RuleSaying) +
                                launch.ranges.size() * sizeof(std::string) + launch.kernel.size();
    if (takes > left) return false;
    left -= takes;
    out.push_back(std::move(launch));
    return true;
  });
  return out;
}

}  // namespace assay::ncu
