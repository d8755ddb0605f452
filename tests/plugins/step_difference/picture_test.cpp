#include <numeric>

#include "plugins/step_items/merge.hpp"
#include "support/test.hpp"

namespace assay::step_items::picture_test {

Piece piece(std::int64_t start, std::int64_t end, const std::string& kind) {
  return {start, end, end - start, kind, {}, kind};
}

std::int64_t time_of(const std::vector<Piece>& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0},
                         [](std::int64_t sum, const Piece& p) { return sum + p.time; });
}

TEST(Picture, LongPiecesStayAndShortNeighboursBecomeOneOfTheKindWithMostTime) {
  const std::vector<Piece> pieces{piece(0, 100, "a"),   piece(100, 103, "b"), piece(104, 109, "c"),
                                  piece(110, 113, "b"), piece(200, 204, "c"), piece(300, 420, "a")};
  const std::vector<Piece> out = merged(pieces, 14);
  ASSERT_EQ(out.size(), 4U);
  EXPECT_EQ(out[0].kind, "a");
  EXPECT_EQ(out[1].kind, "b") << "6 of b, 5 of c";
  EXPECT_EQ(out[1].start, 100);
  EXPECT_EQ(out[1].time, 11);
  EXPECT_EQ(out[1].count, 3U);
  EXPECT_EQ(out[2].end, 214) << "at least as long as what can be seen";
  EXPECT_EQ(out[2].time, 4) << "its time is its own";
  EXPECT_EQ(time_of(out), time_of(pieces));
}

TEST(Picture, AHundredThousandPiecesFitAndKeepTheirTime) {
  constexpr std::int64_t kPieces = 100'000, kApart = 100;
  std::vector<Lane> lanes(2);
  for (Lane& lane : lanes) {
    for (std::int64_t p = 0; p < kPieces; ++p)
      lane.pieces.push_back(piece(kApart * p, kApart * p + 40 + p % 50, p % 3 == 0 ? "a" : "b"));
  }
  const std::int64_t before = time_of(lanes[0].pieces);
  merge(lanes, kPieces * kApart, 1900);
  EXPECT_LE(lanes[0].pieces.size() + lanes[1].pieces.size(), 1900U);
  EXPECT_GE(lanes[0].pieces.size() + lanes[1].pieces.size(), 1900U / 2) << "no coarser than it has to be";
  EXPECT_EQ(time_of(lanes[0].pieces), before);
  for (std::size_t p = 1; p < lanes[0].pieces.size(); ++p)
    ASSERT_GE(lanes[0].pieces[p].start, lanes[0].pieces[p - 1].start);
}

TEST(Picture, FewPiecesStayAsTheyAre) {
  std::vector<Lane> lanes(1);
  lanes[0].pieces = {piece(0, 500, "a"), piece(600, 1000, "b")};
  merge(lanes, 1000);
  ASSERT_EQ(lanes[0].pieces.size(), 2U);
  EXPECT_EQ(lanes[0].pieces[1].start, 600);
}

}  // namespace assay::step_items::picture_test
