#include "dump.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>

#include "json.hpp"

namespace assay::flight_recorder {
namespace {

using pickles::Kind, pickles::Pickle, pickles::Value;

constexpr std::string_view kWords[] = {"record_id",
                                       "pg_id",
                                       "process_group",
                                       "collective_seq_id",
                                       "p2p_seq_id",
                                       "op_id",
                                       "profiling_name",
                                       "time_created_ns",
                                       "time_discovered_started_ns",
                                       "time_discovered_completed_ns",
                                       "input_sizes",
                                       "input_dtypes",
                                       "output_sizes",
                                       "output_dtypes",
                                       "state",
                                       "timeout_ms",
                                       "is_p2p",
                                       "frames",
                                       "version",
                                       "comm_lib_version",
                                       "nccl_version",
                                       "pg_config",
                                       "pg_status",
                                       "entries",
                                       "name",
                                       "desc",
                                       "ranks",
                                       "filename",
                                       "line",
                                       "last_enqueued_collective",
                                       "last_started_collective",
                                       "last_completed_collective"};

Key key_of(Value key) {
  const bool known = key.kind == Kind::kText && key.number <= static_cast<std::int64_t>(std::size(kWords));
  return known ? static_cast<Key>(key.number) : Key::kNone;
}

/// Turns the dicts of calls into entries at once; leaves other containers as they are.
class EntryBuilder final : public pickles::RecordBuilder {
 public:
  explicit EntryBuilder(std::vector<Entry>& entries) : entries_(entries) {}

  Value build(Kind container, std::span<const Value> values, const Pickle& pickle) override {
    const auto is_id = [&](std::size_t i) { return i + 1 < values.size() && key_of(values[i]) == Key::kRecordId; };
    std::size_t id = 0;
    while (container == Kind::kDict && id < values.size() && !is_id(id)) id += 2;
    if (container != Kind::kDict || id >= values.size()) return {};
    entries_.emplace_back();
    return extend({Kind::kRecord, 0, static_cast<std::int64_t>(entries_.size() - 1)}, values, pickle);
  }
  Value extend(Value record, std::span<const Value> values, const Pickle& pickle) override {
    Entry& entry = entries_[static_cast<std::size_t>(record.number)];
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
      const auto key = static_cast<std::size_t>(key_of(values[i]));
      if (key > 0 && key < entry.values.size()) entry.values[key] = pickle.resolve(values[i + 1]);
    }
    return record;
  }
  [[nodiscard]] std::size_t bytes() const override { return entries_.capacity() * sizeof(Entry); }

 private:
  std::vector<Entry>& entries_;
};

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Numbers of "[0, 1, 2]".
std::vector<std::int64_t> numbers_of(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find_first_not_of("0123456789", begin), text.size());
    numbers.push_back(integer(text.substr(begin, at - begin)).value_or(kNoCell));
  }
  return numbers;
}

class Collector {
 public:
  explicit Collector(Dump& dump) : dump_(dump) {}

  /// A value of the root, or below it, under its key.
  void add(Value key, Value value) {
    const Value now = dump_.pickle->resolve(value);
    const Key name = key_of(key);
    if (now.kind == Kind::kText) {
      if (name == Key::kVersion) dump_.version = dump_.text(now);
      if (name == Key::kLibrary || name == Key::kOldLibrary) dump_.library = dump_.text(now);
    } else if (now.kind == Kind::kList && name == Key::kEntries) {
      for (const Value entry : dump_.pickle->values(now)) add(key, entry);
    } else if (now.kind == Kind::kDict) {
      add_dict(key, dump_.pickle->values(now));
    }
  }

  /// Gives each group its state. States have ids of this rank, groups have names of the job: both count up, so that
  /// their orders are equal, unless a call says otherwise.
  void pair_states() {
    std::map<std::string, std::int64_t> by_name;
    for (const Entry& entry : dump_.entries) {
      if (const Group* const group = dump_.group_of(entry)) by_name[group->name] = dump_.number(entry[Key::kGroupId]);
    }
    std::vector<Group*> ordered;
    for (Group& group : dump_.groups) {
      if (integer(group.name)) ordered.push_back(&group);
    }
    std::ranges::sort(ordered, {}, [](const Group* group) { return integer(group->name); });
    bool in_order = ordered.size() == states_.size() && ordered.size() == dump_.groups.size();
    auto state = states_.begin();
    for (std::size_t g = 0; in_order && g < ordered.size(); ++g) {
      const auto known = by_name.find(ordered[g]->name);
      in_order = known == by_name.end() || known->second == state->first;
      ordered[g]->local_id = (state++)->first;
    }
    for (Group& group : dump_.groups) {
      const auto known = by_name.find(group.name);
      if (!in_order) group.local_id = known == by_name.end() ? kNoCell : known->second;
      const auto own = states_.find(group.local_id);
      if (own == states_.end()) continue;
      group.enqueued = own->second[0];
      group.started = own->second[1];
      group.completed = own->second[2];
    }
  }

 private:
  void add_dict(Value key, std::span<const Value> items) {
    const auto value = [&](Key wanted) -> std::optional<Value> {
      for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (key_of(items[i]) == wanted) return items[i + 1];
      }
      return std::nullopt;
    };
    const auto number = [&](Key wanted) { return dump_.number(value(wanted).value_or(Value{})); };
    const auto text = [&](Key wanted) { return std::string(dump_.text(value(wanted).value_or(Value{}))); };
    if (value(Key::kRanks)) {
      dump_.groups.push_back({text(Key::kName), text(Key::kDescription), text(Key::kRanks), {}});
      Group& group = dump_.groups.back();
      if (group.name.empty()) group.name = dump_.text(key);
      group.members = numbers_of(group.ranks);
    } else if (value(Key::kEnqueued)) {
      states_[dump_.number(key)] = {number(Key::kEnqueued), number(Key::kLastStarted), number(Key::kLastCompleted)};
    } else if (key_of(key) == Key::kGroups || key_of(key) == Key::kStatus) {
      for (std::size_t i = 0; i + 1 < items.size(); i += 2) add(items[i], items[i + 1]);
    } else if (key_of(key) == Key::kEntries) {
      ++dump_.unread;
    }
  }

  Dump& dump_;
  std::map<std::int64_t, std::array<std::int64_t, 3>> states_;
};

}  // namespace

std::int64_t Dump::number(Value value) const {
  const Value now = pickle->resolve(value);
  if (now.kind == Kind::kInteger || now.kind == Kind::kBoolean) return now.number;
  return now.kind == Kind::kText ? integer(pickle->text(now)).value_or(kNoCell) : kNoCell;
}

std::span<const Value> Dump::values(Value container) const {
  const Value now = pickle->resolve(container);
  const bool holds = now.kind == Kind::kList || now.kind == Kind::kTuple || now.kind == Kind::kDict;
  return holds ? pickle->values(now) : std::span<const Value>();
}

const Group* Dump::group_of(const Entry& entry) const {
  const std::span<const Value> names = values(entry[Key::kGroup]);
  const std::string_view name = names.empty() ? std::string_view() : text(names.front());
  const auto at = std::ranges::find(groups, name, &Group::name);
  return at == groups.end() ? nullptr : &*at;
}

std::string bytes_of(const std::filesystem::path& file, std::size_t limit) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw pickles::Refusal("the file cannot be opened");
  in.seekg(0, std::ios::end);
  std::string bytes(std::min(limit, static_cast<std::size_t>(std::max<std::streamoff>(in.tellg(), 0))), '\0');
  in.seekg(0);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return bytes;
}

Dump read_dump(std::string_view bytes, std::size_t most_bytes) {
  Dump dump;
  constexpr std::size_t kBytesPerEntry = 128, kMaxReserved = 4096;
  dump.entries.reserve(std::min(bytes.size() / kBytesPerEntry, kMaxReserved));
  EntryBuilder builder(dump.entries);
  dump.pickle = std::make_unique<Pickle>(builder, most_bytes);
  for (const std::string_view word : kWords) dump.pickle->texts().intern(word);
  const bool is_json = !bytes.starts_with('\x80');
  PickledJson json{{}, std::string::npos};
  if (is_json) json = pickle_of(bytes);
  pickles::ByteSource source(is_json ? std::string_view(json.bytes) : bytes);
  Collector collector(dump);
  try {
    const Value root = dump.pickle->resolve(dump.pickle->read(source));
    const std::span<const Value> items =
        root.kind == Kind::kDict ? dump.pickle->values(root) : std::span<const Value>();
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) collector.add(items[i], items[i + 1]);
  } catch (const pickles::Refusal& refusal) {
    dump.damage = json.damaged_at == std::string::npos ? refusal.what()
                                                       : "byte " + std::to_string(json.damaged_at) + ": not JSON";
    const std::span<const Value> read = dump.pickle->unfinished();
    for (std::size_t i = 1; i < read.size(); ++i) collector.add(read[i - 1], read[i]);
  }
  if (dump.groups.empty() && dump.entries.empty() && (dump.version.empty() || !dump.damage.empty()))
    throw pickles::Refusal((dump.damage.empty() ? "the file" : dump.damage + "; the file") +
                           " has no process groups and no calls; copy it again from the node that wrote it");
  dump.unread += std::erase_if(dump.entries, [&](const Entry& entry) {
    return dump.number(entry[Key::kRecordId]) < 0 || dump.number(entry[Key::kNumber]) < 0;
  });
  collector.pair_states();
  return dump;
}

bool begins_like_a_dump(std::string_view head) {
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && head[first] == '{';
  const bool is_pickle = head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
  if (!is_json && !is_pickle) return false;
  // A trace of PyTorch names the process groups of the job in its header.
  if (has("distributedInfo") || has("traceEvents") || has("schemaVersion")) return false;
  // Of a dump with calls, JSON begins with the keys of the first one: it sorts them.
  if (has("collective_seq_id")) return has("entries");
  if (!has("version") && !has("entries")) return false;
  return has("pg_config") || (has("pg_status") && has("last_enqueued_collective")) ||
         (has("entries") && has("record_id") && has("pg_id"));
}

}  // namespace assay::flight_recorder
