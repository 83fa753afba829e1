// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/commit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace gordian {
namespace {

constexpr std::size_t kSubject = 72, kWidth = 72;

/// The English third person, undone.
std::string plain_verb(const std::string& verb) {
  auto without = [&verb](std::size_t n) { return verb.substr(0, verb.size() - n); };
  if (verb.ends_with("ies")) return without(3) + "y";
  for (const char* ending : {"sses", "shes", "ches", "xes"}) {
    if (verb.ends_with(ending)) return without(2);
  }
  return verb.ends_with("s") && !verb.ends_with("ss") ? without(1) : verb;
}

std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string out, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line;
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!text.ends_with('.')) text += '.';
  return text;
}

std::string first_word(const std::string& text) {
  return text.substr(0, text.find(' '));
}

/// Or else with the name of a test.
bool begins_with_verb(const std::string& summary) {
  const std::string word = first_word(summary);
  return std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::islower(c) != 0; });
}

std::string why(const CommitReason& reason) {
  const std::string state = reason.carrier.empty() ? "state" : reason.carrier;
  if (reason.brittle) {
    return fmt::format(
        "{} only passed when {} had run before it in the same process and left {} "
        "behind.",
        reason.test, reason.by, state);
  }
  return fmt::format(
      "{} gave another result when {} had run before it in the same process, since "
      "{} kept what that left.",
      reason.test, reason.by, state);
}

constexpr const char* kChecked =
    "Checked by building it and running the tests alone, in both orders and in random ones.";

}  // namespace

std::string imperative(const std::string& summary) {
  const std::string first = first_word(summary);
  std::string text = begins_with_verb(summary) ? plain_verb(first) : first;
  text += summary.substr(first.size());
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string commit_message(const Patch& patch, const CommitReason& reason) {
  std::string subject = imperative(patch.summary), body = why(reason);
  if (subject.size() > kSubject) {
    subject = "Make " + reason.test + " independent of other tests";
    body += (begins_with_verb(patch.summary) ? " The patch " : " ") + patch.summary + ".";
  }
  if (!patch.reason.empty()) body += " " + sentence(patch.reason);
  return subject + "\n\n" + wrapped(body) + "\n\n" + wrapped(kChecked) + "\n";
}

std::string combined_message(const std::vector<const Patch*>& patches) {
  if (patches.empty()) return {};
  if (patches.size() == 1) return patches.front()->commit_message;
  std::string text = "Make tests independent of the order they run in\n\n";
  for (const Patch* patch : patches) text += "* " + imperative(patch->summary) + "\n";
  return text + "\n" + wrapped(kChecked) + "\n";
}

}  // namespace gordian
