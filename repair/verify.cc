// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "repair/placing.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// "fail at a.cc:3 (Expected equality ...)"
std::string words_of(const Outcome& outcome) {
  std::string text(to_string(outcome.kind));
  if (outcome.kind == OutcomeKind::crash) text += fmt::format(" (signal {})", outcome.signal);
  if (outcome.kind == OutcomeKind::exit) text += fmt::format(" (code {})", outcome.exit_code);
  if (!outcome.file.empty()) text += fmt::format(" at {}:{}", outcome.file, outcome.line);
  if (!outcome.message.empty()) text += " (" + first_line(outcome.message) + ")";
  return text;
}

std::string order_words(const Names& order) {
  constexpr std::size_t kMost = 8;
  std::string text;
  const std::size_t from = order.size() > kMost ? order.size() - kMost : 0;
  if (from > 0) text = fmt::format("... {} tests, ", from);
  for (std::size_t i = from; i < order.size(); ++i) text += (i > from ? ", " : "") + order[i];
  return text;
}

std::string seen_in_place_of(const std::string& test, const Outcome& seen, const Outcome& wanted,
                             const std::string& order) {
  return fmt::format("{}: {} in place of {}; order: {}", test, words_of(seen), words_of(wanted),
                     order);
}

}  // namespace

std::set<std::string> names_of(const ChangedFiles& files) {
  std::set<std::string> names;
  for (const auto& [path, file] : files) names.insert(path);
  return names;
}

/// One patch on its way through the checks. A check that fails for good says so by verdict and
/// `over`.
class Verifier::Session {
 public:
  Session(Verifier& verifier, const ChangedFiles& files, const Tell& tell)
      : v_(verifier), files_(files), changed_(names_of(files)), tell_(tell) {}

  Verification take() && { return std::move(result_); }
  bool over() const { return over_; }

  void check_texts();
  Status build();
  Status check_test_list();
  Status check_witness(const NamedDependence& dependence);
  Status check_alone(const NamedDependence& dependence);
  Status check_singles(const NamedDependence& dependence);
  Status check_reversed(const NamedDependence& dependence,
                        const std::map<std::string, int>& reference);
  Status check_default_order();
  Status check_random_orders(const std::string& test, const std::map<std::string, int>& reference);
  void conclude();

  Result<std::vector<Repeated>> run(const std::vector<Names>& orders) {
    return run_repeatedly(v_.workspace_, v_.before_.suite, orders, v_.options_.confirmations);
  }

 private:
  RepairCheck& begin(const char* name) {
    if (v_.options_.checking) v_.options_.checking(name);
    result_.checks.push_back({name, true, 0, ""});
    return result_.checks.back();
  }
  static void fail(RepairCheck& check, std::string detail) {
    if (!check.passed) return;
    check.passed = false;
    check.detail = std::move(detail);
  }
  void end(RepairVerdict verdict, std::string why) {
    over_ = true;
    result_.verdict = verdict;
    result_.why = std::move(why);
  }
  void reject(const RepairCheck& check) { end(RepairVerdict::rejected, check.detail); }
  void leave_partly(std::string why) {
    if (partly_.empty()) partly_ = std::move(why);
  }

  /// `good(position, outcome)` for every position whose test did not waver before.
  template <class Good, class Wanted>
  void judge(RepairCheck& check, const Repeated& run, const Good& good, const Wanted& wanted);

  using Suspects = std::map<std::string, Names>;  ///< test -> an order in which it wavers
  /// Those that do so without the patch too do not count from now on. The patch is built again.
  Status clear(const Suspects& suspects, RepairCheck& check);
  Status build_again(const ChangedFiles& files);

  Verifier& v_;
  const ChangedFiles& files_;
  std::set<std::string> changed_;
  const Tell& tell_;
  Verification result_;
  bool over_ = false;
  std::string partly_;
};

/// What is taken away or switched off in the text, whatever the runs may say.
void Verifier::Session::check_texts() {
  RepairCheck& check = begin("checks kept");
  for (const auto& [path, file] : files_) {
    if (!file.before) continue;
    const CheckCount before = count_checks(*file.before), after = count_checks(file.after);
    auto lost = [&, &path = path](const char* what, int was, int is) {
      fail(check, fmt::format("{}: {} ({} before, {} with the patch)", path, what, was, is));
    };
    if (after.tests < before.tests) lost("a test is removed", before.tests, after.tests);
    if (after.skips > before.skips) {
      lost("a test is skipped or disabled", before.skips, after.skips);
    }
    if (after.checks < before.checks) {
      lost("an assertion is removed", before.checks, after.checks);
    }
  }
  for (const auto& [path, file] : files_) {
    if (file.before || count_checks(file.after).skips == 0) continue;
    fail(check, fmt::format("{}: a new file skips or disables tests", path));
  }
  if (!check.passed) reject(check);
}

Status Verifier::Session::build() {
  RepairCheck& check = begin("build");
  auto built = v_.workspace_.build(files_, tell_);
  if (!built) return built.error();
  check.runs = 1;
  result_.build_seconds = built->seconds;
  if (!built->succeeded) {
    fail(check, built->first_error);
    end(RepairVerdict::not_built, built->first_error);
  } else if (!built->new_warnings.empty()) {
    fail(check, "a new warning: " + built->new_warnings.front());
    reject(check);
  }
  return {};
}

Status Verifier::Session::check_test_list() {
  RepairCheck& check = begin("tests kept");
  auto suite = v_.workspace_.suite();
  if (!suite) {
    if (suite.error().kind == ErrorKind::interrupted) return suite.error();
    fail(check, "the program does not start any more: " + suite.error().message);
    reject(check);
    return {};
  }
  check.runs = 1;
  std::map<std::string, bool> now;
  for (const Test& test : suite->tests()) now.emplace(test.full_name(), test.will_run);
  for (const Test& test : v_.before_.suite.tests()) {
    const auto found = now.find(test.full_name());
    if (found == now.end()) {
      fail(check, test.full_name() + " is gone");
    } else if (test.will_run && !found->second) {
      fail(check, test.full_name() + " does not run by itself any more");
    }
  }
  if (now.size() > v_.before_.suite.tests().size()) {
    fail(check, fmt::format("{} tests in place of {}", now.size(), v_.before_.suite.size()));
  }
  if (!check.passed) reject(check);
  return {};
}

template <class Good, class Wanted>
void Verifier::Session::judge(RepairCheck& check, const Repeated& run, const Good& good,
                              const Wanted& wanted) {
  check.runs += run.runs;
  for (std::size_t at = 0; at < run.order.size(); ++at) {
    const std::string& test = run.order[at];
    if (v_.before_.wavering.contains(test)) continue;
    const Names so_far(run.order.begin(), run.order.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    if (!run.steady[at]) {
      fail(check,
           fmt::format("{}: not the same result each time; order: {}", test, order_words(so_far)));
    } else if (!good(at, run.outcomes[at])) {
      fail(check, seen_in_place_of(test, run.outcomes[at], wanted(at), order_words(so_far)));
    }
  }
}

Status Verifier::Session::build_again(const ChangedFiles& files) {
  auto built = v_.workspace_.build(files, tell_);
  if (!built) return built.error();
  if (built->succeeded) return {};
  return internal_error("the copy does not build any more: " + built->first_error);
}

/// Never those that are to be repaired: a patch has to make them steady.
Status Verifier::Session::clear(const Suspects& suspects, RepairCheck& check) {
  std::vector<Names> orders;
  std::vector<std::string> tests;
  for (const auto& [test, order] : suspects) {
    if (v_.before_.wavering.contains(test) || v_.before_.goals.contains(test)) continue;
    orders.push_back(order);
    tests.push_back(test);
  }
  if (orders.empty()) return {};
  if (Status built = build_again(v_.base_); !built) return built;
  auto runs = run_repeatedly(v_.workspace_, v_.before_.suite, orders,
                             std::max(2, v_.options_.confirmations) + 1);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const Repeated& run = (*runs)[i];
    check.runs += run.runs;
    const auto at = std::find(run.order.begin(), run.order.end(), tests[i]) - run.order.begin();
    if (!run.steady[static_cast<std::size_t>(at)]) v_.before_.wavering.insert(tests[i]);
  }
  return build_again(files_);
}

/// Its last test is what counts; the others are there for its sake and judged elsewhere.
Status Verifier::Session::check_witness(const NamedDependence& d) {
  RepairCheck& check = begin("witness");
  auto runs = run({d.witness});
  if (!runs) return runs.error();
  const std::size_t last = d.witness.size() - 1;
  judge(
      check, runs->front(),
      [&](std::size_t at, const Outcome& o) {
        return at != last || same_after(d.goal, o, changed_);
      },
      [&](std::size_t) { return d.goal; });
  if (!check.passed) {
    end(RepairVerdict::rejected, "the dependence is still there: " + check.detail);
  }
  return {};
}

Status Verifier::Session::check_alone(const NamedDependence& d) {
  RepairCheck& check = begin("alone");
  std::vector<Names> orders = {{d.test}};
  for (const std::string& test : d.by) {
    if (test != d.test) orders.push_back({test});
  }
  auto runs = run(orders);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const std::string& test = orders[i].front();
    const auto before = v_.before_.alone.find(test);
    const Outcome& wanted =
        i == 0 || before == v_.before_.alone.end() ? v_.before_.usual(test) : before->second;
    judge(
        check, (*runs)[i],
        [&](std::size_t, const Outcome& o) {
          return same_after(wanted, o, changed_) || v_.before_.is_fine(test, o, changed_);
        },
        [&](std::size_t) { return wanted; });
  }
  if (!check.passed) reject(check);
  return {};
}

/// Others that are enough to disturb a victim. Not harm: the patch just does not reach them.
Status Verifier::Session::check_singles(const NamedDependence& d) {
  std::vector<Names> orders;
  for (const std::string& single : d.singles) {
    if (d.role == Role::victim && single != d.test && Names{single} != d.by) {
      orders.push_back({single, d.test});
    }
  }
  if (orders.empty()) return {};
  RepairCheck& check = begin("other tests");
  auto runs = run(orders);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < runs->size(); ++i) {
    RepairCheck one;
    one.passed = true;
    judge(
        one, (*runs)[i],
        [&](std::size_t at, const Outcome& o) {
          return at != 1 || same_after(d.goal, o, changed_);
        },
        [&](std::size_t) { return d.goal; });
    check.runs += one.runs;
    if (one.passed) continue;
    result_.still_by.push_back(orders[i].front());
    fail(check, one.detail);
  }
  if (!check.passed) {
    leave_partly(
        fmt::format("{} still depends on {}: {}", d.test, result_.still_by.front(), check.detail));
  }
  return {};
}

/// Those behind the test may depend on it in turn: what they did so before is no harm, as long as
/// random orders still show it.
Status Verifier::Session::check_reversed(const NamedDependence& d,
                                         const std::map<std::string, int>& reference) {
  if (d.role == Role::self_dependent) return {};
  RepairCheck& check = begin("reversed");
  const Names order = reversed(d);
  auto runs = run({order});
  if (!runs) return runs.error();
  const auto before = v_.before_.reversed.find(order);
  const auto as_before = [&](std::size_t at, const Outcome& o) {
    return at > 0 && before != v_.before_.reversed.end() && reference.contains(order[at]) &&
           same_after(before->second[at], o, changed_);
  };
  const auto wanted = [&](std::size_t at) { return v_.before_.usual(order[at]); };
  judge(
      check, runs->front(),
      [&](std::size_t at, const Outcome& o) {
        const auto alone = v_.before_.alone.find(order[at]);
        return v_.before_.is_fine(order[at], o, changed_) || as_before(at, o) ||
               (alone != v_.before_.alone.end() && at > 0 &&
                same_after(alone->second, o, changed_));
      },
      wanted);
  if (!check.passed) reject(check);
  return {};
}

Status Verifier::Session::check_default_order() {
  RepairCheck& check = begin("default order");
  auto runs = run({v_.before_.order});
  if (!runs) return runs.error();
  Suspects suspects;
  for (std::size_t at = 0; at < v_.before_.order.size(); ++at) {
    if (!runs->front().steady[at]) suspects.emplace(v_.before_.order[at], v_.before_.order);
  }
  if (Status cleared = clear(suspects, check); !cleared) return cleared;
  const auto wanted = [&](std::size_t at) { return v_.before_.expected.at(v_.before_.order[at]); };
  judge(
      check, runs->front(),
      [&](std::size_t at, const Outcome& o) {
        return same_after(wanted(at), o, changed_) ||
               v_.before_.is_fine(v_.before_.order[at], o, changed_);
      },
      wanted);
  if (!check.passed) reject(check);
  return {};
}

Status Verifier::Session::check_random_orders(const std::string& test,
                                              const std::map<std::string, int>& reference) {
  RepairCheck& check = begin("random orders");
  auto random = run_random(v_.workspace_, v_.before_, changed_, v_.options_.confirmations);
  if (!random) return random.error();
  check.runs = random->runs;
  if (Status cleared = clear(random->wavering, check); !cleared) return cleared;
  result_.differing = random->differing;
  for (const auto& [name, orders] : random->differing) {
    const auto was = reference.find(name);
    const int before = was == reference.end() ? 0 : was->second;
    const RandomRuns::Example& example = random->examples.at(name);
    const std::string detail = fmt::format(
        "differs in {} of {} random orders, {} before: {}", orders, v_.before_.random_orders.size(),
        before, seen_in_place_of(name, example.seen, v_.before_.usual(name), example.order));
    if (name != test && orders > before) {
      check.passed = false;
      check.detail = "it makes " + name + " worse, which " + detail;
      reject(check);
      return {};
    }
    if (name == test) {
      fail(check, name + " still " + detail);
      leave_partly(check.detail);
    }
  }
  for (const auto& [name, order] : random->wavering) {
    if (v_.before_.wavering.contains(name)) continue;
    fail(check, name + " does not give the same result each time any more");
    leave_partly(check.detail);
  }
  return {};
}

void Verifier::Session::conclude() {
  if (over_) return;
  if (partly_.empty()) return end(RepairVerdict::verified, "");
  end(RepairVerdict::partly, partly_);
}

Result<Verification> Verifier::verify(const NamedDependence& d, const ChangedFiles& files,
                                      const std::map<std::string, int>& reference,
                                      const Tell& tell) {
  Session session(*this, files, tell);
  const auto began = Clock::now();
  session.check_texts();
  const std::vector<std::function<Status()>> checks = {
      [&] { return session.build(); },
      [&] { return session.check_test_list(); },
      [&] { return session.check_witness(d); },
      [&] { return session.check_alone(d); },
      [&] { return session.check_singles(d); },
      [&] { return session.check_reversed(d, reference); },
      [&] { return session.check_default_order(); },
      [&] { return session.check_random_orders(d.test, reference); },
  };
  for (const auto& check : checks) {
    if (session.over()) break;
    if (Status done = check(); !done) return done.error();
  }
  session.conclude();
  Verification result = std::move(session).take();
  result.check_seconds = seconds_since(began) - result.build_seconds;
  return result;
}

Result<Verification> Verifier::verify_all(const ChangedFiles& files,
                                          const std::map<std::string, int>& reference) {
  const Tell nobody = [](std::string_view) {};
  Session session(*this, files, nobody);
  const auto began = Clock::now();
  session.check_texts();
  if (!session.over()) {
    if (Status done = session.check_test_list(); !done) return done.error();
  }
  if (!session.over()) {
    if (Status done = session.check_default_order(); !done) return done.error();
  }
  if (!session.over()) {
    if (Status done = session.check_random_orders("", reference); !done) return done.error();
  }
  session.conclude();
  Verification result = std::move(session).take();
  result.check_seconds = seconds_since(began);
  return result;
}

Result<bool> Verifier::still_shows(const NamedDependence& d,
                                   const std::set<std::string>& changed_files) {
  std::vector<Names> orders = {d.witness};
  if (d.role == Role::brittle) orders.push_back({d.test});
  for (const std::string& single : d.singles) {
    if (d.role == Role::victim && single != d.test) orders.push_back({single, d.test});
  }
  auto runs = run_repeatedly(workspace_, before_.suite, orders, options_.confirmations);
  if (!runs) return runs.error();
  return std::any_of(runs->begin(), runs->end(), [&](const Repeated& run) {
    return !run.steady.back() || !same_after(d.goal, run.outcomes.back(), changed_files);
  });
}

}  // namespace gordian
