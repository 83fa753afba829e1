// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Keeps variable indexes between runs: one file for each module and debug file, named by what
// identifies them. A file of another version, of another module or with damage is as good as none,
// and is replaced. Files are written beside and renamed, so readers never see half of one.
//
// The bytes: "GORDVARS", u32 version, u32 0, SHA-256 of the rest (64 hex digits), then the key and
// the tables of VariableIndex. Numbers are little endian; strings are a u32 length and bytes;
// tables a u64 count and entries.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "symbols/debug_file.h"
#include "symbols/variable_index.h"

namespace gordian {

/// What identifies the pair: build id and shape of each file; without a build id its path, size,
/// time and inode. `debug` may be the module itself.
std::string index_key(const OpenElf& module, const OpenElf& debug);

std::string encode_index(const VariableIndex& index, std::string_view key);
std::optional<VariableIndex> decode_index(std::string_view bytes, std::string_view key);

std::optional<VariableIndex> load_index(const std::filesystem::path& dir, std::string_view key);
/// True when it is there now.
bool save_index(const std::filesystem::path& dir, std::string_view key, const VariableIndex& index);

}  // namespace gordian
