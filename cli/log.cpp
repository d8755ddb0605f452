#include "cli/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>

#include "algo/short_name.hpp"
#include "cli/json_document.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"
#include "files/log_line.hpp"
#include "files/staged_file.hpp"
#include "render/hidden_characters.hpp"

namespace assay {
namespace {

/// A flag of a pattern that writes what `Text` makes of a message.
template <class Text>
class Flag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& to) override {
    const std::string text = Text()(message);
    to.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<Flag>(); }
};

/// An error prints as its sentence only; other levels are named.
using LevelWord = Flag<decltype([](const spdlog::details::log_msg& message) -> std::string {
  constexpr const char* kWords[] = {"", "debug: ", "info: ", "warning: "};
  return message.level <= spdlog::level::warn ? kWords[message.level] : "";
})>;

/// The message with hidden characters made visible, since it may contain names of files and text of reports.
using VisibleMessage = Flag<decltype([](const spdlog::details::log_msg& message) {
  return visible({message.payload.data(), message.payload.size()});
})>;

/// `pattern` may contain two flags of our own: * for the level's word, & for the message.
std::unique_ptr<spdlog::formatter> formatter(const std::string& pattern) {
  auto made = std::make_unique<spdlog::pattern_formatter>();
  made->add_flag<LevelWord>('*').add_flag<VisibleMessage>('&').set_pattern(pattern);
  return made;
}

/// Start of the first line of a log, by which it is recognized.
constexpr std::string_view kLogOf = "log of ";
const files::OutputKind kLogFile{.name = "a log that assay wrote", .begins = "20", .mark = " info log of assay"};

}  // namespace

Status start_log(int verbosity, const std::filesystem::path& file) {
  const bool colours = has_colours(STDERR_FILENO);
  auto terminal = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(colours ? spdlog::color_mode::always
                                                                                : spdlog::color_mode::never);
  for (const auto level : {spdlog::level::info, spdlog::level::debug}) terminal->set_color(level, terminal->reset);
  terminal->set_color(spdlog::level::err, terminal->red);
  terminal->set_color(spdlog::level::warn, terminal->yellow);
  terminal->set_formatter(formatter("%^assay: %*%&%$"));
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::err, spdlog::level::warn, spdlog::level::info,
                                                  spdlog::level::debug};
  terminal->set_level(levels[std::clamp(verbosity, -1, 2) + 1]);

  auto logger = std::make_shared<spdlog::logger>("assay", terminal);
  logger->set_level(spdlog::level::debug);
  spdlog::set_default_logger(logger);
  if (file.empty()) return ok();
  if (Status free = files::check_replaceable(file, kLogFile); !free) return free;
  const Result<files::Descriptor> held = files::open_stream(file);  // does not wait for the reader of a pipe
  if (!held) return held.error();
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string(), true);
    sink->set_formatter(formatter("%Y-%m-%dT%H:%M:%S.%e %l %&"));
    sink->log({"assay", spdlog::level::info, fmt::format("{}{}", kLogOf, version_text())});
    logger->sinks().push_back(std::move(sink));
    logger->flush_on(spdlog::level::debug);
  } catch (const spdlog::spdlog_ex&) {
    return Error{"log file '" + file.string() + "' cannot be written", Exit::kUsage}
        .at(file.string())
        .advise("name a file in a folder that you may write to");
  }
  return ok();
}

Exit fail(const Error& error) {
  log_line(LogLevel::kError, with_short_names(error.sentence));
  document::note(error);
  return error.exit;
}

}  // namespace assay
