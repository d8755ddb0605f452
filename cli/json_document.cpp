#include "cli/json_document.hpp"

#include <fmt/core.h>

#include <cctype>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "algo/short_name.hpp"
#include "cli/log.hpp"
#include "cli/version.hpp"
#include "files/served.hpp"

namespace assay::document {
namespace {

using Json = nlohmann::ordered_json;

/// Output of a command, up to the limit that a server sets for its tools; beyond it the stream fails.
class CapturedOutput : public std::stringbuf {
 public:
  explicit CapturedOutput(std::uint64_t most) : most_(most) {}
  [[nodiscard]] bool is_over() const { return over_; }
  std::string release() {
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

/// Global, because standard output is.
struct State {
  bool wanted = false;
  std::vector<Error> errors;
  CapturedOutput printed{files::most_answered()};
  std::string tables;  ///< completed elements
};
State& state() {
  static State one;
  return one;
}

std::string quoted(std::string_view text) { return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace); }

Json json_of(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string errors_json() {
  Json all = Json::array();
  for (const Error& error : state().errors) {
    all.push_back({{"code", error.code()},
                   {"exit", static_cast<int>(error.exit)},
                   {"message", with_short_names(error.sentence)},
                   {"place", json_of(error.place)},
                   {"remedy", json_of(error.remedy)}});
  }
  return all.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// Returns and clears what was printed since the last call.
std::string drain_printed() {
  std::string text = state().printed.release();
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  return text;
}

}  // namespace

bool wanted() { return state().wanted; }

void end_table(std::string_view name) {
  const std::string rows = drain_printed();
  state().tables += fmt::format("{}{}, \"rows\": {}}}", state().tables.empty() ? "" : ",\n",
                                "{\"table\": " + quoted(name), rows.empty() ? "[]" : rows);
}

void note(const Error& error) {
  if (!wanted()) return;
  if (error.parts.empty()) return state().errors.push_back(error);
  for (const Error& part : error.parts) note(part.as(error.exit));
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
  std::string answer = drain_printed();
  if (!state().tables.empty()) answer = "[" + state().tables + "]";
  std::cout.rdbuf(captured_->behind);
  captured_->behind = nullptr;
  if (state().printed.is_over()) {
    answer.clear();
    exit =
        fail(Error{"the answer has more than " + std::to_string(files::most_answered() >> 20) + " MiB", Exit::kFailed}
                 .advise("ask for fewer rows, columns or profiles"));
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
  // main.cpp looks for the flag before it parses the command line, so that bad usage is reported as a document too.
  return assay::add_flag(command, "--json")
      ->description("Answer with one JSON document, also on errors (assay schema)");
}

}  // namespace assay::document
