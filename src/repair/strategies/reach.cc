// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/guard.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "repair/strategies/scene.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

// What a file includes, by its text alone: the names, and whether a header of the project is among
// them or among what they include in turn. Conditions are not evaluated.

constexpr std::size_t kFiles = 400;  // so many are looked into, and no more

/// Names of all includes, those in quotes alone if asked for.
std::vector<std::string> names_of_includes(const std::string& content, bool quoted_only) {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = content.find("#include", at)) != std::string::npos; ++at) {
    const std::size_t open = content.find_first_not_of(" \t", at + 8);
    if (open == std::string::npos) continue;
    const bool quoted = content[open] == '"';
    if (!quoted && (quoted_only || content[open] != '<')) continue;
    const std::size_t close = content.find(quoted ? '"' : '>', open + 1);
    if (close != std::string::npos) names.push_back(content.substr(open + 1, close - open - 1));
  }
  return names;
}

std::string normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

/// Names are looked for beside the file that includes them, and from each directory above the
/// header: one of these is the include directory that leads to it.
class Search {
 public:
  Search(const Scene& scene, const std::string& header) : scene_(scene), header_(header) {
    const std::string& root = scene.task().options.source_root;
    for (std::string dir = directory_of(header); dir.size() > 1 && is_below(root, dir);
         dir = directory_of(dir)) {
      directories_.push_back(dir);
      if (dir == root) break;
    }
  }

  bool finds_it_from(const std::string& file) {
    if (seen_.size() >= kFiles || !seen_.insert(file).second) return false;
    for (const std::string& name : names_of_includes(scene_.content(file), false)) {
      const std::string found = place_of(name, directory_of(file));
      if (found == header_ || (!found.empty() && finds_it_from(found))) return true;
    }
    return false;
  }

 private:
  /// Empty: no file of the project that this search could meet.
  std::string place_of(const std::string& name, const std::string& beside) const {
    if (std::string path = normal(beside + "/" + name); scene_.task().source.content(path)) {
      return path;
    }
    for (const std::string& directory : directories_) {
      std::string path = normal(directory + "/" + name);
      if (scene_.task().source.content(path)) return path;
    }
    return "";
  }

  const Scene& scene_;
  const std::string& header_;
  std::vector<std::string> directories_;
  std::set<std::string> seen_;
};

/// "::app::Cache::get().x" -> "app::Cache::get": what has to be declared.
std::string head_of(std::string_view expression) {
  while (!expression.empty() && !is_word_char(expression.front())) expression.remove_prefix(1);
  std::size_t end = 0;
  while (end < expression.size() && (is_word_char(expression[end]) || expression[end] == ':'))
    ++end;
  return std::string(expression.substr(0, end));
}

bool is_same_file(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && (a == b || a.ends_with("/" + b) || b.ends_with("/" + a));
}

/// "app::level" of type int -> "namespace app { extern int level; }".
std::string extern_declaration(const StateFact& state) {
  const std::string name = display_name(state.name);
  const std::string thread = state.is_thread_local ? "thread_local " : "";
  return in_namespaces(
      scope_of(name), "extern " + thread + plain_type(state.type) + " " + last_of(name) + ";", " ");
}

bool may_name(const StateFact& state, const Place& place) {
  if (state.access == Access::open) return true;
  if (place.class_name.empty() || display_name(place.class_name) != display_name(state.owner))
    return false;
  return state.access == Access::guarded || place.fixture != nullptr;
}

std::string direct_expression(const StateFact& state) {
  if (!state.expression.empty()) return state.expression;
  return state.kind == StateKind::local_static ? "" : "::" + display_name(state.name);
}

/// By its own name; empty `why`: that works.
std::string by_name(const Scene& scene, const StateFact& state, const Place& place, Reach& way) {
  const std::string name = display_name(state.name);
  if (state.kind == StateKind::local_static) {
    return name + " is a variable inside of a function, and nothing leads to it from outside";
  }
  const bool here = is_same_file(state.file, place.file);
  if (state.internal && !here) {
    return name + " can be named in " + file_name_of(state.file) + " alone";
  }
  if (!may_name(state, place)) return name + " is private to " + state.owner;
  way.expression = spelled(scene, direct_expression(state), place);
  way.type = state.type;
  if (here) return "";
  if (!state.header.empty()) {
    need_header(scene, state.header, head_of(way.expression), place, way.includes);
  } else if (!has_word(scene.content(place.file), head_of(way.expression))) {
    if (state.kind != StateKind::global || state.type.empty() ||
        state.type.find('[') != std::string::npos || state.type.find('(') != std::string::npos) {
      return "no header declares " + name;
    }
    way.scope.push_back(extern_declaration(state));
  }
  return "";
}

bool by_accessor(const Scene& scene, const StateFact& state, const AccessorFact& accessor,
                 const Place& place, Reach& way) {
  if (accessor.state != state.name || accessor.access != Access::open || accessor.gives_const) {
    return false;
  }
  if (accessor.header.empty() && !is_same_file(state.file, place.file)) return false;
  way.expression = spelled(scene, accessor.expression, place);
  way.is_pointee = accessor.gives_pointee;
  way.type = way.is_pointee ? state.pointee : state.type;
  need_header(scene, accessor.header, head_of(way.expression), place, way.includes);
  return true;
}

}  // namespace

Reached reach(const Scene& scene, const StateFact& state, const Place& place) {
  Reached reached;
  Reach direct;
  reached.why_not = by_name(scene, state, place, direct);
  if (reached.why_not.empty()) reached.ways.push_back(std::move(direct));
  for (const AccessorFact& accessor : scene.facts().accessors) {
    Reach way;
    if (by_accessor(scene, state, accessor, place, way)) reached.ways.push_back(std::move(way));
  }
  return reached;
}

std::string include_of(const Scene& scene, const std::string& file, const std::string& header) {
  if (header.empty() || header == file || Search(scene, header).finds_it_from(file)) return "";
  const std::string& content = scene.content(file);
  const std::vector<std::string> includes = names_of_includes(content, true);
  const auto has = [&](const std::string& name) {
    return std::find(includes.begin(), includes.end(), name) != includes.end();
  };
  // A directory that the file's includes start from, and that the header lies below.
  for (const std::string& include : includes) {
    for (std::string dir = directory_of(header); dir.size() > 1; dir = directory_of(dir)) {
      if (!scene.task().source.content(dir + "/" + include)) continue;
      const std::string name = relative_to(dir, header);
      return has(name) ? "" : "\"" + name + "\"";
    }
  }
  if (!is_below(scene.task().options.source_root, header)) return "";
  const std::string name = relative_to(directory_of(file), header);
  return has(name) ? "" : "\"" + name + "\"";
}

void need_header(const Scene& scene, const std::string& header, const std::string& name,
                 const Place& place, std::vector<std::string>& includes) {
  if (header.empty() || has_word(scene.content(place.file), name)) return;
  const std::string include = include_of(scene, place.file, header);
  if (!include.empty()) includes.push_back(include);
}

std::string spelled(const Scene& scene, const std::string& expression, const Place& place) {
  const std::string& content = scene.content(place.file);
  const std::size_t name = expression.find_first_not_of("*&(");
  if (name == std::string::npos) return expression;
  const std::string before = expression.substr(0, name);
  std::string rest = display_name(expression.substr(name));
  if (!rest.starts_with("::")) return before + rest;
  rest.erase(0, 2);
  const std::string head = head_of(rest);
  if (has_word(content, head)) return before + rest;
  // Inside of its own namespace or class the test may leave names out.
  for (std::size_t colon = 0; (colon = rest.find("::", colon)) != std::string::npos;) {
    colon += 2;
    if (colon >= head.size()) break;
    if (has_word(content, head.substr(colon)) && place.test != nullptr) {
      const std::string scope = head.substr(0, colon - 2);
      const std::string last = last_of(scope);
      if (content.find("namespace " + scope) != std::string::npos ||
          content.find("namespace " + last) != std::string::npos ||
          display_name(place.class_name) == scope) {
        return before + rest.substr(colon);
      }
    }
  }
  return before + rest;
}

std::string with_path(const std::string& object, const std::string& path) {
  if (path.empty()) return object;
  if (!object.starts_with("*")) return object + path;
  if (path.starts_with(".")) return object.substr(1) + "->" + path.substr(1);
  return "(" + object + ")" + path;
}

std::string plain_type(const std::string& written) {
  std::string_view type = written;
  for (const std::string_view key : {"struct ", "class ", "enum ", "union "}) {
    if (type.starts_with(key)) type.remove_prefix(key.size());
  }
  std::string plain;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const bool begins = plain.empty() || (!is_word_char(plain.back()) && plain.back() != '>');
    if (begins && type.compare(i, 2, "::") == 0) {
      ++i;
    } else if (plain.ends_with('<') && type.compare(i, 3, " ::") == 0) {
      i += 2;  // "vector< ::std::string>"
    } else if (type.compare(i, 2, " *") != 0 && type.compare(i, 2, " &") != 0) {
      plain += type[i];
    }
  }
  return plain;
}

std::string type_text(const std::string& type, const std::string& expression) {
  const bool sayable = !type.empty() && type.find("(anonymous") == std::string::npos &&
                       type.find("{anonymous") == std::string::npos &&
                       type.find("lambda") == std::string::npos &&
                       type.find("unnamed") == std::string::npos && type != "auto";
  if (sayable) return plain_type(type);
  const bool is_name = expression.find_first_of("*([") == std::string::npos;
  if (is_name) return "decltype(" + expression + ")";
  return "std::remove_reference<decltype(" + expression + ")>::type";
}

}  // namespace gordian::strategies
