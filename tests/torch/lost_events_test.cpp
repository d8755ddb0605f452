// Events that damage makes part of another one.
#include "made_trace.hpp"
#include "support/test.hpp"

namespace assay::lost_events_test {

TEST(LostEvents, EventsBetweenTwoBrokenQuotesAreCounted) {
  const TraceFolder folder;
  // Arrows are passed over before they end, so that the text of one may hold many events.
  const std::string arrow =
      R"({"ph": "f", "cat": "ac2g", "ts": 1, "name": "ac2g", "id": 7, "pid": 0, "tid": 7, "bp": "e"})";
  const auto broken = [&](std::string text, int first, int last) {
    std::size_t at = 0;
    std::vector<std::size_t> quotes;
    for (int a = 0; a <= last; ++a) {
      at = text.find(R"("ac2g", "id")", at + 1);
      if (a == first || a == last) quotes.push_back(at);
    }
    text[quotes[0]] = text[quotes[1]] = ' ';
    return text;
  };
  std::string events;
  for (int k = 0; k < 20; ++k) {
    const std::string n = std::to_string(k + 1);
    events += R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": )" + n +
              R"(, "dur": 0.5, "args": {"device": 0, "stream": 7, "correlation": )" + n + "}}, " + arrow;
    events += k < 19 ? ", " : "";
  }
  const LoadedTrace whole(folder.write(document(events)));
  EXPECT_EQ(whole.issue("damaged_events"), std::nullopt);
  for (const int last : {6, 12, 19}) {
    const LoadedTrace trace(folder.write(document(broken(events, 3, last))));
    const auto lost = static_cast<std::int64_t>(20 - trace->kernels->rows);
    EXPECT_EQ(lost, last - 3);
    EXPECT_EQ(trace.issue("damaged_events"), 2 * lost) << "a kernel and an arrow each";
  }
}

}  // namespace assay::lost_events_test
