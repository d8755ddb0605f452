#include "ratchets.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace assay::test {
namespace {

namespace fs = std::filesystem;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Words of letters, digits and the bytes of `more`, with where they begin.
std::vector<std::pair<std::string, std::size_t>> words_of(std::string_view text, std::string_view more) {
  std::vector<std::pair<std::string, std::size_t>> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (is_word(text[end]) || more.find(text[end]) != std::string_view::npos)) ++end;
    if (end > at) words.emplace_back(text.substr(at, end - at), at);
    at = std::max(end, at + 1);
  }
  return words;
}

std::size_t matches(const std::vector<std::string>& lines, const char* has, const std::regex& pattern) {
  std::size_t count = 0;
  for (const std::string& line : lines) {
    if (line.find(has) == std::string::npos) continue;  // most lines: a regex would cost far more
    count += static_cast<std::size_t>(
        std::distance(std::sregex_iterator(line.begin(), line.end(), pattern), std::sregex_iterator()));
  }
  return count;
}

/// Takes a source apart, byte by byte.
class Splitter {
 public:
  Splitter(std::string_view text, SourceFile& to) : text_(text), to_(to) {}

  void split() {
    while (at_ < text_.size()) {
      if (starts("//"))
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (starts("/*"))
        at_ = std::min(text_.find("*/", at_), text_.size() - 2) + 2;
      else if (starts("R\"") && (at_ == 0 || !is_word(text_[at_ - 1])))
        raw_literal();
      else if (text_[at_] == '"')
        literal('"', true);
      else if (text_[at_] == '\'' && (at_ == 0 || !is_word(text_[at_ - 1])))  // else it separates digits
        literal('\'', false);
      else
        both(text_[at_++]);
    }
    end_line();
  }

 private:
  [[nodiscard]] bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void end_line() {
    to_.lines.push_back(std::move(line_));
    to_.code.push_back(std::move(code_));
    line_.clear();
    code_.clear();
  }
  void append(char c, char blanked) {
    if (c == '\n') return end_line();
    line_ += c;
    code_ += blanked;
  }
  void both(char c) { append(c, c); }

  void literal(char quote, bool keep) {
    const std::size_t from = at_ + 1;
    both(text_[at_++]);
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) append(text_[at_++], ' ');
      append(text_[at_++], ' ');
    }
    if (keep) to_.literals.emplace_back(text_.substr(from, at_ - from));
    if (at_ < text_.size()) both(text_[at_++]);
  }

  void raw_literal() {
    const std::size_t open = std::min(text_.find('(', at_), text_.size() - 1);
    const std::string end = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    const std::size_t close = std::min(text_.find(end, open), text_.size() - end.size());
    to_.literals.emplace_back(text_.substr(open + 1, close - open - 1));
    while (at_ < close + end.size()) {
      const bool inside = at_ > open && at_ < close;
      append(text_[at_], inside ? ' ' : text_[at_]);
      ++at_;
    }
  }

  std::string_view text_;
  SourceFile& to_;
  std::size_t at_ = 0;
  std::string line_, code_;
};

}  // namespace

SourceFile source_file(std::string path, std::string_view text) {
  SourceFile file{std::move(path), {}, {}, {}};
  Splitter(text, file).split();
  return file;
}

std::vector<SourceFile> source_files(const std::string& root, const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(root + "/" + folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      files.push_back(source_file(fs::relative(entry.path(), root).generic_string(), text));
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::size_t analyzer_names(const SourceFile& file, const std::set<std::string>& names) {
  std::size_t count = 0;
  for (const std::string& text : file.literals) {
    for (const auto& [word, at] : words_of(text, "")) {
      const std::string_view before = std::string_view(text).substr(0, at);
      const bool named = word.find('_') != std::string::npos || word.size() == text.size() ||
                         before.ends_with("analyzers.") || before.ends_with("'");
      if (named && names.contains(word)) ++count;
    }
  }
  return count;
}

std::set<std::string> metric_ids(const std::vector<SourceFile>& analyzers) {
  static const std::regex id("[a-z][a-z_]*\\.[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*");
  static const std::regex file("(.*\\.(hpp|cpp|py|md|csv|json|txt|toml|sqlite))|std\\..*");
  std::set<std::string> ids;
  for (const SourceFile& source : analyzers) {
    for (const std::string& text : source.literals) {
      if (std::regex_match(text, id) && !std::regex_match(text, file)) ids.insert(text);
    }
  }
  return ids;
}

std::size_t metric_names(const SourceFile& file, const std::set<std::string>& ids) {
  std::size_t count = 0;
  for (const std::string& text : file.literals) {
    for (auto [word, at] : words_of(text, ".")) {
      while (word.ends_with('.')) word.pop_back();  // of a sentence
      count += ids.contains(word) ? 1U : 0U;
    }
  }
  return count;
}

std::size_t format_names(const SourceFile& file) {
  static const std::regex constant(R"(\bk(NsysSqlite|TorchTrace|NcuCsv|NcuRep|Rocpd)\b)");
  static const std::set<std::string> names = {"nsys",     "torch",          "ncu",        "rocpd",     "rocprofv3",
                                              "nsight",   "kineto",         ".sqlite",    ".nsys-rep", ".ncu-rep",
                                              ".ncu.csv", ".pt.trace.json", "_results.db"};
  const auto named =
      std::ranges::count_if(file.literals, [&](const std::string& text) { return names.contains(text); });
  return static_cast<std::size_t>(named) + matches(file.code, "k", constant);
}

std::size_t format_words(const SourceFile& file) {
  static const std::regex word(
      R"((^|[^a-z])(nsys|ncu|rocpd|rocprof[a-z0-9]*|kineto)([^a-z]|$)|Nsight|PyTorch|CUPTI|\.(nsys|ncu)-rep\b)");
  return static_cast<std::size_t>(
      std::ranges::count_if(file.literals, [](const std::string& text) { return std::regex_search(text, word); }));
}

std::size_t sentence_tests(const SourceFile& file) {
  static const std::regex test(
      R"((\b(\w*_)?(reason|doubt|title|sentence|why|problem|estimate|error|remedy|advice)|(\.|->)message)(\(\))?(\.front\(\)|\.back\(\))?\.(starts_with|ends_with|find|rfind|contains)\()");
  static const std::regex cut(R"(\bwords\.find\(": "\))");
  return matches(file.code, "(", test) + matches(file.lines, "words.find(", cut);
}

std::size_t claim_keys(const SourceFile& file) {
  static const std::regex reader(R"(\bclaim_(key|texts)(<[^>]*>)?\((\w+, )?")");
  static const std::regex compared(
      R"(\bname\s*[!=]=\s*"(label|base|treated|metric|compare|between|predicted|change|exact)\")");
  return matches(file.lines, "claim_", reader) + matches(file.lines, "= \"", compared);
}

std::size_t calls_of(const SourceFile& file, const std::string& name) {
  std::size_t count = 0;
  for (const std::string& line : file.code) {
    for (std::size_t at = line.find(name + "("); at != std::string::npos; at = line.find(name + "(", at + 1))
      count += at == 0 || !is_word(line[at - 1]) ? 1U : 0U;
  }
  return count;
}

std::vector<std::string> functions_over(const SourceFile& file, std::size_t most) {
  static const std::regex scope(R"((^|\s)(namespace|class|struct|union|enum|extern)\b[^()]*$)");
  struct Block {
    std::size_t line;
    bool holds_functions, is_function;
  };
  std::vector<Block> open = {{0, true, false}};
  std::vector<std::string> found;
  std::string head;  // since the last statement
  for (std::size_t number = 0; number < file.code.size(); ++number) {
    if (file.code[number].starts_with('#')) continue;
    for (const char c : file.code[number]) {
      if (c == '{') {
        const bool inside = std::regex_search(head, scope) && head.find('=') == std::string::npos;
        const bool function = !inside && open.back().holds_functions && head.find('(') != std::string::npos;
        open.push_back({number, inside, function});
      } else if (c == '}' && open.size() > 1) {
        const std::size_t lines = number - open.back().line + 1;
        if (open.back().is_function && lines > most)
          found.push_back(file.path + ":" + std::to_string(open.back().line + 1) + " " + std::to_string(lines));
        open.pop_back();
      }
      if (c == '{' || c == '}' || c == ';')
        head.clear();
      else
        head += c;
    }
    head += ' ';
  }
  return found;
}

std::vector<std::string> participle_types(const SourceFile& file) {
  static const std::regex type(R"(^\s*(struct|class|enum class|enum|using)\s+([A-Z][a-z]+)\b(?!\s*;))");
  static const std::set<std::string> irregular = {"Told",  "Made", "Seen",  "Meant",     "Said",  "Found", "Kept",
                                                  "Known", "Read", "Shown", "Unwritten", "Drawn", "Given", "Held"};
  static const std::set<std::string> nouns = {"Seed", "Speed", "Need", "Feed", "Shed", "Weed", "Bed"};
  std::vector<std::string> found;
  for (const std::string& line : file.code) {
    std::smatch name;
    if (line.find_first_of("seu") == std::string::npos) continue;
    if (!std::regex_search(line, name, type)) continue;
    const std::string word = name[2];
    if (irregular.contains(word) || (word.ends_with("ed") && !nouns.contains(word)))
      found.push_back(file.path + " " + word);
  }
  return found;
}

std::vector<std::string> vague_functions(const SourceFile& file) {
  // `place` alone, and behind it what begins a parameter: a variable of that name is initialized by a value.
  static const std::regex verb(
      R"(\b(take|put|give|say|said|tell|told|settle|hand_on|hand_over)(_\w+)?( = \[|\()|\b(place)()( = \[|\((?=\)|const |std::|[A-Z])))");
  static const std::regex declared(R"(^\s*(?!return\b|else\b|throw\b|new\b|case\b)([\w:<>,&*\[\]]+ )+[*&]?(\w+::)*$)");
  std::vector<std::string> found;
  for (const std::string& line : file.code) {
    std::smatch name;
    if (line.find_first_of("(=") == std::string::npos) continue;
    if (!std::regex_search(line, name, verb) || !std::regex_match(name.prefix().str(), declared)) continue;
    found.push_back(file.path + " " + name[1].str() + name[2].str() + name[4].str());
  }
  return found;
}

}  // namespace assay::test
