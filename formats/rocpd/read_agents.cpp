// Reads GPUs as devices, and registers and shared memory of kernel code.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "formats/rocpd/part.hpp"

namespace assay::load::rocpd {
namespace {

using Json = nlohmann::json;

/// A cell that contains an object; null for anything else. Do not copy it: a copy recurses to the depth of the text.
Json object_of(std::string_view text) {
  Json read = Json::parse(text, nullptr, false);
  if (!read.is_object()) read = nullptr;
  return read;
}

std::int64_t number(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (!object.is_object() || at == object.end() || !at->is_number_integer()) return kNone;
  return at->is_number_unsigned() && at->get<std::uint64_t>() > static_cast<std::uint64_t>(kMaxInAll)
             ? kNone
             : at->get<std::int64_t>();
}

std::string text(const Json& object, const char* key) {
  const auto at = object.find(key);
  return object.is_object() && at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::int64_t product(std::initializer_list<std::int64_t> factors) {
  constexpr std::int64_t kMax = std::int64_t{1} << 20;
  std::int64_t out = 1;
  for (const std::int64_t factor : factors) {
    if (factor <= 0 || factor > kMax || out > kMaxInAll / factor) return kNone;
    out *= factor;
  }
  return out;
}

struct Memory {
  std::int64_t bytes = kNone, bandwidth = kNone;
};

/// Bits transferred per pin and cycle of the memory clock that the driver reports: four for HBM3 (MI300X: 8192 bits at
/// 1300 MHz give AMD's 5.3 TB/s), and for HBM2e as on the MI200 two. Unknown for others.
std::int64_t bits_a_pin(std::string_view architecture) {
  if (architecture.starts_with("gfx94") || architecture == "gfx950") return 4;
  return architecture == "gfx90a" ? 2 : kNone;
}

Memory memory_of(const Json& agent, std::string_view architecture) {
  Memory out;
  const auto banks = agent.find("mem_banks");
  if (!agent.is_object() || banks == agent.end() || !banks->is_array()) return out;
  for (const Json& bank : *banks) {
    const std::int64_t bytes = number(bank, "size_in_bytes");
    if (bytes > 0 && bytes < kMaxInAll / 1024) out.bytes = std::max<std::int64_t>(out.bytes, 0) + bytes;
    constexpr std::int64_t kHz = 1000000, kBitsAByte = 8;
    const std::int64_t moved = product({number(bank, "width"), number(bank, "mem_clk_max"), bits_a_pin(architecture)});
    if (moved > 0 && moved < kMaxInAll / kHz)
      out.bandwidth = std::max<std::int64_t>(out.bandwidth, 0) + moved * kHz / kBitsAByte;
  }
  return out;
}

/// The device with this number, or with the next free number if this one belongs to another GPU: processes on several
/// nodes, or with a GPU each, all start numbering at the same value.
std::int32_t device_number(FileTables& file, std::int32_t wanted, const std::string& identity, bool& fresh) {
  const auto same = std::ranges::find(file.device_identities, identity);
  fresh = same == file.device_identities.end();
  if (!fresh) return file.device_ids[static_cast<std::size_t>(same - file.device_identities.begin())];
  std::int32_t id = std::max(wanted, 0);
  while (std::ranges::find(file.device_ids, id) != file.device_ids.end()) ++id;
  file.device_identities.push_back(identity);
  file.device_ids.push_back(id);
  return id;
}

void add_device(TableSink& out, std::int32_t id, const std::string& name, const Json& agent,
                std::string_view architecture) {
  const Memory memory = memory_of(agent, architecture);
  const std::int64_t megahertz = number(agent, "max_engine_clk_fcompute");
  DeviceView device;
  device.id = id;
  device.name = name;
  device.sm_count = small(number(agent, "cu_count"));
  device.max_threads_per_sm = small(product({number(agent, "max_waves_per_cu"), number(agent, "wave_front_size")}));
  device.max_shared_per_sm = small(product({number(agent, "lds_size_in_kb"), 1024}));
  device.total_memory = memory.bytes;
  device.memory_bandwidth = memory.bandwidth;
  device.clock_rate = megahertz > 0 ? product({megahertz, 1000000}) : kNone;
  out.add_device(device);
}

std::string bare_symbol(std::string name) {
  constexpr std::string_view kDescriptor = ".kd";
  if (name.ends_with(kDescriptor)) name.resize(name.size() - kDescriptor.size());
  return name;
}

std::string column_or_null(const TableInfo& table, std::string_view column) {
  return table.has(column) ? sqlite::quoted(column) : std::string("NULL");
}

}  // namespace

std::int32_t add_unknown_device(ProcessData& part, std::int64_t id) {
  if (id == kNoValue) return kNone;
  bool fresh = false;
  const std::int32_t device = device_number(part.file, small(id), fmt::format("{}/agent {}", part.suffix, id), fresh);
  if (fresh) add_device(part.file.out, device, "", Json(), "");
  part.agents[id] = {.gpu = true, .described = false, .device = device};
  return device;
}

void read_agents(ProcessData& part, std::vector<Issue>& issues) {
  const TableInfo* info = part.table("rocpd_info_agent");
  if (info == nullptr || !has_columns(*info, {"id", "type"}, issues)) return;
  const auto column = [&](std::string_view name) { return column_or_null(*info, name); };
  const TableInfo* nodes = part.table("rocpd_info_node");
  const bool named = nodes != nullptr && nodes->has("machine_id") && info->has("nid");
  const std::string node = named ? fmt::format("coalesce((SELECT machine_id FROM {} AS n WHERE n.id = a.nid), nid)",
                                               sqlite::quoted(nodes->name))
                                 : column("nid");
  sqlite::Statement rows(part.source.db.handle(),
                         fmt::format("SELECT id, type, {}, {}, name, {}, {}, {} FROM {} AS a ORDER BY id",
                                     column("logical_index"), column("absolute_index"), column("product_name"),
                                     column("extdata"), node, sqlite::quoted(info->name)));
  note_lacking(*info, {"logical_index", "absolute_index"}, issues);
  std::int64_t without_facts = 0, without_number = 0;
  const auto integer = [&](int at) { return rows.is_integer(at) ? rows.integer(at) : std::int64_t{kNone}; };
  while (rows.ok() && rows.step()) {
    if (!rows.is_integer(0)) {
      ++without_number;
      continue;
    }
    Agent& agent = part.agents[rows.integer(0)];
    agent.gpu = rows.text(1) == "GPU";
    without_number += rows.text(1).empty() ? 1 : 0;
    if (!agent.gpu) continue;
    const std::string architecture(rows.text(4));
    const std::string identity = fmt::format("{}/{}/{}", rows.text(7), integer(3), architecture);
    const std::string product_name = rows.name(5);
    const Json about = object_of(rows.text(6));
    without_facts += about.is_null() ? 1 : 0;
    const auto is_unknown = [&](int at, std::string_view name) {
      return info->has(name) && small(integer(at)) == kNone;
    };
    without_number += is_unknown(2, "logical_index") || is_unknown(3, "absolute_index") ? 1 : 0;
    bool fresh = false;
    agent.device = device_number(part.file, small(integer(2)), identity, fresh);
    if (fresh)
      add_device(part.file.out, agent.device, product_name.empty() ? architecture : product_name, about, architecture);
  }
  note_lost(issues, "missing_devices", without_facts, info->name, "describe a GPU by no JSON object",
            "its units, memory and clock are unknown");
  note_lost(issues, "missing_cells", without_number, info->name, "have no id or type, or are GPUs without a number",
            "which devices they are is unknown");
  if (!rows.ok() || rows.failed()) {
    issues.push_back({"truncated", Severity::kError, 0,
                      fmt::format("Table {} could not be read to its end ({}), so devices are missing; record the "
                                  "run again.",
                                  info->name, part.source.db.problem())});
  }
  note_pages(check_pages(part.source.db, part.source.pages, *info), info->name, issues);
}

void read_symbols(ProcessData& part, std::vector<Issue>& issues) {
  const TableInfo* info = part.table("rocpd_info_kernel_symbol");
  if (info == nullptr || !has_columns(*info, {"id"}, issues)) return;
  const auto column = [&](std::string_view name) { return column_or_null(*info, name); };
  sqlite::Statement rows(part.source.db.handle(),
                         fmt::format("SELECT id, {}, {}, {}, {}, {} FROM {}", column("kernel_name"),
                                     column("display_name"), column("group_segment_size"), column("arch_vgpr_count"),
                                     column("extdata"), sqlite::quoted(info->name)));
  StringPool& strings = part.file.texts;
  note_lacking(*info, {"display_name"}, issues);
  std::int64_t only_mangled = 0;
  while (rows.ok() && rows.step()) {
    if (!rows.is_integer(0)) continue;
    const std::string mangled = bare_symbol(rows.name(1)), display = bare_symbol(rows.name(2));
    const std::string truncated = bare_symbol(text(object_of(rows.text(5)), "truncated_kernel_name"));
    only_mangled += display.empty() && info->has("display_name") ? 1 : 0;
    KernelSymbol symbol;
    symbol.mangled_name = strings.intern(mangled);
    symbol.name = strings.intern(display.empty() ? mangled : display);
    symbol.short_name = truncated.empty() ? symbol.name : strings.intern(truncated);
    symbol.static_shared = rows.is_integer(3) ? small(rows.integer(3)) : kNone;
    symbol.registers = rows.is_integer(4) ? small(rows.integer(4)) : kNone;
    part.symbols.emplace(rows.integer(0), symbol);
  }
  note_lost(issues, "missing_names", only_mangled, info->name, "have no name for people",
            "kernels have their mangled names");
  if (!rows.ok() || rows.failed()) {
    issues.push_back({"truncated", Severity::kError, 0,
                      fmt::format("Table {} could not be read to its end ({}), so some kernels have no name; "
                                  "record the run again.",
                                  info->name, part.source.db.problem())});
  }
  note_pages(check_pages(part.source.db, part.source.pages, *info), info->name, issues);
}

}  // namespace assay::load::rocpd
