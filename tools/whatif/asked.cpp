#include "whatif/asked.hpp"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "algo/nearest.hpp"
#include "assay/detail/text.hpp"
#include "assay/quantity.hpp"

namespace assay::whatif {
namespace {

constexpr std::pair<std::string_view, replay::Target> kTargets[] = {
    {"kernel", replay::Target::kKernel}, {"operator", replay::Target::kOperator}, {"class", replay::Target::kClass},
    {"range", replay::Target::kRange},   {"copy", replay::Target::kCopy},         {"host", replay::Target::kHost},
    {"launch", replay::Target::kLaunch}};
constexpr std::pair<std::string_view, double> kUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

std::optional<double> number(std::string_view text) {
  const auto value = number_in<double>(text);
  return value && *value >= 0 && *value <= 1e12 ? value : std::nullopt;
}

std::optional<double> nanoseconds(std::string_view text) {
  for (const auto& [unit, factor] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const auto value = number(text.substr(0, text.size() - unit.size()));
    if (value) return *value * factor;
  }
  return std::nullopt;
}

Error cannot(std::string_view option, const std::string& text, const std::string& why) {
  return Error{fmt::format("{} '{}': {}", std::string(option), text, why), Exit::kUsage}.at(text);
}

/// Whether a word such as "batch" changes every kernel, by a law that one profile does not reveal.
bool changes_work(std::string_view word) {
  for (const std::string_view other :
       {"batch", "batch_size", "shape", "seq", "sequence", "hidden", "dim", "resolution"}) {
    if (word == other) return true;
  }
  return false;
}

Result<replay::Selector> read_selector(std::string_view option, const std::string& text, std::string_view selector) {
  const std::size_t colon = selector.find(':');
  const std::string_view word = selector.substr(0, colon);
  if (changes_work(word))
    return cannot(option, text,
                  "a change of the " + std::string(word) +
                      " cannot be predicted from a profile, because it does not show how the time of each kernel would "
                      "change; record such a run and use 'assay compare'");
  for (const auto& [name, target] : kTargets) {
    if (word != name) continue;
    if (colon == std::string_view::npos || colon + 1 == selector.size())
      return cannot(option, text,
                    fmt::format("a name is missing after '{}:', such as {}{}", std::string(name), std::string(name),
                                target == replay::Target::kCopy ? ":h2d" : ":*name*"));
    replay::Selector found;
    found.target = target;
    found.pattern = selector.substr(colon + 1);
    return found;
  }
  return cannot(option, text, "it does not begin with kernel:, operator:, class:, range:, copy:, host: or launch:");
}

}  // namespace

Result<ChangeRequest> read_scale(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const std::string_view before = std::string_view(text).substr(0, equals);
  if (changes_work(before.substr(0, before.find(':')))) return read_selector("--scale", text, before).error();
  if (equals == std::string::npos)
    return cannot("--scale", text, "expected WHAT:NAME=FACTOR, such as kernel:*softmax*=0.5");
  Result<replay::Selector> what = read_selector("--scale", text, before);
  if (!what) return what.error();
  const auto factor = number(std::string_view(text).substr(equals + 1));
  if (!factor)
    return cannot("--scale", text, "the factor after '=' is not a number of at least 0; 0.5 means half the time");
  ChangeRequest asked;
  asked.what = std::move(*what);
  asked.factor = *factor;
  asked.text = text;
  return asked;
}

Result<ChangeRequest> read_remove(const std::string& text) {
  if (std::optional<lever::Lever> lever = lever::lever_of(text)) return without(std::move(*lever));
  if (text != "sync")
    return cannot(
        "--remove", text,
        "expected a cost as 'assay whatif PROFILE' lists them, such as host:RANGE, launches:RANGE, sync:RANGE, "
        "copies:h2d, allocation or unfused-attention; or sync: no call waits for the device");
  ChangeRequest asked;
  asked.kind = ChangeRequest::Kind::kRemoveSync;
  asked.text = text;
  return asked;
}

ChangeRequest without(lever::Lever lever) {
  ChangeRequest asked;
  asked.kind = ChangeRequest::Kind::kLever;
  asked.text = lever::text_of(lever);
  asked.lever = std::move(lever);
  return asked;
}

Result<ChangeRequest> read_straggler(const std::string& text) {
  if (text != "none")
    return cannot("--straggler", text, "only 'none' is known: the slowest rank as fast as the next one");
  ChangeRequest asked;
  asked.kind = ChangeRequest::Kind::kNoStraggler;
  asked.text = text;
  return asked;
}

Result<ChangeRequest> read_overlap(const std::string& text) {
  Result<replay::Selector> what = read_selector("--overlap", text, text);
  if (!what) return what.error();
  if (what->target != replay::Target::kCopy)
    return cannot("--overlap", text, "only copies can be overlapped, such as copy:h2d");
  ChangeRequest asked;
  asked.kind = ChangeRequest::Kind::kOverlap;
  asked.what = std::move(*what);
  asked.text = text;
  return asked;
}

ChangeRequest launch_cost(double factor) {
  ChangeRequest asked;
  asked.kind = ChangeRequest::Kind::kLaunchCost;
  asked.factor = factor;
  asked.text = exact(factor);
  return asked;
}

Result<ChangeRequest> read_replace(const std::string& text) {
  constexpr const char* kExpected = "expected operator:NAME=CALLS,LAUNCHES,TIME, such as operator:aten::sdpa=2,1,420us";
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) return cannot("--replace", text, kExpected);
  Result<replay::Selector> what = read_selector("--replace", text, std::string_view(text).substr(0, equals));
  if (!what) return what.error();
  if (what->target != replay::Target::kOperator && what->target != replay::Target::kRange)
    return cannot("--replace", text, "only an operator or a range can be replaced");
  const std::string_view values = std::string_view(text).substr(equals + 1);
  const std::size_t first = values.find(','), second = values.find(',', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return cannot("--replace", text, kExpected);
  const auto calls = number(values.substr(0, first)), launches = number(values.substr(first + 1, second - first - 1));
  const auto time = nanoseconds(values.substr(second + 1));
  if (!calls || !launches || !time) return cannot("--replace", text, kExpected);
  ChangeRequest asked;
  asked.kind = ChangeRequest::Kind::kReplace;
  asked.what = std::move(*what);
  asked.by = {*calls, *launches, *time};
  asked.what.backward = false;  // the replacement refers to the operator's forward
  asked.text = text;
  return asked;
}

Result<ChangeRequest> read_add(const std::string& text) {
  constexpr std::string_view kKernel = "kernel:";
  const std::size_t at = text.find('@');
  const std::string_view time = std::string_view(text).substr(0, at);
  const auto ns = time.starts_with(kKernel) ? nanoseconds(time.substr(kKernel.size())) : std::nullopt;
  if (!ns || at == std::string::npos || at + 1 == text.size())
    return cannot("--add", text, "expected kernel:TIME@RANGE, such as kernel:142us@optimizer");
  ChangeRequest asked;
  asked.kind = ChangeRequest::Kind::kAdd;
  asked.added = *ns;
  asked.text = text;
  asked.what.target = replay::Target::kRange;
  asked.what.pattern = text.substr(at + 1);
  return asked;
}

Result<ChangeRequest> read_graph(const std::string& text) {
  if (text.empty()) return cannot("--graph", text, "expected the name of ranges, such as 'decode_{i}'");
  ChangeRequest asked;
  asked.kind = ChangeRequest::Kind::kGraph;
  asked.text = text;
  asked.what.target = replay::Target::kRange;
  asked.what.pattern = text;
  return asked;
}

bool is_bound(const ChangeRequest& asked) {
  using Kind = ChangeRequest::Kind;
  return asked.kind == Kind::kOverlap || asked.kind == Kind::kRemoveSync ||
         ((asked.kind == Kind::kScale || asked.kind == Kind::kLaunchCost) && asked.factor == 0);
}

bool saves_host_time(const ChangeRequest& asked) {
  using lever::LeverKind;
  if (asked.kind == ChangeRequest::Kind::kGraph) return true;
  if (asked.kind == ChangeRequest::Kind::kLever)
    return asked.lever.kind == LeverKind::kLaunches || asked.lever.kind == LeverKind::kAllLaunches;
  return asked.factor < 1 &&
         (asked.kind == ChangeRequest::Kind::kLaunchCost || asked.what.target == replay::Target::kLaunch);
}

std::string title(const ChangeRequest& asked) {
  switch (asked.kind) {
    case ChangeRequest::Kind::kScale:
      return asked.text;
    case ChangeRequest::Kind::kRemoveSync:
      return "without sync";
    case ChangeRequest::Kind::kOverlap:
      return asked.text + " overlapped";
    case ChangeRequest::Kind::kLaunchCost:
      return "launch cost x " + asked.text;
    case ChangeRequest::Kind::kReplace:
      return "replace " + asked.text;
    case ChangeRequest::Kind::kNoStraggler:
      return "without a straggler";
    case ChangeRequest::Kind::kAdd:
      return "with " + asked.text;
    case ChangeRequest::Kind::kLever:
      return "without " + asked.text;
    case ChangeRequest::Kind::kGraph:
      return "each '" + asked.text + "' one launch of a CUDA graph";
  }
  return asked.text;
}

}  // namespace assay::whatif
