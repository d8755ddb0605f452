// Every table that the decoder accepts must hold what the sqlite3 library reads from the same bytes.
#include <cstdio>
#include <cstdlib>

#include "btree/comparison.hpp"
#include "input_file.hpp"

extern "C" int btree_against_sqlite_fuzz(const std::uint8_t* data, std::size_t size) {
  using namespace assay::btree_test;
  const auto& file = assay::fuzz::write_database({data, size});
  constexpr std::size_t kMaxTables = 8;  // a schema may name one page a thousand times
  std::size_t tables = 0;
  for (const std::string& table : tables_of(file)) {
    if (++tables > kMaxTables) break;
    const Comparison result = compare(file, table);
    if (result.refusal || (!result.sqlite_failed && result.difference.empty())) continue;
    std::fprintf(stderr, "%s: sqlite3 %s; %s\n", table.c_str(), result.sqlite_failed ? "failed" : "read it",
                 result.difference.c_str());
    std::abort();
  }
  return 0;
}
