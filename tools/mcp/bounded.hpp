// Answers for an agent: within a size, and marked as data.
#pragma once

#include <string>

#include "mcp/message.hpp"

namespace assay::mcp {

using OrderedJson = nlohmann::ordered_json;

/// An answer within a size.
struct BoundedText {
  std::string text;
  std::string left_out;  ///< what had to go, as a sentence; empty: nothing
};

/// Shortens the longest lists until the value takes at most so many bytes; if lists of a few elements are not enough,
/// leaves the longest texts out, each as a whole. In the place of what is left out stands a text that says how much it
/// was.
BoundedText bounded(const OrderedJson& value, std::size_t bytes);
/// The same of a text that is no JSON: its beginning, ended at a whole character.
BoundedText bounded_text(const std::string& text, std::size_t bytes);

/// The text between two lines with a random mark, which a profile cannot forge, and a sentence that says it is data:
/// names in a profile are chosen by whoever made it.
std::string fenced(const BoundedText& answer);

}  // namespace assay::mcp
