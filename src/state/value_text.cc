// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "state/containers.h"
#include "state/type_shape.h"

namespace gordian {
namespace {

// Before a table of virtual functions: where the object begins.
constexpr std::uint64_t kToTop = 16;
constexpr std::uint64_t kBits = 256;  // shown
constexpr int kPointers = 3;          // followed within one text

/// "F" of "std::_Function_handler<int (int), F>::_M_manager(...)"; empty when it is not like that.
std::string second_argument(const std::string& name) {
  constexpr std::string_view kHandler = "_Function_handler<";
  const std::size_t at = name.find(kHandler);
  if (at == name.npos) return {};
  std::size_t begin = 0;
  int level = 0;
  for (std::size_t i = at + kHandler.size(); i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' || c == '(' || c == '{') ++level;
    if ((c == '>' || c == ')' || c == '}') && --level < 0) {
      return begin == 0 ? std::string() : name.substr(begin, i - begin);
    }
    if (c == ',' && level == 0 && begin == 0) begin = name.find_first_not_of(' ', i + 1);
  }
  return {};
}

class Printer {
 public:
  Printer(MemoryView view, const ProgramNames& names, const TextLimits& limits)
      : view_(view), image_(*view.memory), names_(names), limits_(limits) {}

  void print(const Type& type, std::uint64_t address, const Member* member, int depth) {
    if (++nodes_ > kNodes || depth > kDepth || out_.size() > 2 * limits_.length) return add("...");
    const Contents contents = contents_of(image_, type, address, limits_.elements);
    switch (contents.form) {
      case Form::plain:
        return add(plain_text(image_, type, address, member));
      case Form::text:
        return print_text(contents);
      case Form::sequence:
      case Form::set:
      case Form::mapping:
        return print_elements(contents, depth);
      case Form::bits:
        return print_bits(contents);
      case Form::pointer:
        return print_pointer(contents, type, depth);
      case Form::maybe:
      case Form::choice:
        if (contents.elements.empty()) {
          return add(contents.form == Form::maybe ? "nullopt" : "valueless");
        }
        [[fallthrough]];
      case Form::same:
        print(*contents.elements[0].type, contents.elements[0].address, nullptr, depth + 1);
        return add(contents.suffix);
      case Form::record:
      case Form::tuple:
        return print_record(contents, depth);
      case Form::callable:
        return add(callable_text(contents));
      case Form::stream:
        return add(stream_state({image_, type, address, 0}).value_or(StreamState{"?"}).text);
      case Form::unknown:
        return print_unknown(contents, type, address, depth);
      case Form::damaged:
        return add("damaged");
    }
  }

  std::string take() { return std::move(out_); }

 private:
  static constexpr int kNodes = 5000, kDepth = 16;

  void add(std::string_view text) { out_ += text; }
  bool full() const { return out_.size() >= limits_.length; }
  std::size_t room() const { return full() ? 0 : limits_.length - out_.size(); }
  void add_more(std::uint64_t count) { add(fmt::format("... ({} more)", count)); }

  void print_text(const Contents& contents) {
    std::uint64_t length = contents.total;
    if (contents.fixed) {  // a buffer: what is in it ends at its first zero
      length = c_string_length(image_, contents.base, length).value_or(length);
    }
    print_characters(*contents.row_type, contents.base, length);
  }

  void print_characters(const Type& character, std::uint64_t base, std::uint64_t length) {
    const std::uint64_t shown = std::min<std::uint64_t>(length, std::max<std::size_t>(room(), 16));
    std::string bytes;
    if (character.size == 1) {
      bytes.resize(shown);
      if (!image_.read(base, bytes.data(), shown)) return add("unreadable");
    } else {
      for (std::uint64_t i = 0; i < shown; ++i) {
        std::uint32_t code = 0;
        const std::uint64_t at = base + i * character.size;
        if (!image_.read(at, &code, std::min<std::size_t>(4, character.size))) break;
        bytes += utf8_of(code);
      }
    }
    add("\"" + escaped(bytes, '"') + "\"");
    if (shown < length) add_more(length - shown);
  }

  void print_elements(const Contents& contents, int depth) {
    add("{");
    for (std::uint64_t i = 0; i < contents.total; ++i) {
      if (i > 0) add(", ");
      if (i >= contents.known() || (full() && i > 0)) {
        add_more(contents.total - i);
        break;
      }
      const Element element = contents.at(i);
      if (element.key_type != nullptr) {
        print(*element.key_type, element.key_address, nullptr, depth + 1);
        add(": ");
      }
      print(*element.type, element.address, nullptr, depth + 1);
    }
    add("}");
  }

  void print_bits(const Contents& contents) {
    const std::uint64_t shown = std::min(contents.total, kBits);
    std::string text;
    for (std::uint64_t i = 0; i < shown; ++i) {
      const std::uint64_t bit = contents.fixed ? contents.total - 1 - i : i;
      const auto byte = image_.value<unsigned char>(contents.base + bit / 8);
      if (!byte) return add("unreadable");
      const bool set = *byte >> (bit % 8) & 1;
      if (!contents.fixed && i > 0) text += ", ";
      text += contents.fixed ? (set ? "1" : "0") : (set ? "true" : "false");
    }
    add(contents.fixed ? text : "{" + text);
    if (shown < contents.total) add_more(contents.total - shown);
    if (!contents.fixed) add("}");
  }

  void print_record(const Contents& contents, int depth) {
    if (depth >= limits_.depth && contents.total > 0) return add("{...}");
    add("{");
    std::size_t printed = 0;
    for (std::size_t i = 0; i < contents.elements.size(); ++i) {
      const Element& element = contents.elements[i];
      if (element.member != nullptr && is_vptr(*element.member)) continue;
      if (printed++ > 0) add(", ");
      if (full()) {
        add_more(contents.elements.size() - i);
        break;
      }
      const bool named = contents.form == Form::record && element.member != nullptr &&
                         !element.member->name.empty() && !element.member->is_base;
      if (named) add(element.member->name + " = ");
      print(*element.type, element.address, element.member, depth + 1);
    }
    add("}");
  }

  void print_unknown(const Contents& contents, const Type& type, std::uint64_t address, int depth) {
    if (!contents.elements.empty()) return print_record(as_record(contents), depth);
    add(bytes_text(view_, address, type.size));
  }

  static Contents as_record(Contents contents) {
    contents.form = Form::record;
    return contents;
  }

  void print_pointer(const Contents& contents, const Type& type, int depth) {
    if (contents.expired) return add("expired");
    const std::uint64_t to = contents.target;
    const Type* target = contents.target_type;
    if (to == 0) return add("nullptr");
    if (target != nullptr && target->kind == TypeKind::function) return add(function_text(to));
    if (target != nullptr && is_char(*target)) {
      const auto length = c_string_length(image_, to);
      if (length) return print_characters(*target, to, *length);
    }
    if (type.is_reference && target != nullptr && depth < limits_.depth &&
        ++pointers_ <= kPointers) {
      return print(*target, to, nullptr, depth + 1);
    }
    add(pointer_text(to, target, depth));
  }

  std::string pointer_text(std::uint64_t to, const Type* target, int depth) {
    const std::string name = names_.object(to);
    if (!name.empty()) return "&" + name;
    const std::string function = names_.function(to);
    if (!function.empty()) return function;
    const auto block = view_.heap->block_of(to);
    if (!image_.value<char>(to)) return fmt::format("pointer to nowhere ({:#x})", to);
    if (view_.heap->is_free(to)) return "pointer to freed memory";
    if (target == nullptr || target->size == 0) return untyped_target(to, target, block);
    const Element pointee = pointee_of(image_, names_, *target, to);
    const Contents inner = contents_of(image_, *pointee.type, pointee.address, 1);
    const bool by_name =
        inner.form == Form::record || inner.form == Form::unknown || inner.form == Form::damaged;
    if (by_name || depth >= limits_.depth || ++pointers_ > kPointers) {
      return "pointer to " + with_article(type_text(*pointee.type));
    }
    add("pointer to ");
    print(*pointee.type, pointee.address, nullptr, depth + 1);
    return {};
  }

  std::string untyped_target(std::uint64_t to, const Type* target, std::optional<ByteRange> block) {
    if (target != nullptr && !target->name.empty() && target->name != "void") {
      return "pointer to " + with_article(type_text(*target));
    }
    if (block) return fmt::format("pointer to {} bytes", block->end() - to);
    return fmt::format("{:#x}", to);
  }

  std::string function_text(std::uint64_t at) {
    const std::string name = names_.function(at);
    return name.empty() ? fmt::format("function at {:#x}", at) : name;
  }

  /// The manager of a std::function is named after what it manages.
  std::string callable_text(const Contents& contents) {
    if (contents.target == 0) return "empty";
    const auto word = word_at(image_, contents.base);
    const std::string name = word && *word != 0 ? names_.function(*word) : std::string();
    if (!name.empty()) return name;
    const std::string managed = second_argument(names_.function(contents.target));
    return managed.empty() ? "a callable" : managed;
  }

  MemoryView view_;
  const MemoryImage& image_;
  const ProgramNames& names_;
  const TextLimits& limits_;
  std::string out_;
  int nodes_ = 0, pointers_ = 0;
};

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

std::string value_text(MemoryView view, const ProgramNames& names, const Type& type,
                       std::uint64_t address, const Member* member, const TextLimits& limits) {
  Printer printer(view, names, limits);
  printer.print(type, address, member, 0);
  return printer.take();
}

std::string with_article(const std::string& name) {
  const bool vowel = !name.empty() && std::strchr("aeiouAEIOU", name[0]) != nullptr;
  return (vowel ? "an " : "a ") + name;
}

std::optional<std::uint64_t> c_string_length(const MemoryImage& image, std::uint64_t address,
                                             std::uint64_t most) {
  char chunk[64];
  for (std::uint64_t length = 0; length < most;) {
    const std::uint64_t at = address + length;
    std::size_t size =
        sizeof chunk - at % sizeof chunk;  // never into a page that need not be there
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, most - length));
    if (!image.read(at, chunk, size)) return std::nullopt;
    const void* end = std::memchr(chunk, 0, size);
    if (end != nullptr)
      return length + static_cast<std::uint64_t>(static_cast<const char*>(end) - chunk);
    length += size;
  }
  return std::nullopt;
}

Element pointee_of(const MemoryImage& image, const ProgramNames& names, const Type& type,
                   std::uint64_t address) {
  if (type.kind != TypeKind::structure || !has_vptr(type)) return {&type, address};
  const auto table = word_at(image, address);
  const Type* dynamic = table ? names.dynamic_type(*table) : nullptr;
  const auto to_top = table ? word_at(image, *table - kToTop) : std::nullopt;
  if (dynamic == nullptr || !to_top) return {&type, address};
  const std::uint64_t before = 0 - *to_top;  // the object begins that many bytes before
  if (before > dynamic->size) return {&type, address};
  return {dynamic, address - before};
}

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
