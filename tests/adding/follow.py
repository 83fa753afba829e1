#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""follow.py SOURCE_DIR COPY_DIR: does what docs/adding.md says, in a copy of the files it touches.

A comment before a block of code says where it goes:

    <!-- new: src/room/new.cc -->                   the block is the file
    <!-- in: src/room/old.cc after: some text -->   the block stands after the line with this text,
                                                    which the file has once (or `before:`)
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"<!-- (new|in): (\S+)(?: (after|before): (.*?))? -->\n```\w*\n(.*?)^```$",
                   re.S | re.M)


def follow(page, source):
    """{path: text} of the files that the page makes or changes."""
    files = {}
    for what, path, where, text, block in BLOCK.findall(page):
        if what == "new":
            if (source / path).exists():
                sys.exit(f"docs/adding.md: {path} is not new")
            files[path] = block
            continue
        lines = files.get(path, (source / path).read_text()).splitlines(keepends=True)
        places = [i for i, line in enumerate(lines) if text in line]
        if not where or len(places) != 1:
            sys.exit(f"docs/adding.md: {path} has {len(places)} lines with '{text}'")
        place = places[0] + (where == "after")
        files[path] = "".join(lines[:place] + [block] + lines[place:])
    return files


def main(source, copy):
    files = follow((source / "docs/adding.md").read_text(), source)
    if not files:
        sys.exit("docs/adding.md: it shows no files")
    for path, text in files.items():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(text)


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:3]))
