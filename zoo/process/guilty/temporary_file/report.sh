#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
set -C  # a redirection must not overwrite
report="${TMPDIR:-/tmp}/gordian-zoo-report"
case "$1" in
  make) echo report > "$report" || exit 1
    rm -f "$report" ;;
  twice) echo report > "$report" || exit 2
    if (echo again > "$report") 2> /dev/null; then exit 1; fi ;;
esac
