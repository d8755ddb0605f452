// Ways to read the large tables of an nsys export.
#pragma once

namespace assay {

enum class Reader {
  kDirect,  ///< decodes pages itself; falls back to sqlite3 table by table
  kSqlite,  ///< sqlite3 reads everything
};

}  // namespace assay
