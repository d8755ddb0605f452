// Texts, of which rows have numbers.
#include <fmt/core.h>

#include <array>
#include <map>

#include "assay/detail/stack_tables.hpp"
#include "formats/nsys/read_tables.hpp"
#include "load/names.hpp"

namespace assay::load {
namespace {

using Texts = std::span<const StringId>;

void replace_keys(formats::ColumnWriter<StringId>& column, Texts texts) {
  for (StringId& key : column.values()) key = texts[key];
}

/// Names events with a source location as nsys does: "Enqueue Launch@solver.c:12".
void name_places(HostEvents& rows, Texts texts, TableSink& out) {
  if (!rows.source_file.present() || !rows.source_line.present()) return;
  std::map<std::tuple<StringId, StringId, std::int64_t>, StringId> known;
  for (std::size_t row = 0; row < rows.start.size(); ++row) {
    const StringId file = texts[rows.source_file[row]];
    StringId& name = rows.name.values()[row];
    if (file == 0 || rows.source_line[row] == kNoValue) continue;
    const auto [at, is_new] = known.try_emplace({name, file, rows.source_line[row]}, 0);
    if (is_new) {
      const std::string function(out.text(name).view());
      at->second = out.intern(fmt::format("{}@{}:{}", function, out.text(file).view(), rows.source_line[row]));
    }
    name = at->second;
  }
}

/// Names without their version, full names, and kinds, as far as each is wanted.
void name_calls(LinkedRows<CallTable>& calls, Texts texts, const WantedColumns& wanted, TableSink& out) {
  std::vector<StringId> name_of(texts.size(), 0);
  std::vector<CallKind> kind_of(texts.size(), CallKind::kOther);
  std::vector<char> used(texts.size(), 0);
  const bool plain = calls.name.present();
  auto& keys = plain ? calls.name : calls.full_name;
  calls.kind.resize(keys.size());
  if (plain && wanted.column(col::call_full_name)) calls.full_name.resize(keys.size());
  const std::span<CallKind> kinds = calls.kind.values();
  const std::span<StringId> full = calls.full_name.values();
  std::size_t row = 0;
  for (StringKey& key : keys.values()) {
    if (used[key] == 0) {
      used[key] = 1;
      const std::string name(without_version(out.text(texts[key])));
      if (plain) name_of[key] = out.intern(name);
      kind_of[key] = kind_of_call(name);
    }
    kinds[row] = kind_of[key];
    const StringId text = texts[key];
    key = plain ? name_of[key] : text;
    if (plain && !full.empty()) full[row] = text;
    ++row;
  }
}

void fill_frames(std::span<const std::pair<StringKey, StringKey>> frames, Texts texts, TableSink& out) {
  auto rows = Tables(out).declared(stack_tables::kFrames.view(), frames.size());
  const auto function = rows.texts("function"), file = rows.texts("file");
  const auto line = rows.integers("line");
  for (std::size_t row = 0; row < frames.size(); ++row) {
    function[row] = texts[frames[row].first];
    file[row] = texts[frames[row].second];
    line[row] = kNoCell;
  }
}

}  // namespace

std::vector<StringId> texts_of_keys(NsysTables& to, std::size_t& missing) {
  const KeyInterner& keys = to.source.shared.string_ids;
  std::vector<StringId> text_of(keys.keys().size() + 1, 0);
  missing = keys.keys().size();
  const TableInfo* info = to.source.schema.find("StringIds");
  if (info == nullptr || keys.keys().empty()) return text_of;
  if (!has_columns(*info, {"id", "value"}, to.issues)) return text_of;
  const std::array<ColumnRequest, 2> columns = {{{"id", CellType::kInteger}, {"value", CellType::kText}}};
  const WholeTable rows(to.source.tables(), *info, columns);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto key = keys.find(rows.integer(0, r));
    if (!key || rows.text(1, r).empty()) continue;
    missing -= text_of[*key + 1] == 0 ? 1U : 0U;
    text_of[*key + 1] = to.out.intern(rows.text(1, r));
  }
  if (!rows.outcome().damage.empty()) {
    to.issue("truncated", Severity::kError, 0,
             fmt::format("Table StringIds could not be read to its end, so some names are missing: {}; export the "
                         "profile again.",
                         rows.outcome().damage));
  }
  note_pages(rows.outcome().pages, info->name, to.issues);
  return text_of;
}

void name_rows(NsysTables& to) {
  std::size_t missing = 0;
  const std::vector<StringId> texts = texts_of_keys(to, missing);
  if (missing > 0) {
    to.issue("missing_names", Severity::kError, static_cast<std::int64_t>(missing),
             fmt::format("{} names that rows refer to are not in StringIds, so what they name counts as unnamed, "
                         "launches as other calls; export the profile again.",
                         missing));
  }
  for (auto* names : {&to.kernels.name, &to.kernels.short_name, &to.kernels.mangled_name, &to.overheads.name,
                      &to.os_calls.name, &to.mpi_events.name, &to.openacc_events.name, &to.openmp_events.name,
                      &to.cpu_faults.function, &to.gpu_faults.function, &to.repeats.full_name})
    replace_keys(*names, texts);
  name_places(to.openacc_events, texts, to.out);
  if (to.frames) fill_frames(*to.frames, texts, to.out);
  if (to.calls.start.present()) name_calls(to.calls, texts, to.source.wanted, to.out);
}

}  // namespace assay::load
