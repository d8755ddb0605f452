// What crosses the boundary is laid out as it is checked in, and has only grown since the first release.
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
                                   << "list anew:\n  " ASSAY_LAYOUT_PROGRAM " > " << kFolder << "layout.txt\n";
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

TEST(Layout, HasOnlyGrownSinceTheFirstReleaseOfThisMajor) {
  const auto released = lines_of(read_text(kFolder + "sdk_2_0/layout.txt"));
  const auto built = lines_of(layout_text());
  ASSERT_GT(released.size(), 400U);
  for (const auto& [name, was] : released) {
    const auto is = built.find(name);
    ASSERT_NE(is, built.end()) << name << " is gone; within a major version nothing is removed";
    if (was.ends_with(" may grow")) {
      EXPECT_TRUE(is->second.ends_with(" may grow")) << name;
      EXPECT_GE(std::stoul(is->second), std::stoul(was)) << name << " has shrunk";
    } else {
      EXPECT_EQ(is->second, was) << name << " has changed; a plugin built against the first release would misread it";
    }
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

TEST(Layout, AMinorVersionTellsOfWhatWasAppended) {
  if (lines_of(read_text(kFolder + "layout.txt")) == lines_of(read_text(kFolder + "sdk_2_0/layout.txt"))) return;
  EXPECT_GT(kAbiMinor, 0U)
      << "something was appended since version 2.0; without a new minor version a plugin that uses it "
         "would be loaded by a host that has not got it: raise kAbiMinor in abi.hpp";
}

}  // namespace assay::compat::layout_test
