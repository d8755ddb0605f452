#include "load/sqlite/sqlite_file.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace assay::load {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderBytes = 100;
constexpr int kLongestCell = 16 << 20;  // of one value, which SQLite holds whole; names of kernels have some KiB
using Header = std::array<unsigned char, kHeaderBytes>;

std::uint64_t big_endian(const Header& header, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | header[at + i];
  return value;
}

template <class... Part>
Error error(const Part&... parts) {
  return Error{concat(parts...), Exit::kFailed};
}

/// "file:" and the absolute path with everything escaped that a URI gives a meaning to.
std::string uri_of(const fs::path& file, std::string_view parameters) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string path = fs::absolute(file).native();
  path.erase(0, std::min(path.find_first_not_of('/'), path.size()));  // "file://x" would name a host
  std::string uri = "file:/";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) != 0 || std::string_view("/._-~").find(c) != std::string_view::npos)) {
      uri += c;
    } else {
      uri.append({'%', kHex[byte >> 4], kHex[byte & 15]});
    }
  }
  return uri.append("?").append(parameters);
}

fs::path beside(const fs::path& file, std::string_view suffix) { return file.native() + std::string(suffix); }

bool has_bytes(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  return !failed && size > 0;
}

/// A journal is hot when its first byte is not zero: SQLite zeroes it, or removes the file, on commit.
bool is_hot_journal(const fs::path& journal) {
  std::ifstream in(journal, std::ios::binary);
  char first = 0;
  return !in.get(first) || first != 0;
}

/// Lets SQLite replay or roll back what lies beside the copy; leaving WAL mode folds the log into the main file.
void recover(const fs::path& copy) {
  sqlite3* opened = nullptr;
  if (sqlite3_open_v2(copy.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr) == SQLITE_OK) {
    sqlite3_exec(opened, "PRAGMA journal_mode=DELETE; SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);
  }
  sqlite3_close(opened);
}

}  // namespace

Statement::Statement(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  failed_ = sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()) + 1, &statement, nullptr) != SQLITE_OK;
  statement_.reset(statement);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

bool Statement::step() {
  if (failed_ || !ok()) return false;
  const int outcome = sqlite3_step(handle());
  failed_ = outcome != SQLITE_ROW && outcome != SQLITE_DONE;
  return outcome == SQLITE_ROW;
}

bool Statement::is_integer(int column) const { return sqlite3_column_type(handle(), column) == SQLITE_INTEGER; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle(), column); }

std::string_view Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

void Connection::Close::operator()(sqlite3* db) const { sqlite3_close(db); }
std::string Connection::problem() const { return sqlite3_errmsg(handle()); }

/// A folder of ours for the copy of a file that is being written; gone with the last user.
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

Result<SqliteFile> SqliteFile::open(const fs::path& file) {
  SqliteFile source;
  source.file_ = file;
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (fs::is_directory(status)) {
    return error(file.native(), ": is a folder, expected an nsys SQLite export; give the files in it.");
  }
  if (status.type() == fs::file_type::not_found) {
    const bool dangling = fs::is_symlink(fs::symlink_status(file, failed));
    return error(file.native(), dangling ? ": is a link to nothing; repair or remove it."
                                         : ": there is no such file; check the path.");
  }
  if (!fs::is_regular_file(status)) {
    return error(file.native(),
                 ": is not a readable regular file, expected an nsys SQLite export; check its permissions.");
  }
  source.before_ = stamp(file).value_or(Stamp{});
  if (auto problem = source.check_header()) return *problem;
  source.read_ = fs::canonical(file, failed);  // SQLite keeps logs beside the file, not beside a link to it
  if (failed) source.read_ = file;
  for (const std::string_view suffix : {"-wal", "-journal"}) {
    const fs::path neighbour = beside(source.read_, suffix);
    if (!has_bytes(neighbour) || (suffix == "-journal" && !is_hot_journal(neighbour))) continue;
    if (auto problem = source.copy_aside(suffix)) return *problem;
    break;
  }
  return source;
}

std::optional<Error> SqliteFile::check_header() {
  errno = 0;
  std::ifstream in(file_, std::ios::binary);
  if (!in) return error(file_.native(), ": cannot be read (", std::strerror(errno), "); allow reading it.");
  Header header{};
  in.read(reinterpret_cast<char*>(header.data()), header.size());
  const auto got = static_cast<std::size_t>(in.gcount());
  if (got == 0) return error(file_.native(), ": is empty, expected an nsys SQLite export; export it again.");
  if (std::memcmp(header.data(), kMagic.data(), std::min(got, kMagic.size())) != 0) {
    return error(file_.native(), ": is not an SQLite database; export the report with 'nsys export --type sqlite'.");
  }
  if (got < kHeaderBytes) {
    return error(file_.native(), ": ends inside the SQLite header, after ", got, " bytes; copy or export it again.");
  }
  // A size of 1 stands for 65536; the page count holds only where both change counters agree (SQLite file format, 1.3).
  const std::uint64_t page = big_endian(header, 16, 2) == 1 ? 65536 : big_endian(header, 16, 2);
  const std::uint64_t promised = big_endian(header, 28, 4) * page;
  if (big_endian(header, 24, 4) == big_endian(header, 92, 4) && promised > before_.size) {
    issues_.push_back({"truncated", Severity::kError, 0,
                       concat("The file has ", before_.size, " bytes where its header promises ", promised,
                              ": its end is missing; copy or export it again.")});
  }
  return std::nullopt;
}

std::optional<Error> SqliteFile::copy_aside(std::string_view suffix) {
  const fs::path original = read_;
  const fs::path neighbour = beside(original, suffix);
  const std::string what =
      concat(file_.native(), ": ", neighbour.filename().native(), " beside it shows that it is being written");
  std::error_code failed;
  std::string name = (fs::temp_directory_path(failed) / "assay-XXXXXX").native();
  if (failed || mkdtemp(name.data()) == nullptr) {
    return error(what, ", and no private copy can be made; close its writer or set TMPDIR to a writable folder.");
  }
  folder_ = std::make_shared<PrivateFolder>(name);
  read_ = folder_->path / "report.sqlite";
  const auto space = fs::space(folder_->path, failed);
  // Applying the log may write every page once more.
  if (!failed && space.available < before_.size * 2) failed = std::make_error_code(std::errc::no_space_on_device);
  if (!failed) fs::copy_file(original, read_, failed);
  if (!failed) fs::copy_file(neighbour, beside(read_, suffix), failed);
  if (failed) {
    return error(what, ", and its private copy failed (", failed.message(), "); close its writer or set TMPDIR.");
  }
  for (const fs::path& copied : {read_, beside(read_, suffix)}) {
    fs::permissions(copied, fs::perms::owner_read | fs::perms::owner_write, failed);
  }
  recover(read_);
  issues_.push_back({"being_written", Severity::kWarning, 0,
                     concat(neighbour.filename().native(), " lies beside the file, so it is being written or was not ",
                            "closed: it was read from a private copy with that applied.")});
  return std::nullopt;
}

Result<Connection> SqliteFile::connect() const {
  sqlite3* opened = nullptr;
  const std::string uri = uri_of(read_, "immutable=1&mode=ro");
  const int outcome =
      sqlite3_open_v2(uri.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  Connection connection(opened);
  if (outcome != SQLITE_OK) {
    return error(file_.native(), ": cannot be opened (", connection.problem(), "); allow reading it.");
  }
  // With a writable schema SQLite reads what is there of a shortened file instead of refusing it; nothing can be
  // written on a read-only connection. No mapping: a file that shrinks under us would end the process.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kLongestCell);
  sqlite3_exec(opened, "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
  return connection;
}

std::optional<Issue> SqliteFile::changed() const {
  const auto now = stamp(file_);
  if (now && *now == before_) return std::nullopt;
  return Issue{"changed_while_read", Severity::kWarning, 0,
               "The file changed while it was read: rows may be missing or torn; run again when its writer is done."};
}

}  // namespace assay::load
