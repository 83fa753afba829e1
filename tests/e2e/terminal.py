# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""A terminal for the end-to-end tests: runs a command on a pseudo-terminal, and tells what a person
would see in the end. Understands the few codes that gordian sends; its paper is endless."""
import fcntl
import os
import pty
import re
import select
import struct
import termios
import time

import gordian

INKS = {"1": "bold", "2": "dim", "1;31": "red", "32": "green", "33": "yellow", "36": "cyan"}
TOKEN = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+|\x1b")


def in_terminal(words, cwd, env, columns=0):
    """Exit code and everything written. `columns` 0: the terminal does not know its width."""
    pid, terminal = pty.fork()
    if pid == 0:
        if columns:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        os.chdir(cwd)
        os.execve(words[0], words, env)
    written, end = b"", time.monotonic() + gordian.PATIENCE
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            break
        if not chunk:
            break
        written += chunk
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), written.decode("utf-8", "replace")


class Screen:
    """Rows of cells; a cell is a character and the ink it was written with."""

    def __init__(self, text):
        self.rows, self.row, self.column, self.ink = [[]], 0, 0, ""
        for token in TOKEN.findall(text):
            self.obey(token)

    def obey(self, token):
        if token == "\n":
            self.row += 1
            self.rows.extend([] for _ in range(self.row + 1 - len(self.rows)))
        elif token == "\r":
            self.column = 0
        elif token.startswith("\x1b["):
            self.escape(token[2:-1], token[-1])
        else:
            row = self.rows[self.row]
            row.extend([(" ", "")] * (self.column - len(row)))
            row[self.column:self.column + len(token)] = [(c, self.ink) for c in token]
            self.column += len(token)

    def escape(self, number, code):
        count = int(re.sub(r"\D.*", "", number) or 0)
        if code == "A":
            self.row = max(0, self.row - max(1, count))
        elif code == "B":
            self.row = min(len(self.rows) - 1, self.row + max(1, count))
        elif code == "G":
            self.column = max(1, count) - 1
        elif code == "K":
            del self.rows[self.row][0 if count == 2 else self.column:]
        elif code == "J":
            del self.rows[self.row + 1:]
            del self.rows[self.row][self.column:]
        elif code == "m":
            self.ink = "" if number in ("", "0") else INKS.get(number, number)

    def lines(self):
        return ["".join(c for c, _ in row).rstrip() for row in self.rows]

    def marked(self):
        """With the inks written out, as `<red>FAIL</>`; the last empty line is none."""
        lines = ["".join(self.runs(row)).rstrip() for row in self.rows]
        return "\n".join(lines).rstrip("\n") + "\n"

    @staticmethod
    def runs(row):
        ink = ""
        for character, next_ink in [*row, ("", "")]:
            if next_ink != ink:
                yield ("</>" if ink else "") + (f"<{next_ink}>" if next_ink else "")
                ink = next_ink
            yield character
