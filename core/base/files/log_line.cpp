#include "files/log_line.hpp"

#include <spdlog/spdlog.h>

namespace assay {

void log_line(LogLevel level, std::string_view text) {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::info, spdlog::level::warn, spdlog::level::err};
  spdlog::default_logger_raw()->log(kLevels[static_cast<std::size_t>(level)],
                                    spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace assay
