// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/sha256.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "base/files.h"
#include "base/unique_fd.h"

namespace gordian {

void Sha256::ContextEnd::operator()(evp_md_ctx_st* context) const {
  ::EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(::EVP_MD_CTX_new()) {
  GORDIAN_CHECK(context_ != nullptr);
  GORDIAN_CHECK(::EVP_DigestInit_ex(context_.get(), ::EVP_sha256(), nullptr) == 1);
}

void Sha256::update(std::string_view bytes) {
  GORDIAN_CHECK(::EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex_digest() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  GORDIAN_CHECK(::EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

Result<std::string> sha256_file(const std::filesystem::path& path) {
  auto fd = open_regular(path);
  if (!fd) return target_error(fd.error().message);
  Sha256 hash;
  std::vector<char> buffer(1 << 18);
  for (;;) {
    const ssize_t n = ::read(fd->get(), buffer.data(), buffer.size());
    if (n == 0) return hash.hex_digest();
    if (n > 0) {
      hash.update({buffer.data(), static_cast<std::size_t>(n)});
    } else if (errno != EINTR) {
      return target_error("cannot read " + path.string() + ": " + std::strerror(errno));
    }
  }
}

}  // namespace gordian
