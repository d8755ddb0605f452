#include "load/foreign_format.hpp"

#include <fmt/core.h>

#include <atomic>

#include "load/finish_tables.hpp"
#include "load/format_sink.hpp"

namespace assay::load {
namespace {

std::atomic<bool> cells_are_guarded{false};

class EnvironmentSink final : public IdentitySink {
 public:
  void add(Str name, Str value) noexcept override {
    try {
      if (name.data != nullptr && value.data != nullptr) add_to(environment, name.view(), value.view());
    } catch (...) {  // no message available
    }
  }
  Environment environment;
};

/// Keeps the message of the first failure.
class FirstError final : public ErrorSink {
 public:
  void fail(Str sentence) noexcept override {
    try {
      if (text.empty() && sentence.data != nullptr) text = sentence.view();
    } catch (...) {
    }
  }
  std::string text;
};

std::vector<std::string_view> views(Span<Str> texts) { return {texts.begin(), texts.end()}; }

FileKind kind_of(const FormatDescriptor& d) {
  return {d.id.view(), true, (d.traits & kTraitFramework) != 0, (d.traits & kTraitCounters) != 0};
}

FormatNotes notes_of(const FormatDescriptor& d) {
  return {.version = d.version,
          .summary = d.summary,
          .reads = d.reads,
          .passes_over = d.passes_over,
          .fills = d.fills,
          .tables = d.tables,
          .recorders = d.recorders,
          .built_with = d.cxx_abi};
}

FormatFile as_seen(const Candidate& file, const std::string& path) { return {path, file.size, file.head}; }

}  // namespace

void guard_cells(bool guarded) { cells_are_guarded = guarded; }

ForeignFormat::ForeignFormat(const FormatDescriptor& descriptor, std::string file)
    : Format(kind_of(descriptor), descriptor.names.one_file, {}, notes_of(descriptor)),
      descriptor_(descriptor),
      file_(std::move(file)),
      one_(fmt::format("a {}", descriptor.names.one_file.view())),
      extensions_(views(descriptor.names.extensions)),
      telling_(views(descriptor.names.telling)),
      raw_(views(descriptor.names.raw)),
      globs_(views(descriptor.names.globs)) {
  names = {extensions_, telling_, raw_, globs_, descriptor.names.expected, one_, "copy it again"};
  notes.file = file_;
  for (const CaptureSpec& of : descriptor.captures) captures_.push_back({of.column, of.what, of.command});
  notes.captures = captures_;
  beside = (descriptor.traits & kTraitBeside) != 0;
}

bool ForeignFormat::sniff(const Candidate& file) const {
  const std::string path = file.path.string();
  return descriptor_.sniff(as_seen(file, path));
}

Environment ForeignFormat::environment(const Candidate& file) const {
  EnvironmentSink sink;
  const std::string path = file.path.string();
  if (descriptor_.identify != nullptr) descriptor_.identify(as_seen(file, path), sink);
  return std::move(sink.environment);
}

ForeignFormat::Filling ForeignFormat::fill(const LoadRequest& request, Profile::Store& store) const {
  const std::string path = request.path.string();
  std::error_code unknown;
  const std::uint64_t size = std::filesystem::file_size(request.path, unknown);
  FormatSink sink(store, request.wanted, notes.tables, cells_are_guarded);
  FirstError errors;
  const bool came_through =
      descriptor_.load({.path = path, .size = unknown ? 0 : size, .threads = request.threads}, sink, errors);
  Filling filling{.unsound = sink.finish(), .refusal = {}, .origin = sink.origin()};
  if (!filling.unsound.empty()) return filling;
  if (came_through)
    filling.unsound = check_tables(store);
  else
    filling.refusal = errors.text.empty() ? "the format does not say why" : errors.text;
  return filling;
}

Result<std::unique_ptr<Profile::Store>> ForeignFormat::load(const LoadRequest& request) const {
  auto store = std::make_unique<Profile::Store>();
  store->name = request.name;
  const std::string path = request.path.string();
  const Filling filling = fill(request, *store);
  if (!filling.unsound.empty()) {
    return Error{fmt::format("'{}': the format '{}' {}", path, kind.word, filling.unsound), Exit::kFailed}
        .at(path)
        .advise(file_.empty() ? "" : fmt::format("have {} repaired, or remove it", file_));
  }
  if (!filling.refusal.empty())
    return Error{fmt::format("'{}' cannot be read as {}: {}", path, one_file, filling.refusal), Exit::kFailed}.at(path);
  finish_tables(*store, request.wanted, filling.origin);
  return store;
}

}  // namespace assay::load
