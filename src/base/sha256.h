// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// SHA-256, by which a binary is recognised again. OpenSSL's: it uses the processor's own
// instructions, and test binaries are large.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct evp_md_ctx_st;  // of OpenSSL

namespace gordian {

class Sha256 {
 public:
  Sha256();
  void update(std::string_view bytes);

  /// 64 lower-case hex digits. Nothing may be added afterwards.
  std::string hex_digest();

 private:
  struct ContextEnd {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, ContextEnd> context_;
};

/// The digest of a whole file, as hex.
Result<std::string> sha256_file(const std::filesystem::path& path);

}  // namespace gordian
