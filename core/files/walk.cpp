#include "files/walk.hpp"

#include <algorithm>
#include <string_view>

#include "files/leftovers.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

class Walker {
 public:
  explicit Walker(Tree& tree) : tree_(tree) {}

  void run() {
    std::vector<std::string> open = {""};
    while (!open.empty()) {
      tree_.folders.push_back(std::move(open.back()));
      open.pop_back();
      list(tree_.folders.back(), open);
    }
  }

 private:
  void list(const std::string& folder, std::vector<std::string>& open) {
    std::error_code failed;
    fs::directory_iterator at(folder.empty() ? tree_.root : tree_.root / folder, failed);
    for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
      const std::string name = at->path().filename().native();
      if (name.starts_with(files::kUnfinished)) continue;
      add(at->path(), folder.empty() ? name : folder + "/" + name, open);
    }
    if (failed) tree_.files.push_back({folder, failed.message()});
  }

  void add(const fs::path& path, std::string below, std::vector<std::string>& open) {
    std::error_code ignored;
    const bool link = fs::is_symlink(fs::symlink_status(path, ignored));
    const bool folder = fs::is_directory(fs::status(path, ignored));
    if (!folder || named_like_a_report(path)) tree_.files.push_back({below, {}});
    if (folder && link)
      tree_.linked_folders.push_back(std::move(below));
    else if (folder)
      open.push_back(std::move(below));
  }

  Tree& tree_;
};

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string lower_extension(const fs::path& file) {
  std::string extension = file.extension().native();
  for (char& c : extension) c = small(c);
  return extension;
}

bool named_like_a_trace(const fs::path& file) {
  std::string name = file.filename().native();
  for (char& c : name) c = small(c);
  return name.ends_with(".pt.trace.json") || name.ends_with(".pt.trace.json.gz");
}

bool named_like_a_report(const fs::path& file) {
  const std::string extension = lower_extension(file);
  return extension == ".sqlite" || extension == ".nsys-rep" || extension == ".qdrep" || extension == kNcuReport ||
         named_like_a_trace(file);
}

Tree walk(const fs::path& root) {
  Tree tree;
  tree.root = root;
  std::error_code ignored;
  tree.canonical = fs::canonical(root, ignored);
  Walker(tree).run();
  std::sort(tree.files.begin(), tree.files.end(),
            [](const WalkedFile& a, const WalkedFile& b) { return a.below < b.below; });
  std::sort(tree.folders.begin(), tree.folders.end());
  std::sort(tree.linked_folders.begin(), tree.linked_folders.end());
  return tree;
}

}  // namespace assay
