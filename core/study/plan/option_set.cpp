#include "plan/plan.hpp"

namespace assay {

struct OptionSet::Stored {
  std::vector<Entry> entries;
  std::vector<OptionValue> values;      // parallel to entries, pointing into them
  std::vector<std::vector<Str>> texts;  // parallel to entries
};

OptionSet::OptionSet(std::vector<Entry> entries) : stored_(std::make_unique<Stored>()) {
  stored_->entries = std::move(entries);
  stored_->texts.resize(stored_->entries.size());
  for (std::size_t i = 0; i < stored_->entries.size(); ++i) {
    const Entry& entry = stored_->entries[i];
    OptionValue value;
    value.type = entry.type;
    value.given = entry.given;
    if (const auto* v = std::get_if<bool>(&entry.value)) value.boolean = *v;
    if (const auto* v = std::get_if<std::int64_t>(&entry.value)) value.integer = *v;
    if (const auto* v = std::get_if<double>(&entry.value)) value.number = *v;
    if (const auto* v = std::get_if<std::string>(&entry.value)) value.text = Str(*v);
    if (const auto* v = std::get_if<std::vector<double>>(&entry.value)) value.numbers = Span<double>(*v);
    if (const auto* v = std::get_if<std::vector<std::string>>(&entry.value)) {
      stored_->texts[i].assign(v->begin(), v->end());
      value.texts = Span<Str>(stored_->texts[i]);
    }
    stored_->values.push_back(value);
  }
}

OptionSet::~OptionSet() = default;
OptionSet::OptionSet(OptionSet&&) noexcept = default;

const OptionValue* OptionSet::find(Str name) const noexcept {
  for (std::size_t i = 0; i < stored_->entries.size(); ++i) {
    if (stored_->entries[i].name == name.view()) return &stored_->values[i];
  }
  return nullptr;
}

const std::vector<OptionSet::Entry>& OptionSet::entries() const { return stored_->entries; }

}  // namespace assay
