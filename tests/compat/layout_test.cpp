// What crosses the boundary is laid out as it is checked in.
#include "layout.hpp"

#include <cstddef>

#include "assay/abi.hpp"
#include "support/test.hpp"

namespace assay::compat::layout_test {

const std::string kFolder = ASSAY_SOURCE_DIR "/tests/compat/";

/// First word of each line -> the rest.
std::map<std::string, std::string> lines_of(const std::string& text) {
  std::map<std::string, std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines[line.substr(0, line.find(' '))] = line.substr(line.find(' ') + 1);
  return lines;
}

TEST(Layout, IsAsCheckedIn) {
  if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) write_text(kFolder + "layout.txt", layout_text());
  const auto listed = lines_of(read_text(kFolder + "layout.txt")), built = lines_of(layout_text());
  ASSERT_GT(listed.size(), 400U);
  std::string differences;
  for (const auto& [name, is] : built) {
    const auto was = listed.find(name);
    if (was == listed.end()) differences += "  new:     " + name + " " + is + "\n";
    if (was != listed.end() && was->second != is)
      differences += "  changed: " + name + " " + was->second + " -> " + is + "\n";
  }
  for (const auto& [name, was] : listed) {
    if (!built.contains(name)) differences += "  gone:    " + name + " " + was + "\n";
  }
  EXPECT_TRUE(differences.empty()) << differences
                                   << "If only members at the end, enumerators or columns are new, write the "
                                   << "list anew: ASSAY_UPDATE_GOLDEN=1 ./dev test loader Layout.IsAsCheckedIn\n";
}

TEST(Layout, ListsEveryMember) {
  for (const Structure& s : structures()) {
    std::size_t end = 0;
    for (const Member& m : s.members) {
      EXPECT_LT(m.offset - end, 8U) << s.name << ": a member before '" << m.name << "' is not listed in layout.cpp";
      end = m.offset + m.size;
    }
    EXPECT_LT(s.size - end, 8U) << s.name << ": a member after '" << s.members.back().name
                                << "' is not listed; append it to its line in tests/compat/layout.cpp";
  }
}

// A plugin of another major version is identified by these; they are where ABI 1.0 had them.
static_assert(kMagic == 5137569619201184577ULL && offsetof(Descriptor, magic) == 0 &&
              offsetof(Descriptor, abi_major) == 8 && offsetof(Descriptor, abi_minor) == 12);

TEST(Layout, SpecsHaveNoBytesAtTheirEndThatHaveNoName) {
  for (const Structure& s : structures()) {
    if (!s.name.ends_with("Spec") && s.name != "Descriptor") continue;
    const Member& last = s.members.back();
    EXPECT_EQ(last.offset + last.size, s.size)
        << s.name << ": fill it with reserved bytes, or the next member lies where older plugins have padding";
  }
}

TEST(ThisVersion, IsInTheListOfChanges) {
  const std::string changes = read_text(fs::path(ASSAY_SOURCE_DIR) / "CHANGELOG.md");
  const std::string version = std::to_string(kAbiMajor) + "." + std::to_string(kAbiMinor);
  EXPECT_TRUE(contains_all(changes, {"plugin ABI " + version, "\n- " + version + ": "}));
}

}  // namespace assay::compat::layout_test
