// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/program_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "symbols/dwarf_file.h"
#include "symbols/elf_file.h"
#include "symbols/process_memory.h"
#include "symbols/types.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// Libraries of the system have no state of the program, and are large.
bool is_system_library(const std::string& path) {
  return path.starts_with("/lib/") || path.starts_with("/lib64/") || path.starts_with("/usr/lib/");
}

bool is_our_agent(const std::string& path) {
  return fs::path(path).filename().string().starts_with("libgordian-agent");
}

/// What dlopen() has mapped: files with code that are not in the list yet. Libraries are linked to
/// address 0, so that their first mapping begins where they are loaded.
void add_late_modules(pid_t pid, std::vector<LoadedModule>& all) {
  const std::vector<Mapping> mappings = read_mappings(pid);
  for (const Mapping& code : mappings) {
    if (!code.executable || !code.path.starts_with('/')) continue;
    const bool known = std::any_of(all.begin(), all.end(), [&](const LoadedModule& module) {
      return module.path == code.path;
    });
    if (known) continue;
    const auto first = std::find_if(mappings.begin(), mappings.end(), [&](const Mapping& mapping) {
      return mapping.path == code.path;
    });
    all.push_back({code.path, first->begin.value()});
  }
}

}  // namespace

void ProgramMemory::load(HeldProcess& held, const std::string& executable, Modules which) {
  std::vector<LoadedModule> all = held.memory().modules(executable);
  for (LoadedModule& loaded : all) {
    std::error_code none;
    fs::path real = fs::canonical(loaded.path, none);  // as the kernel shows it
    if (!none) loaded.path = real.string();
  }
  const std::size_t at_start = all.size();
  if (which == Modules::loaded_by_now) add_late_modules(held.pid(), all);
  read_modules(all);
  for (std::size_t i = at_start; i < modules_.size(); ++i) modules_[i].late = true;
  find_extents(held);
  place_variables(held);
  make_names();
}

void ProgramMemory::read_modules(const std::vector<LoadedModule>& all) {
  std::vector<Module> known = std::exchange(modules_, {});
  for (const LoadedModule& loaded : all) {
    auto same = std::find_if(known.begin(), known.end(), [&](const Module& module) {
      return module.path == loaded.path && module.base == loaded.base;
    });
    Module module = same == known.end() ? Module{} : *same;
    module.path = loaded.path;
    module.base = loaded.base;
    if (same == known.end() && !is_system_library(loaded.path) && !is_our_agent(loaded.path)) {
      auto debug = DebugInfo::open(loaded.path, {.cache_dir = cache_});
      if (debug) module.debug = std::make_shared<DebugInfo>(std::move(*debug));
    }
    modules_.push_back(std::move(module));
  }
}

void ProgramMemory::find_extents(HeldProcess& held) {
  for (Module& module : modules_) {
    if (module.end != 0) continue;  // known from before
    if (auto end = image_end(module.path)) module.end = module.base + *end;
  }
  for (const Mapping& mapping : read_mappings(held.pid())) {
    auto module = std::find_if(modules_.begin(), modules_.end(), [&](const Module& candidate) {
      return candidate.path == mapping.path;
    });
    if (module == modules_.end()) continue;
    const std::uint64_t begin = mapping.begin.value();
    module->begin = module->begin ? std::min(module->begin, begin) : begin;
    module->end = std::max(module->end, mapping.end.value());
  }
}

void ProgramMemory::place_variables(HeldProcess& held) {
  constexpr std::uint64_t kThreadBlock = 4096;  // about: behind it comes the thread's descriptor
  variables_.clear();
  thread_storage_.clear();
  for (std::size_t index = 0; index < modules_.size(); ++index) {
    Module& module = modules_[index];
    const auto storage = module.late
                             ? 0
                             : static_cast<std::uint64_t>(held.request(
                                   gordian_wire::kThreadStorage, static_cast<std::int64_t>(index)));
    if (storage != 0) thread_storage_.push_back({storage, kThreadBlock});
    if (!module.debug) continue;
    for (const Variable& variable : module.debug->variables()) {
      const std::uint64_t base = variable.thread_local_storage ? storage : module.base;
      if (variable.thread_local_storage && storage == 0) continue;
      const Type* type = module.debug->type(variable.type_id);
      if (type && type->kind == TypeKind::opaque) type = nullptr;  // its bytes are all we have
      LiveVariable live{variable, base + variable.address, type, 0};
      if (auto guard = module.debug->guard_of(variable)) live.guard = base + *guard;
      variables_.push_back(std::move(live));
    }
  }
}

void ProgramMemory::make_names() {
  names_.function = [this](std::uint64_t address) { return function_at(address); };
  names_.object = [this](std::uint64_t address) {
    std::uint64_t from_start = 0;
    const CodeSymbol* symbol = symbol_at(address, from_start);
    return symbol && from_start == 0 && !symbol->function ? name_of_symbol(symbol->name)
                                                          : std::string();
  };
  names_.dynamic_type = [this](std::uint64_t vtable) { return dynamic_type(vtable); };
  std::vector<ByteRange> ranges;
  for (const Module& module : modules_) ranges.push_back({module.begin, module.end - module.begin});
  names_.modules = RangeSet(std::move(ranges));
}

const ProgramMemory::Module* ProgramMemory::module_at(std::uint64_t address) const {
  for (const Module& module : modules_) {
    if (address >= module.begin && address < module.end) return &module;
  }
  return nullptr;
}

const CodeSymbol* ProgramMemory::symbol_at(std::uint64_t address, std::uint64_t& from_start) {
  const Module* module = module_at(address);
  if (!module) return nullptr;
  if (!std::exchange(module->code_tried, true)) {
    auto code = CodeMap::read(module->path);
    if (code) module->code = std::make_shared<CodeMap>(std::move(*code));
  }
  if (!module->code) return nullptr;
  const CodeSymbol* symbol = module->code->symbol_at(address - module->base);
  if (symbol) from_start = address - module->base - symbol->start;
  return symbol;
}

std::string ProgramMemory::function_at(std::uint64_t address) {
  std::uint64_t from_start = 0;
  const CodeSymbol* symbol = symbol_at(address, from_start);
  return symbol && symbol->function ? name_of_symbol(symbol->name) : std::string();
}

std::optional<std::uint64_t> ProgramMemory::function_named(std::string_view mangled) {
  for (const Module& module : modules_) {
    if (is_our_agent(module.path)) continue;
    auto file = ElfFile::open(module.path, ElfRole::library);
    if (!file) continue;
    if (auto symbol = file->find(mangled)) return module.base + symbol->vaddr;
  }
  return std::nullopt;
}

const Type* ProgramMemory::dynamic_type(std::uint64_t vtable) {
  constexpr std::uint64_t kHead = 16;  // offset to top and type information stand before
  std::uint64_t from_start = 0;
  const CodeSymbol* symbol = symbol_at(vtable, from_start);
  if (!symbol || from_start != kHead || !symbol->name.starts_with("_ZTV")) return nullptr;
  constexpr std::string_view kWords = "vtable for ";
  std::string name = name_of_symbol(symbol->name);
  if (name.starts_with(kWords)) name.erase(0, kWords.size());
  const Module* module = module_at(vtable);
  return module->debug ? module->debug->type_named(name) : nullptr;
}

std::string ProgramMemory::module_of(std::uint64_t address) const {
  const Module* module = module_at(address);
  return module ? fs::path(module->path).filename().string() : std::string();
}

std::string ProgramMemory::library_object_at(std::uint64_t address) {
  const Module* module = module_at(address);
  if (!module) return {};
  if (!module->symbols) {
    auto read = DebugInfo::open(module->path, {.cache_dir = cache_});
    if (!read) return {};
    module->symbols = std::make_shared<DebugInfo>(std::move(*read));
  }
  const Variable* variable = module->symbols->variable_at(address - module->base);
  return variable ? variable->name : std::string();
}

std::string ProgramMemory::library_place(std::uint64_t address) {
  std::string name = library_object_at(address);
  if (!name.empty()) return name;
  const Module* module = module_at(address);
  if (!module) return {};
  return fmt::format("{}+{:#x}", module_of(address), address - module->base);
}

bool ProgramMemory::is_library_data(std::uint64_t address) const {
  return std::any_of(modules_.begin(), modules_.end(), [&](const Module& module) {
    return address >= module.begin && address < module.end && !module.debug &&
           !is_our_agent(module.path);
  });
}

std::vector<std::string> ProgramMemory::own_modules() const {
  std::vector<std::string> paths;
  for (const Module& module : modules_) {
    const bool file = module.path.starts_with("/");  // not the kernel's own
    const bool others = is_system_library(module.path) || is_our_agent(module.path);
    if (file && !others) paths.push_back(module.path);
  }
  return paths;
}

ByteRange ProgramMemory::agent_module() const {
  for (const Module& module : modules_) {
    if (is_our_agent(module.path)) return {module.begin, module.end - module.begin};
  }
  return {};
}

std::vector<std::string> ProgramMemory::notes() const {
  std::vector<std::string> all;
  for (const Module& module : modules_) {
    if (!module.debug) continue;
    all.insert(all.end(), module.debug->notes().begin(), module.debug->notes().end());
    if (!module.debug->has_types()) {
      all.push_back(fs::path(module.path).filename().string() +
                    " has no debug information: variables are shown as symbols and bytes");
    }
  }
  return all;
}

}  // namespace gordian
