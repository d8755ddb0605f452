#include "files/walk.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "files/leftovers.hpp"
#include "files/scan_watch.hpp"
#include "files/served.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

/// Whether `folder` is, or contains, the other; both absolute and without links.
bool holds(const fs::path& folder, const fs::path& other) {
  return std::mismatch(folder.begin(), folder.end(), other.begin(), other.end()).first == folder.end();
}

class Walker {
 public:
  Walker(Tree& tree, bool (*is_file)(const fs::path&)) : tree_(tree), is_file_(is_file) {}

  /// Links come last, so that no file is read under the name of a link if it has a name of its own.
  void run() {
    is_new(tree_.root);
    walk_from("");
    for (; !links_.empty(); links_.erase(links_.begin())) follow(*links_.begin());
    if (scan_watch()) scan_watch()(entries_, entries_);
  }

 private:
  void follow(const std::string& link) {
    std::error_code failed;
    fs::path target = fs::canonical(tree_.root / link, failed);
    if (!failed && holds(target, tree_.canonical)) {
      tree_.circles.push_back(link);
    } else if (!failed && is_new(target)) {
      tree_.links.emplace_back(link, std::move(target));
      walk_from(link);
    }
  }

  void walk_from(std::string first) {
    std::vector<std::string> open = {std::move(first)};
    while (!open.empty()) {
      tree_.folders.push_back(std::move(open.back()));
      open.pop_back();
      list(tree_.folders.back(), open);
    }
  }

  /// Whether the folder has not been walked yet; marks it as walked.
  bool is_new(const fs::path& folder) {
    struct stat now{};
    return ::stat(folder.c_str(), &now) != 0 || walked_.emplace(now.st_dev, now.st_ino).second;
  }

  void list(const std::string& folder, std::vector<std::string>& open) {
    std::error_code failed;
    fs::directory_iterator at(folder.empty() ? tree_.root : tree_.root / folder, failed);
    for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
      const std::string name = at->path().filename().native();
      if (name.starts_with(files::kUnfinished) || !files::may_read(at->path())) continue;
      add(at->path(), folder.empty() ? name : folder + "/" + name, open);
      constexpr std::size_t kPerReport = 256;
      if (++entries_ % kPerReport == 0 && scan_watch()) scan_watch()(entries_, 0);
    }
    if (failed) tree_.files.push_back({folder, failed.message(), false});
  }

  void add(const fs::path& path, std::string below, std::vector<std::string>& open) {
    std::error_code ignored;
    const bool link = fs::is_symlink(fs::symlink_status(path, ignored));
    const bool folder = fs::is_directory(fs::status(path, ignored));
    if (!folder || is_file_(path)) tree_.files.push_back({below, {}, false});
    if (folder && link)
      links_.insert(std::move(below));
    else if (folder && is_new(path))
      open.push_back(std::move(below));
  }

  Tree& tree_;
  bool (*is_file_)(const fs::path&);
  std::size_t entries_ = 0;
  std::set<std::string> links_;  ///< to folders, not followed yet
  std::set<std::pair<dev_t, ino_t>> walked_;
};

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string lower_extension(const fs::path& file) {
  std::string extension = file.extension().native();
  for (char& c : extension) c = small(c);
  return extension;
}

ScanWatch& scan_watch() {
  static ScanWatch watch;
  return watch;
}

Tree walk(const fs::path& root, bool (*is_file)(const fs::path&)) {
  Tree tree;
  tree.root = root;
  std::error_code ignored;
  tree.canonical = fs::canonical(root, ignored);
  Walker(tree, is_file).run();
  std::sort(tree.files.begin(), tree.files.end(),
            [](const WalkedFile& a, const WalkedFile& b) { return a.below < b.below; });
  std::sort(tree.folders.begin(), tree.folders.end());
  std::sort(tree.circles.begin(), tree.circles.end());
  return tree;
}

fs::path Tree::real(std::string_view below) const {
  const std::pair<std::string, fs::path>* nearest = nullptr;
  for (const auto& link : links) {
    const bool in =
        below.starts_with(link.first) && (below.size() == link.first.size() || below[link.first.size()] == '/');
    if (in && (nearest == nullptr || link.first.size() > nearest->first.size())) nearest = &link;
  }
  const fs::path& from = nearest == nullptr ? canonical : nearest->second;
  if (nearest != nullptr) below.remove_prefix(std::min(below.size(), nearest->first.size() + 1));
  return below.empty() ? from : from / below;
}

}  // namespace assay
