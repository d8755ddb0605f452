#include "formats/torch/generated_launches.hpp"

#include "formats/torch/columns.hpp"

namespace assay::load {

void TraceColumns::add_generated_launch(const Event& event) {
  const Args& args = event.args;
  if (args.external_id == Args::kAbsent) return;
  const auto id_of = [&](std::string_view token) { return store_.strings.intern(unescaped(token)); };
  generated_launches_.push_back(
      {args.external_id, id_of(event.name), id_of(args.kernel_hash), id_of(args.kernel_file)});
}

void add_generated_launches(const std::vector<GeneratedLaunch>& launches, Profile::Store& store) {
  if (launches.empty()) return;
  DeclaredTableRows& table = store.declared.emplace_back();
  table.spec = &kGeneratedLaunchTable;
  table.rows = launches.size();
  for (const ColumnSpec& spec : kGeneratedLaunchColumns) table.columns.emplace_back().spec = &spec;
  const auto fill = [&](auto& column, auto member) {
    column.make_present(launches.size());
    for (const GeneratedLaunch& launch : launches) column.push(launch.*member);
  };
  fill(table.columns[0].integers, &GeneratedLaunch::external_id);
  fill(table.columns[1].texts, &GeneratedLaunch::kernel);
  fill(table.columns[2].texts, &GeneratedLaunch::hash);
  fill(table.columns[3].texts, &GeneratedLaunch::file);
}

}  // namespace assay::load
