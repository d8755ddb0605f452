// Which tables and columns each version of rocpd's schema has, as AMD publishes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct PublishedTable {
  std::string word;     ///< "kernel_dispatch" of rocpd_kernel_dispatch_UUID
  std::string columns;  ///< in SQL, without the foreign keys
};

/// Of 3.0.0 to 4.1.0 (4.0.0: of AMD's own tests of it).
std::vector<PublishedTable> published_tables(std::string_view version);

}  // namespace assay
