// What is read ahead on another thread is what the source gives, in its order.
#include "formats/torch/read_ahead.hpp"

#include "support/test.hpp"

namespace assay::load::read_ahead_test {

/// Gives `size` bytes, at most `most` at a time, each told by its place.
class Places {
 public:
  Places(std::size_t size, std::size_t most) : size_(size), most_(most) {}
  std::size_t operator()(char* to, std::size_t room) {
    const std::size_t part = std::min({room, most_, size_ - at_});
    for (std::size_t i = 0; i < part; ++i) to[i] = of(at_ + i);
    at_ += part;
    return part;
  }
  static char of(std::size_t place) { return static_cast<char>(place * 31 + (place >> 8)); }

 private:
  std::size_t size_, most_, at_ = 0;
};

std::string read_all(ReadAhead& ahead, std::size_t room) {
  std::string all, part(room, '\0');
  while (const std::size_t got = ahead.read(part.data(), room)) all.append(part, 0, got);
  return all;
}

TEST(ReadAhead, GivesTheBytesOfItsSourceWhateverThePieces) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kMiB, 20 * kMiB + 3}) {
    std::string expected(size, '\0');
    for (std::size_t i = 0; i < size; ++i) expected[i] = Places::of(i);
    for (const std::size_t most : {std::size_t{4099}, kMiB, 3 * kMiB}) {
      for (const std::size_t room : {std::size_t{4111}, kMiB, 40 * kMiB}) {
        ReadAhead ahead(Places(size, most));
        EXPECT_TRUE(read_all(ahead, room) == expected) << size << " " << most << " " << room;
        char one = 0;
        EXPECT_EQ(ahead.read(&one, 1), 0U) << "the end stays the end";
      }
    }
  }
}

TEST(ReadAhead, ThrowsAfterTheBlocksOfTheSource) {
  ReadAhead ahead([given = false](char* to, std::size_t) mutable -> std::size_t {
    if (given) throw std::runtime_error("torn");
    given = true;
    *to = 'a';
    return 1;
  });
  char bytes[4] = {};
  EXPECT_EQ(ahead.read(bytes, sizeof bytes), 1U);
  EXPECT_THROW(ahead.read(bytes, sizeof bytes), std::runtime_error);
}

TEST(ReadAhead, EndsIfTheCallerStopsReading) {
  std::size_t blocks = 0;
  {
    ReadAhead ahead([&](char*, std::size_t room) {
      ++blocks;
      return room;
    });
    char one = 0;
    EXPECT_EQ(ahead.read(&one, 1), 1U);
  }
  EXPECT_LE(blocks, 9U) << "an endless source is read a few blocks ahead";
}

}  // namespace assay::load::read_ahead_test
