// Plans of synthetic plugins.
#pragma once

#include "assay/plugin.hpp"
#include "config/question_of.hpp"
#include "plan/plan.hpp"
#include "support/test.hpp"

namespace assay {

inline Analyzer* make_none(const Options&, ErrorSink& errors) noexcept {
  errors.fail("these plugins are for planning only");
  return nullptr;
}

/// What a test's plugin declares.
struct DeclaredPlugin {
  std::string id;
  std::uint32_t stages = kStageAnalyze | kStageConclude;
  std::vector<MetricSpec> produces = {};
  std::vector<Str> consumes = {};
  std::vector<OptionSpec> options = {};
  std::vector<OptionSpec> claim_keys = {};
  std::vector<AttributeSpec> attributes = {};
  std::vector<ColumnId> needs = {}, wants = {};
  ClaimCheck check_claim = nullptr;
};

/// Plugins without libraries. Keeps what their descriptors point to.
class PlanTest : public ::testing::Test {
 protected:
  void add(DeclaredPlugin declared) {
    OwnedDescriptor& own = *owned_.emplace_back(std::make_unique<OwnedDescriptor>());
    own.declared = std::move(declared);
    const DeclaredPlugin& d = own.declared;
    Descriptor& out = own.descriptor;
    out.sizes = detail::abi_sizes();
    out.id = d.id;
    out.version = "1.0.0";
    out.stages = d.stages;
    out.produces = d.produces;
    out.consumes = d.consumes;
    out.options = d.options;
    out.claim_keys = d.claim_keys;
    out.attributes = d.attributes;
    out.needs = d.needs;
    out.wants = d.wants;
    out.create = &make_none;
    out.check_claim = d.check_claim;
    auto plugin = require(Plugin::linked(out));
    plugins_.loaded.push_back(std::move(*plugin));
    std::sort(plugins_.loaded.begin(), plugins_.loaded.end(),
              [](const auto& a, const auto& b) { return a->id() < b->id(); });
  }

  void add_summary() {
    add({"run_summary",
         kStageAnalyze | kStageConclude,
         {{"gpu.busy", "ratio", {}, "d"}, {"copy.bytes", "bytes", {}, "d"}},
         {},
         {},
         {},
         {{"fingerprint", "d"}},
         {col::kernels},
         {col::copies}});
  }

  void add_with_option(OptionSpec spec) { add({"tested", kStageConclude, {}, {}, {spec}}); }

  Result<Plan> plan(const std::string& toml) {
    questions_.assign(1, question_of("[question]\nid = \"q\"\n[labels]\ndim = { type = \"int\" }\nmode = {}\n" + toml));
    return make_plan(questions_, plugins_);
  }

  /// The sentence without the file's name; "planned" when there is none.
  std::string refusal(const std::string& toml) {
    const auto planned = plan(toml);
    if (planned) return "planned";
    EXPECT_EQ(planned.error().exit, Exit::kUsage);
    return planned.error().sentence.substr(planned.error().sentence.find("question.toml:") + 14);
  }

  Plugins plugins_;

 private:
  struct OwnedDescriptor {
    DeclaredPlugin declared;
    Descriptor descriptor;
  };
  std::vector<std::unique_ptr<OwnedDescriptor>> owned_;
  std::vector<Question> questions_;
};

}  // namespace assay
