#include "whatif/claim.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "algo/replay/metrics.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "config/config.hpp"
#include "files/did_you_mean.hpp"
#include "files/staged_file.hpp"

namespace assay::whatif {
namespace {

Error about(const std::filesystem::path& file, const std::string& why) {
  return Error{fmt::format("--as-claim '{}': {}", file.string(), why), Exit::kUsage}.at(file.string());
}

/// A basic string of TOML.
std::string toml(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      constexpr const char* kDigits = "0123456789ABCDEF";
      out += std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Command-line option for a change.
std::string option(const ChangeRequest& asked) {
  switch (asked.kind) {
    case ChangeRequest::Kind::kScale:
      return "--scale " + asked.text;
    case ChangeRequest::Kind::kRemoveSync:
    case ChangeRequest::Kind::kLever:
      return "--remove " + asked.text;
    case ChangeRequest::Kind::kOverlap:
      return "--overlap " + asked.text;
    case ChangeRequest::Kind::kLaunchCost:
      return "--launch-cost " + asked.text;
    case ChangeRequest::Kind::kReplace:
      return "--replace " + asked.text;
    case ChangeRequest::Kind::kNoStraggler:
      return "--straggler " + asked.text;
    case ChangeRequest::Kind::kAdd:
      return "--add " + asked.text;
    case ChangeRequest::Kind::kGraph:
      return "--graph " + asked.text;
  }
  return asked.text;
}

/// "whatif.pinned", with a number if the question has that claim.
std::string free_id(const Question& question, const Pair& pair) {
  std::string word;
  for (const char c : pair.treated) word += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  const std::string wanted = "whatif." + (word.empty() ? "change" : word);
  std::set<std::string> known;
  for (const ClaimConfig& claim : question.claims) known.insert(claim.id);
  std::string id = wanted;
  for (int number = 2; known.contains(id); ++number) id = wanted + "_" + std::to_string(number);
  return id;
}

}  // namespace

Result<Pair> read_pair(const std::string& text) {
  const std::size_t equals = text.find('='), comma = text.find(',', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || comma == std::string::npos || equals == 0 || comma == equals + 1 ||
      comma + 1 == text.size() || text.find(',', comma + 1) != std::string::npos)
    return Error{"--pair '" + text + "': expected LABEL=BASE,CHANGED, such as variant=base,pinned", Exit::kUsage}.at(
        text);
  Pair pair{text.substr(0, equals), text.substr(equals + 1, comma - equals - 1), text.substr(comma + 1)};
  if (pair.base == pair.treated)
    return Error{fmt::format("--pair '{}': both sides are '{}'", text, pair.base), Exit::kUsage}.at(text).advise(
        "name the runs without and with the change");
  return pair;
}

Result<Claim> claim_of(const Prediction& prediction, std::span<const ChangeRequest> changes,
                       std::span<const RunSummary> runs, const Pair& pair, const Question& question) {
  const auto& labels = question.labels.labels;
  const auto label = std::ranges::find_if(labels, [&](const LabelSpec& l) { return l.name == pair.label; });
  if (label == labels.end())
    return about(question.file, "the question has no label '" + pair.label + "'; declare it under [labels]");
  if (!prediction.told)
    return about(question.file, "the predicted gain is smaller than the replay's own error, so it is no prediction");
  if (!prediction.ranged)
    return about(
        question.file,
        "the profile has one iteration, which gives the prediction no range; name the ranges of iterations with "
        "--iterations, or give several profiles");
  const bool whole = std::ranges::all_of(runs, &RunSummary::whole);
  if (!whole && question.iterations.nvtx.empty())
    return about(question.file,
                 "the prediction is about iterations, and the question has none; add [iterations] with nvtx = "
                 "[\"step_{i}\"], as their ranges are called");
  if (!(prediction.after > 0) || !(prediction.before > 0))
    return about(question.file, "the change leaves no time at all, so there is no ratio to claim");
  Claim claim;
  claim.id = free_id(question, pair);
  claim.metric = whole ? replay::kCaptureMetric : replay::kPeriodMetric;
  claim.predicted = prediction.after / prediction.before;
  claim.low = std::max(0.0, 1 - prediction.high / prediction.before);
  claim.high = 1 - prediction.low / prediction.before;
  std::string options;
  std::vector<std::string> texts;
  for (const ChangeRequest& change : changes) {
    texts.push_back(toml(option(change)));
    options += (options.empty() ? "" : " ") + option(change);
  }
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + text;
  claim.toml = fmt::format(
      "\n[[claim]]  # written by assay whatif\nid = {}\ntext = {}\nmetric = {}\ncompare = \"ratio\"\nlabel = {}\nbase "
      "= {}\ntreated = [{}]\nbetween = [{}, {}]\npredicted = {}\nchange = [{}]\n",
      toml(claim.id),
      toml(pair.treated + " takes " + fixed(claim.predicted, 3) + " times as long as " + pair.base + " (" +
           fixed(claim.low, 3) + " to " + fixed(claim.high, 3) + "), as a replay of " +
           counted(runs.size(), "profile") + " with " + options + " predicts."),
      toml(claim.metric), toml(pair.label), toml(pair.base), toml(pair.treated), exact(claim.low), exact(claim.high),
      exact(claim.predicted), list);
  return claim;
}

Result<Claim> add_claim(const std::filesystem::path& file, const Prediction& prediction,
                        std::span<const ChangeRequest> changes, std::span<const RunSummary> runs, const Pair& pair) {
  const std::filesystem::path files[] = {file};
  Result<std::vector<Question>> questions = read_configs(files);
  if (!questions) return questions.error();
  if (questions->size() != 1)
    return about(file, "it names " + counted(questions->size(), "question") + "; name the file of one");
  const Question& question = questions->front();
  Result<Claim> claim = claim_of(prediction, changes, runs, pair, question);
  if (!claim) return claim;
  std::ifstream in(question.file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) return about(file, "it cannot be read");
  if (!text.empty() && text.back() != '\n') text += '\n';
  Result<files::StagedFile> staged = files::StagedFile::make(question.file, files::kChangedFile);
  if (!staged) return staged.error();
  staged->stream() << text << claim->toml;
  if (const Status written = staged->publish(); !written) return written.error();
  return claim;
}

}  // namespace assay::whatif
