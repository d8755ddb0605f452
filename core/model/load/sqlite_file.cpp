#include "load/sqlite_file.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "load/format.hpp"

namespace assay::load {
namespace fs = std::filesystem;
namespace {

using Header = std::array<unsigned char, sqlite::kHeaderBytes>;

std::uint64_t big_endian(const Header& header, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | header[at + i];
  return value;
}

template <class... Part>
Error error(fmt::format_string<const Part&...> sentence, const Part&... parts) {
  return Error{fmt::format(sentence, parts...), Exit::kFailed};
}

/// A journal is hot if its first byte is not zero: on commit SQLite zeroes or removes it.
bool is_hot_journal(const fs::path& journal) {
  std::ifstream in(journal, std::ios::binary);
  char first = 0;
  return !in.get(first) || first != 0;
}

/// Lets SQLite replay or roll back the logs next to the copy; leaving WAL mode merges the log into the main file.
void recover(const fs::path& copy) {
  const Result<sqlite::Database> db = sqlite::open(copy.native(), SQLITE_OPEN_READWRITE);
  if (!db) return;
  sqlite3_exec(db->get(), "PRAGMA journal_mode=DELETE; SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);
}

}  // namespace

fs::path beside(const fs::path& file, std::string_view suffix) { return file.native() + std::string(suffix); }

bool has_bytes(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  return !failed && size > 0;
}

std::string Connection::problem() const { return sqlite3_errmsg(handle()); }

/// A private folder for the copy of a file that is being written; removed with its last user.
struct SqliteFile::PrivateFolder {
  fs::path path;
  explicit PrivateFolder(fs::path made) : path(std::move(made)) {}
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

std::optional<SqliteFile::Stamp> SqliteFile::stamp(const fs::path& file) {
  struct stat now{};
  if (::stat(file.c_str(), &now) != 0) return std::nullopt;
  return Stamp{static_cast<std::uint64_t>(now.st_size), now.st_mtim.tv_sec, now.st_mtim.tv_nsec, now.st_ino};
}

Result<SqliteFile> SqliteFile::open(const fs::path& file, const FormatNames& names) {
  SqliteFile source;
  source.file_ = file;
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (fs::is_directory(status)) {
    return error("{}: is a folder, expected {}", file.native(), names.one)
        .at(file.native())
        .advise("give the files in it.");
  }
  if (status.type() == fs::file_type::not_found) {
    const bool dangling = fs::is_symlink(fs::symlink_status(file, failed));
    return error("{}: {}", file.native(), dangling ? "is a dangling link" : "file not found")
        .at(file.native())
        .advise(dangling ? "repair or remove it." : "check the path.");
  }
  if (!fs::is_regular_file(status)) {
    return error("{}: is not a readable regular file, expected {}", file.native(), names.one)
        .at(file.native())
        .advise("check its permissions.");
  }
  source.before_ = stamp(file).value_or(Stamp{});
  if (auto problem = source.check_header(names)) return *problem;
  source.read_ = fs::canonical(file, failed);  // SQLite keeps logs next to the file, not next to a link to it
  if (failed) source.read_ = file;
  for (const std::string_view suffix : {"-wal", "-journal"}) {
    const fs::path neighbour = beside(source.read_, suffix);
    if (!has_bytes(neighbour) || (suffix == "-journal" && !is_hot_journal(neighbour))) continue;
    if (auto problem = source.copy_aside(suffix)) return *problem;
    break;
  }
  return source;
}

std::optional<Error> SqliteFile::check_header(const FormatNames& names) {
  errno = 0;
  std::ifstream in(file_, std::ios::binary);
  if (!in)
    return error("{}: cannot be read ({})", file_.native(), std::strerror(errno))
        .at(file_.native())
        .advise("check its permissions.");
  Header header{};
  in.read(reinterpret_cast<char*>(header.data()), header.size());
  const auto got = static_cast<std::size_t>(in.gcount());
  if (got == 0)
    return error("{}: is empty, expected {}", file_.native(), names.one)
        .at(file_.native())
        .advise(fmt::format("{}.", names.again));
  if (std::memcmp(header.data(), sqlite::kMagic.data(), std::min(got, sqlite::kMagic.size())) != 0) {
    return error("{}: is not an SQLite database", file_.native())
        .at(file_.native())
        .advise(fmt::format("{}.", names.again));
  }
  if (got < sqlite::kHeaderBytes) {
    return error("{}: ends inside the SQLite header, after {} bytes", file_.native(), got)
        .at(file_.native())
        .advise("copy or export it again.");
  }
  // 1 stands for 65536; the page count is valid only if both change counters agree (SQLite file format, 1.3).
  const std::uint64_t page = big_endian(header, 16, 2) == 1 ? 65536 : big_endian(header, 16, 2);
  const std::uint64_t promised = big_endian(header, 28, 4) * page;
  if (big_endian(header, 24, 4) == big_endian(header, 92, 4) && promised > before_.size) {
    issues_.push_back(
        {"truncated", Severity::kError, 0,
         fmt::format("The file has {} bytes where its header promises {}: its end is missing; copy or export it again.",
                     before_.size, promised)});
  }
  return std::nullopt;
}

std::optional<Error> SqliteFile::copy_aside(std::string_view suffix) {
  const fs::path original = read_;
  const fs::path neighbour = beside(original, suffix);
  const std::string what =
      fmt::format("{}: {} next to it shows that it is being written", file_.native(), neighbour.filename().native());
  std::error_code failed;
  std::string name = (fs::temp_directory_path(failed) / "assay-XXXXXX").native();
  if (failed || mkdtemp(name.data()) == nullptr) {
    return error("{}, and no private copy can be made", what)
        .at(file_.native())
        .advise("close its writer or set TMPDIR to a writable folder.");
  }
  folder_ = std::make_shared<PrivateFolder>(name);
  read_ = folder_->path / "report.sqlite";
  const auto space = fs::space(folder_->path, failed);
  // Applying the log may write every page once more.
  if (!failed && space.available < before_.size * 2) failed = std::make_error_code(std::errc::no_space_on_device);
  if (!failed) fs::copy_file(original, read_, failed);
  if (!failed) fs::copy_file(neighbour, beside(read_, suffix), failed);
  if (failed) {
    return error("{}, and its private copy failed ({})", what, failed.message())
        .at(file_.native())
        .advise("close its writer or set TMPDIR.");
  }
  for (const fs::path& copied : {read_, beside(read_, suffix)}) {
    fs::permissions(copied, fs::perms::owner_read | fs::perms::owner_write, failed);
  }
  recover(read_);
  issues_.push_back({"being_written", Severity::kWarning, 0,
                     fmt::format("{} is next to the file, so the file is being written or was not closed: a private "
                                 "copy with those changes applied was read.",
                                 neighbour.filename().native())});
  return std::nullopt;
}

Result<Connection> SqliteFile::connect() const {
  Result<sqlite::Database> db = sqlite::open_immutable(read_);
  if (!db)
    return error("{}: cannot be opened ({})", file_.native(), db.error().sentence)
        .at(file_.native())
        .advise(db.error().remedy.empty() ? "check its permissions." : db.error().remedy);
  sqlite::allow_damage(db->get());
  // No mmap: a file that shrinks meanwhile would kill the process.
  sqlite3_exec(db->get(), "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
  return Connection(std::move(*db));
}

std::optional<Issue> SqliteFile::changed() const {
  const auto now = stamp(file_);
  if (now && *now == before_) return std::nullopt;
  return Issue{"changed_while_read", Severity::kWarning, 0,
               "The file changed while it was read: rows may be missing or torn; run again when its writer is done."};
}

}  // namespace assay::load
