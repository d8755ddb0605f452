// Turns a plain class into a plugin: detects its stages, builds the descriptor at compile time, and catches its
// exceptions. The last line of plugin.cpp is all that a plugin needs for its boundary:
//
// ASSAY_PLUGIN("architecture_cliff", "1.0.0", ArchitectureCliff);
#pragma once

#include <concepts>
#include <exception>
#include <new>
#include <type_traits>

#include "assay/abi.hpp"
#include "assay/job.hpp"
#include "assay/options.hpp"
#include "assay/output.hpp"
#include "assay/report.hpp"
#include "assay/study.hpp"

namespace assay::detail {

template <class T>
concept Analyzes = requires(const T& t, const Report& report, ReportSink& sink) { t.analyze(report, sink); };
template <class T>
concept Gathers = requires(const T& t, const Job& job, JobSink& sink) { t.gather(job, sink); };
template <class T>
concept Concludes = requires(const T& t, const Study& study, StudySink& sink) { t.conclude(study, sink); };
template <class T>
concept Judges = Concludes<T> && requires { T::kClaimKeys; };

/// Whether a class has a member of that name, of any kind, accessible or not: `Both<T>` then has it twice, and naming
/// it is ambiguous. So a stage with a wrong signature and a list that is private are reported instead of ignored. Of a
/// final class only accessible members are seen.
#define ASSAY_HAS_MEMBER_(concept_name, member)                              \
  struct Own_##concept_name {                                                \
    int member;                                                              \
  };                                                                         \
  template <class T>                                                         \
  struct Both_##concept_name : T, Own_##concept_name {};                     \
  template <class T>                                                         \
  concept concept_name = (std::is_final_v<T> && requires { &T::member; }) || \
                         (!std::is_final_v<T> && !requires { &Both_##concept_name<T>::member; });
ASSAY_HAS_MEMBER_(NamesAnalyze, analyze)
ASSAY_HAS_MEMBER_(NamesConclude, conclude)
ASSAY_HAS_MEMBER_(NamesGather, gather)
ASSAY_HAS_MEMBER_(NamesCheckClaim, check_claim)
ASSAY_HAS_MEMBER_(NamesNeeds, kNeeds)
ASSAY_HAS_MEMBER_(NamesWants, kWants)
ASSAY_HAS_MEMBER_(NamesOptions, kOptions)
ASSAY_HAS_MEMBER_(NamesProduces, kProduces)
ASSAY_HAS_MEMBER_(NamesAttributes, kAttributes)
ASSAY_HAS_MEMBER_(NamesConsumes, kConsumes)
ASSAY_HAS_MEMBER_(NamesClaimKeys, kClaimKeys)

/// Views of the optional static members; missing ones are empty.
#define ASSAY_OPTIONAL_MEMBER_(function, member, Element) \
  template <class T>                                      \
  consteval Span<Element> function() {                    \
    if constexpr (requires { T::member; })                \
      return Span<Element>(T::member);                    \
    else                                                  \
      return {};                                          \
  }
ASSAY_OPTIONAL_MEMBER_(needs_of, kNeeds, ColumnId)
ASSAY_OPTIONAL_MEMBER_(wants_of, kWants, ColumnId)
ASSAY_OPTIONAL_MEMBER_(options_of, kOptions, OptionSpec)
ASSAY_OPTIONAL_MEMBER_(produces_of, kProduces, MetricSpec)
ASSAY_OPTIONAL_MEMBER_(attributes_of, kAttributes, AttributeSpec)
ASSAY_OPTIONAL_MEMBER_(consumes_of, kConsumes, Str)
ASSAY_OPTIONAL_MEMBER_(claim_keys_of, kClaimKeys, OptionSpec)

/// Runs `body`, passes exceptions to `errors`, and returns whether it succeeded.
template <class Body>
bool guarded(ErrorSink& errors, Body&& body) noexcept {
  try {
    body();
    return true;
  } catch (const std::bad_alloc&) {
    errors.fail("ran out of memory");
  } catch (const std::exception& e) {
    errors.fail(std::string_view(e.what()));
  } catch (...) {
    errors.fail("threw something that is not a std::exception");
  }
  return false;
}

/// The author's class T behind the binary interface; a stage that T lacks does nothing and succeeds.
template <class T>
class Adapter final : public Analyzer {
 public:
  explicit Adapter(const Options& options) : author_(options) {}

  bool analyze(const Report& report, ReportSink& sink, ErrorSink& errors) const noexcept override {
    return guarded(errors, [&] {
      try {
        if constexpr (Analyzes<T>) author_.analyze(report, sink);
      } catch (const AbsentColumn& absent) {
        throw std::out_of_range(absent_column_text(report, absent));
      }
    });
  }
  bool gather(const Job& job, JobSink& sink, ErrorSink& errors) const noexcept override {
    return guarded(errors, [&] {
      if constexpr (Gathers<T>) author_.gather(job, sink);
    });
  }
  bool conclude(const Study& study, StudySink& sink, ErrorSink& errors) const noexcept override {
    return guarded(errors, [&] {
      if constexpr (Concludes<T>) author_.conclude(study, sink);
    });
  }
  void destroy() noexcept override { delete this; }

 private:
  T author_;
};

template <class T>
Analyzer* create(const Options& options, ErrorSink& errors) noexcept {
  Analyzer* made = nullptr;
  guarded(errors, [&] { made = new Adapter<T>(options); });
  return made;
}

template <class T>
bool check_claim(const Options& keys, ErrorSink& errors) noexcept {
  return guarded(errors, [&] { T::check_claim(keys); });
}

/// Sizes according to this SDK.
constexpr AbiSizes abi_sizes() {
  return {sizeof(Descriptor), sizeof(MetricSpec), sizeof(OptionSpec),  sizeof(AttributeSpec),
          sizeof(Report),     sizeof(Study),      sizeof(OptionValue), sizeof(Window)};
}

template <class T>
consteval Descriptor describe(Str id, Str version) {
  static_assert(Analyzes<T> || Concludes<T>,
                "an analyzer needs `void analyze(const Report&, ReportSink&) const` or "
                "`void conclude(const Study&, StudySink&) const`, or both");
  static_assert(
      !NamesAnalyze<T> || Analyzes<T>,
      "`analyze` is not called as it is: it is to be public, `void analyze(const Report&, ReportSink&) const`");
  static_assert(
      !NamesConclude<T> || Concludes<T>,
      "`conclude` is not called as it is: it is to be public, `void conclude(const Study&, StudySink&) const`");
  static_assert(!NamesNeeds<T> || requires { T::kNeeds; }, "kNeeds is to be public and static");
  static_assert(!NamesWants<T> || requires { T::kWants; }, "kWants is to be public and static");
  static_assert(!NamesOptions<T> || requires { T::kOptions; }, "kOptions is to be public and static");
  static_assert(!NamesProduces<T> || requires { T::kProduces; }, "kProduces is to be public and static");
  static_assert(!NamesConsumes<T> || requires { T::kConsumes; }, "kConsumes is to be public and static");
  static_assert(!NamesAttributes<T> || requires { T::kAttributes; }, "kAttributes is to be public and static");
  static_assert(!NamesClaimKeys<T> || requires { T::kClaimKeys; }, "kClaimKeys is to be public and static");
  static_assert(!NamesGather<T> || Gathers<T>,
                "`gather` is not called as it is: it is to be public, `void gather(const Job&, JobSink&) const`");
  static_assert(
      !NamesCheckClaim<T> || requires(const Options& keys) { T::check_claim(keys); },
      "`check_claim` is not called as it is: it is to be public, `static void check_claim(const Options&)`");
  static_assert(std::constructible_from<T, const Options&>, "an analyzer is constructed from `const assay::Options&`");
  Descriptor d;
  d.sizes = abi_sizes();
  d.cxx_abi = Str(kCxxAbi);
  d.id = id;
  d.version = version;
  d.summary = Str(T::kSummary);
  static_assert(!Gathers<T> || Analyzes<T>, "gather sees only the rows that analyze emitted with sink.rank_rows()");
  d.stages = (Analyzes<T> ? kStageAnalyze : 0U) | (Gathers<T> ? kStageGather : 0U) |
             (Concludes<T> ? kStageConclude : 0U) | (Judges<T> ? kStageJudge : 0U);
  d.needs = needs_of<T>();
  d.wants = wants_of<T>();
  d.options = options_of<T>();
  d.produces = produces_of<T>();
  d.attributes = attributes_of<T>();
  d.consumes = consumes_of<T>();
  d.claim_keys = claim_keys_of<T>();
  d.create = &create<T>;
  if constexpr (requires(const Options& keys) { T::check_claim(keys); }) d.check_claim = &check_claim<T>;
  d.build = kBuild;
  return d;
}

}  // namespace assay::detail

// Exports AnalyzerClass, which is constructed from `const assay::Options&` and has kSummary, `analyze` or `conclude`,
// and optionally `gather`, kNeeds, kWants, kOptions, kProduces, kAttributes, kConsumes, kClaimKeys and check_claim.
#define ASSAY_PLUGIN(id, version, AnalyzerClass)                                                            \
  extern "C" {                                                                                              \
  __attribute__((visibility("default"))) extern const ::assay::Descriptor assay_plugin;                     \
  constinit const ::assay::Descriptor assay_plugin = ::assay::detail::describe<AnalyzerClass>(id, version); \
  }                                                                                                         \
  static_assert(true)
