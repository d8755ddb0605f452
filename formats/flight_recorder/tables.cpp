#include "tables.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_map>

namespace assay::flight_recorder {
namespace {

using pickles::Value;

/// Files that come with a library or the interpreter.
bool is_of_a_library(std::string_view file) {
  constexpr std::string_view kPlaces[] = {"site-packages/", "dist-packages/", "/torch/", "/lib/python3", "<frozen"};
  return file.empty() || std::ranges::any_of(kPlaces, [&](std::string_view place) {
           return file.find(place) != std::string_view::npos;
         });
}

/// The stack of a call, as texts.
struct StackTexts {
  StringId line = 0, frames = 0, library_frames = 0;
};

/// Equal values have equal texts, which are put together once: calls repeat.
class CellTexts {
 public:
  CellTexts(const Dump& dump, Tables& to) : dump_(dump), to_(to) {}

  StringId word(Value value) {
    if (value.kind != pickles::Kind::kText) return 0;
    const auto number = static_cast<std::size_t>(value.number);
    if (number >= words_.size()) words_.resize(dump_.pickle->texts().size(), kUnknown);
    if (words_[number] == kUnknown) words_[number] = to_.intern(dump_.text(value));
    return words_[number];
  }

  /// "[[1048576]]", "[Float]".
  StringId list(Value value) {
    text_.clear();
    append(value, 0);
    return to_.intern(text_);
  }

  const StackTexts& stack(Value frames) {
    const std::span<const Value> all = dump_.values(frames);
    std::string key;
    for (const Value frame : all) key.append(reinterpret_cast<const char*>(&frame.number), sizeof(frame.number));
    const auto [at, is_new] = stacks_.try_emplace(std::move(key));
    if (is_new) at->second = texts_of(all);
    return at->second;
  }

 private:
  static constexpr StringId kUnknown = ~StringId{0};

  struct Frame {
    std::string_view function, file;
    std::int64_t line = kNoCell;
  };

  void append(Value value, int depth) {
    const Value now = dump_.pickle->resolve(value);
    if (now.kind == pickles::Kind::kText) {
      text_ += dump_.text(now);
    } else if (const std::int64_t number = dump_.number(now); number != kNoCell) {
      text_ += std::to_string(number);
    } else if (constexpr int kMaxDepth = 4; depth < kMaxDepth) {
      const char* separator = "[";
      for (const Value element : dump_.values(now)) {
        text_ += separator;
        append(element, depth + 1);
        separator = ", ";
      }
      text_ += *separator == '[' ? "[]" : "]";
    }
  }

  [[nodiscard]] Frame frame_of(Value frame) const {
    Frame out;
    const std::span<const Value> items = dump_.values(frame);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      const std::string_view key = dump_.text(items[i]);
      if (key == "name") out.function = dump_.text(items[i + 1]);
      if (key == "filename") out.file = dump_.text(items[i + 1]);
      if (key == "line") out.line = dump_.number(items[i + 1]);
    }
    return out;
  }

  StackTexts texts_of(std::span<const Value> frames) {
    std::vector<Frame> all;
    for (const Value frame : frames) all.push_back(frame_of(frame));
    if (all.empty()) return {};
    auto own = std::ranges::find_if(all, [](const Frame& frame) { return !is_of_a_library(frame.file); });
    if (own == all.end()) own = all.begin();
    const auto joined = [&](auto begin, auto end) {
      std::string text;
      for (; begin != end; ++begin) {
        if (!text.empty()) text += " < ";
        text.append(begin->function).append(" (").append(begin->file).append(":");
        text.append(std::to_string(begin->line)).append(")");
      }
      return to_.intern(text);
    };
    std::string line(own->file.substr(own->file.rfind('/') + 1));
    line += ":" + std::to_string(own->line);
    return {to_.intern(line), joined(own, all.end()), joined(all.begin(), own)};
  }

  const Dump& dump_;
  Tables& to_;
  std::string text_;
  std::vector<StringId> words_;
  std::unordered_map<std::string, StackTexts> stacks_;
};

/// Elements of all tensors together; kNoCell: unknown.
std::int64_t elements_of(const Dump& dump, Value sizes) {
  std::int64_t all = 0;
  for (const Value shape : dump.values(sizes)) {
    std::int64_t elements = 1;
    for (const Value length : dump.values(shape)) {
      if (__builtin_mul_overflow(elements, dump.number(length), &elements) || elements < 0) return kNoCell;
    }
    if (__builtin_add_overflow(all, elements, &all)) return kNoCell;
  }
  return all;
}

/// Rows of calls in the order of their times, which are in it but for calls of several threads.
class RecordRows {
 public:
  RecordRows(const Dump& dump, Tables& to) : dump_(dump), texts_(dump, to), time_(dump.entries.size()) {
    std::int64_t last = 0;
    for (std::size_t e = 0; e < dump.entries.size(); ++e) {
      const std::int64_t created = dump.number(dump.entries[e][Key::kCreated]);
      last = time_[e] = created < 0 ? last : created;
    }
    order_.resize(dump.entries.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t e) { return time_[e]; });
  }

  /// Time of the first call, ns since the epoch; 0: none.
  [[nodiscard]] std::int64_t origin() const { return order_.empty() ? 0 : time_[order_.front()]; }

  void fill(Tables& to) {
    DeclaredRows rows = to.declared(kRecords.view(), order_.size());
    fill_numbers(rows);
    const auto words = [&](const char* column, auto&& text) {
      const std::span<StringId> cells = rows.texts(column);
      for (std::size_t r = 0; r < order_.size(); ++r) cells[r] = text(dump_.entries[order_[r]]);
    };
    words("operation", [&](const Entry& entry) { return texts_.word(entry[Key::kOperation]); });
    words("state", [&](const Entry& entry) { return texts_.word(entry[Key::kState]); });
    words("input_sizes", [&](const Entry& entry) { return texts_.list(entry[Key::kInputSizes]); });
    words("input_dtypes", [&](const Entry& entry) { return texts_.list(entry[Key::kInputTypes]); });
    words("output_sizes", [&](const Entry& entry) { return texts_.list(entry[Key::kOutputSizes]); });
    words("output_dtypes", [&](const Entry& entry) { return texts_.list(entry[Key::kOutputTypes]); });
    words("line", [&](const Entry& entry) { return texts_.stack(entry[Key::kFrames]).line; });
    words("frames", [&](const Entry& entry) { return texts_.stack(entry[Key::kFrames]).frames; });
    words("library_frames", [&](const Entry& entry) { return texts_.stack(entry[Key::kFrames]).library_frames; });
  }

 private:
  void fill_numbers(DeclaredRows& rows) {
    const auto numbers = [&](const char* column, auto&& number) {
      const std::span<std::int64_t> cells = rows.integers(column);
      for (std::size_t r = 0; r < order_.size(); ++r) cells[r] = number(order_[r]);
    };
    const auto of_key = [&](const char* column, Key key) {
      numbers(column, [&](std::size_t e) { return dump_.number(dump_.entries[e][key]); });
    };
    const auto after_call = [&](const char* column, Key key) {
      numbers(column, [&](std::size_t e) {
        const std::int64_t time = dump_.number(dump_.entries[e][key]);
        return time < time_[e] || time_[e] <= 0 ? kNoCell : time - time_[e];
      });
    };
    numbers("time", [&](std::size_t e) { return time_[e]; });
    of_key("record_id", Key::kRecordId);
    numbers("process_group", [&](std::size_t e) -> std::int64_t {
      const Group* const group = dump_.group_of(dump_.entries[e]);
      return group == nullptr ? kNone : group - dump_.groups.data();
    });
    of_key("collective_seq_id", Key::kNumber);
    of_key("p2p_seq_id", Key::kP2pNumber);
    of_key("op_id", Key::kOperationId);
    after_call("started_after", Key::kStarted);
    after_call("completed_after", Key::kCompleted);
    of_key("is_p2p", Key::kIsP2p);
    numbers("elements", [&](std::size_t e) { return elements_of(dump_, dump_.entries[e][Key::kInputSizes]); });
    numbers("timeout", [&](std::size_t e) {
      std::int64_t limit = dump_.number(dump_.entries[e][Key::kTimeout]);
      return limit < 0 || __builtin_mul_overflow(limit, std::int64_t{1'000'000}, &limit) ? kNoCell : limit;
    });
  }

  const Dump& dump_;
  CellTexts texts_;
  std::vector<std::int64_t> time_;
  std::vector<std::size_t> order_;
};

void fill_groups(const Dump& dump, Tables& to) {
  DeclaredRows rows = to.declared(kProcessGroups.view(), dump.groups.size());
  const auto texts = [&](const char* column, std::string Group::* text) {
    const std::span<StringId> cells = rows.texts(column);
    for (std::size_t g = 0; g < cells.size(); ++g) cells[g] = to.intern(dump.groups[g].*text);
  };
  const auto numbers = [&](const char* column, std::int64_t Group::* number) {
    std::ranges::transform(dump.groups, rows.integers(column).begin(), number);
  };
  texts("name", &Group::name);
  texts("description", &Group::description);
  texts("ranks", &Group::ranks);
  const std::span<std::int64_t> size = rows.integers("size");
  for (std::size_t g = 0; g < size.size(); ++g) size[g] = static_cast<std::int64_t>(dump.groups[g].members.size());
  numbers("pg_id", &Group::local_id);
  numbers("last_enqueued", &Group::enqueued);
  numbers("last_started", &Group::started);
  numbers("last_completed", &Group::completed);
}

}  // namespace

void fill_tables(const Dump& dump, const DumpRank& rank, Tables& to) {
  RecordRows records(dump, to);
  records.fill(to);
  fill_groups(dump, to);
  DeclaredRows row = to.declared(kDumps.view(), 1);
  row.integers("rank")[0] = rank.rank;
  row.texts("rank_from")[0] = to.intern(rank.from);
  row.integers("world_size")[0] = world_size(dump);
  row.texts("version")[0] = to.intern(dump.version);
  row.texts("library")[0] = to.intern(dump.library);
  row.integers("damaged")[0] = dump.damage.empty() && dump.unread == 0 ? 0 : 1;
  to.sink().set_origin(records.origin());
  to.sink().add_property("origin_ns", std::to_string(records.origin()));
  if (!rank.doubt.empty()) to.sink().issue("rank_not_known", Severity::kWarning, 0, rank.doubt);
  if (dump.unread > 0)
    to.sink().issue("unread_calls", Severity::kError, static_cast<std::int64_t>(dump.unread),
                    std::to_string(dump.unread) +
                        " calls have no readable numbers and are left out: versions 2.3 to 2.10 are read" +
                        (dump.version.empty() ? "." : ", this is " + dump.version + "."));
  if (!dump.damage.empty())
    to.sink().issue("damaged_dump", Severity::kError, 0,
                    "This dump is cut off or damaged (" + dump.damage + "): the " +
                        std::to_string(dump.entries.size()) +
                        " calls before that were read; copy it again from the node that wrote it.");
}

}  // namespace assay::flight_recorder
