#include "formats/rocpd/sniff_rocpd.hpp"

#include "formats/rocpd/tables.hpp"

namespace assay::load::rocpd {

bool is_rocpd(const Candidate& file) {
  if (!file.head.starts_with(sqlite::kMagic) || file.size < sqlite::kHeaderBytes) return false;
  return are_rocpd_tables(file.database.tables().names);
}

}  // namespace assay::load::rocpd
