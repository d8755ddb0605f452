#include "load/captures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "load/capture_match.hpp"

namespace assay::load {
namespace {

/// Limit on copied operators of all launches; more would cost more memory than the profile is worth.
constexpr std::size_t kMaxCopies = 4'000'000;

std::size_t index(Row row) { return static_cast<std::size_t>(row); }

/// A graph launch with its kernels by time.
struct Replay {
  Row call = kNone;
  std::vector<Row> kernels{};
};

std::vector<Replay> replays_of(const Profile::Store& store) {
  std::vector<Replay> out;
  std::unordered_map<Row, std::size_t> known;
  for (std::size_t k = 0; k < store.kernels->rows(); ++k) {
    const Row call = store.kernels->call[k];
    if (call == kNone || store.calls->kind[index(call)] != CallKind::kGraphLaunch) continue;
    const auto [at, is_new] = known.try_emplace(call, out.size());
    if (is_new) out.push_back({call});
    out[at->second].kernels.push_back(static_cast<Row>(k));
  }
  std::ranges::sort(out, {}, &Replay::call);
  return out;
}

ReplayedKernels replayed_kernels(const Profile::Store& store, const Replay& replay) {
  ReplayedKernels out{{}, store.kernels->stream.present()};
  for (const Row kernel : replay.kernels) {
    out.names.push_back(store.kernels->name[index(kernel)]);
    out.in_order =
        out.in_order && store.kernels->stream[index(kernel)] == store.kernels->stream[index(replay.kernels.front())];
  }
  return out;
}

void add_numbers(std::string_view text, std::vector<std::int64_t>& to) {
  for (std::size_t at = 0; at < text.size();) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error == std::errc() && text[at] != '-') to.push_back(number);
    at = error == std::errc() ? static_cast<std::size_t>(end - text.data()) : at + 1;
  }
}

/// Numbers in the names of operators and annotations around a call.
std::vector<std::int64_t> numbers_around(const Profile::Store& store, Row call) {
  std::vector<std::int64_t> out;
  constexpr int kMaxAround = 64;
  Row op = store.ops && store.calls->op.present() ? store.calls->op[index(call)] : kNone;
  for (int i = 0; op >= 0 && i < kMaxAround; ++i, op = store.ops->parent[index(op)]) {
    if (store.ops->kind[index(op)] == OpKind::kAnnotation) add_numbers(store.strings[store.ops->name[index(op)]], out);
  }
  return out;
}

/// Operators of a stretch of a capture, and the operator of each of its kernels.
struct OpTemplate {
  std::vector<Row> rows;     ///< of the capture's ops, ascending
  std::vector<Row> parents;  ///< index in `rows`; kNone: outermost
  std::vector<Row> of_kernel;
};

/// Copies operators and modules: annotations and other Python frames describe the capture, not the replay.
bool is_copied(const Profile::Store& store, std::size_t op) {
  if (store.ops->kind[op] == OpKind::kOperator) return true;
  return store.ops->kind[op] == OpKind::kPythonFunction && store.strings[store.ops->name[op]].starts_with("nn.Module");
}

OpTemplate template_of(const CapturedSequence& sequence, std::size_t first, std::size_t length) {
  const Profile::Store& store = *sequence.file->store;
  const auto copied_around = [&](Row op) {
    while (op >= 0 && !is_copied(store, index(op))) op = store.ops->parent[index(op)];
    return op;
  };
  std::map<Row, Row> place;  // index by row of the capture
  for (std::size_t i = 0; i < length; ++i) {
    Row op = copied_around(sequence.ops[first + i]);
    while (op >= 0 && place.try_emplace(op, kNone).second) op = copied_around(store.ops->parent[index(op)]);
  }
  OpTemplate out;
  for (auto& [row, at] : place) {
    at = static_cast<Row>(out.rows.size());
    out.rows.push_back(row);
  }
  for (const Row row : out.rows) {
    const Row parent = copied_around(store.ops->parent[index(row)]);
    out.parents.push_back(parent < 0 ? kNone : place.at(parent));
  }
  for (std::size_t i = 0; i < length; ++i) {
    const Row op = copied_around(sequence.ops[first + i]);
    out.of_kernel.push_back(op < 0 ? kNone : place.at(op));
  }
  return out;
}

/// A replay with the operators to insert.
struct JoinedReplay {
  const Replay* replay = nullptr;
  const OpTemplate* ops = nullptr;
  const CaptureFile* file = nullptr;
  std::size_t first_row = 0;  ///< of its copies, in the new table
};

/// Inserts the copied operators into `ops`.
class OpInserter {
 public:
  OpInserter(Profile::Store& store, std::vector<JoinedReplay>& joined) : store_(store), joined_(joined) {
    if (!store_.ops) make_ops();
    assign_rows();
  }

  void insert() {
    OpRows& ops = *store_.ops;
#define ASSAY_INSERT(id, type, member, needed) insert_column(ops.member, &OpRows::member);
#define ASSAY_NOT_STORED(id, type, member, needed)
    ASSAY_OP_COLUMNS(ASSAY_INSERT, ASSAY_NOT_STORED, ASSAY_NOT_STORED)
#undef ASSAY_NOT_STORED
#undef ASSAY_INSERT
    const auto texts = {&OpRows::name, &OpRows::input_dims, &OpRows::input_types, &OpRows::input_strides,
                        &OpRows::concrete_inputs};
    for (const auto member : texts) translate(member);
    fill_own_cells();
    for (Row& op : store_.calls->op.values()) op = moved(op);
    for (Row& op : store_.kernels->op.values()) op = moved(op);
    for (const JoinedReplay& one : joined_) {
      for (std::size_t i = 0; i < one.replay->kernels.size(); ++i) {
        const Row op = one.ops->of_kernel[i];
        if (op != kNone)
          store_.kernels->op.values()[index(one.replay->kernels[i])] = static_cast<Row>(one.first_row + index(op));
      }
    }
  }

 private:
  void make_ops() {
    OpRows& ops = store_.ops.emplace();
    ops.start.make_present(0);
    ops.end.make_present(0);
    ops.name.make_present(0);
    ops.thread.make_present(0);
    ops.kind.make_present(0);
    ops.parent.make_present(0);
    ops.depth.make_present(0);
    if (!store_.calls->op.present()) store_.calls->op.assign(store_.calls->rows(), kNone);
  }

  /// Puts copies behind the rows that began before their launch. Replays are sorted by launch, and so by time.
  void assign_rows() {
    const Cells<std::int64_t>& starts = store_.ops->start.values();
    new_row_.resize(starts.size());
    std::size_t row = 0, old = 0;
    for (JoinedReplay& one : joined_) {
      const std::int64_t time = store_.calls->start[index(one.replay->call)];
      while (old < starts.size() && starts[old] <= time) new_row_[old++] = static_cast<Row>(row++);
      one.first_row = row;
      row += one.ops->rows.size();
    }
    while (old < starts.size()) new_row_[old++] = static_cast<Row>(row++);
    rows_ = row;
  }

  [[nodiscard]] Row moved(Row row) const { return row < 0 ? row : new_row_[index(row)]; }

  template <class T>
  void insert_column(OwnedColumn<T>& to, OwnedColumn<T> OpRows::* member) {
    const bool anywhere = std::ranges::any_of(
        joined_, [&](const JoinedReplay& one) { return ((*one.file->store->ops).*member).present(); });
    if (!to.present() && !anywhere) return;
    T missing{};
    if constexpr (std::is_signed_v<T>) missing = T{kNone};
    Cells<T> cells(rows_, missing);
    for (std::size_t old = 0; to.present() && old < new_row_.size(); ++old) cells[index(new_row_[old])] = to[old];
    for (const JoinedReplay& one : joined_) {
      const OwnedColumn<T>& from = (*one.file->store->ops).*member;
      for (std::size_t i = 0; from.present() && i < one.ops->rows.size(); ++i)
        cells[one.first_row + i] = from[index(one.ops->rows[i])];
    }
    to.make_present(0);
    to.values() = std::move(cells);
  }

  /// Maps texts of copies from the pool of the other file.
  void translate(OwnedColumn<StringId> OpRows::* member) {
    OwnedColumn<StringId>& column = (*store_.ops).*member;
    if (!column.present()) return;
    std::map<const CaptureFile*, std::unordered_map<StringId, StringId>> known;
    for (const JoinedReplay& one : joined_) {
      auto& own = known[one.file];
      for (std::size_t i = 0; i < one.ops->rows.size(); ++i) {
        StringId& text = column.values()[one.first_row + i];
        if (text == 0) continue;
        const auto [at, is_new] = own.try_emplace(text, 0);
        if (is_new) at->second = store_.strings.intern(one.file->store->strings[text]);
        text = at->second;
      }
    }
  }

  void fill_own_cells() {
    OpRows& ops = *store_.ops;
    for (const Row row : new_row_) ops.parent.values()[index(row)] = moved(ops.parent[index(row)]);
    for (const JoinedReplay& one : joined_) {
      const auto call = index(one.replay->call);
      const Row around = moved(store_.calls->op[call]);
      for (std::size_t i = 0; i < one.ops->rows.size(); ++i) {
        const std::size_t row = one.first_row + i;
        const Row parent = one.ops->parents[i];
        const Row above = parent == kNone ? around : static_cast<Row>(one.first_row + index(parent));
        ops.start.values()[row] = ops.end.values()[row] = store_.calls->start[call];
        ops.thread.values()[row] = store_.calls->thread[call];
        ops.parent.values()[row] = above;
        ops.depth.values()[row] = above < 0 ? 0 : ops.depth[index(above)] + 1;
        for (auto* id : {&ops.external_id, &ops.python_id, &ops.python_parent})
          if (id->present()) id->values()[row] = kNone;
      }
    }
  }

  Profile::Store& store_;
  std::vector<JoinedReplay>& joined_;
  std::vector<Row> new_row_;  ///< by row before
  std::size_t rows_ = 0;
};

/// Outcome for all graph launches.
struct JoinCount {
  std::size_t kernels = 0, joined_kernels = 0, launches = 0, joined_launches = 0;
  MatchFailure worst{};           ///< of the launch with the most kernels among those without a capture
  std::size_t worst_kernels = 0;  ///< of that launch
  bool too_many = false;
};

std::string why_refused(const JoinCount& count) {
  const MatchFailure& worst = count.worst;
  if (count.too_many) return fmt::format("they would be more than {} operators", kMaxCopies);
  if (worst.different > 0)
    return fmt::format("{} captures fit that differ in their operators or shapes", worst.different);
  if (worst.unordered)
    return "the capture does not name its kernels, and a replay runs on several streams, so order does not tell them";
  if (worst.contradicted > 0)
    return fmt::format(
        "the capture does not name its kernels, and {} of {} in its order are not what its operators "
        "launch with the same shapes elsewhere",
        worst.contradicted, count.worst_kernels);
  if (worst.launches > 0 && worst.equal == 0)
    return fmt::format("the capture does not name its kernels, and it has {} launches for {} kernels of a replay",
                       worst.launches, count.worst_kernels);
  return fmt::format("at most {} of {} kernels are those of a capture in its order", worst.equal, count.worst_kernels);
}

void add_issues(const JoinCount& count, std::span<const CaptureFile> files, std::vector<Issue>& issues) {
  const std::string of = files.size() == 1 ? "'" + files.front().name + "'" : fmt::format("{} captures", files.size());
  if (count.joined_kernels > 0) {
    issues.push_back({"graph_capture", Severity::kInfo, static_cast<std::int64_t>(count.joined_kernels),
                      fmt::format("{} of {} kernels of CUDA graphs have the operators and shapes of {}, which launched "
                                  "the same kernels in the same order ({} of {} launches of graphs).",
                                  count.joined_kernels, count.kernels, of, count.joined_launches, count.launches)});
  }
  if (count.joined_kernels == count.kernels) return;
  issues.push_back({"graph_capture_refused", Severity::kWarning,
                    static_cast<std::int64_t>(count.kernels - count.joined_kernels),
                    fmt::format("{} of {} kernels of CUDA graphs have no operators of {}: {}.",
                                count.kernels - count.joined_kernels, count.kernels, of, why_refused(count))});
}

}  // namespace

std::set<ColumnId> with_replay_columns(std::set<ColumnId> wanted) {
  wanted.insert({col::kernels, col::kernel_name, col::kernel_op, col::calls, col::call_op, col::ops});
  return wanted;
}

std::set<ColumnId> capture_columns(const std::set<ColumnId>& wanted) {
  std::set<ColumnId> columns = with_replay_columns({col::call_name, col::declared, col::op_inputs});
  for (const ColumnId column : wanted) {
    if (static_cast<unsigned>(column) >> 8U == static_cast<unsigned>(col::ops) >> 8U) columns.insert(column);
  }
  return columns;
}

bool has_replays(const Profile::Store& store) {
  return store.kernels && store.calls && store.kernels->call.present() && !replays_of(store).empty();
}

bool has_captures(const Profile::Store& store) {
  if (!store.calls || !store.calls->name.present()) return false;
  const Cells<StringId>& names = store.calls->name.values();
  return std::ranges::any_of(std::unordered_set<StringId>(names.begin(), names.end()), [&](StringId name) {
    return store.strings[name].find("StreamBeginCapture") != std::string_view::npos;
  });
}

void note_missing_captures(Profile::Store& store) {
  std::int64_t count = 0;
  for (const Replay& replay : replays_of(store)) {
    const Row launching = store.calls->op.present() ? store.calls->op[index(replay.call)] : kNone;
    count += std::ranges::count_if(replay.kernels, [&](Row kernel) {
      const Row op = store.kernels->op.present() ? store.kernels->op[index(kernel)] : kNone;
      return op == kNone || op == launching;
    });
  }
  if (count == 0) return;
  store.issues.push_back(
      {"graph_capture_missing", Severity::kWarning, count,
       fmt::format("{} kernels of CUDA graphs have no operators, because their capture was not traced. The trace of a "
                   "run without graphs can lend its own: put it into 'capture_traces' beside the profile.",
                   count)});
}

void join_captures(Profile::Store& store, std::span<const CaptureFile> files) {
  if (!store.kernels->op.present()) store.kernels->op.assign(store.kernels->rows(), kNone);
  const std::vector<Replay> replays = replays_of(store);
  const std::vector<CapturedSequence> sequences = captured_sequences(files, store.strings);
  CaptureMatcher matcher(sequences);
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, OpTemplate> templates;
  std::vector<JoinedReplay> joined;
  JoinCount count;
  std::size_t copies = 0;
  for (const Replay& replay : replays) {
    const ReplayedKernels kernels = replayed_kernels(store, replay);
    const std::size_t size = kernels.names.size();
    ++count.launches;
    count.kernels += size;
    MatchFailure failure;
    const auto match = matcher.find(kernels, numbers_around(store, replay.call), failure);
    if (!match) {
      if (size > count.worst_kernels) {
        count.worst = failure;
        count.worst_kernels = size;
      }
      continue;
    }
    const auto [at, is_new] = templates.try_emplace({match->sequence, match->first, size});
    if (is_new) at->second = template_of(sequences[match->sequence], match->first, size);
    if (copies + at->second.rows.size() > kMaxCopies) {
      count.too_many = true;
      continue;
    }
    copies += at->second.rows.size();
    ++count.joined_launches;
    count.joined_kernels += size;
    joined.push_back({&replay, &at->second, sequences[match->sequence].file});
  }
  add_issues(count, files, store.issues);
  if (!joined.empty()) OpInserter(store, joined).insert();
}

}  // namespace assay::load
