#include "cli/json_document.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "assay/detail/short_name.hpp"
#include "cli/log.hpp"
#include "cli/version.hpp"
#include "files/served.hpp"

namespace assay::document {
namespace {

using Json = nlohmann::ordered_json;

/// What a command prints, up to the limit that a server sets its tools; then the stream fails.
class Printed : public std::stringbuf {
 public:
  explicit Printed(std::uint64_t most) : most_(most) {}
  [[nodiscard]] bool is_over() const { return over_; }
  std::string take() {
    std::string text = str();
    taken_ += text.size();
    str({});
    return text;
  }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    return fits(static_cast<std::uint64_t>(size)) ? std::stringbuf::xsputn(text, size) : 0;
  }
  int_type overflow(int_type c) override { return fits(1) ? std::stringbuf::overflow(c) : traits_type::eof(); }

 private:
  bool fits(std::uint64_t more) {
    over_ = over_ || (most_ > 0 && taken_ + static_cast<std::uint64_t>(pptr() - pbase()) + more > most_);
    return !over_;
  }
  std::uint64_t most_, taken_ = 0;
  bool over_ = false;
};

/// One of a process, because standard output is.
struct State {
  bool wanted = false;
  std::vector<Problem> problems;
  Printed printed{files::most_answered()};
  std::string tables;  ///< elements that were ended
};
State& state() {
  static State one;
  return one;
}

std::string quoted(std::string_view text) { return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace); }

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "q.toml:3:1" at the beginning of a sentence; empty where there is none.
std::string position_in(std::string_view sentence) {
  for (std::size_t at = sentence.find(": "); at != std::string_view::npos; at = sentence.find(": ", at + 1)) {
    const std::string_view place = sentence.substr(0, at);
    const std::size_t column = place.rfind(':'), line = column == 0 ? column : place.rfind(':', column - 1);
    if (column == std::string_view::npos) break;
    const bool both = line != std::string_view::npos && is_number(place.substr(column + 1)) &&
                      is_number(place.substr(line + 1, column - line - 1));
    if (both) return std::string(place);
  }
  const std::size_t colon = sentence.find(": ");
  const std::string_view file = sentence.substr(0, colon == std::string_view::npos ? 0 : colon);
  const bool is_file = file.find('.') != std::string_view::npos && file.find(' ') == std::string_view::npos;
  return is_file ? std::string(file) : std::string();
}

/// The first word in quotes.
std::string named_in(std::string_view sentence) {
  const std::size_t open = sentence.find('\'');
  const std::size_t close = open == std::string_view::npos ? open : sentence.find('\'', open + 1);
  return close == std::string_view::npos ? std::string() : std::string(sentence.substr(open + 1, close - open - 1));
}

/// A sentence says what, where, what was expected, then what to do: behind its last semicolon, or as an offer.
std::string remedy_in(std::string_view sentence) {
  if (const std::size_t offer = sentence.find("Did you mean "); offer != std::string_view::npos)
    return std::string(sentence.substr(offer));
  const std::size_t last = sentence.rfind("; ");
  return last == std::string_view::npos ? std::string() : std::string(sentence.substr(last + 2));
}

Json json_of(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string errors_json() {
  Json all = Json::array();
  for (const Problem& problem : state().problems) {
    all.push_back({{"code", problem.code},
                   {"exit", problem.exit},
                   {"message", problem.message},
                   {"place", json_of(problem.place)},
                   {"remedy", json_of(problem.remedy)}});
  }
  return all.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// What was printed since the last call.
std::string take_printed() {
  std::string text = state().printed.take();
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  return text;
}

}  // namespace

std::string_view code_of(int exit) {
  switch (exit) {
    case 0:
      return "ok";
    case 1:
      return "refuted";
    case 2:
      return "usage";
    case 4:
      return "undecided";
    case 130:
      return "interrupted";
    default:
      return "failed";
  }
}

std::vector<Problem> problems_of(const Error& error) {
  std::vector<Problem> problems;
  std::istringstream lines(error.sentence);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    std::string place = position_in(line);
    if (place.empty()) place = named_in(line);
    const int exit = static_cast<int>(error.exit);
    problems.push_back({std::string(code_of(exit)), exit, with_short_names(line), place, remedy_in(line)});
  }
  return problems;
}

bool wanted() { return state().wanted; }

void end_table(std::string_view name) {
  const std::string rows = take_printed();
  state().tables += (state().tables.empty() ? "" : ",\n") + ("{\"table\": " + quoted(name)) +
                    ", \"rows\": " + (rows.empty() ? "[]" : rows) + "}";
}

void note(const Error& error) {
  if (!wanted()) return;
  for (Problem& problem : problems_of(error)) state().problems.push_back(std::move(problem));
}

struct Document::Captured {
  std::string command;
  std::streambuf* behind = nullptr;
};

Document::Document(std::string command) : captured_(std::make_unique<Captured>()) {
  captured_->command = std::move(command);
  captured_->behind = std::cout.rdbuf(&state().printed);
  state().wanted = true;
}

Document::~Document() {
  if (captured_->behind != nullptr) std::cout.rdbuf(captured_->behind);
  state().wanted = false;
}

Exit Document::finish(Exit exit) {
  std::string answer = take_printed();
  if (!state().tables.empty()) answer = "[" + state().tables + "]";
  std::cout.rdbuf(captured_->behind);
  captured_->behind = nullptr;
  if (state().printed.is_over()) {
    answer.clear();
    exit = fail({"the answer has more than " + std::to_string(files::most_answered() >> 20) +
                     " MiB; ask for fewer rows, columns or profiles",
                 Exit::kFailed});
  }
  if (!answer.empty() && !Json::accept(answer)) {
    answer.clear();
    if (exit == Exit::kOk)
      exit = fail({"the answer of 'assay " + captured_->command + "' cannot be written as JSON", Exit::kFailed});
  }
  const bool failed = answer.empty() && exit != Exit::kOk;
  std::cout << "{\n\"schema\": " << quoted(failed ? "assay.error" : "assay." + captured_->command)
            << ",\n\"version\": " << kVersion << ",\n\"assay\": " << quoted(version_text())
            << ",\n\"exit\": " << static_cast<int>(exit) << ",\n\"errors\": " << errors_json()
            << ",\n\"result\": " << (answer.empty() ? "null" : answer) << "\n}\n";
  return exit;
}

CLI::Option* add_flag(CLI::App& command) {
  // The flag is looked for before the command line is read, so that bad usage is a document too.
  return command.add_flag("--json")->description("Answer with one JSON document, also on errors (assay schema)");
}

}  // namespace assay::document
