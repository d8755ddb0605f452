#include "results/stored_needs.hpp"

#include "render/format.hpp"
#include "results/stored_row.hpp"

namespace assay {

void read_needs(sqlite3* db, const std::string& question,
                const std::function<OwnedStratum&(std::int64_t)>& stratum_of) {
  each_row(db,
           "SELECT n.stratum, unit, scale, centre, spread, degrees, low, high, unseen, sides, seen, needed, in_vain "
           "FROM needs n JOIN strata s USING (stratum) WHERE s.question = ?1",
           question, [&](const StoredRow& row) {
             constexpr double kOpen = std::numeric_limits<double>::infinity();
             OwnedNeed& need = stratum_of(row.integer(0)).need.emplace();
             need.unit = row.named(1, NeedUnit::kChanged, need_unit_name);
             need.scale = row.named(2, NeedScale::kMetric, need_scale_name);
             need.centre = row.number(3);
             need.spread = row.number(4);
             need.degrees = row.number(5);
             need.low = row.absent(6) ? -kOpen : row.number(6);
             need.high = row.absent(7) ? kOpen : row.number(7);
             need.unseen = row.number(8);
             need.sides = row.integer(9);
             need.seen = row.integer(10);
             need.needed = row.integer(11);
             need.in_vain = row.text(12);
           });
}

void read_pairs(sqlite3* db, const std::string& question,
                const std::function<OwnedFinding&(std::int64_t)>& finding_of) {
  each_row(
      db,
      "SELECT p.finding, pairs, agreeing FROM finding_pairs p JOIN findings f USING (finding) WHERE f.question = ?1",
      question, [&](const StoredRow& row) {
        OwnedFinding& finding = finding_of(row.integer(0));
        finding.pairs = row.integer(1);
        finding.agreeing = row.integer(2);
      });
}

}  // namespace assay
