#include "assay/plugin.hpp"

class PrivateAttributes {
 public:
  static constexpr std::string_view kSummary = "Keeps to itself which texts it gives.";
  explicit PrivateAttributes(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink&) const {}

 private:
  static constexpr assay::AttributeSpec kAttributes[] = {{"a.b", "Something."}};
};

ASSAY_PLUGIN("private_attributes", "1.0.0", PrivateAttributes);
