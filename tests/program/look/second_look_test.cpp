// What is kept of a large profile answers the second question about it.
#include <algorithm>
#include <chrono>
#include <thread>

#include "assay/quantity.hpp"
#include "load/format.hpp"
#include "sqlite/database.hpp"
#include "support/program.hpp"
#include "support/real_data.hpp"
#include "support/test.hpp"

namespace assay::second_look_test {

using testing::Outcome;
using testing::recalled_profiles;
using testing::run_assay;

class SecondLook : public ::testing::Test {
 protected:
  /// A profile that takes long to read by its size: most of it is not of the database.
  void SetUp() override {
    ASSAY_REAL_FOLDER(folder, "examples");
    small_ = fs::path(folder) / "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite";
    fs::copy_file(small_, file());
    fs::resize_file(file(), std::uintmax_t{65} << 20);
  }
  [[nodiscard]] fs::path file() const { return scratch_ / "large.sqlite"; }

  Outcome run(const std::vector<std::string>& arguments) {
    const Outcome outcome =
        run_assay(scratch_.path(), arguments, {.environment = {{"XDG_CACHE_HOME", scratch_ / "cache"}}});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome;
  }
  /// Entries of the cache, with those that say which plugins are sound.
  [[nodiscard]] std::size_t kept() const {
    std::error_code none;
    const fs::recursive_directory_iterator all(scratch_ / "cache", none);
    return static_cast<std::size_t>(
        std::count_if(begin(all), end(all), [](const auto& e) { return e.is_regular_file(); }));
  }
  static void wait_until_settled() { std::this_thread::sleep_for(std::chrono::seconds(4)); }

  testing::TempFolder scratch_;
  fs::path small_;
};

TEST_F(SecondLook, IsOfWhatIsKeptUntilTheFileIsAnother) {
  const std::vector<std::string> look = {"look", "large.sqlite", "--json"};
  const Outcome none = run({"look", "large.sqlite", "--json", "--no-cache"});
  const std::size_t plugins = kept();
  run(look);
  EXPECT_EQ(kept(), plugins) << "written just now: a change might not show";
  wait_until_settled();
  EXPECT_EQ(run(look).out, none.out);
  const std::size_t first = kept() - plugins;
  EXPECT_GT(first, 10U) << "an entry an analyzer";
  EXPECT_EQ(run(look).out, none.out);
  run({"look", "large.sqlite", "-o", "page.html"});
  EXPECT_EQ(kept(), plugins + first) << "the same measurements, on a page";

  fs::copy_file(file(), scratch_ / "copy.sqlite");
  fs::copy_file(file(), scratch_ / "other.sqlite");
  fs::rename(scratch_ / "copy.sqlite", file());
  wait_until_settled();
  EXPECT_EQ(run(look).out, none.out);
  EXPECT_EQ(kept(), plugins + 2 * first) << "the same bytes in another file";
  const std::vector<std::string> compare = {"compare", "large.sqlite", "other.sqlite", "-v"};
  EXPECT_EQ(recalled_profiles(run(compare).err), 0) << "other analyzers";
  EXPECT_EQ(recalled_profiles(run(compare).err), 2);
}

TEST_F(SecondLook, KeepsNothingOfASmallProfile) {
  fs::copy_file(small_, scratch_ / "small.sqlite");
  wait_until_settled();
  run({"look", "small.sqlite", "--no-cache"});
  const std::size_t plugins = kept();
  run({"look", "small.sqlite"});
  EXPECT_EQ(kept(), plugins);
}

TEST_F(SecondLook, IsForetoldByTheEndsOfItsKernels) {
  const load::Format* const nsys = load::format_named("nsys");
  ASSERT_NE(nsys, nullptr);
  const auto foretold = [&](const fs::path& path) {
    const load::Candidate candidate{.path = path, .size = fs::file_size(path), .head = sqlite::kMagic};
    return nsys->identify(candidate).foretold;
  };
  const sqlite::ForeignFile database(small_);
  const auto number = [&](const std::string& what) {
    sqlite::Statement query(database.get(), "SELECT " + what + " FROM CUPTI_ACTIVITY_KIND_KERNEL");
    EXPECT_TRUE(query.step());
    return query.integer(0);
  };
  const double span = static_cast<double>(number("max(end)") - number("min(start)"));
  EXPECT_EQ(foretold(file()), "about " + std::to_string(number("count(*)")) + " kernels over " + quantity(span, "ns"));
  EXPECT_EQ(foretold(small_), "") << "read before anyone asks";
}

}  // namespace assay::second_look_test
