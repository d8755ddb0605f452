#include "json_lines.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "load/clean.hpp"
#include "load/store.hpp"

namespace assay::load {
namespace {

bool sniff_json_lines(const Candidate& file) { return file.head.starts_with(R"({"profile": "json_lines")"); }

Environment json_lines_environment(const Candidate& /*file*/) {
  Environment out;
  add_to(out, "profiler", "lines of JSON");
  return out;
}

Result<std::unique_ptr<Profile::Store>> load_json_lines(const LoadRequest& request) {
  auto store = std::make_unique<Profile::Store>();
  store->name = request.name;
  std::ifstream in(request.path);
  std::string line;
  std::getline(in, line);
  if (!request.wanted.table(col::kernels)) return store;
  KernelRows& kernels = store->kernels.emplace();
  for (auto* times : {&kernels.start, &kernels.end}) times->make_present(0);
  kernels.name.make_present(0);
  while (std::getline(in, line)) {
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (event.is_discarded()) return Error{"'" + request.path.string() + "' holds a line that is no JSON"};
    kernels.start.push(event.value("start", kNoValue));
    kernels.end.push(event.value("end", kNoValue));
    kernels.name.push(store->strings.intern(event.value("kernel", "")));
  }
  store->threads.add_process(1);
  const std::size_t rows = kernels.rows();
  kernels.device.assign(rows, 0), kernels.stream.assign(rows, kNone), kernels.process.assign(rows, 0);
  kernels.call.assign(rows, kNone);
  clean_and_sort(kernels, "the profile", store->issues);
  return store;
}

}  // namespace

namespace {

constexpr std::string_view kExtensions[] = {".profile"}, kRaw[] = {".prof-rep"}, kGlobs[] = {"**/*.profile"};
constexpr FormatNames kNames{kExtensions, kExtensions, kRaw, kGlobs, "profiles of JSON lines (.profile)"};

}  // namespace

constinit const Format kJsonLinesFormat{{"json lines", true}, "profile of JSON lines", kNames,
                                        sniff_json_lines,     json_lines_environment,  load_json_lines};

}  // namespace assay::load
