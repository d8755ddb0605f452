// Tables of results.sqlite. `labels` of findings and strata are JSON objects, for json_extract.
#pragma once

namespace assay {

/// PRAGMA user_version of the schema. Results from kOldestResults on can be read: 3 lacks notes and sources of
/// questions, 4 needs of open strata and pair counts of findings, 5 the column that a skipped report lacks. tests/kept
/// has results of each released version.
inline constexpr int kResultsVersion = 6, kOldestResults = 3, kResultsWithSources = 4, kResultsWithNeeds = 5,
                     kResultsWithLacks = 6;

inline constexpr const char* kResultsSchema = R"sql(
PRAGMA user_version = 6;
CREATE TABLE meta (item TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (item, name));
CREATE TABLE questions (question TEXT PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL, note TEXT NOT NULL,
  expected INTEGER NOT NULL, present INTEGER NOT NULL);
CREATE TABLE sources (question TEXT NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (question, source));
CREATE TABLE label_rules (question TEXT NOT NULL, position INTEGER NOT NULL, label TEXT NOT NULL,
  numeric INTEGER NOT NULL, descriptive INTEGER NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (question, label));
CREATE TABLE reports (question TEXT NOT NULL, report TEXT NOT NULL, role TEXT NOT NULL, status TEXT NOT NULL,
  bytes INTEGER NOT NULL, doubt TEXT NOT NULL, PRIMARY KEY (question, report));
CREATE TABLE labels (question TEXT NOT NULL, report TEXT NOT NULL, label TEXT NOT NULL, value TEXT NOT NULL,
  origin TEXT NOT NULL, PRIMARY KEY (question, report, label));
CREATE TABLE attributes (question TEXT NOT NULL, report TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE metrics (metric TEXT PRIMARY KEY, unit TEXT NOT NULL, polarity TEXT NOT NULL, analyzer TEXT NOT NULL,
  definition TEXT NOT NULL, title TEXT NOT NULL, extensive INTEGER NOT NULL);
CREATE TABLE facts (fact INTEGER PRIMARY KEY, report TEXT NOT NULL, metric TEXT NOT NULL, dims TEXT NOT NULL,
  unit TEXT NOT NULL, value REAL NOT NULL, n INTEGER NOT NULL, UNIQUE (report, metric, dims));
CREATE TABLE samples (fact INTEGER NOT NULL REFERENCES facts, position INTEGER NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (fact, position)) WITHOUT ROWID;
CREATE TABLE findings (finding INTEGER PRIMARY KEY, question TEXT NOT NULL, analyzer TEXT NOT NULL, role TEXT NOT NULL,
  title TEXT NOT NULL, text TEXT NOT NULL, labels TEXT NOT NULL, kind TEXT, metric TEXT, value REAL, lo REAL, hi REAL,
  level REAL, method TEXT, n INTEGER, scope TEXT);
CREATE TABLE claims (question TEXT NOT NULL, claim TEXT NOT NULL, text TEXT NOT NULL, source TEXT NOT NULL,
  verdict TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (question, claim));
CREATE TABLE strata (stratum INTEGER PRIMARY KEY, question TEXT NOT NULL, claim TEXT NOT NULL, verdict TEXT NOT NULL,
  reason TEXT NOT NULL, labels TEXT NOT NULL, kind TEXT, metric TEXT, value REAL, lo REAL, hi REAL, level REAL,
  method TEXT, n INTEGER, scope TEXT);
CREATE TABLE needs (stratum INTEGER PRIMARY KEY REFERENCES strata, unit TEXT NOT NULL, scale TEXT NOT NULL,
  centre REAL NOT NULL, spread REAL NOT NULL, degrees REAL NOT NULL, low REAL, high REAL, unseen REAL NOT NULL,
  sides INTEGER NOT NULL, seen INTEGER NOT NULL, needed INTEGER NOT NULL, in_vain TEXT NOT NULL);
CREATE TABLE finding_pairs (finding INTEGER PRIMARY KEY REFERENCES findings, pairs INTEGER NOT NULL,
  agreeing INTEGER NOT NULL);
CREATE TABLE evidence (finding INTEGER REFERENCES findings, stratum INTEGER REFERENCES strata, report TEXT NOT NULL,
  metric TEXT NOT NULL, dims TEXT NOT NULL, value REAL NOT NULL);
CREATE TABLE completeness (question TEXT NOT NULL, kind TEXT NOT NULL, item TEXT NOT NULL);
CREATE TABLE skipped (question TEXT NOT NULL, report TEXT NOT NULL, analyzer TEXT NOT NULL, reason TEXT NOT NULL,
  failed INTEGER NOT NULL, lacks TEXT NOT NULL);
CREATE TABLE issues (question TEXT NOT NULL, report TEXT NOT NULL, name TEXT NOT NULL, severity TEXT NOT NULL,
  count INTEGER NOT NULL, text TEXT NOT NULL);
CREATE TABLE tables (table_id INTEGER PRIMARY KEY, question TEXT NOT NULL, report TEXT NOT NULL, analyzer TEXT NOT NULL,
  name TEXT NOT NULL, title TEXT NOT NULL, rows INTEGER NOT NULL);
CREATE TABLE table_columns (table_id INTEGER NOT NULL REFERENCES tables, position INTEGER NOT NULL, name TEXT NOT NULL,
  unit TEXT NOT NULL, PRIMARY KEY (table_id, position)) WITHOUT ROWID;
CREATE TABLE table_values (table_id INTEGER NOT NULL REFERENCES tables, row INTEGER NOT NULL, position INTEGER NOT NULL,
  value, PRIMARY KEY (table_id, row, position)) WITHOUT ROWID;
CREATE VIEW table_cells AS SELECT table_id, row, position, name, unit, value FROM table_values
  JOIN table_columns USING (table_id, position);
CREATE TABLE files (name TEXT PRIMARY KEY);
)sql";

}  // namespace assay
