#include "load/capture_match.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "assay/format.hpp"

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

/// First number in a text; kNoCell: none.
std::int64_t first_number(std::string_view text) {
  const std::size_t at = text.find_first_of("0123456789");
  std::int64_t number = kNoCell;
  if (at != std::string_view::npos) std::from_chars(text.data() + at, text.data() + text.size(), number);
  return number;
}

/// Number in the name of the innermost annotation of a capture around an operator.
std::int64_t batch_of(const Profile::Store& store, Row op) {
  constexpr int kMaxAround = 512;
  for (int i = 0; op >= 0 && i < kMaxAround; ++i, op = store.ops->parent[static_cast<std::size_t>(op)]) {
    const auto row = static_cast<std::size_t>(op);
    if (store.ops->kind[row] != OpKind::kAnnotation) continue;
    const std::string_view name = store.strings[store.ops->name[row]];
    if (name.starts_with("capture_")) return first_number(name);
  }
  return kNoCell;
}

void add_captured(const DeclaredTableRows& table, StringPool& strings, CapturedSequence& to) {
  const Profile::Store& store = *to.file->store;
  const DeclaredCells *calls = column_of(table, "call"), *kernels = column_of(table, "kernel"),
                      *captures = column_of(table, "capture");
  if (calls == nullptr || kernels == nullptr || captures == nullptr) return;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const StringId kernel = kernels->texts[row];
    const Row op = store.calls->op[static_cast<std::size_t>(calls->integers[row])];
    to.kernels.push_back(kernel == 0 ? 0 : strings.intern(store.strings[kernel]));
    to.ops.push_back(op);
    to.captures.push_back(captures->integers.present() ? captures->integers[row] : kNoCell);
    to.batches.push_back(batch_of(store, op));
  }
}

/// For a run without graphs: its kernels, per thread in launch order.
void add_launches_that_ran(StringPool& strings, CapturedSequence& to) {
  const Profile::Store& store = *to.file->store;
  if (!store.kernels || !store.kernels->name.present()) return;
  std::vector<std::pair<Row, std::size_t>> launched = launched_kernels(store);
  std::ranges::stable_sort(launched, {},
                           [&](const auto& one) { return store.calls->thread[static_cast<std::size_t>(one.first)]; });
  for (const auto& [call, kernel] : launched) {
    const Row op = store.calls->op[static_cast<std::size_t>(call)];
    to.kernels.push_back(strings.intern(store.strings[store.kernels->name[kernel]]));
    to.ops.push_back(op);
    to.captures.push_back(kNoCell);
    to.batches.push_back(batch_of(store, op));
  }
}

}  // namespace

std::vector<CapturedSequence> captured_sequences(std::span<const CaptureFile> files, StringPool& strings) {
  std::vector<CapturedSequence> out;
  for (const CaptureFile& file : files) {
    if (!file.store->ops || !file.store->calls || !file.store->calls->op.present()) continue;
    const DeclaredTableRows* table = table_of(*file.store, kCapturedLaunches);
    CapturedSequence sequence{&file, {}, {}, {}, {}};
    if (table == nullptr)
      add_launches_that_ran(strings, sequence);
    else
      add_captured(*table, strings, sequence);
    if (std::ranges::find(sequence.kernels, StringId{0}) != sequence.kernels.end())
      sequence.known.emplace(*file.store, strings);
    out.push_back(std::move(sequence));
  }
  return out;
}

CaptureMatcher::Fits CaptureMatcher::fits_of(const ReplayedKernels& kernels) const {
  Fits fits;
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    if (sequences_[s].known)
      fit_by_order(s, kernels, fits);
    else
      fit_by_name(s, kernels, fits);
  }
  const auto whole = [&](const Fit& fit) { return is_whole(fit.match, kernels.names.size()); };
  if (std::ranges::any_of(fits.all, whole)) std::erase_if(fits.all, [&](const Fit& fit) { return !whole(fit); });
  group(fits.all, kernels.names.size());
  if (fits.all.empty()) fits.failure.equal = most_equal(kernels.names);
  return fits;
}

void CaptureMatcher::fit_by_name(std::size_t sequence, const ReplayedKernels& kernels, Fits& to) const {
  const std::vector<StringId>& names = sequences_[sequence].kernels;
  for (auto at = names.begin();; ++at) {
    at = std::search(at, names.end(), kernels.names.begin(), kernels.names.end());
    if (at == names.end()) break;
    to.all.push_back({{sequence, static_cast<std::size_t>(at - names.begin())}});
  }
}

/// Considers whole captures with as many launches; the order is meaningful only if the kernels ran on one stream.
void CaptureMatcher::fit_by_order(std::size_t sequence, const ReplayedKernels& kernels, Fits& to) const {
  const CapturedSequence& one = sequences_[sequence];
  const std::size_t wanted = kernels.names.size();
  const auto distance = [&](std::size_t launches) { return std::max(launches, wanted) - std::min(launches, wanted); };
  for (std::size_t first = 0, end = 0; first < one.captures.size(); first = end) {
    end = first + 1;
    while (end < one.captures.size() && one.captures[end] == one.captures[first]) ++end;
    if (one.captures[first] == kNoCell) continue;
    if (to.failure.launches == 0 || distance(end - first) < distance(to.failure.launches))
      to.failure.launches = end - first;
    if (end - first != wanted) continue;
    to.failure.unordered = !kernels.in_order;
    const std::size_t contradicted = one.known->contradicted(std::span(one.ops).subspan(first, wanted), kernels.names);
    to.failure.contradicted = std::max(to.failure.contradicted, contradicted);
    bool named_so = true;
    for (std::size_t i = 0; i < wanted; ++i)
      named_so = named_so && (one.kernels[first + i] == 0 || one.kernels[first + i] == kernels.names[i]);
    if (kernels.in_order && contradicted == 0 && named_so) to.all.push_back({{sequence, first}});
  }
}

void CaptureMatcher::group(std::vector<Fit>& fits, std::size_t length) const {
  std::vector<CaptureMatch> groups;
  for (Fit& fit : fits) {
    const auto at = std::ranges::find_if(groups, [&](const CaptureMatch& of) { return alike(of, fit.match, length); });
    fit.group = static_cast<std::size_t>(at - groups.begin());
    if (at == groups.end()) groups.push_back(fit.match);
  }
}

/// Whether a stretch is everything that one capture recorded.
bool CaptureMatcher::is_whole(const CaptureMatch& match, std::size_t length) const {
  const std::vector<std::int64_t>& captures = sequences_[match.sequence].captures;
  const std::size_t last = match.first + length - 1;
  return captures[match.first] != kNoCell && captures[match.first] == captures[last] &&
         (match.first == 0 || captures[match.first - 1] != captures[match.first]) &&
         (last + 1 == captures.size() || captures[last + 1] != captures[last]);
}

/// Whether two stretches have operators with equal names and shapes.
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

std::optional<CaptureMatch> CaptureMatcher::find(const ReplayedKernels& kernels, std::span<const std::int64_t> numbers,
                                                 MatchFailure& failure) {
  if (kernels.names.empty() || std::ranges::find(kernels.names, StringId{0}) != kernels.names.end())
    return std::nullopt;
  const auto [at, is_new] = known_.try_emplace(kernels);
  if (is_new) at->second = fits_of(kernels);
  std::vector<Fit> fits = at->second.all;
  if (fits.empty()) {
    failure = at->second.failure;
    return std::nullopt;
  }
  const auto of_batch = [&](const Fit& fit) {
    const std::int64_t batch = sequences_[fit.match.sequence].batches[fit.match.first];
    return batch != kNoCell && std::ranges::find(numbers, batch) != numbers.end();
  };
  if (std::ranges::any_of(fits, of_batch)) std::erase_if(fits, [&](const Fit& fit) { return !of_batch(fit); });
  if (std::ranges::any_of(fits, [&](const Fit& fit) { return fit.group != fits.front().group; })) {
    failure.different = fits.size();
    return std::nullopt;
  }
  const auto behind = std::ranges::find_if(
      fits, [&](const Fit& fit) { return fit.match.sequence == last_.sequence && fit.match.first >= last_.first; });
  const CaptureMatch found = behind == fits.end() ? fits.front().match : behind->match;
  last_ = {found.sequence, found.first + kernels.names.size()};
  return found;
}

}  // namespace assay::load
