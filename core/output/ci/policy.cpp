#include "ci/policy.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "config/section.hpp"
#include "config/toml_text.hpp"
#include "files/did_you_mean.hpp"
#include "files/glob.hpp"
#include "render/format.hpp"
#include "some_of.hpp"

namespace assay::ci {
namespace {

constexpr Verdict kVerdicts[] = {Verdict::kSupported, Verdict::kRefuted, Verdict::kInconclusive, Verdict::kUntestable};

Action action_in(Section& section, std::string_view key, const std::string& word) {
  for (const Action action : {Action::kFail, Action::kUndecided, Action::kWarn, Action::kPass}) {
    if (word == action_name(action)) return action;
  }
  refuse(section.pos(key), section.title() + " " + std::string(key) + " is '" + word +
                               "'; expected \"fail\", \"undecided\", \"warn\" or \"pass\".");
}

/// The keys named like verdicts.
void read_actions(Section& section, Actions& to) {
  for (const Verdict verdict : kVerdicts) {
    if (verdict == Verdict::kSupported) continue;
    const std::string key(verdict_name(verdict));
    if (const auto word = section.text(key)) to[static_cast<std::size_t>(verdict)] = action_in(section, key, *word);
  }
}

Which read_which(Section& section) {
  return {section.text("question").value_or(""), section.text("claim").value_or(""),
          section.text("metric").value_or("")};
}

/// A date of TOML, or a text that looks like one.
Day read_until(Section& section) {
  const toml::node* node = section.find("until");
  std::optional<Day> day;
  if (node != nullptr && node->as_date() != nullptr) {
    const toml::date date = node->as_date()->get();
    const std::chrono::year_month_day parts{std::chrono::year(date.year), std::chrono::month(date.month),
                                            std::chrono::day(date.day)};
    if (parts.ok()) day = parts;
  } else if (node != nullptr && node->as_string() != nullptr) {
    day = read_day(node->as_string()->get());
  }
  if (!day) {
    refuse(section.pos("until"), section.title() +
                                     (node == nullptr ? " has no 'until'" : " until is no day of the calendar") +
                                     "; name the last day on which it holds, as in until = 2026-12-31.");
  }
  return *day;
}

void read_gate(Section section, Policy& to) {
  read_actions(section, to.on);
  if (const auto word = section.text("nothing_decided")) to.undecided = action_in(section, "nothing_decided", *word);
  if (const auto days = section.number("warn_days")) {
    if (!(*days >= 0 && *days <= 3650)) refuse(section.pos("warn_days"), "[gate] warn_days is not 0 to 3650 days.");
    to.warn_days = static_cast<int>(*days);
  }
  section.finish();
}

bool glob_fits(const std::string& glob, const std::string& text) { return glob.empty() || glob_matches(glob, text); }

/// The action of the policy, waivers aside.
Action action_of(const Policy& policy, const Case& one) {
  const auto verdict = static_cast<std::size_t>(one.verdict);
  Action action = policy.on[verdict].value_or(Action::kPass);
  for (const Rule& rule : policy.rules) {
    if (rule.on[verdict] && rule.which.fits(one)) action = *rule.on[verdict];
  }
  return action;
}

/// Of the waivers that fit, the one that holds longest.
const Waiver* waiver_for(const Policy& policy, const Case& one) {
  const Waiver* best = nullptr;
  for (const Waiver& waiver : policy.waivers) {
    if (waiver.which.fits(one) && (best == nullptr || waiver.until > best->until)) best = &waiver;
  }
  return best;
}

std::vector<std::string> remarks_on(const Policy& policy, const GateResult& result, Day day) {
  std::vector<std::string> remarks;
  const auto remark = [&](const SourcePos& pos, const std::string& text) {
    remarks.push_back(pos.file + ":" + std::to_string(pos.line) + ": " + text);
  };
  for (const Waiver& waiver : policy.waivers) {
    const auto fits = [&](const Answer& answer) { return waiver.which.fits(answer.one); };
    const auto needs = [&](const Answer& answer) { return answer.waiver == &waiver; };
    const auto left = (waiver.until - day).count();
    const std::string of = "the waiver of " + waiver.which.str();
    if (std::ranges::none_of(result.answers, fits))
      remark(waiver.pos, of + " fits nothing that was judged; mend its globs or remove it");
    else if (std::ranges::none_of(result.answers, needs))
      remark(waiver.pos, of + " is not needed: nothing that it fits would fail without it; remove it");
    else if (left < 0)
      remark(waiver.pos, of + " expired on " + day_text(waiver.until));
    else if (left <= policy.warn_days)
      remark(waiver.pos,
             of + " ends on " + day_text(waiver.until) + ", in " + counted(static_cast<std::size_t>(left), "day"));
  }
  for (const Rule& rule : policy.rules) {
    const auto fits = [&](const Answer& answer) { return rule.which.fits(answer.one); };
    if (std::ranges::none_of(result.answers, fits))
      remark(rule.pos, "the rule for " + rule.which.str() + " fits nothing that was judged");
  }
  return remarks;
}

}  // namespace

std::string_view action_name(Action action) {
  constexpr std::string_view kNames[] = {"pass", "waived", "warn", "undecided", "fail"};
  return kNames[static_cast<std::size_t>(action)];
}

std::string day_text(Day day) {
  const std::chrono::year_month_day parts(day);
  char text[48];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(parts.year()),
                static_cast<unsigned>(parts.month()), static_cast<unsigned>(parts.day()));
  return text;
}

std::optional<Day> read_day(std::string_view text) {
  const auto number = [&](std::size_t from, std::size_t length) {
    int value = 0;
    const char *begin = text.data() + from, *end = begin + length;
    const auto [stop, problem] = std::from_chars(begin, end, value);
    return problem == std::errc() && stop == end && value > 0 ? value : -1;
  };
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day parts{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                          std::chrono::day(static_cast<unsigned>(day))};
  return parts.ok() ? std::optional<Day>(parts) : std::nullopt;
}

Day today() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

bool Which::fits(const Case& one) const {
  return glob_fits(question, one.question) && glob_fits(claim, one.claim) && glob_fits(metric, one.metric);
}

std::string Which::str() const {
  std::string text;
  for (const auto& [what, glob] :
       {std::pair("question", &question), std::pair("claim", &claim), std::pair("metric", &metric)}) {
    if (!glob->empty()) text += (text.empty() ? "" : ", ") + std::string(what) + " '" + *glob + "'";
  }
  return text.empty() ? "everything" : text;
}

Result<Policy> Policy::with(const std::filesystem::path& from) const {
  try {
    Policy out = *this;
    out.file = from.string();
    const toml::table table = parse_toml(from);
    Section root(table, "", {out.file, 1, 1});
    if (auto section = root.table("gate")) read_gate(std::move(*section), out);
    for (Section& section : root.tables("rule")) {
      Rule rule{read_which(section), {}, section.pos()};
      read_actions(section, rule.on);
      if (std::ranges::none_of(rule.on, [](const auto& action) { return action.has_value(); }))
        refuse(section.pos(), "[[rule]] says nothing; give it refuted, inconclusive or untestable.");
      section.finish();
      out.rules.push_back(std::move(rule));
    }
    for (Section& section : root.tables("waiver")) {
      Waiver waiver{read_which(section), read_until(section), section.required_text("reason"), section.pos()};
      if (waiver.which.question.empty() && waiver.which.claim.empty() && waiver.which.metric.empty())
        refuse(section.pos(),
               "[[waiver]] names nothing, so it would waive everything; give it question, claim or metric.");
      section.finish();
      out.waivers.push_back(std::move(waiver));
    }
    if (auto section = root.table("compare")) {
      out.allow = section->one_or_more_texts("allow");
      section->finish();
    }
    const std::vector<std::string> known = {"gate", "rule", "waiver", "compare"};
    for (const Section::Entry& entry : root.rest()) {
      refuse(entry.pos, "a policy has no key '" + entry.key +
                            "'; its tables are [gate], [[rule]], [[waiver]] and [compare]." +
                            did_you_mean(entry.key, known));
    }
    return out;
  } catch (const ConfigMistake& mistake) {
    return Error{mistake.what()};
  }
}

std::vector<const Answer*> GateResult::with(Action action) const {
  std::vector<const Answer*> out;
  for (const Answer& answer : answers) {
    if (answer.action == action) out.push_back(&answer);
  }
  return out;
}

GateResult gate(const Policy& policy, const Judged& judged, Day day) {
  GateResult out;
  for (const Case& one : judged.cases) {
    Answer answer{one, action_of(policy, one)};
    if (answer.action == Action::kFail) {
      answer.waiver = waiver_for(policy, one);
      answer.expired = answer.waiver != nullptr && day > answer.waiver->until;
      if (answer.waiver != nullptr && !answer.expired) answer.action = Action::kWaived;
    }
    out.worst = std::max(out.worst, answer.action);
    out.answers.push_back(std::move(answer));
  }
  out.none_decided = !judged.decided && policy.undecided != Action::kPass;
  if (!judged.decided) out.worst = std::max(out.worst, policy.undecided);
  out.remarks = remarks_on(policy, out, day);
  return out;
}

std::string state_of(const Answer& answer) {
  std::string text(verdict_name(answer.one.verdict));
  if (answer.waiver == nullptr) return text;
  return text + (answer.expired ? "; its waiver expired on " : "; waived until ") + day_text(answer.waiver->until) +
         ": " + answer.waiver->reason;
}

std::string failure_text(const GateResult& gate) {
  std::vector<std::string> names;
  bool all_refuted = true;
  for (const Answer* answer : gate.with(Action::kFail)) {
    names.push_back(answer->one.name());
    all_refuted = all_refuted && answer->one.verdict == Verdict::kRefuted;
  }
  return counted(names.size(), "claim") + (all_refuted ? " refuted (" : " failed by the policy (") + some_of(names, 5) +
         ")";
}

}  // namespace assay::ci
