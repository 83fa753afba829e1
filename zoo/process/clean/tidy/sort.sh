#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
list="${TMPDIR:-/tmp}/gordian-zoo-list"
[ ! -e "$list" ] || exit 1
printf 'b\na\n' > "$list"
trap 'rm -f "$list"' EXIT
[ "$(sort "$list" | head -n 1)" = a ]
