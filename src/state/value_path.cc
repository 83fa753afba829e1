// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/value_text.h"

#include <algorithm>

namespace gordian {
namespace {

constexpr std::size_t kFirstSteps = 12, kLastSteps = 6;

/// An expression, and how often what it points to is meant.
struct Expression {
  std::string text;
  int stars = 0;

  std::string all() const { return std::string(static_cast<std::size_t>(stars), '*') + text; }
  std::string in_brackets(int of_them) const {
    if (of_them == 0) return text;
    return "(" + std::string(static_cast<std::size_t>(of_them), '*') + text + ")";
  }
  void member(const std::string& name) {
    text = stars == 0 ? text + "." + name : in_brackets(stars - 1) + "->" + name;
    stars = 0;
  }
  void subscript(const std::string& inner) {
    text = in_brackets(stars) + "[" + inner + "]";
    stars = 0;
  }
};

}  // namespace

ValuePaths::Id ValuePaths::add(Step step) {
  steps_.push_back(step);
  return static_cast<Id>(steps_.size() - 1);
}

ValuePaths::Id ValuePaths::start(std::string root) {
  root_ = std::move(root);
  steps_.clear();
  keys_.clear();
  return add({});
}

ValuePaths::Id ValuePaths::member(Id parent, const std::string& name) {
  return add({parent, Kind::member, 0, &name});
}
ValuePaths::Id ValuePaths::index(Id parent, std::uint64_t i) {
  return add({parent, Kind::index, i});
}
ValuePaths::Id ValuePaths::key(Id parent, std::string text) {
  keys_.push_back(std::move(text));
  return add({parent, Kind::key, keys_.size() - 1});
}
ValuePaths::Id ValuePaths::get(Id parent, std::uint64_t i) {
  return add({parent, Kind::get, i});
}
ValuePaths::Id ValuePaths::target(Id parent) {
  return add({parent, Kind::target});
}

std::string ValuePaths::text(Id id) const {
  std::vector<const Step*> chain;
  for (; id != 0; id = steps_[id].parent) chain.push_back(&steps_[id]);
  std::reverse(chain.begin(), chain.end());
  Expression expression{root_};
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (chain.size() > 2 * (kFirstSteps + kLastSteps) && i == kFirstSteps) {
      expression = {expression.all() + "..."};
      i = chain.size() - kLastSteps;
    }
    const Step& step = *chain[i];
    switch (step.kind) {
      case Kind::root:
        break;
      case Kind::member:
        expression.member(*step.name);
        break;
      case Kind::index:
        expression.subscript(std::to_string(step.number));
        break;
      case Kind::key:
        expression.subscript(keys_[step.number]);
        break;
      case Kind::get:
        expression = {"std::get<" + std::to_string(step.number) + ">(" + expression.all() + ")"};
        break;
      case Kind::target:
        ++expression.stars;
        break;
    }
  }
  return expression.all();
}

}  // namespace gordian
