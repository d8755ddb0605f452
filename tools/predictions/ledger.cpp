#include "predictions/ledger.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "assay/algo/joint.hpp"
#include "files/descriptor.hpp"
#include "files/read_file.hpp"
#include "files/staged_file.hpp"

namespace assay::predictions {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kLevel = 0.95;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string line_of(const JudgedPrediction& one) {
  return Json{{"time", one.time},
              {"question", one.question},
              {"claim", one.claim},
              {"labels", one.labels},
              {"metric", one.metric},
              {"change", one.change},
              {"kind", one.kind()},
              {"predicted", number(one.predicted)},
              {"low", number(one.low)},
              {"high", number(one.high)},
              {"measured", number(one.measured)},
              {"measured_low", number(one.measured_low)},
              {"measured_high", number(one.measured_high)},
              {"verdict", one.verdict}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Throws Json::exception if the line is invalid.
JudgedPrediction read_line(const std::string& text) {
  const Json line = Json::parse(text);
  const auto real = [&](const char* name) {
    const Json& value = line.at(name);
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  };
  JudgedPrediction one;
  one.time = line.at("time").get<std::string>();
  one.question = line.at("question").get<std::string>();
  one.claim = line.at("claim").get<std::string>();
  one.labels = line.at("labels").get<std::string>();
  one.metric = line.at("metric").get<std::string>();
  one.change = line.at("change").get<std::vector<std::string>>();
  one.predicted = real("predicted");
  one.low = real("low");
  one.high = real("high");
  one.measured = real("measured");
  one.measured_low = real("measured_low");
  one.measured_high = real("measured_high");
  one.verdict = line.at("verdict").get<std::string>();
  return one;
}

/// Identifies a prediction and its stratum.
auto identity(const JudgedPrediction& one) {
  return std::tuple(one.question, one.claim, one.labels, one.metric, one.change, one.predicted, one.low, one.high);
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool says_the_same(const JudgedPrediction& a, const JudgedPrediction& b) {
  return a.verdict == b.verdict && same(a.measured, b.measured) && same(a.measured_low, b.measured_low) &&
         same(a.measured_high, b.measured_high);
}

Score score_of(std::string kind, const std::vector<const JudgedPrediction*>& judged) {
  Score score;
  score.kind = std::move(kind);
  score.count = judged.size();
  std::vector<double> logs;
  for (const JudgedPrediction* one : judged) {
    score.inside += one->inside() ? 1U : 0U;
    score.supported += one->verdict == "supported" ? 1U : 0U;
    score.refuted += one->verdict == "refuted" ? 1U : 0U;
    logs.push_back(std::log(one->measured / one->predicted));
  }
  const Bounds coverage = binomial_interval(score.inside, score.count, kLevel);
  score.coverage_low = coverage.lo;
  score.coverage_high = coverage.hi;
  const CellMean bias = mean_over_cells(logs, kLevel);
  score.bias = std::exp(bias.mean);
  score.bias_low = std::exp(bias.bounds.lo);
  score.bias_high = std::exp(bias.bounds.hi);
  return score;
}

}  // namespace

Result<Ledger> read_ledger(const fs::path& file) {
  Ledger ledger;
  constexpr std::uint64_t kLargest = std::uint64_t{256} << 20U;
  Result<std::string> lines = files::read_file(file, kLargest, files::NamedBy::kAssay);
  if (!lines)
    return Error{fmt::format("'{}' {}", file.string(), lines.error().sentence), Exit::kFailed, file.string(),
                 lines.error().remedy};
  std::istringstream in(std::move(*lines));
  std::map<decltype(identity(JudgedPrediction())), std::size_t> known;
  std::size_t number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (text.empty()) continue;
    ++ledger.lines;
    try {
      JudgedPrediction one = read_line(text);
      if (!(one.predicted > 0) || !(one.measured > 0) || std::isnan(one.low) || std::isnan(one.high))
        throw std::invalid_argument("a ratio is missing or is no positive number");
      const auto [at, added] = known.try_emplace(identity(one), ledger.latest.size());
      if (added)
        ledger.latest.push_back(std::move(one));
      else
        ledger.latest[at->second] = std::move(one);
    } catch (const Json::exception&) {
      ledger.damaged.push_back(fmt::format("{}:{}: it is no judged prediction", file.string(), number));
    } catch (const std::invalid_argument& problem) {
      ledger.damaged.push_back(fmt::format("{}:{}: {}", file.string(), number, problem.what()));
    }
  }
  return ledger;
}

Result<std::size_t> append(const fs::path& file, std::span<const JudgedPrediction> judged) {
  if (judged.empty()) return std::size_t{0};
  const Result<files::Descriptor> opened = files::open_own_file(file, O_RDWR | O_APPEND);
  if (!opened) return opened.error();
  const files::Descriptor& to = *opened;
  if (flock(to.get(), LOCK_EX) != 0) return files::not_written(file, std::strerror(errno));
  const Result<Ledger> before = read_ledger(file);
  if (!before) return before.error();
  std::string text;
  std::size_t added = 0;
  for (const JudgedPrediction& one : judged) {
    const bool known = std::ranges::any_of(before->latest, [&](const JudgedPrediction& other) {
      return identity(one) == identity(other) && says_the_same(one, other);
    });
    if (known) continue;
    text += line_of(one) + "\n";
    ++added;
  }
  if (text.empty()) return added;
  // A crashed program may have left its last line unfinished.
  char last = '\n';
  const off_t size = lseek(to.get(), 0, SEEK_END);
  if (size > 0 && pread(to.get(), &last, 1, size - 1) == 1 && last != '\n') text = "\n" + text;
  for (std::string_view left = text; !left.empty();) {
    const ssize_t put = ::write(to.get(), left.data(), left.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      const int why = errno;
      if (ftruncate(to.get(), size) != 0) return files::not_written(file, std::strerror(errno));
      return files::not_written(file, std::strerror(why));
    }
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  fsync(to.get());
  return added;
}

std::vector<Score> scores(std::span<const JudgedPrediction> judged) {
  std::map<std::string, std::vector<const JudgedPrediction*>> by_kind;
  std::vector<const JudgedPrediction*> all;
  for (const JudgedPrediction& one : judged) {
    by_kind[one.kind()].push_back(&one);
    all.push_back(&one);
  }
  std::vector<Score> out;
  for (const auto& [kind, of] : by_kind) out.push_back(score_of(kind, of));
  if (by_kind.size() > 1) out.push_back(score_of("all", all));
  return out;
}

}  // namespace assay::predictions
