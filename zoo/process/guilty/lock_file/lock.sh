#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
case "$1" in
  check) if [ -e service.pid ]; then echo "the service is running already" >&2; exit 3; fi ;;
  take) echo 4711 > service.pid ;;
  release) rm -f service.pid ;;
esac
