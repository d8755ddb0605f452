// Name of this machine and the current time.
#pragma once

#include <unistd.h>

#include <array>
#include <ctime>
#include <string>

namespace assay {

/// "2025-08-04T16:29:32", UTC.
inline std::string utc_text(std::time_t seconds) {
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts)};
}

/// Empty if the machine has none.
inline std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace assay
