#include "files/glob.hpp"

#include <algorithm>
#include <vector>

namespace assay {
namespace {

enum class Kind { kLetter, kOne, kMany, kFolders, kAll };
struct Token {
  Kind kind;
  char letter = 0;
};

std::vector<Token> tokens_of(std::string_view glob) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    const bool begins = i == 0 || glob[i - 1] == '/';
    if (begins && glob.substr(i).starts_with("**/")) {
      tokens.push_back({Kind::kFolders});
      i += 2;
    } else if (glob.substr(i).starts_with("**")) {
      tokens.push_back({Kind::kAll});
      ++i;
    } else if (glob[i] == '*') {
      tokens.push_back({Kind::kMany});
    } else if (glob[i] == '?') {
      tokens.push_back({Kind::kOne});
    } else {
      tokens.push_back({Kind::kLetter, glob[i]});
    }
  }
  return tokens;
}

/// Which prefixes of `path` (by length) the glob matches up to and including `token`, given those it matches without
/// it.
std::vector<char> after(const Token& token, const std::vector<char>& before, std::string_view path) {
  std::vector<char> now(before.size(), 0);
  bool running = false;
  for (std::size_t n = 0; n <= path.size(); ++n) {
    const char last = n == 0 ? '\0' : path[n - 1];
    switch (token.kind) {
      case Kind::kLetter:
        now[n] = n > 0 && before[n - 1] != 0 && last == token.letter;
        break;
      case Kind::kOne:
        now[n] = n > 0 && before[n - 1] != 0 && last != '/';
        break;
      case Kind::kMany:
        running = before[n] != 0 || (running && last != '/');
        now[n] = running;
        break;
      case Kind::kAll:
        running = running || before[n] != 0;
        now[n] = running;
        break;
      case Kind::kFolders:
        now[n] = before[n] != 0 || (running && last == '/');
        running = running || before[n] != 0;
        break;
    }
  }
  return now;
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view path) {
  if (glob.find('/') == std::string_view::npos) path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  const std::size_t plain = std::min(glob.find_first_of("*?"), glob.size());
  if (!path.starts_with(glob.substr(0, plain))) return false;
  if (plain == glob.size()) return path.size() == plain;
  std::vector<char> matched(path.size() + 1, 0);
  matched[0] = 1;
  for (const Token& token : tokens_of(glob)) matched = after(token, matched, path);
  return matched.back() != 0;
}

}  // namespace assay
