#include <fmt/core.h>

#include <cmath>
#include <ostream>

#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "predictions/ledger.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay::predictions {
namespace {

std::string range(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return "";
  return fixed(low, 3) + " to " + fixed(high, 3);
}

/// "+1.2 %": how much longer it took than predicted.
std::string off(double ratio) {
  return std::isnan(ratio) ? "" : (ratio >= 1 ? "+" : "") + fixed(100 * (ratio - 1), 1) + " %";
}

std::string change_of(const JudgedPrediction& one) {
  std::string text;
  for (const std::string& change : one.change) text += (text.empty() ? "" : " ") + change;
  return text;
}

}  // namespace

void write_ledger(const Ledger& ledger, RowFormat format, std::ostream& to) {
  TextTable table({{"time"},
                   {"question"},
                   {"claim"},
                   {"labels"},
                   {"metric"},
                   {"kind"},
                   {"change"},
                   {"predicted", true},
                   {"low", true},
                   {"high", true},
                   {"measured", true},
                   {"measured_low", true},
                   {"measured_high", true},
                   {"verdict"}});
  const auto number = [](double value) { return std::isnan(value) ? std::string() : exact(value); };
  for (const JudgedPrediction& one : ledger.latest)
    table.row({one.time, one.question, one.claim, one.labels, one.metric, one.kind(), change_of(one),
               number(one.predicted), number(one.low), number(one.high), number(one.measured), number(one.measured_low),
               number(one.measured_high), one.verdict});
  table.write(to, format);
}

void print_ledger(const Ledger& ledger, std::ostream& to, std::size_t width) {
  to << counted(ledger.latest.size(), "judged prediction") << "\n\n";
  TextTable kinds({{"change"},
                   {"predictions", true},
                   {"inside the range", true},
                   {"of all such (95 %)", true},
                   {"bias", true},
                   {"95 % interval", true},
                   {"supported", true},
                   {"refuted", true}});
  for (const Score& score : scores(ledger.latest))
    kinds.row({score.kind, std::to_string(score.count), std::to_string(score.inside),
               fmt::format("{} to {} %", fixed(100 * score.coverage_low, 0), fixed(100 * score.coverage_high, 0)),
               off(score.bias), std::isnan(score.bias_low) ? "" : off(score.bias_low) + " to " + off(score.bias_high),
               std::to_string(score.supported), std::to_string(score.refuted)});
  kinds.print(to, 0, width);
  to << "\n";
  TextTable each(
      {{"claim"}, {"change"}, {"predicted", true}, {"range"}, {"measured", true}, {"interval"}, {"verdict"}});
  for (const JudgedPrediction& one : ledger.latest)
    each.row({fmt::format("{}/{}{}", one.question, one.claim, one.labels.empty() ? "" : " [" + one.labels + "]"),
              change_of(one), fixed(one.predicted, 3), range(one.low, one.high), fixed(one.measured, 3),
              range(one.measured_low, one.measured_high), one.verdict});
  each.print(to, 0, width);
  to << "\n";
  for (const std::string& line :
       wrapped("Ratios are time with the change over time without it. Bias is the geometric mean of measured over "
               "predicted: +1 % means that runs take 1 % longer than was predicted.",
               width == 0 ? 200 : width))
    to << line << "\n";
}

}  // namespace assay::predictions
