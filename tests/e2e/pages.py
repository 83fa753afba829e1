#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What pages say of this repository and of the command line is there: links and their anchors, files
and folders, commands and options. What they say otherwise is for people to check."""
import re
import subprocess
import unittest

import gordian

TOP = gordian.SOURCE
FENCE = re.compile(r"^```.*?^```", re.S | re.M)
FOLDERS = "src|tests|docs|zoo|cmake|tools|bench|examples|web"


def tracked(*patterns):
    done = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard",
                           *patterns], cwd=TOP, capture_output=True, text=True, check=False)
    names = [name for name in done.stdout.split("\0") if name and (TOP / name).is_file()]
    if done.returncode or not names:
        raise unittest.SkipTest("the sources are no git checkout")
    return names


def pages():
    return [TOP / name for name in tracked("*.md") if "/golden/" not in name]


def anchors(page):
    """As GitHub makes them of headings."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


def links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text())):
        if not re.match(r"[a-z]+:", target):
            yield target


class Pages(gordian.Case):
    def test_every_link_leads_somewhere(self):
        for page in pages():
            for target in links(page):
                path, _, anchor = target.partition("#")
                there = page.parent / path if path else page
                with self.subTest(page=str(page.relative_to(TOP)), link=target):
                    self.assertTrue(there.exists())
                    if anchor and there.suffix == ".md":
                        self.assertIn(anchor, anchors(there))

    def test_every_page_is_found_from_the_readme(self):
        found, ahead = set(), [TOP / "README.md"]
        while ahead:
            page = ahead.pop().resolve()
            if page in found or page.suffix != ".md" or not page.exists():
                continue
            found.add(page)
            ahead += [page.parent / link.partition("#")[0] for link in links(page)]
        docs = {page.resolve() for page in (TOP / "docs").glob("*.md")}
        self.assertEqual(sorted(str(page) for page in docs - found), [])

    def test_every_file_that_a_page_names_is_there(self):
        """NAME in a path is the reader's; `*` and `{a,b}` are a shell's."""
        for page in pages():
            if page.parent.name == "zoo":
                continue  # it names binaries, below the build
            for path in set(re.findall(rf"`((?:{FOLDERS})/[\w./*{{}},-]+)`", page.read_text())):
                with self.subTest(page=str(page.relative_to(TOP)), path=path):
                    known = re.split(r"/?[^/]*NAME", path)[0]
                    self.assertTrue(all(self.expanded(known)), f"{known} is not there")

    @staticmethod
    def expanded(path):
        braces = re.search(r"\{([^}]*)\}", path)
        choices = braces[1].split(",") if braces else [""]
        for choice in choices:
            one = path.replace(braces[0], choice) if braces else path
            yield any(True for _ in TOP.glob(one.rstrip("/")))

    def test_every_page_that_a_source_names_is_there(self):
        for name in tracked("src", "cmake", "tools", "tests", "bench", "web", "Makefile"):
            text = (TOP / name).read_text(errors="replace")
            for page in set(re.findall(r"(?<![\w/])docs/[\w-]+\.md\b", text)):
                with self.subTest(file=name, page=page):
                    self.assertTrue((TOP / page).exists())

    def test_a_framework_stands_in_the_files_of_its_recipe(self):
        """And in gordian-facts, of which the recipe speaks apart. The hooks may be several files. What
        GoogleTest calls its variables is known elsewhere, too, and it alone has an adapter."""
        recipe = (TOP / "docs" / "adding.md").read_text().split("## A framework")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (.*?) \|", recipe, re.M)
        files = {name for row in rows for name in re.findall(r"`(src/[\w./]+)`", row)}
        self.assertLessEqual(len(files), 8)
        names = {folder.name for folder in (TOP / "src" / "frameworks").iterdir() if folder.is_dir()}
        names.remove("gtest")
        self.assertGreater(len(names), 3)
        for source in tracked("src/*.h", "src/*.cc"):
            code = re.sub(r'"(?:[^"\\]|\\.)*"', "", re.sub("//.*", "", (TOP / source).read_text()))
            for name in names:
                if not re.search(name, code, re.I) or source == "src/facts/frameworks.cc":
                    continue
                row = re.sub(rf"/{name}_\w+\.(h|cc)$", "/NAME_hooks.cc", source)
                with self.subTest(framework=name, file=source):
                    self.assertIn(row.replace(f"/{name}/", "/NAME/"), files)

    def test_every_option_of_a_shown_command_exists(self):
        helps = {}
        shown = 0
        for page in pages():
            text = page.read_text().replace("\\\n", " ")
            code = "\n".join(FENCE.findall(text)) + "\n" + "\n".join(re.findall(r"`([^`\n]+)`", text))
            for command, rest in re.findall(r"\bgordian ([a-z]+)\b([^\n|;&]*)", code):
                words = rest.split(" -- ")[0].split("#")[0]
                options = re.findall(r"(?<![\w-])(--[a-z][\w-]*)", words)
                if not options:
                    continue
                if command not in helps:
                    helps[command] = self.gordian(command, "--help")
                help_ = helps[command]
                for option in options:
                    with self.subTest(page=page.name, command=command, option=option):
                        self.assertEqual(help_.code, 0, help_)
                        self.assertRegex(help_.out + help_.err, rf"(?m){option}\b")
                        shown += 1
        self.assertGreater(shown, 50, "no commands were found in the pages")


if __name__ == "__main__":
    gordian.main()
