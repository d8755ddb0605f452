// Tables of plugins/operator_roofline/formulas.md, which tests write between "<!-- NAME -->" and "<!-- /NAME -->" if
// ASSAY_UPDATE_GOLDEN=1.
#pragma once

#include "support/test.hpp"

namespace assay::testing {

inline void expect_documented(const std::string& name, const std::string& table) {
  const std::string path = ASSAY_SOURCE_DIR "/plugins/operator_roofline/formulas.md";
  std::stringstream in;
  in << std::ifstream(path).rdbuf();
  std::string text = in.str();
  const std::string begin = "<!-- " + name + " -->\n", end = "<!-- /" + name + " -->";
  const std::size_t from = text.find(begin), to = text.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to)
      << path << " has no place for " << name;
  const std::size_t first = from + begin.size();
  const char* update = std::getenv("ASSAY_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::ofstream(path) << text.replace(first, to - first, table);
    return;
  }
  EXPECT_EQ(text.substr(first, to - first), table)
      << "the table '" << name << "' of " << path << " is another one now; write it anew with ASSAY_UPDATE_GOLDEN=1";
}

}  // namespace assay::testing
