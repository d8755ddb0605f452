#include "kernel_names.hpp"

namespace assay::nsys {
namespace {

Column<StringId> column_of(const KernelTable& kernels, KernelName name) {
  return name == KernelName::kBase      ? kernels.short_name
         : name == KernelName::kMangled ? kernels.mangled_name
                                        : kernels.name;
}

}  // namespace

KernelNames::KernelNames(const Report& report, const AskedNsysReport& asked)
    : report_(report),
      kind_(asked.name),
      demangled_(report.kernels->name),
      wanted_(column_of(*report.kernels, asked.name)),
      with_range_(asked.with_range && report.calls != nullptr && report.calls->range.present() &&
                  report.ranges != nullptr),
      plain_(report.strings.size, kNoGroup),
      range_names_(report) {}

StringId KernelNames::string_of(std::size_t kernel) const {
  if (wanted_.present() && (wanted_[kernel] != 0 || !demangled_.present())) return wanted_[kernel];
  return demangled_[kernel];
}

std::uint32_t KernelNames::add(std::string_view text) {
  texts_.push_back(text);
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

Row KernelNames::range_of(std::size_t kernel) const {
  const Row call = report_.kernels->call[kernel];
  return call == kNone ? kNone : report_.calls->range[static_cast<std::size_t>(call)];
}

std::uint32_t KernelNames::of(std::size_t kernel) {
  const StringId string = string_of(kernel);
  const Row range = with_range_ ? range_of(kernel) : kNone;
  if (range == kNone) {
    std::uint32_t& name = plain_[string];
    if (name == kNoGroup) name = add(report_.string(string));
    return name;
  }
  const std::uint32_t range_name = range_names_.of(*report_.ranges, static_cast<std::size_t>(range));
  const auto [entry, is_new] = in_range_.try_emplace(std::uint64_t{range_name} << 32 | string, kNoGroup);
  if (is_new) {
    std::string whole(range_names_.text(range_name));
    whole.append("/").append(report_.string(string));
    const auto [text, is_new_text] = composed_.try_emplace(std::move(whole), kNoGroup);
    if (is_new_text) text->second = add(text->first);  // the key of a node stays where it is
    entry->second = text->second;
  }
  return entry->second;
}

std::vector<Remark> KernelNames::remarks() const {
  if (wanted_.present() || kind_ == KernelName::kDemangled) return {};
  const std::string kind = kind_ == KernelName::kBase ? "base" : "mangled";
  return {{"no_" + kind + "_names", 0,
           "The export has no " + kind + " names of kernels; as nsys does, the demangled ones stand for them."}};
}

}  // namespace assay::nsys
