// The study that the tests of conclude share.
#pragma once

#include "loader/fixtures.hpp"
#include "support/test.hpp"

namespace assay::fixture {

class Concluding : public ::testing::Test {
 protected:
  void TearDown() override {
    A::reset();
    B::reset();
    Scripted2::reset();
  }
  using Scripted2 = ScriptedAnalyzer<2>;

  /// Three reports, the second of which was not loaded.
  void add_reports() {
    for (const char* name : {"x/1.sqlite", "x/2.sqlite", "x/3.sqlite"}) world_.add_report(name);
    world_.results[0].facts = {{"a.share", "", 0.5, {}}, {"a.time", "k=1", 10, {9, 11}}, {"a.time", "k=2", 20, {}}};
    world_.results[0].attributes = {{"a.print", "p"}};
    world_.results[1].loaded = false;
    world_.results[2].facts = {{"a.time", "", 30, {28, 30, 32}}, {"z.not_enabled", "", 1, {}}};
  }
  World world_;
};

}  // namespace assay::fixture
