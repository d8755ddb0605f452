// Answers for an agent: bounded in size, and marked as data.
#pragma once

#include <string>

#include "mcp/message.hpp"

namespace assay::mcp {

using OrderedJson = nlohmann::ordered_json;

/// An answer of bounded size.
struct BoundedText {
  std::string text;
  std::string left_out;  ///< what was dropped, as a sentence; empty: nothing
};

/// Shortens the longest lists until the value takes at most this many bytes. If short lists are not enough, drops the
/// longest texts, each as a whole. A text in place of the dropped part states its size.
BoundedText bounded(const OrderedJson& value, std::size_t bytes);
/// The same for a text that is not JSON: its beginning, cut between characters.
BoundedText bounded_text(const std::string& text, std::size_t bytes);

/// The text between two lines with a random mark, which a profile cannot forge, and a sentence stating that it is data:
/// names in a profile are chosen by its author.
std::string fenced(const BoundedText& answer);

}  // namespace assay::mcp
