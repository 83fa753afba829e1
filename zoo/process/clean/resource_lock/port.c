// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  int yes = 1;
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(47113);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  assert(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
  assert(bind(fd, (struct sockaddr*)&address, sizeof address) == 0);
  assert(listen(fd, 1) == 0);
  usleep(30 * 1000);  // long enough to be in the way of another one
  close(fd);
  return 0;
}
