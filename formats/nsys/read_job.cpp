// What an export contains about the job of its process: NCCL payloads, rank and clock.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "formats/nsys/nsys_environment.hpp"
#include "formats/nsys/read_tables.hpp"
#include "load/job_variables.hpp"

namespace assay::load {
namespace {

constexpr std::string_view kCommunicator = "NCCL communicator ID", kSize = "Message size [bytes]";

std::uint64_t number_at(std::string_view bytes, std::uint64_t at) {
  std::uint64_t value = 0;
  if (at > bytes.size() || bytes.size() - at < sizeof(value)) return 0;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

/// Offsets of the fields of a payload, by (domain, schema).
struct Fields {
  std::int64_t communicator = kNone, size = kNone;
};
using FieldMap = std::map<std::pair<std::int64_t, std::int64_t>, Fields>;

FieldMap read_fields(const Source& source) {
  FieldMap fields;
  const TableInfo* info = source.schema.find("NVTX_PAYLOAD_SCHEMA_ENTRIES");
  if (info == nullptr || !info->has("name") || !info->has("offset") || !info->has("domainId") || !info->has("schemaId"))
    return fields;
  sqlite::Statement rows(source.db.handle(),
                         "SELECT domainId, schemaId, name, coalesce(offset, 0) FROM NVTX_PAYLOAD_SCHEMA_ENTRIES");
  while (rows.ok() && rows.step()) {
    const std::string_view name = rows.text(2);
    Fields& entry = fields[{rows.integer(0), rows.integer(1)}];
    if (name == kCommunicator) entry.communicator = rows.integer(3);
    if (name == kSize) entry.size = rows.integer(3);
  }
  return fields;
}

/// A payload begins with a head of four 8-byte numbers: domain, schema, size, and the offset of its fields.
std::optional<Payload> decode(std::string_view bytes, const FieldMap& fields) {
  constexpr std::size_t kHead = 32;
  if (bytes.size() < kHead) return std::nullopt;
  const auto domain = static_cast<std::int64_t>(number_at(bytes, 0));
  const auto schema = static_cast<std::int64_t>(number_at(bytes, 8));
  const std::uint64_t begin = number_at(bytes, 24);
  const auto at = fields.find({domain, schema});
  if (at == fields.end() || at->second.communicator == kNone || begin < kHead || begin > bytes.size())
    return std::nullopt;
  const std::string_view body = bytes.substr(begin);
  const auto holds = [&](std::int64_t offset) {
    return offset >= 0 && static_cast<std::uint64_t>(offset) + 8 <= body.size();
  };
  if (!holds(at->second.communicator)) return std::nullopt;
  Payload payload;
  payload.communicator = number_at(body, static_cast<std::uint64_t>(at->second.communicator));
  if (holds(at->second.size)) {
    const std::uint64_t size = number_at(body, static_cast<std::uint64_t>(at->second.size));
    if (size <= static_cast<std::uint64_t>(kMaxInAll)) payload.bytes = static_cast<std::int64_t>(size);
  }
  return payload;
}

/// Whether an environment variable may be read: only those that give the rank of a process in a job.
bool may_be_read(std::string_view name) {
  return name == "CUDA_VISIBLE_DEVICES" || std::ranges::find(kJobVariables, name) != std::end(kJobVariables);
}

/// Time 0 in ns since the epoch on the clock of the host; empty if the file does not contain exactly one.
std::string origin_of(const Source& source) {
  const TableInfo* info = source.schema.find("TARGET_INFO_SESSION_START_TIME");
  if (info == nullptr || !info->has("utcEpochNs")) return {};
  sqlite::Statement starts(source.db.handle(), "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME LIMIT 2");
  if (!starts.ok() || !starts.step() || !starts.is_integer(0)) return {};
  const std::int64_t start = starts.integer(0);
  return start > 0 && !starts.step() ? std::to_string(start) : std::string();
}

}  // namespace

std::map<std::int64_t, Payload> read_payloads(NsysTables& to) {
  std::map<std::int64_t, Payload> payloads;
  const TableInfo* info = to.source.schema.find("NVTX_EVENTS");
  if (info == nullptr || !info->has("binaryData")) return payloads;
  const FieldMap fields = read_fields(to.source);
  if (fields.empty()) return payloads;
  sqlite::Statement rows(to.source.db.handle(),
                         "SELECT rowid, binaryData FROM NVTX_EVENTS WHERE binaryData IS NOT NULL");
  std::int64_t unread = 0;
  while (rows.ok() && rows.step()) {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(rows.handle(), 1));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(rows.handle(), 1));
    if (const auto payload = decode({bytes, bytes == nullptr ? 0 : size}, fields))
      payloads.emplace(rows.integer(0), *payload);
    else
      ++unread;
  }
  if (unread > 0) {
    to.issue("unread_payload", Severity::kInfo, unread,
             fmt::format("{} NVTX payloads are not of NCCL's communicators and are not read.", unread));
  }
  return payloads;
}

void add_properties(NsysTables& to) {
  const Source& source = to.source;
  if (!source.wanted.table(col::properties)) return;
  const auto first = [&](const char* sql) {
    sqlite::Statement row(source.db.handle(), sql);
    return row.ok() && row.step() ? std::string(row.text(0)) : std::string();
  };
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) to.out.add_property(name, value);
  };
  add("origin_ns", origin_of(source));
  if (source.schema.find("TARGET_INFO_SYSTEM_ENV") != nullptr)
    add("hostname", first("SELECT substr(value, 1, 200) FROM TARGET_INFO_SYSTEM_ENV WHERE name = 'Hostname' LIMIT 1"));
  if (source.schema.find("META_DATA_CAPTURE") == nullptr) return;
  add("begins_with",
      first("SELECT iif(count(DISTINCT name) = 3, 'process', '') FROM META_DATA_CAPTURE WHERE name || '=' || value IN ("
            "'START_TRIGGER=Immediate', 'START_DELAY_MS=0', 'PROCESS_0:HOW_TO_ATTACH=LaunchAnother')"));
  sqlite::Statement rows(source.db.handle(),
                         "SELECT DISTINCT substr(value, 1, 200) FROM META_DATA_CAPTURE WHERE name LIKE "
                         "'%ENVIRONMENT_VARIABLE' ORDER BY 1");
  while (rows.ok() && rows.step()) {
    const std::string_view row = rows.text(0);
    const std::size_t equal = row.find('=');
    if (equal == std::string_view::npos || !may_be_read(row.substr(0, equal))) continue;
    add("environment." + std::string(row.substr(0, equal)), std::string(bare_variable(row.substr(equal + 1))));
  }
}

}  // namespace assay::load
