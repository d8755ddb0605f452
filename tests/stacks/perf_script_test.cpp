// Text of perf script and collapsed stacks, also damaged.
#include "../../formats/perf_script/sample_lines.hpp"
#include "../../formats/perf_script/stack_text.hpp"
#include "support/temp_folder.hpp"
#include "support/test.hpp"

namespace assay::perf_script_test {

using namespace perf_script;

TEST(SampleLines, AreReadInTheirForms) {
  const auto plain = sample_line("simple-terminat    10 198792.736893:    1001001 cpu-clock:");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->command, "simple-terminat");
  EXPECT_EQ(plain->thread, 10);
  EXPECT_EQ(plain->process, -1);
  EXPECT_EQ(plain->time, 198'792'736'893'000);
  EXPECT_EQ(plain->period, 1'001'001);
  const auto both = sample_line("my prog 2 9/12 [003] 1.5: cpu-clock: ");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->command, "my prog 2");
  EXPECT_EQ(both->process, 9);
  EXPECT_EQ(both->thread, 12);
  EXPECT_EQ(both->time, 1'500'000'000);
  EXPECT_EQ(both->period, 1);
  EXPECT_EQ(sample_line("p 1 2.123456789: 3 cycles:")->time, 2'123'456'789);
  for (const char* line : {"", "a", "# p 1 2.5: 3 cycles:", "p 1 2.5 3 cycles:", "p 1 2.1234567890: 1 c:",
                           "p x 2.5: c:", "\t643 f (g)", "p 1 99999999999.5: c:", "1 2.5: c:", "p 1/x 2.5: c:"})
    EXPECT_FALSE(sample_line(line)) << line;
}

TEST(FrameLines, LeaveOffsetsOut) {
  const auto frame = frame_line("\t    aaaac1479980 ns::f(std::vector<int>&)+0x144 (/trace/bin (deleted))");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->function, "ns::f(std::vector<int>&)");
  EXPECT_EQ(frame->file, "/trace/bin (deleted)");
  const auto plain = frame_line("\t 6f1 _Z5gammav+0x12 (/workdir/forks)");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->function, "_Z5gammav");
  EXPECT_EQ(plain->file, "/workdir/forks");
  for (const char* line : {"", "643 f (g)", "\t", "\t643", "\txyz f (g)", "\t643 f g", "\t643 f (g"})
    EXPECT_FALSE(frame_line(line)) << line;
}

std::string written(const TempFolder& folder, const std::string& text) {
  return folder.write("text.perf", text).string();
}

TEST(StackText, CountsWhatIsDamagedAndReadsTheRest) {
  const TempFolder dir;
  const StackText text(written(dir, "# comment\r\na;b;c 2\r\na;b 1\n\ninvalid line\na;b;c 1\nf (x.py:3) 4\n;; 1"));
  EXPECT_FALSE(text.timed);
  EXPECT_EQ(text.damaged, 1);
  ASSERT_EQ(text.samples.size(), 5U);
  EXPECT_EQ(text.samples[0].stack, text.samples[2].stack);
  const auto node = [&](std::size_t sample) {
    return text.stacks.nodes()[static_cast<std::size_t>(text.samples[sample].stack)];
  };
  EXPECT_EQ(node(0).parent, text.samples[1].stack);
  const FrameRow& frame = text.frames[static_cast<std::size_t>(node(3).frame)];
  EXPECT_EQ(frame.function, "f");
  EXPECT_EQ(frame.file, "x.py");
  EXPECT_EQ(frame.line, 3);
}

TEST(StackText, KeepsSamplesWithoutStacks) {
  const TempFolder dir;
  const StackText text(
      written(dir, "p 1 1.0: 5 c:\n\np 1 2.0: 5 c:\n\t12 f (g)\n\tjunk\n\t13 h (g)\np 1 3.0: 5 c:\n\t14 f (g)"));
  ASSERT_EQ(text.samples.size(), 3U);
  EXPECT_EQ(text.samples[0].stack, kNone);
  EXPECT_EQ(text.samples[1].stack, 1) << "f below h";
  EXPECT_EQ(text.samples[2].stack, 2) << "f alone";
  ASSERT_EQ(text.stacks.nodes().size(), 3U);
  EXPECT_EQ(text.stacks.nodes()[1].parent, 0);
  EXPECT_EQ(text.damaged, 1);
}

TEST(StackText, RefusesWhatHasNoStack) {
  const TempFolder dir;
  for (const char* none : {"", "\n\n", "# nothing\n", "words without a count\n", "p 1 x: c:\n"})
    EXPECT_THROW(StackText(written(dir, none)), std::runtime_error) << none;
  EXPECT_THROW(StackText((dir.path() / "missing").string()), std::runtime_error);
}

}  // namespace assay::perf_script_test
