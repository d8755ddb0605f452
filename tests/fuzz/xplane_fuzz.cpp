// Profiles of JAX made of any bytes: read, or refused with the place of the damage; rows name only what there is, and
// operators nest by their times.
#include <cstdlib>
#include <string_view>

#include "operators.hpp"
#include "read_profile.hpp"

namespace assay::fuzz_of_xplane {

using namespace assay::xplane;

void check(const xplane::Profile& profile, const Operators& operators) {
  const auto text = [&](TextId id) {
    if (id >= profile.texts.all().size()) std::abort();
  };
  for (const Work& work : profile.work) {
    text(work.name);
    text(work.hlo_op);
    text(work.path);
    const bool kernel = work.kind == WorkKind::kKernel;
    if (work.shape >= (kernel ? profile.launches.size() : profile.transfers.size())) std::abort();
  }
  for (const Call& call : profile.calls) {
    text(call.name);
    if (call.thread >= profile.threads.size()) std::abort();
  }
  for (const HostEvent& range : profile.ranges) {
    text(range.name);
    if (range.thread >= profile.threads.size()) std::abort();
  }
  const std::size_t threads = profile.threads.size() + operators.threads.size();
  for (const OperatorRow& row : operators.rows) {
    text(row.name);
    if (row.thread < profile.threads.size() || row.thread >= threads || row.end < row.start) std::abort();
    if (row.work < -1 || row.work >= static_cast<std::int64_t>(operators.works.size())) std::abort();
  }
  for (const OperatorWork& work : operators.works) {
    if (!(work.flops >= 0) || !(work.bytes >= 0) || work.kind.empty()) std::abort();
  }
  for (const std::int32_t row : operators.of_work) {
    if (row < -1 || (row >= 0 && static_cast<std::size_t>(row) >= operators.rows.size())) std::abort();
  }
}

extern "C" int xplane_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  begins_like_a_space(bytes.substr(0, 512));
  try {
    read_headers(bytes);
    xplane::Profile profile = read_profile(bytes);
    check(profile, find_operators(profile));
  } catch (const Damage& damage) {
    if (damage.at < bytes.data() || damage.at > bytes.data() + size) std::abort();
  } catch (const Refusal& refusal) {
    if (*refusal.what() == '\0') std::abort();
  }
  return 0;
}

}  // namespace assay::fuzz_of_xplane
