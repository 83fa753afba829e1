// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/debug_details.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "repair/function_names.h"
#include "symbols/dwarf_die.h"
#include "symbols/dwarf_file.h"
#include "symbols/type_reader.h"
#include "symbols/types.h"

namespace gordian {
namespace {

int tag_of(Dwarf_Die die) {
  return dwarf_tag(&die);
}

bool is_header(const std::string& file) {
  constexpr std::array<std::string_view, 7> kEndings = {".h",   ".hh",  ".hpp", ".hxx",
                                                        ".inl", ".ipp", ".tpp"};
  const std::string ending = std::filesystem::path(file).extension().string();
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

/// Without the attribute, what the kind of class says.
Access access_of(Dwarf_Die member, Dwarf_Die record) {
  const auto written = constant(member, DW_AT_accessibility);
  const bool is_class = tag_of(record) == DW_TAG_class_type;
  const auto access = written.value_or(is_class ? DW_ACCESS_private : DW_ACCESS_public);
  if (access == DW_ACCESS_public) return Access::open;
  return access == DW_ACCESS_protected ? Access::guarded : Access::closed;
}

/// Parameters that the source spells, or those that the compiler adds.
bool has_parameters(Dwarf_Die function, bool added = false) {
  bool found = false;
  each_child(function, [&](Dwarf_Die child) {
    found |= tag_of(child) == DW_TAG_formal_parameter && has_flag(child, DW_AT_artificial) == added;
    return !found;
  });
  return found;
}

/// A method of an object has "this".
bool needs_object(Dwarf_Die function) {
  return has_attribute(function, DW_AT_object_pointer) || has_parameters(function, true);
}

class DetailsReader {
 public:
  explicit DetailsReader(DwarfFile& dwarf)
      : dwarf_(dwarf),
        files_(dwarf),
        types_(names_, [](const std::string&) { return std::optional<Dwarf_Die>(); }) {}

  DebugDetails read() {
    dwarf_.each_unit([this](const DwarfFile::Unit& unit) {
      const auto scopes = names_.unit_of(unit.die);
      for (const auto& found : scopes->variables()) add_variable(found.die);
      for (UnitScopes::Index i = 0; i < scopes->scope_count(); ++i) {
        const auto& scope = scopes->scope(i);
        if (scope.kind == UnitScopes::Kind::type) add_class(scope.die);
        if (scope.kind == UnitScopes::Kind::function) add_function(declared_entry(scope.die));
      }
    });
    return std::move(details_);
  }

 private:
  void add_variable(Dwarf_Die die) {
    const std::string name = names_.qualified_name(die);
    if (name.empty()) return;
    const Dwarf_Die declared = declared_entry(die);
    const auto unit = names_.unit_of(declared);
    const auto& scope = unit->scope(unit->around(declared));
    VariableDetails& details = details_.variables[name];
    const bool anonymous = scope.internal && scope.kind != UnitScopes::Kind::function;
    details.external |= has_flag(declared, DW_AT_external) && !anonymous;
    details.is_member = scope.kind == UnitScopes::Kind::type;
    if (details.is_member) details.access = access_of(declared, scope.die);
    if (const auto type = type_of(die)) details.is_const |= is_const(*type);
    if (scope.in_function || details.is_member) {
      details.owner = names_.prefix(*unit, unit->around(declared));
      cut_end(details.owner, "::");
      cut_end(details.owner, "()");
    }
    const std::string& file = files_.declaring_file(declared);
    if (details.header.empty() && !scope.in_function && is_header(file)) details.header = file;
  }

  static bool is_const(Dwarf_Die type) {
    if (tag_of(type) == DW_TAG_array_type) {
      const auto element = reference(type, DW_AT_type);
      return element && tag_of(*element) == DW_TAG_const_type;
    }
    return tag_of(type) == DW_TAG_const_type;
  }

  static void cut_end(std::string& text, std::string_view end) {
    if (text.ends_with(end)) text.resize(text.size() - end.size());
  }

  void add_class(Dwarf_Die record) {
    if (is_system_path(files_.declaring_file(record))) return;
    const std::string name = names_.qualified_name(record);
    if (name.empty() || has_flag(record, DW_AT_declaration)) return;
    ClassDetails& details = details_.classes[name];
    if (!details.members.empty() || !details.reset_methods.empty()) return;  // of another unit
    each_child(record, [&](Dwarf_Die child) {
      const int tag = tag_of(child);
      if (tag == DW_TAG_member) details.members.emplace(die_name(child), access_of(child, record));
      if (tag == DW_TAG_subprogram) add_method(name, child, record, details);
      return true;
    });
  }

  void add_method(const std::string& owner, Dwarf_Die method, Dwarf_Die record,
                  ClassDetails& details) {
    const std::string name(die_name(method));
    const Access access = access_of(method, record);
    if (!needs_object(method)) add_function(method);
    if (reset_score(name) == 0 || has_flag(method, DW_AT_artificial)) return;
    if (needs_object(method)) {
      details.reset_methods.push_back({name, access, has_parameters(method)});
      return;
    }
    ResetFact fact;
    fact.call = "::" + owner + "::" + name + "()";
    fact.access = access;
    fact.parameters = has_parameters(method);
    fact.header = header_of(method);
    details.reset_functions.push_back({std::move(fact), reset_score(name)});
  }

  std::string header_of(Dwarf_Die declared) {
    const std::string& file = files_.declaring_file(declared);
    return is_header(file) ? file : "";
  }

  /// `function` as it is declared.
  void add_function(Dwarf_Die function) {
    const auto type = type_of(function);
    const auto plain = type ? without_qualifiers(*type) : std::nullopt;
    const int tag = plain ? tag_of(*plain) : 0;
    if (tag != DW_TAG_reference_type && tag != DW_TAG_pointer_type) return;
    if (needs_object(function) || has_parameters(function)) return;
    if (is_system_path(files_.declaring_file(function))) return;
    const auto target = reference(*plain, DW_AT_type);
    if (!target || tag_of(*target) == DW_TAG_const_type) return;
    const std::string name = names_.qualified_name(function);
    if (name.empty()) return;
    const auto unit = names_.unit_of(function);
    const auto& scope = unit->scope(unit->around(function));
    GivingFunction giving;
    giving.expression = (tag == DW_TAG_pointer_type ? "*::" : "::") + name + "()";
    giving.type = types_.name_of(*target);
    if (scope.kind == UnitScopes::Kind::type) giving.access = access_of(function, scope.die);
    giving.header = header_of(function);
    details_.functions.try_emplace(name, std::move(giving));
  }

  DwarfFile& dwarf_;
  ScopeNames names_;
  LineFiles files_;
  TypeReader types_;
  DebugDetails details_;
};

}  // namespace

Result<DebugDetails> read_debug_details(OpenElf debug) {
  auto dwarf = DwarfFile::open(std::move(debug));
  if (!dwarf.ok()) return dwarf.error();
  return DetailsReader(*dwarf).read();
}

}  // namespace gordian
