// What CLI11 makes of options, compiled once for every type that one has.
#include <filesystem>
#include <optional>

#include "cli/command_line.hpp"
#include "cli/row_format.hpp"

namespace assay {

template <class T>
CLI::Option* add_option(CLI::App& command, const std::string& name, T& to, const std::string& help) {
  return command.add_option(name, to, help);
}

template <class T>
CLI::Option* add_option_function(CLI::App& command, const std::string& name, const std::function<void(const T&)>& set,
                                 const std::string& help) {
  return command.add_option_function<T>(name, set, help);
}

CLI::Option* add_flag(CLI::App& command, const std::string& name, bool& to, const std::string& help) {
  return command.add_flag(name, to, help);
}

CLI::Option* add_flag(CLI::App& command, const std::string& name) { return command.add_flag(name); }

CLI::Option* add_flag_callback(CLI::App& command, const std::string& name, const std::function<void()>& given,
                               const std::string& help) {
  return command.add_flag_callback(name, given, help);
}

CLI::Validator one_of(const std::vector<std::string>& words) { return CLI::IsMember(words); }

template <class Format>
CLI::Option* add_format(CLI::App& command, Format& to, bool lines, const char* name) {
  std::map<std::string, RowFormat> formats = row_formats();
  if (!lines) formats.erase("line");
  const std::string words = lines ? "table, line, csv or json" : "table, csv or json";
  return command.add_option(name, to, "Output format: " + words + " (default: table)")
      ->type_name(lines ? "table|line|csv|json" : "table|csv|json")
      ->transform(CLI::CheckedTransformer(formats));
}

#define ASSAY_OPTION(...) \
  template CLI::Option* add_option(CLI::App&, const std::string&, __VA_ARGS__&, const std::string&);
ASSAY_OPTION(std::string)
ASSAY_OPTION(std::filesystem::path)
ASSAY_OPTION(std::vector<std::string>)
ASSAY_OPTION(std::vector<std::filesystem::path>)
ASSAY_OPTION(int)
ASSAY_OPTION(unsigned)
ASSAY_OPTION(std::uint64_t)
ASSAY_OPTION(double)
ASSAY_OPTION(std::optional<std::string>)
ASSAY_OPTION(std::optional<std::filesystem::path>)
ASSAY_OPTION(std::optional<unsigned>)
ASSAY_OPTION(std::optional<std::uint64_t>)
ASSAY_OPTION(std::optional<double>)
#undef ASSAY_OPTION
#define ASSAY_OPTION(...)                                 \
  template CLI::Option* add_option_function<__VA_ARGS__>( \
      CLI::App&, const std::string&, const std::function<void(const __VA_ARGS__&)>&, const std::string&);
ASSAY_OPTION(std::string)
ASSAY_OPTION(std::filesystem::path)
ASSAY_OPTION(std::vector<std::string>)
ASSAY_OPTION(unsigned)
#undef ASSAY_OPTION
template CLI::Option* add_format(CLI::App&, RowFormat&, bool, const char*);
template CLI::Option* add_format(CLI::App&, std::optional<RowFormat>&, bool, const char*);

}  // namespace assay
