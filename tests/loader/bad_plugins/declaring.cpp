// An analyzer that declares or does one thing that `assay check` tells of: DECLARING_VERSION, DECLARING_METRIC,
// DECLARING_DEFAULT, DECLARING_READS, DECLARING_NEEDS (the name of its list of columns), DECLARING_ANALYZE.
#include <cstdint>

#include "assay/plugin.hpp"

namespace {

/// What takes the square of the number of kernels, if a part of it, and whatever the optimiser can do.
[[maybe_unused]] double square(const assay::Report& report) {
  constexpr std::size_t kStep = 1024;
  const assay::KernelTable& kernels = *report.kernels;
  const std::int64_t* const ends = kernels.end.data;
  volatile std::int64_t sum = 0;
  for (std::size_t a = 0; a < kernels.rows; ++a) {
    for (std::size_t b = 0; b < kernels.rows; b += kStep) sum = sum + (ends[b] > ends[a] ? 1 : 0);
  }
  return static_cast<double>(sum);
}

struct Declaring {
  static constexpr std::string_view kSummary = "Declares what is not so.";
  [[maybe_unused]] static constexpr assay::ColumnId DECLARING_NEEDS[] = {assay::col::kernels};
  static constexpr assay::OptionSpec kOptions[] = {
      {"limit", assay::OptionType::kInteger, DECLARING_DEFAULT, "Any number."}};
  static constexpr assay::MetricSpec kProduces[] = {
      {DECLARING_METRIC, "1", assay::Polarity::kNeutral, "Something of the kernels."}};
  static constexpr assay::Str kConsumes[] = {DECLARING_READS};

  explicit Declaring(const assay::Options& options) { static_cast<void>(options.integer("limit")); }
  void analyze(const assay::Report& report, assay::ReportSink& sink) const {
    sink.fact(DECLARING_METRIC, DECLARING_ANALYZE);
  }
  void conclude(const assay::Study&, assay::StudySink&) const {}
};

}  // namespace

ASSAY_PLUGIN(DECLARING_ID, DECLARING_VERSION, Declaring);
