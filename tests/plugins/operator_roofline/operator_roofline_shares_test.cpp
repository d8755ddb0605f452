// What has no model in the traces at hand, as a share of kernel time: a table of the docs.
#include "assay/quantity.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/documented_table.hpp"
#include "plugins/operator_roofline/calls.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay::roofline::operator_roofline_shares_test {

using under_test::operator_roofline::descriptor;

using namespace testing;

std::vector<std::filesystem::path> traces() {
  std::vector<std::filesystem::path> out;
  for (const auto& [variable, below] : {std::pair{"public", "torch"},
                                        {"public2", "tracelens"},
                                        {"public2", "hta_critical_path"},
                                        {"step", "torch"},
                                        {"ddp", "torch"},
                                        {"h200", "torch"},
                                        {"ops", ""}}) {
    const auto folder = data_file(variable, below);
    if (!folder || !std::filesystem::exists(*folder)) return {};
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".json.gz") && load::format_of(entry.path()) != nullptr) out.push_back(entry.path());
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  return out;
}

std::string share(double part, double whole) {
  return part <= 0 ? "-" : part < 0.0005 * whole ? "< 0.1 %" : fixed(100 * part / whole, 1) + " %";
}

/// Names of operators by the time that has no model, most first.
std::string largest(const OperatorCalls& calls) {
  std::string out;
  std::size_t shown = 0;
  for (const OperatorRow& row : calls.rows) {  // by time
    if (row.modelled() || row.why == MissingModel::kNoOperator || row.time < 0.001 * calls.time || shown == 3) continue;
    ++shown;
    out += (out.empty() ? "`" : ", `") + row.name.substr(0, 60) + "`";
  }
  return out;
}

TEST(UnmodelledShares, AreInTheDocsForEveryTrace) {
  const auto files = traces();
  if (files.empty())
    GTEST_SKIP() << "the traces are not all here (public, public2, step, ddp, h200 and ops of ASSAY_DATA)";
  std::string table =
      "| trace | kernel time | without a model | no shapes | no formula | operands do not tell | no operator | largest "
      "|\n|---|---|---|---|---|---|---|---|\n";
  std::size_t without_kernels = 0;
  for (const auto& file : files) {
    const RealReport real(descriptor, file, "", "");
    const Report& report = real.report();
    if (report.ops == nullptr || report.kernels == nullptr || report.kernels->rows == 0) {
      ++without_kernels;
      continue;
    }
    const OperatorCalls calls = operator_calls(report, FormulaBook(), {}, {});
    std::map<MissingModel, double> times;
    double sum = 0;
    for (const OperatorRow& row : calls.rows) {
      times[row.why] += row.time;
      sum += row.time;
    }
    // By another way: every kernel in an instance, once.
    EXPECT_NEAR(sum, calls.time, 1e-6 * sum) << file;
    EXPECT_NEAR(sum - times[MissingModel::kNot], calls.unmodelled, 1e-6 * sum) << file;
    std::string name = file.filename().string();
    name = name.substr(0, name.find(".json.gz"));
    table += "| " + name + " | " + fixed(calls.time / 1e6, 2) + " ms | " + share(calls.unmodelled, calls.time);
    for (const MissingModel why :
         {MissingModel::kNoShapes, MissingModel::kNoFormula, MissingModel::kOperands, MissingModel::kNoOperator})
      table += " | " + share(times[why], calls.time);
    table += " | " + largest(calls) + " |\n";
  }
  EXPECT_LE(without_kernels, 3U);
  testing::expect_documented("unmodelled", table);
}

}  // namespace assay::roofline::operator_roofline_shares_test
