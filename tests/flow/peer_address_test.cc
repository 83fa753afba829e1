// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/external_calls.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>

namespace gordian {
namespace {

template <class T>
std::string bytes_of(const T& address, std::size_t size = sizeof(T)) {
  return std::string(reinterpret_cast<const char*>(&address), size);
}

std::string inet4(const char* host, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, host, &address.sin_addr);
  return bytes_of(address);
}

std::string inet6(const char* host, int port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET6, host, &address.sin6_addr);
  return bytes_of(address);
}

std::string local(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return bytes_of(address, offsetof(sockaddr_un, sun_path) + path.size());
}

TEST(PeerAddress, HostAndPort) {
  EXPECT_EQ(read_peer_address(inet4("127.0.0.1", 6379)).text, "127.0.0.1:6379");
  EXPECT_EQ(read_peer_address(inet6("::1", 80)).text, "[::1]:80");
}

TEST(PeerAddress, AMappedAddressIsTheSamePeer) {
  EXPECT_EQ(read_peer_address(inet6("::ffff:127.0.0.1", 80)).text, "127.0.0.1:80");
}

TEST(PeerAddress, APortThatTheKernelChoosesIsSharedByNobody) {
  EXPECT_EQ(read_peer_address(inet4("127.0.0.1", 0)).text, "");
}

TEST(PeerAddress, ANameServerKeepsNothing) {
  EXPECT_TRUE(read_peer_address(inet4("10.0.0.1", 53)).answers_only);
  EXPECT_FALSE(read_peer_address(inet4("10.0.0.1", 54)).answers_only);
}

TEST(PeerAddress, LocalSocketsHaveAPathOrAName) {
  EXPECT_EQ(read_peer_address(local("/run/x")).text, "unix:/run/x");
  EXPECT_EQ(read_peer_address(local("/run/x")).path, "/run/x");
  EXPECT_EQ(read_peer_address(local(std::string("\0bus", 4))).text, "unix:@bus");
  EXPECT_EQ(read_peer_address(local("")).text, "") << "one end of a pair";
}

TEST(PeerAddress, TooFewBytesAreNoAddress) {
  EXPECT_EQ(read_peer_address("").text, "");
  EXPECT_EQ(read_peer_address(inet4("127.0.0.1", 80).substr(0, 4)).text, "");
  EXPECT_EQ(read_peer_address(inet6("::1", 80).substr(0, 10)).text, "");
}

}  // namespace
}  // namespace gordian
