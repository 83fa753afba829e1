// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/dwarf_file.h"

#include "symbols/elf_walk.h"
#include "symbols/reader.h"

namespace gordian {
namespace {

std::string joined(std::string_view directory, std::string_view name) {
  if (name.starts_with('/') || directory.empty()) return std::string(name);
  std::string result(directory);
  if (!result.ends_with('/')) result += '/';
  return result.append(name);
}

class TableReader {
 public:
  TableReader(const LineSections& sections, std::uint64_t offset, std::string_view directory)
      : sections_(sections), in_(sections.line, offset), start_(directory) {}

  std::vector<std::string> run() {
    const std::uint32_t length = in_.number<std::uint32_t>();
    wide_ = length == 0xffffffff;
    if (wide_) in_.skip(8);
    const auto version = in_.number<std::uint16_t>();
    if (version < 2 || version > 5) return {};
    if (version >= 5) in_.skip(2);   // sizes of addresses
    in_.offset(wide_);               // length of this header
    in_.skip(version >= 4 ? 5 : 4);  // how to decode lines
    const auto operations = in_.number<std::uint8_t>();
    in_.skip(operations == 0 ? 0 : operations - 1u);
    version >= 5 ? read_described() : read_plain();
    return in_.ok() ? std::move(files_) : std::vector<std::string>();
  }

 private:
  struct Field {
    std::uint64_t content = 0, form = 0;
  };
  struct Entry {
    std::string_view path;
    std::uint64_t directory = 0;
  };

  /// DWARF 2 to 4: counted from 1, directory 0 is where the compiler ran.
  void read_plain() {
    directories_.push_back(start_);
    for (std::string_view name; !(name = in_.text()).empty();) {
      directories_.push_back(joined(start_, name));
    }
    files_.emplace_back();
    for (std::string_view name; !(name = in_.text()).empty();) {
      add_file({name, in_.leb()});
      in_.leb();  // time
      in_.leb();  // size
    }
  }

  /// DWARF 5: tables that say what is in them, counted from 0.
  void read_described() {
    each_entry([this](const Entry& entry) { directories_.push_back(joined(start_, entry.path)); });
    each_entry([this](const Entry& entry) { add_file(entry); });
  }

  template <class Use>
  void each_entry(Use use) {
    std::vector<Field> fields(in_.number<std::uint8_t>());
    for (Field& field : fields) field = {in_.leb(), in_.leb()};
    const std::uint64_t count = in_.leb();
    if (!in_.possible(count) || (fields.empty() && count != 0)) return in_.fail();
    for (std::uint64_t i = 0; i < count && in_.ok(); ++i) use(read_entry(fields));
  }

  Entry read_entry(const std::vector<Field>& fields) {
    Entry entry;
    for (const Field& field : fields) {
      if (field.content == DW_LNCT_path) {
        entry.path = read_text(field.form);
      } else {
        const std::uint64_t value = read_number(field.form);
        if (field.content == DW_LNCT_directory_index) entry.directory = value;
      }
    }
    return entry;
  }

  std::string_view read_text(std::uint64_t form) {
    if (form == DW_FORM_string) return in_.text();
    if (form != DW_FORM_line_strp && form != DW_FORM_strp) in_.fail();
    const std::uint64_t at = in_.offset(wide_);
    const auto& section = form == DW_FORM_strp ? sections_.strings : sections_.line_strings;
    const auto text = ByteReader(section).c_string(at);
    if (!text) in_.fail();
    return text.value_or("");
  }

  std::uint64_t read_number(std::uint64_t form) {
    switch (form) {
      case DW_FORM_udata:
        return in_.leb();
      case DW_FORM_data1:
        return in_.number<std::uint8_t>();
      case DW_FORM_data2:
        return in_.number<std::uint16_t>();
      case DW_FORM_data4:
        return in_.number<std::uint32_t>();
      case DW_FORM_data8:
        return in_.number<std::uint64_t>();
      case DW_FORM_data16:
        in_.skip(16);
        return 0;
      case DW_FORM_block:
        in_.skip(in_.leb());
        return 0;
      case DW_FORM_string:
        in_.text();
        return 0;
      case DW_FORM_line_strp:
      case DW_FORM_strp:
        in_.offset(wide_);
        return 0;
      default:
        in_.fail();
        return 0;
    }
  }

  void add_file(const Entry& entry) {
    if (entry.directory >= directories_.size()) return in_.fail();
    files_.push_back(joined(directories_[entry.directory], entry.path));
  }

  const LineSections& sections_;
  Cursor in_;
  std::string start_;
  bool wide_ = false;
  std::vector<std::string> directories_, files_;
};

/// Empty for what is not there. libdw decompressed what was compressed; the older way of that
/// shows in the name ".zdebug_line".
std::string_view section_bytes(Elf* elf, std::string_view wanted) {
  std::string_view found;
  each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header, std::string_view name) {
    if (header.sh_type == SHT_NOBITS || (header.sh_flags & SHF_COMPRESSED) != 0) return;
    const bool meant = name == "." + std::string(wanted) || name == ".z" + std::string(wanted);
    if (meant && found.empty()) found = raw_bytes(section);
  });
  return found;
}

}  // namespace

std::vector<std::string> read_line_files(const LineSections& sections, std::uint64_t offset,
                                         std::string_view directory) {
  return TableReader(sections, offset, directory).run();
}

LineFiles::LineFiles(const DwarfFile& dwarf)
    : dwarf_(dwarf),
      sections_{section_bytes(dwarf.file().elf(), "debug_line"),
                section_bytes(dwarf.file().elf(), "debug_line_str"),
                section_bytes(dwarf.file().elf(), "debug_str")} {}

const std::string& LineFiles::declaring_file(Dwarf_Die die) {
  static const std::string kUnknown;
  Dwarf_Attribute memory;
  Dwarf_Word number = 0;
  Dwarf_Attribute* attribute = dwarf_attr_integrate(&die, DW_AT_decl_file, &memory);
  if (attribute == nullptr || dwarf_formudata(attribute, &number) != 0) return kUnknown;
  const std::vector<std::string>& table = table_of(attribute->cu);
  return number < table.size() ? table[number] : kUnknown;
}

const std::vector<std::string>& LineFiles::table_of(Dwarf_CU* unit) {
  const auto [known, is_new] = tables_.try_emplace(unit);
  auto top = is_new ? dwarf_.line_unit(unit) : std::nullopt;
  const auto offset = top ? constant(*top, DW_AT_stmt_list) : std::nullopt;
  if (offset) {
    known->second = read_line_files(sections_, *offset, string_of(*top, DW_AT_comp_dir));
  }
  return known->second;
}

}  // namespace gordian
