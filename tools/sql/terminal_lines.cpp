// The prompt on a terminal: libedit (BSD licence) if the program was built with it.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/interrupt.hpp"
#include "sql/prompt.hpp"

#ifdef ASSAY_LIBEDIT
#include <histedit.h>
#endif

namespace assay::query {
namespace {

constexpr const char* kFirst = "assay> ";
constexpr const char* kMore = "  ...> ";

#ifdef ASSAY_LIBEDIT

/// Location of the persistent history; empty: none.
std::filesystem::path history_file() {
  namespace fs = std::filesystem;
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  if (state == nullptr && home == nullptr) return {};
  const fs::path folder = (state != nullptr ? fs::path(state) : fs::path(home) / ".local" / "state") / "assay";
  std::error_code failed;
  fs::create_directories(folder, failed);
  return failed ? fs::path() : folder / "query_history";
}

class EditedLines final : public LineSource {
 public:
  explicit EditedLines(const PromptTasks& tasks) : tasks_(tasks), file_(history_file()) {
    constexpr int kEntries = 1000;
    HistEvent event;
    history(history_, &event, H_SETSIZE, kEntries);
    history(history_, &event, H_SETUNIQUE, 1);
    if (!file_.empty()) history(history_, &event, H_LOAD, file_.c_str());
    el_set(edit_, EL_CLIENTDATA, this);
    el_set(edit_, EL_PROMPT, &EditedLines::prompt);
    el_set(edit_, EL_EDITOR, "emacs");
    el_set(edit_, EL_SIGNAL, 1);
    el_set(edit_, EL_HIST, history, history_);
    el_set(edit_, EL_ADDFN, "assay-complete", "Completes a word", &EditedLines::complete);
    el_set(edit_, EL_BIND, "\t", "assay-complete", nullptr);
    el_source(edit_, nullptr);
  }
  ~EditedLines() override {
    HistEvent event;
    if (!file_.empty()) history(history_, &event, H_SAVE, file_.c_str());
    history_end(history_);
    el_end(edit_);
  }
  EditedLines(const EditedLines&) = delete;
  EditedLines& operator=(const EditedLines&) = delete;

  [[nodiscard]] bool end_completes() const override { return false; }
  ReadResult next(std::string& line, bool more) override {
    more_ = more;
    int count = 0;
    errno = 0;
    const char* const read = el_gets(edit_, &count);
    if (interrupted() || (read == nullptr && errno == EINTR)) {
      el_reset(edit_);
      std::cout << '\n' << std::flush;
      return ReadResult::kCancelled;
    }
    if (read == nullptr || count <= 0) return ReadResult::kEnd;
    line.assign(read, static_cast<std::size_t>(count));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    return ReadResult::kLine;
  }
  void remember(const std::string& statement) override {
    HistEvent event;
    history(history_, &event, H_ENTER, statement.c_str());
  }

 private:
  static EditedLines& self(EditLine* edit) {
    void* data = nullptr;
    el_get(edit, EL_CLIENTDATA, &data);
    return *static_cast<EditedLines*>(data);
  }
  static char* prompt(EditLine* edit) { return const_cast<char*>(self(edit).more_ ? kMore : kFirst); }
  /// Completes the word before the cursor to the longest common prefix, or lists the matches.
  static unsigned char complete(EditLine* edit, int) {
    const LineInfo* const line = el_line(edit);
    const char* begin = line->cursor;
    const auto joins = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    while (begin > line->buffer && joins(begin[-1])) --begin;
    const std::string word(begin, line->cursor);
    std::vector<std::string> fitting = self(edit).tasks_.words();
    std::erase_if(fitting, [&](const std::string& known) { return !known.starts_with(word); });
    if (word.empty() || fitting.empty()) return CC_ERROR;
    std::string common = fitting.front();
    for (const std::string& other : fitting) {
      const auto differ = std::mismatch(common.begin(), common.end(), other.begin(), other.end());
      common.erase(differ.first, common.end());
    }
    if (common.size() > word.size()) {
      el_insertstr(edit, common.substr(word.size()).c_str());
      return CC_REFRESH;
    }
    std::cout << "\n";
    for (const std::string& known : fitting) std::cout << known << "  ";
    std::cout << '\n' << std::flush;
    return CC_REDISPLAY;
  }

  PromptTasks tasks_;
  std::filesystem::path file_;
  History* history_ = history_init();
  EditLine* edit_ = el_init("assay", stdin, stdout, stderr);
  bool more_ = false;
};

#endif

/// A terminal without line editing.
class PlainLines final : public PipedLines {
 public:
  PlainLines() : PipedLines(std::cin) {}
  [[nodiscard]] bool end_completes() const override { return false; }
  ReadResult next(std::string& line, bool more) override {
    std::cout << (more ? kMore : kFirst) << std::flush;
    const ReadResult read = PipedLines::next(line, more);
    if (!interrupted()) return read;
    std::cin.clear();
    std::cout << '\n' << std::flush;
    return ReadResult::kCancelled;
  }
};

}  // namespace

std::unique_ptr<LineSource> terminal_lines(const PromptTasks& tasks) {
#ifdef ASSAY_LIBEDIT
  return std::make_unique<EditedLines>(tasks);
#else
  static_cast<void>(tasks);
  return std::make_unique<PlainLines>();
#endif
}

}  // namespace assay::query
