// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Addresses of sockets as people write them.
#pragma once

#include <string>
#include <string_view>

namespace gordian {

struct PeerAddress {
  std::string text;           ///< "127.0.0.1:6379", "[::1]:80", "unix:/run/x", "unix:@abstract"
  std::string path;           ///< of a UNIX socket with a name in the file system
  bool answers_only = false;  ///< name service: it is asked, and keeps nothing of it
};

/// `bytes`: a struct sockaddr as the program gave it. An empty text: no address that two tests
/// could share (port 0, netlink, ...), or no address at all.
PeerAddress read_peer_address(std::string_view bytes);

}  // namespace gordian
