#include "merge.hpp"

#include <algorithm>
#include <map>

#include "assay/words.hpp"

namespace assay::step_items {
namespace {

/// Neighbours that become one piece.
class Group {
 public:
  [[nodiscard]] bool takes(const Piece& piece, std::int64_t least) const {
    return count_ == 0 || piece.start - end_ < least;
  }
  void add(const Piece& piece) {
    if (count_ == 0) start_ = piece.start;
    end_ = std::max(end_, piece.end);
    times_[piece.kind] += piece.time;
    count_ += piece.count;
    last_ = piece;
  }
  [[nodiscard]] std::int64_t length() const { return count_ == 0 ? 0 : end_ - start_; }

  void end(std::int64_t least, std::vector<Piece>& to) {
    if (count_ == 0) return;
    if (count_ == 1) {
      to.push_back(last_);
    } else {
      const auto most = std::ranges::max_element(times_, {}, [](const auto& of) { return of.second; });
      std::int64_t time = 0;
      for (const auto& [kind, own] : times_) time += own;
      const std::string most_of = most->first.empty() ? "" : ", most " + most->first;
      to.push_back({start_, end_, time, most->first, {}, counted(count_, "short one") + most_of, count_});
    }
    to.back().end = std::max(to.back().end, to.back().start + least);
    *this = {};
  }

 private:
  std::int64_t start_ = 0, end_ = 0;
  std::map<std::string, std::int64_t> times_;
  std::size_t count_ = 0;
  Piece last_;
};

}  // namespace

std::vector<Piece> merged(const std::vector<Piece>& pieces, std::int64_t least) {
  std::vector<Piece> out;
  Group group;
  for (const Piece& piece : pieces) {
    const bool is_long = piece.end - piece.start >= least;
    if (is_long || !group.takes(piece, least) || group.length() >= least) group.end(least, out);
    if (is_long)
      out.push_back(piece);
    else
      group.add(piece);
  }
  group.end(least, out);
  return out;
}

void merge(std::vector<Lane>& lanes, std::int64_t length, std::size_t most) {
  constexpr double kGrowth = 1.2;
  constexpr std::int64_t kLeastParts = 2400;  // of the length
  double least = static_cast<double>(std::max<std::int64_t>(1, length / kLeastParts));
  std::vector<Lane> shown;
  std::size_t pieces = 0;
  do {
    shown.clear();
    pieces = 0;
    for (const Lane& lane : lanes) {
      shown.push_back({lane.name, lane.role, merged(lane.pieces, static_cast<std::int64_t>(least))});
      pieces += shown.back().pieces.size();
    }
    least *= kGrowth;
  } while (pieces > most);
  lanes = std::move(shown);
}

}  // namespace assay::step_items
