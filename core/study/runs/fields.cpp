#include "runs/fields.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/words.hpp"

namespace assay::naming {
namespace {

using Tokens = std::vector<Token>;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// Words that name the number next to them, in any file name.
bool is_key(std::string_view word) {
  constexpr std::string_view kKeys[] = {
      "bs",     "batch",  "batchsize", "mbs",   "gbs",      "mb",     "microbatch", "seq",   "seqlen", "len",  "ctx",
      "px",     "res",    "size",      "dim",   "hidden",   "heads",  "layers",     "layer", "depth",  "ff",   "patch",
      "gpu",    "gpus",   "ngpu",      "ngpus", "node",     "nodes",  "numa",       "rank",  "local",  "ws",   "tp",
      "pp",     "dp",     "cp",        "ep",    "sp",       "nw",     "workers",    "lr",    "wd",     "seed", "run",
      "rep",    "repeat", "trial",     "iter",  "step",     "steps",  "epoch",      "chunk", "block",  "tile", "warps",
      "stages", "accum",  "ga",        "qps",   "prefetch", "worker", "threads",    "job",   "take",   "try"};
  return is_one_of(word, kKeys);
}

/// "2.7B", "40GB": a size counts as a name, not as a number to compare.
bool is_size_unit(std::string_view word) {
  constexpr std::string_view kUnits[] = {"b", "m", "k", "g", "gb", "mb", "kb", "t"};
  return is_one_of(word, kUnits);
}

std::string text_of(const Tokens& tokens) {
  std::string text;
  for (const Token& token : tokens) text += token.text;
  return text;
}

Field word_field(std::string before, std::string text) {
  return {Field::Kind::kWord, std::move(before), {std::move(text)}, {}};
}

/// "4096x4096x1024"
bool product_only(const Tokens& tokens) {
  return std::ranges::all_of(tokens, [](const Token& t) { return t.kind == Token::Kind::kNumber || t.text == "x"; });
}

/// Words and numbers alternating, each number named by the preceding word: "bs8", "b8s512", "vit16x12x768", "bs-8"; or
/// a single number with its unit: "512px". A word if it is neither.
Field numbers_field(const std::string& before, const Tokens& tokens) {
  using Kind = Token::Kind;
  Field field{Field::Kind::kNumber, before, {""}, {}};
  std::string key;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind == Kind::kDate) return word_field(before, text_of(tokens));
    if (token.kind == Kind::kNumber) {
      field.values.push_back({key, token.text});
      field.texts.emplace_back();
      continue;
    }
    const bool joins = token.kind == Kind::kSeparator && token.text == "-" && i == 1 && tokens.size() == 3;
    if (token.kind == Kind::kSeparator && !joins) return word_field(before, text_of(tokens));
    field.texts.back() += token.text;
    const bool product = token.text == "x" && !field.values.empty();
    if (token.kind == Kind::kWord && !product) key = lower_case(token.text);
  }
  if (field.values.empty()) return word_field(before, text_of(tokens));
  const bool digest = tokens.front().kind == Kind::kNumber && tokens.size() > 2 && !product_only(tokens);
  const bool counts = tokens.size() == 2 && tokens.front().kind == Kind::kNumber;
  if (counts && is_size_unit(key)) return word_field(before, text_of(tokens));
  if (counts) field.values.front().key = key;
  const bool ends_in_number = tokens.back().kind == Kind::kNumber;
  const bool begins_as_model = tokens.front().kind == Kind::kWord && names_a_model(tokens.front().text);
  if (digest || (!counts && (!ends_in_number || (begins_as_model && field.values.size() == 1))))
    return word_field(before, text_of(tokens));
  return field;
}

/// A label without declared values ends before the next '_', so each part between two of them becomes a label.
Field date_field(const std::string& before, std::string_view text) {
  constexpr std::string_view kDayAndTime[] = {"date", "time"};
  constexpr std::string_view kParts[] = {"date", "month", "day", "hour", "minute", "second"};
  const bool one_mark = std::ranges::count(text, '_') < 2;
  Field field{Field::Kind::kDate, before, {""}, {}};
  for (std::size_t part = 0; part < std::size(kParts); ++part) {
    const std::size_t end = text.find('_');
    field.values.push_back(
        {std::string(one_mark ? kDayAndTime[part] : kParts[part]), std::string(text.substr(0, end))});
    field.texts.emplace_back(end == std::string_view::npos ? "" : "_");
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return field;
}

Field field_of(const std::string& before, const Tokens& tokens) {
  const std::string text = text_of(tokens);
  if (tokens.size() == 1 && tokens.front().kind == Token::Kind::kDate) return date_field(before, text);
  if (names_a_precision(text)) return {Field::Kind::kPrecision, before, {"", ""}, {{"precision", text}}};
  const auto equals = std::ranges::find_if(tokens, [](const Token& t) { return t.text == "="; });
  if (equals == tokens.end() || equals == tokens.begin() || equals + 1 == tokens.end())
    return numbers_field(before, tokens);
  const std::string key = text_of({tokens.begin(), equals}), value = text_of({equals + 1, tokens.end()});
  const bool number = equals + 2 == tokens.end() && equals[1].kind == Token::Kind::kNumber;
  return {number ? Field::Kind::kNumber : Field::Kind::kText, before, {key + "=", ""}, {{lower_case(key), value}}};
}

/// The characters that separate fields, besides those that always do. '-' joins words in names that use '_'.
std::string separators_of(const std::vector<Tokens>& names) {
  std::map<char, std::size_t> used;
  for (const Tokens& tokens : names) {
    std::set<char> in_name;
    for (const Token& token : tokens) {
      if (token.kind == Token::Kind::kSeparator) in_name.insert(token.text.front());
    }
    for (const char c : in_name) ++used[c];
  }
  const std::string always = "/., @+";
  return always + (used['_'] > 0 && used['_'] >= used['-'] ? "_" : used['-'] > 0 ? "-" : "_");
}

std::vector<Field> cut(const Tokens& tokens, const std::string& separators) {
  std::vector<Field> fields;
  std::string before;
  Tokens part;
  const auto close = [&] {
    if (part.empty()) return;
    fields.push_back(field_of(before, part));
    before.clear();
    part.clear();
  };
  for (const Token& token : tokens) {
    const bool separates =
        token.kind == Token::Kind::kSeparator && separators.find(token.text.front()) != std::string::npos;
    if (!separates) {
      part.push_back(token);
      continue;
    }
    close();
    if (token.text == "/") {
      fields.push_back({Field::Kind::kFolder, before, {"/"}, {}});
      before.clear();
    } else {
      before += token.text;
    }
  }
  close();
  if (!before.empty()) fields.push_back(word_field(before, ""));  // a name that ends with a separator
  return fields;
}

bool is_bare_number(const Field& field) {
  return field.kind == Field::Kind::kNumber && field.values.size() == 1 && field.values.front().key.empty();
}

/// PyTorch's own handler names a trace HOST_PID.TIME.
bool is_pid(const std::vector<Field>& fields, std::size_t i) {
  return is_bare_number(fields[i]) && i + 1 < fields.size() && fields[i + 1].kind == Field::Kind::kDate &&
         fields[i + 1].before == ".";
}

void name_processes(std::vector<Field>& fields) {
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (!is_pid(fields, i)) continue;
    fields[i].values.front().key = "pid";
    if (fields[i - 1].kind == Field::Kind::kNumber)
      fields[i - 1] = word_field(fields[i - 1].before, fields[i - 1].text());
  }
}

/// "1764000000.25": the decimals of a time.
void name_decimals(std::vector<Field>& fields) {
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (is_bare_number(fields[i]) && fields[i].before == "." && fields[i - 1].kind == Field::Kind::kDate)
      fields[i].values.front().key = kDecimals;
  }
}

/// "bs", "8" becomes "bs_8" if the word is known, or precedes a number in every name.
void join_keys(std::vector<std::vector<Field>>& names) {
  const auto word_before_number = [](const std::vector<Field>& fields, std::size_t i) {
    return i > 0 && is_bare_number(fields[i]) && fields[i - 1].kind == Field::Kind::kWord &&
           !fields[i].before.empty() && !is_pid(fields, i);
  };
  std::map<std::string, std::size_t> in_names;
  for (const auto& fields : names) {
    std::set<std::string> words;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (word_before_number(fields, i)) words.insert(fields[i - 1].text());
    }
    for (const std::string& word : words) ++in_names[word];
  }
  constexpr std::string_view kSecondWords[] = {"size", "len",   "length", "rank",    "workers", "layers", "heads",
                                               "gpus", "nodes", "steps",  "threads", "dim",     "frames", "tokens"};
  constexpr std::string_view kFirstWords[] = {"batch", "num",   "seq",    "local", "global",
                                              "micro", "image", "hidden", "world"};
  for (auto& fields : names) {
    for (std::size_t i = fields.size(); i-- > 1;) {
      if (!word_before_number(fields, i)) continue;
      const std::string word = fields[i - 1].text();
      if (in_names[word] < names.size() && !is_key(lower_case(word))) continue;
      Field joined = fields[i];
      joined.texts.front().insert(0, word + fields[i].before);
      joined.values.front().key = lower_case(word);
      joined.before = fields[i - 1].before;
      fields[i - 1] = std::move(joined);
      fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (std::size_t i = fields.size(); i-- > 1;) {
      const Field& first = fields[i - 1];
      Field& second = fields[i];
      if (second.kind != Field::Kind::kNumber || second.values.size() != 1 || second.values.front().key.empty() ||
          first.kind != Field::Kind::kWord || !is_one_of(lower_case(first.text()), kFirstWords) ||
          !is_one_of(second.values.front().key, kSecondWords))
        continue;
      second.values.front().key = lower_case(first.text()) + "_" + second.values.front().key;
      second.texts.front().insert(0, first.text() + second.before);
      second.before = first.before;
      fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    }
  }
}

/// "resnet50" next to "vgg16": a number whose word is unknown and not in all names belongs to the word.
void keep_words_whole(std::vector<std::vector<Field>>& names) {
  std::map<std::string, std::size_t> in_names;
  for (const auto& fields : names) {
    std::set<std::string> shapes;
    for (const Field& field : fields) shapes.insert(field.shape());
    for (const std::string& shape : shapes) ++in_names[shape];
  }
  const auto has_precision = [](const std::vector<Field>& fields) {
    return std::ranges::any_of(fields, [](const Field& f) { return f.kind == Field::Kind::kPrecision; });
  };
  const bool all_precise = std::ranges::all_of(names, has_precision);
  for (auto& fields : names) {
    for (Field& field : fields) {
      if (field.kind == Field::Kind::kPrecision && !all_precise) field = word_field(field.before, field.text());
      if (field.kind != Field::Kind::kNumber || field.texts.front().ends_with('=')) continue;
      const bool known = std::ranges::all_of(field.values, [](const FieldValue& value) {
        return value.key.empty() || value.key == "pid" || is_key(value.key.substr(value.key.rfind('_') + 1));
      });
      if (!known && in_names[field.shape()] < names.size()) field = word_field(field.before, field.text());
    }
  }
}

}  // namespace

std::string Field::text() const {
  std::string out = texts.front();
  for (std::size_t v = 0; v < values.size(); ++v) out += values[v].text + texts[v + 1];
  return out;
}

std::string Field::shape() const {
  std::string out(1, static_cast<char>('a' + static_cast<int>(kind)));
  for (const std::string& text : texts) out += text + "\1";
  return out;
}

bool names_a_model(std::string_view word) {
  constexpr std::string_view kModels[] = {
      "resnet",  "resnext",   "wideresnet", "densenet", "efficientnet", "mobilenet", "convnext",  "vgg",
      "alexnet", "vit",       "deit",       "swin",     "clip",         "dino",      "unet",      "yolo",
      "bert",    "roberta",   "gpt",        "llama",    "qwen",         "mistral",   "mixtral",   "gemma",
      "phi",     "deepseek",  "falcon",     "opt-",     "bloom",        "t5",        "whisper",   "sdxl",
      "flux",    "inception", "regnet",     "albert",   "mamba",        "codellama", "starcoder", "distilbert",
      "electra", "deberta",   "pythia",     "olmo"};
  const std::string lower = lower_case(word);
  return std::any_of(std::begin(kModels), std::end(kModels),
                     [&](std::string_view model) { return lower.starts_with(model); });
}

bool names_a_precision(std::string_view word) {
  constexpr std::string_view kWords[] = {"fp64",  "fp32",  "tf32", "fp16",    "bf16",     "fp8",   "fp4",
                                         "nf4",   "int8",  "int4", "float64", "float32",  "half",  "w8a8",
                                         "w4a16", "mxfp8", "amp",  "float16", "bfloat16", "mxfp4", "nvfp4"};
  return is_one_of(lower_case(word), kWords);
}

std::vector<std::vector<Field>> fields_of(const std::vector<std::string>& stems) {
  std::vector<Tokens> tokens;
  for (const std::string& stem : stems) tokens.push_back(tokens_of(stem));
  const std::string separators = separators_of(tokens);
  std::vector<std::vector<Field>> names;
  for (const Tokens& name : tokens) names.push_back(cut(name, separators));
  for (auto& fields : names) {
    name_processes(fields);
    name_decimals(fields);
  }
  join_keys(names);
  keep_words_whole(names);
  return names;
}

}  // namespace assay::naming
