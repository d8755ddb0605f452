// Small databases of every kind that the decoder tells apart: make_corpus FOLDER.
#include <cstdio>
#include <filesystem>
#include <string>

#include "databases.hpp"

int main(int argc, char** argv) {
  using namespace assay::btree_test;
  if (argc != 2) {
    std::fputs("usage: make_corpus FOLDER\n", stderr);
    return 2;
  }
  int number = 0;
  const auto add = [&](const std::string& sql) {
    make_database(std::filesystem::path(argv[1]) / ("seed-" + std::to_string(++number) + ".sqlite"), sql);
  };
  for (const int page_size : {512, 1024, 4096}) {
    for (const int rows : {0, 1, 20, 200}) add(events_sql(page_size, rows));
    const std::string start = "PRAGMA page_size = " + std::to_string(page_size) + ";";
    add(start +
        "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, c); INSERT INTO t VALUES (-5, 'x', 2.5), (1 << 60, NULL, "
        "x'01')");
    add(start + "CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, hex(zeroblob(5000))), (2, 'short')");
    add(start + "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b DEFAULT 7");
    add(start + "CREATE TABLE t (a INTEGER PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO t VALUES (1, 2)");
    add(events_sql(page_size, 100) + "DELETE FROM events WHERE rowid % 3 = 0; DROP TABLE names");
  }
}
