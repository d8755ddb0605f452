#include "load/format.hpp"

#include <fmt/core.h>

#include <atomic>
#include <cmath>

#include "assay/detail/text.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "load/file_head.hpp"
#include "load/format_sink.hpp"
#include "load/seen_file.hpp"

namespace assay::load {
namespace {

std::atomic<bool> cells_are_guarded{false};

class IdentityOf final : public IdentitySink {
 public:
  void add(Str name, Str value) noexcept override {
    try {
      if (name.data != nullptr && value.data != nullptr) add_to(given.environment, name.view(), value.view());
    } catch (...) {  // no message available
    }
  }
  void foretell(std::int64_t kernels, std::int64_t first, std::int64_t last) noexcept override {
    try {
      if (kernels <= 0 || last <= first) return;
      const double span = static_cast<double>(last) - static_cast<double>(first);
      given.foretold =
          fmt::format("about {} over {}", counted(static_cast<std::size_t>(kernels), "kernel"), quantity(span, "ns"));
    } catch (...) {
    }
  }
  Format::Identity given;
};

class ExplanationOf final : public ExplanationSink {
 public:
  void explain(Str problem, Str remedy, bool certain) noexcept override {
    try {
      if (!given) given = Explanation{std::string(problem.view()), std::string(remedy.view()), certain};
    } catch (...) {  // no message available
    }
  }
  std::optional<Explanation> given;
};

class RulesOf final : public RuleSink {
 public:
  void launch(Str kernel, Span<Str> ranges) noexcept override {
    try {
      RuledLaunch& launch = launches.emplace_back();
      launch.kernel = kernel.view();
      launch.ranges.assign(ranges.begin(), ranges.end());
    } catch (...) {
    }
  }
  void saying(const RuleView& rule) noexcept override {
    try {
      if (launches.empty()) return;
      const std::optional<double> speedup = std::isnan(rule.speedup) ? std::nullopt : std::optional(rule.speedup);
      launches.back().sayings.push_back({std::string(rule.section.view()), std::string(rule.rule.view()),
                                         std::string(rule.kind.view()), std::string(rule.text.view()), speedup,
                                         rule.local});
    } catch (...) {
    }
  }
  std::vector<RuledLaunch> launches;
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

/// "an nsys report": an n before a consonant is spelled.
std::string one_file_of(std::string_view what) {
  const bool spelled = what.starts_with('n') && with_article(what.substr(1)).starts_with("a ");
  return spelled ? fmt::format("an {}", what) : with_article(what);
}

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

}  // namespace

void guard_cells(bool guarded) { cells_are_guarded = guarded; }

Format::Format(const FormatDescriptor& descriptor, std::string file)
    : kind(kind_of(descriptor)),
      one_file(descriptor.names.one_file),
      notes(notes_of(descriptor)),
      asked_last((descriptor.traits & kTraitAskedLast) != 0),
      pages((descriptor.traits & kTraitPages) != 0),
      beside((descriptor.traits & kTraitBeside) != 0),
      descriptor_(descriptor),
      file_(std::move(file)),
      one_(one_file_of(descriptor.names.one_file.view())),
      extensions_(views(descriptor.names.extensions)),
      telling_(views(descriptor.names.telling)),
      raw_(views(descriptor.names.raw)),
      globs_(views(descriptor.names.globs)) {
  names = {extensions_,
           telling_,
           raw_,
           globs_,
           descriptor.names.expected,
           one_,
           descriptor.again.empty() ? "copy it again" : descriptor.again.view()};
  notes.file = file_;
  for (const CaptureSpec& of : descriptor.captures) captures_.push_back({of.column, of.what, of.command});
  notes.captures = captures_;
}

bool Format::sniff(const Candidate& file) const { return descriptor_.sniff(SeenFile(file)); }

Format::Identity Format::identify(const Candidate& file) const {
  IdentityOf sink;
  if (descriptor_.identify != nullptr) descriptor_.identify(SeenFile(file), sink);
  return std::move(sink.given);
}

std::optional<Explanation> Format::explain(const Candidate& file) const {
  ExplanationOf sink;
  if (descriptor_.explain != nullptr) descriptor_.explain(SeenFile(file), sink);
  return std::move(sink.given);
}

Result<std::vector<RuledLaunch>> Format::rules(const std::filesystem::path& file) const {
  if (descriptor_.rules == nullptr) return std::vector<RuledLaunch>();
  RulesOf sink;
  FirstError errors;
  const std::string path = file.string();
  const FileHead head(file);
  if (descriptor_.rules({path, head.size, head.text}, sink, errors)) return std::move(sink.launches);
  return not_readable(path, errors.text, {});
}

Error Format::not_readable(const std::string& path, const std::string& why, const std::string& remedy) const {
  return Error{fmt::format("'{}' cannot be read as {}: {}", path, one_file, why), Exit::kFailed}.at(path).advise(
      remedy);
}

Format::Filling Format::fill(const LoadRequest& request, Profile::Store& store) const {
  const std::string path = request.path.string();
  std::error_code unknown;
  const std::uint64_t size = std::filesystem::file_size(request.path, unknown);
  FormatSink sink(store, request.wanted, notes.tables, cells_are_guarded);
  FirstError errors;
  std::vector<std::string> more;
  for (const std::filesystem::path& file : request.also) more.push_back(file.string());
  const std::vector<Str> also(more.begin(), more.end());
  const bool came_through = descriptor_.load({.path = path,
                                              .size = unknown ? 0 : size,
                                              .threads = request.threads,
                                              .flags = request.reader == Reader::kSqlite ? kReadBySqlite : 0U,
                                              .also = also},
                                             sink, errors);
  Filling filling{.unsound = sink.finish(), .refusal = {}, .stated = sink.stated()};
  if (!filling.unsound.empty()) return filling;
  if (came_through)
    filling.unsound = check_tables(store);
  else
    filling.refusal = errors.text.empty() ? "the format does not say why" : errors.text;
  filling.remedy = sink.remedy();
  return filling;
}

std::unique_ptr<Profile::Store> Format::finish(std::unique_ptr<Profile::Store> store, const WantedColumns& wanted,
                                               Filling& filling) const {
  filling.stated.any_runtime = kind.framework;
  finish_tables(*store, wanted, filling.stated, kind.word);
  if (descriptor_.derive != nullptr && wanted.table(col::declared)) {
    FormatSink sink(*store, wanted, notes.tables, false);
    FirstError errors;
    Profile finished(std::move(store));
    if (const Result<Profile::View> view = finished.view({}, {})) descriptor_.derive(view->report(), sink, errors);
    store = finished.release();
    filling.unsound = sink.finish();
    if (filling.unsound.empty()) filling.unsound = check_declared(*store);
    filling.refusal = errors.text;
  }
  drop_unwanted(*store, wanted);
  return store;
}

Result<std::unique_ptr<Profile::Store>> Format::load(const LoadRequest& request) const {
  auto store = std::make_unique<Profile::Store>();
  store->name = request.name;
  const std::string path = request.path.string();
  Filling filling = fill(request, *store);
  if (filling.unsound.empty() && filling.refusal.empty()) store = finish(std::move(store), request.wanted, filling);
  if (!filling.unsound.empty()) {
    return Error{fmt::format("'{}': the format '{}' {}", path, kind.word, filling.unsound), Exit::kFailed}
        .at(path)
        .advise(file_.empty() ? "" : fmt::format("have {} repaired, or remove it", file_));
  }
  if (!filling.refusal.empty()) return not_readable(path, filling.refusal, filling.remedy);
  return store;
}

}  // namespace assay::load
