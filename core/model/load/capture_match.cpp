#include "load/capture_match.hpp"

#include <algorithm>
#include <charconv>

namespace assay::load {
namespace {

const DeclaredTableRows* table_of(const Profile::Store& store, std::string_view name) {
  const auto at = std::ranges::find_if(store.declared, [&](const auto& table) { return table.spec->name == name; });
  return at == store.declared.end() ? nullptr : &*at;
}

const DeclaredCells* column_of(const DeclaredTableRows& table, std::string_view name) {
  const auto at = std::ranges::find_if(table.columns, [&](const auto& column) { return column.spec->name == name; });
  return at == table.columns.end() ? nullptr : &*at;
}

/// The first number in a text; kNoCell: none.
std::int64_t first_number(std::string_view text) {
  const std::size_t at = text.find_first_of("0123456789");
  std::int64_t number = kNoCell;
  if (at != std::string_view::npos) std::from_chars(text.data() + at, text.data() + text.size(), number);
  return number;
}

/// The number in the name of the innermost annotation of a capture around an operator.
std::int64_t batch_of(const Profile::Store& store, Row op) {
  constexpr int kMostAround = 512;
  for (int i = 0; op >= 0 && i < kMostAround; ++i, op = store.ops->parent[static_cast<std::size_t>(op)]) {
    const auto row = static_cast<std::size_t>(op);
    if (store.ops->kind[row] != OpKind::kAnnotation) continue;
    const std::string_view name = store.strings[store.ops->name[row]];
    if (name.starts_with("capture_")) return first_number(name);
  }
  return kNoCell;
}

}  // namespace

std::vector<CapturedSequence> captured_sequences(std::span<const CaptureFile> files, StringPool& strings) {
  std::vector<CapturedSequence> out;
  for (const CaptureFile& file : files) {
    const Profile::Store& store = *file.store;
    const DeclaredTableRows* table = table_of(store, kCapturedLaunches.name.view());
    if (table == nullptr || !store.ops || !store.calls || !store.calls->op.present()) continue;
    const DeclaredCells *calls = column_of(*table, "call"), *kernels = column_of(*table, "kernel"),
                        *captures = column_of(*table, "capture");
    if (calls == nullptr || kernels == nullptr || captures == nullptr) continue;
    CapturedSequence sequence{&file, {}, {}, {}, {}};
    for (std::size_t row = 0; row < table->rows; ++row) {
      const StringId kernel = kernels->texts[row];
      const Row op = store.calls->op[static_cast<std::size_t>(calls->integers[row])];
      sequence.kernels.push_back(kernel == 0 ? 0 : strings.intern(store.strings[kernel]));
      sequence.ops.push_back(op);
      sequence.captures.push_back(captures->integers.present() ? captures->integers[row] : kNoCell);
      sequence.batches.push_back(batch_of(store, op));
    }
    out.push_back(std::move(sequence));
  }
  return out;
}

std::vector<CaptureMatch> CaptureMatcher::fitting(const std::vector<StringId>& kernels) const {
  std::vector<CaptureMatch> out;
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    const std::vector<StringId>& names = sequences_[s].kernels;
    for (auto at = names.begin();; ++at) {
      at = std::search(at, names.end(), kernels.begin(), kernels.end());
      if (at == names.end()) break;
      out.push_back({s, static_cast<std::size_t>(at - names.begin())});
    }
  }
  const auto whole = [&](const CaptureMatch& match) { return is_whole(match, kernels.size()); };
  if (std::ranges::any_of(out, whole)) std::erase_if(out, [&](const CaptureMatch& match) { return !whole(match); });
  return out;
}

/// Whether a stretch is all that one capture recorded.
bool CaptureMatcher::is_whole(const CaptureMatch& match, std::size_t length) const {
  const std::vector<std::int64_t>& captures = sequences_[match.sequence].captures;
  const std::size_t last = match.first + length - 1;
  return captures[match.first] != kNoCell && captures[match.first] == captures[last] &&
         (match.first == 0 || captures[match.first - 1] != captures[match.first]) &&
         (last + 1 == captures.size() || captures[last + 1] != captures[last]);
}

/// Whether two stretches have operators of the same names and shapes.
bool CaptureMatcher::alike(const CaptureMatch& a, const CaptureMatch& b, std::size_t length) const {
  const CapturedSequence &one = sequences_[a.sequence], &other = sequences_[b.sequence];
  const Profile::Store &of_one = *one.file->store, &of_other = *other.file->store;
  const auto text = [](const Profile::Store& store, const OwnedColumn<StringId>& column, Row op) {
    return op < 0 || !column.present() ? std::string_view() : store.strings[column[static_cast<std::size_t>(op)]];
  };
  for (std::size_t i = 0; i < length; ++i) {
    const Row x = one.ops[a.first + i], y = other.ops[b.first + i];
    if (text(of_one, of_one.ops->name, x) != text(of_other, of_other.ops->name, y) ||
        text(of_one, of_one.ops->input_dims, x) != text(of_other, of_other.ops->input_dims, y))
      return false;
  }
  return true;
}

std::size_t CaptureMatcher::most_equal(const std::vector<StringId>& kernels) const {
  std::size_t most = 0;
  for (const CapturedSequence& sequence : sequences_) {
    for (std::size_t first = 0; first < sequence.kernels.size(); ++first) {
      std::size_t equal = 0;
      while (equal < kernels.size() && first + equal < sequence.kernels.size() &&
             kernels[equal] == sequence.kernels[first + equal])
        ++equal;
      most = std::max(most, equal);
    }
  }
  return most;
}

std::optional<CaptureMatch> CaptureMatcher::find(const std::vector<StringId>& kernels,
                                                 std::span<const std::int64_t> numbers, MatchFailure& failure) {
  if (kernels.empty() || std::ranges::find(kernels, StringId{0}) != kernels.end()) return std::nullopt;
  const auto [at, is_new] = known_.try_emplace(kernels);
  if (is_new) at->second = fitting(kernels);
  std::vector<CaptureMatch> fits = at->second;
  if (fits.empty()) {
    failure.equal = most_equal(kernels);
    return std::nullopt;
  }
  const auto of_batch = [&](const CaptureMatch& match) {
    const std::int64_t batch = sequences_[match.sequence].batches[match.first];
    return batch != kNoCell && std::ranges::find(numbers, batch) != numbers.end();
  };
  if (std::ranges::any_of(fits, of_batch))
    std::erase_if(fits, [&](const CaptureMatch& match) { return !of_batch(match); });
  const auto unlike = std::ranges::count_if(
      fits, [&](const CaptureMatch& match) { return !alike(fits.front(), match, kernels.size()); });
  if (unlike > 0) {
    failure.different = fits.size();
    return std::nullopt;
  }
  const auto behind = std::ranges::find_if(
      fits, [&](const CaptureMatch& match) { return match.sequence == last_.sequence && match.first >= last_.first; });
  const CaptureMatch found = behind == fits.end() ? fits.front() : *behind;
  last_ = {found.sequence, found.first + kernels.size()};
  return found;
}

}  // namespace assay::load
