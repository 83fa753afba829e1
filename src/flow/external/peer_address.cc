// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/peer_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace gordian {
namespace {

constexpr int kNameServicePort = 53;

/// The bytes as a struct; false when there are too few.
template <class T>
bool read_as(std::string_view bytes, std::size_t least, T& out) {
  if (bytes.size() < least) return false;
  std::memcpy(&out, bytes.data(), std::min(bytes.size(), sizeof out));
  return true;
}

PeerAddress with_port(const std::string& host, int port) {
  if (port == 0) return {};
  return {fmt::format("{}:{}", host, port), {}, port == kNameServicePort};
}

PeerAddress inet4(std::string_view bytes) {
  sockaddr_in address{};
  if (!read_as(bytes, sizeof address - sizeof address.sin_zero, address)) return {};
  char text[INET_ADDRSTRLEN] = "";
  ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  return with_port(text, ntohs(address.sin_port));
}

PeerAddress inet6(std::string_view bytes) {
  sockaddr_in6 address{};
  if (!read_as(bytes, offsetof(sockaddr_in6, sin6_scope_id), address)) return {};
  char text[INET6_ADDRSTRLEN] = "";
  if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr)) {  // the same peer as by its old address
    ::inet_ntop(AF_INET, address.sin6_addr.s6_addr + 12, text, sizeof text);
    return with_port(text, ntohs(address.sin6_port));
  }
  ::inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text);
  return with_port(fmt::format("[{}]", text), ntohs(address.sin6_port));
}

PeerAddress local(std::string_view bytes) {
  constexpr std::size_t kHead = offsetof(sockaddr_un, sun_path);
  if (bytes.size() <= kHead) return {};
  std::string_view name = bytes.substr(kHead, sizeof sockaddr_un::sun_path);
  if (name.front() == '\0') {
    std::string abstract(name.substr(1));
    std::replace(abstract.begin(), abstract.end(), '\0', '@');
    return {"unix:@" + abstract, {}, false};
  }
  std::string path(name.substr(0, name.find('\0')));
  return {"unix:" + path, path, path.ends_with("/nscd/socket")};
}

}  // namespace

PeerAddress read_peer_address(std::string_view bytes) {
  sa_family_t family = AF_UNSPEC;
  if (!read_as(bytes, sizeof family, family)) return {};
  switch (family) {
    case AF_INET:
      return inet4(bytes);
    case AF_INET6:
      return inet6(bytes);
    case AF_UNIX:
      return local(bytes);
    default:
      return {};
  }
}

}  // namespace gordian
