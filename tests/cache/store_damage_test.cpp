// Entries that are not what was written: cut off, with a bit turned over, of another version, with lengths that lie.
#include "cache/bytes.hpp"
#include "cache/entry.hpp"
#include "cache/store.hpp"
#include "files/digest.hpp"
#include "support/test.hpp"

namespace assay::cache::store_damage_test {

using namespace assay::testing;

const std::string kKey = "the key of an entry", kPayload = "what is kept under it";

class DamagedEntry : public ::testing::Test {
 protected:
  DamagedEntry() {
    store_.keep(kKey, kPayload);
    whole_ = read_text(file());
  }
  [[nodiscard]] std::filesystem::path file() const { return store_.file_of(kKey); }
  [[nodiscard]] bool found(const std::string& bytes) const {
    write_text(file(), bytes);
    return store_.find(kKey).has_value();
  }
  TempFolder scratch_;
  Store store_{scratch_ / "cache"};
  std::string whole_;
};

TEST_F(DamagedEntry, CutOffAnywhereIsNotThere) {
  ASSERT_TRUE(found(whole_));
  ASSERT_EQ(whole_.size(), 48 + kKey.size() + kPayload.size());
  for (std::size_t size = 0; size < whole_.size(); ++size) EXPECT_FALSE(found(whole_.substr(0, size))) << size;
  EXPECT_FALSE(found(whole_ + '\0')) << "longer";
}

TEST_F(DamagedEntry, AnyBitTurnedOverIsNotThere) {
  for (std::size_t bit = 0; bit < whole_.size() * 8; ++bit) {
    std::string damaged = whole_;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(found(damaged)) << "bit " << bit;
  }
}

TEST_F(DamagedEntry, IsReplacedByTheNextOneKept) {
  ASSERT_FALSE(found("garbage"));
  store_.keep(kKey, kPayload);
  EXPECT_EQ(store_.find(kKey), kPayload);
}

/// An entry whose header says `version` and these lengths, with the checksum that belongs to it.
std::string forged(std::uint64_t version, std::uint64_t key_bytes, std::uint64_t payload_bytes) {
  std::array<std::uint64_t, 3> numbers = {version, key_bytes, payload_bytes};
  std::string header = "assayres" + std::string(40, '\0');
  std::memcpy(header.data() + 8, numbers.data(), sizeof numbers);
  const files::Digest checksum = files::digest_of(header + kKey + kPayload);
  std::memcpy(header.data() + 32, &checksum.high, 8);
  std::memcpy(header.data() + 40, &checksum.low, 8);
  return header + kKey + kPayload;
}

TEST_F(DamagedEntry, IsMissingIfOfAnotherVersion) {
  ASSERT_EQ(forged(1, kKey.size(), kPayload.size()), whole_) << "so the forger knows the format";
  EXPECT_FALSE(found(forged(0, kKey.size(), kPayload.size())));
  EXPECT_FALSE(found(forged(2, kKey.size(), kPayload.size())));
}

TEST_F(DamagedEntry, WithLengthsThatLieIsNotThereThoughItsChecksumHolds) {
  constexpr std::uint64_t kHuge = ~std::uint64_t{0};
  for (const std::uint64_t lie :
       {std::uint64_t{0}, std::uint64_t{1} << 40, std::uint64_t{1} << 63, kHuge, kHuge - 47}) {
    EXPECT_FALSE(found(forged(1, lie, kPayload.size()))) << lie;
    EXPECT_FALSE(found(forged(1, kKey.size(), lie))) << lie;
    EXPECT_FALSE(found(forged(1, lie, lie))) << lie;
  }
  EXPECT_FALSE(found(forged(1, kKey.size() + 1, kPayload.size() - 1))) << "one byte given to the key";
}

TEST_F(DamagedEntry, IsMissingIfItHasAnotherKey) { EXPECT_FALSE(found(make_entry("another key", kPayload))); }

TEST(CacheBytes, ComeBackAsTheyWere) {
  ByteWriter to;
  to.number(~std::uint64_t{0});
  to.integer(-5);
  to.real(-0.0);
  to.flag(true);
  to.text("text");
  to.integers(std::vector<std::int64_t>{1, -2});
  to.reals(std::vector<double>{});
  ByteReader from(to.bytes());
  EXPECT_EQ(from.number(), ~std::uint64_t{0});
  EXPECT_EQ(from.integer(), -5);
  EXPECT_TRUE(std::signbit(from.real()));
  EXPECT_TRUE(from.flag());
  EXPECT_EQ(from.text(), "text");
  EXPECT_EQ(from.integers(), (std::vector<std::int64_t>{1, -2}));
  EXPECT_FALSE(from.complete());
  EXPECT_EQ(from.reals(), std::vector<double>());
  EXPECT_TRUE(from.complete());
}

TEST(CacheBytes, ALengthBeyondTheEndAllocatesNothing) {
  for (const std::uint64_t lie : {std::uint64_t{4}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    ByteWriter to;
    to.number(lie);
    to.number(7);
    EXPECT_EQ(ByteReader(to.bytes()).count(), 0U) << lie;
    ByteReader numbers(to.bytes());
    EXPECT_TRUE(numbers.reals().empty());
    EXPECT_FALSE(numbers.good());
    ByteReader text(to.bytes());
    EXPECT_EQ(text.text().size(), lie == 4 ? 4U : 0U);
    EXPECT_EQ(text.good(), lie == 4);
  }
}

TEST(CacheBytes, NothingComesAfterTheFirstThatDoesNotFit) {
  ByteWriter to;
  to.number(2);
  to.number(5);
  ByteReader from(to.bytes());
  EXPECT_EQ(from.below(2), 0U);
  EXPECT_FALSE(from.good());
  EXPECT_EQ(from.number(), 0U);
  EXPECT_FALSE(from.complete());
}

}  // namespace assay::cache::store_damage_test
