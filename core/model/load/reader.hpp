// How the large tables of an nsys export are read.
#pragma once

namespace assay {

enum class Reader {
  kDirect,  ///< pages are decoded here; sqlite3 reads what is unusual, table by table
  kSqlite,  ///< sqlite3 reads everything
};

}  // namespace assay
