// A plugin of another minor version has larger or smaller specs: the host walks its arrays by the plugin's own sizes.
#include "plugins/own_descriptor.hpp"

#include "fixtures.hpp"
#include "support/test.hpp"

namespace assay::own_descriptor_test {

/// MetricSpec as it would be without its last members.
struct Shorter {
  Str id, unit;
  Polarity polarity = Polarity::kNeutral;
  Str definition;
};

/// Any spec with something appended.
template <class Spec>
struct Longer {
  Spec known;
  Str appended = "appended";
};

template <class Spec, class Element>
Span<Spec> as_span(const std::vector<Element>& elements) {
  return {reinterpret_cast<const Spec*>(elements.data()), elements.size()};
}

TEST(OwnDescriptor, GivesWhatAShorterSpecLacksItsDefault) {
  const std::vector<Shorter> metrics = {{"x.first", "ns", Polarity::kLowerIsBetter, "The first."},
                                        {"x.second", "1", Polarity::kNeutral, "The second."}};
  Descriptor descriptor = fixture::kA;
  descriptor.produces = as_span<MetricSpec>(metrics);
  descriptor.sizes.metric_spec = sizeof(Shorter);
  const OwnDescriptor own(&descriptor);
  ASSERT_EQ(own.view().produces.size, 2U);
  EXPECT_EQ(own.view().produces[1].id, "x.second");
  EXPECT_EQ(own.view().produces[1].definition, "The second.");
  for (const MetricSpec& metric : own.view().produces) {
    EXPECT_EQ(metric.title, "");
    EXPECT_FALSE(metric.extensive);
  }
}

TEST(OwnDescriptor, StepsOverWhatALongerSpecHasMore) {
  const std::vector<Longer<MetricSpec>> metrics = {{{"x.first", "ns", Polarity::kNeutral, "", "first", kExtensive}},
                                                   {{"x.second", "1", Polarity::kNeutral, "", "second"}}};
  const std::vector<Longer<OptionSpec>> options = {{{"one", OptionType::kInteger, "1", "One.", {}, 0, 5}},
                                                   {{"two", OptionType::kText, "b", "Two.", "a|b"}}};
  const std::vector<Longer<AttributeSpec>> attributes = {{{"x.print", "A print."}}, {{"x.other", "Another."}}};
  Descriptor descriptor = fixture::kA;
  descriptor.produces = as_span<MetricSpec>(metrics);
  descriptor.options = as_span<OptionSpec>(options);
  descriptor.claim_keys = as_span<OptionSpec>(options);
  descriptor.attributes = as_span<AttributeSpec>(attributes);
  descriptor.sizes.metric_spec = sizeof(metrics[0]);
  descriptor.sizes.option_spec = sizeof(options[0]);
  descriptor.sizes.attribute_spec = sizeof(attributes[0]);
  const OwnDescriptor own(&descriptor);
  EXPECT_EQ(own.view().produces[1].title, "second");
  EXPECT_TRUE(own.view().produces[0].extensive);
  for (const Span<OptionSpec> list : {own.view().options, own.view().claim_keys}) {
    ASSERT_EQ(list.size, 2U);
    EXPECT_EQ(list[0].maximum, 5);
    EXPECT_EQ(list[1].name, "two");
    EXPECT_EQ(list[1].choices, "a|b");
  }
  EXPECT_EQ(own.view().attributes[1].definition, "Another.");
}

TEST(OwnDescriptor, GivesWhatAShorterDescriptorLacksItsDefault) {
  Descriptor descriptor = fixture::kJudge;
  ASSERT_FALSE(descriptor.claim_keys.empty());
  descriptor.sizes.descriptor = offsetof(Descriptor, claim_keys);
  const OwnDescriptor own(&descriptor);
  EXPECT_EQ(own.view().id, descriptor.id);
  EXPECT_EQ(own.view().produces.size, descriptor.produces.size);
  EXPECT_TRUE(own.view().claim_keys.empty());
  EXPECT_EQ(own.view().create, nullptr);
}

}  // namespace assay::own_descriptor_test
