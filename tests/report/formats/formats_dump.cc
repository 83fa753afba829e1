// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// gordian_formats_dump FOLDER: writes the invented reports in every format, for validators that
// others maintain (e2e/report_formats.py). No test binary has names as hostile as these.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "report/formats/formats.h"
#include "report/json.h"
#include "tests/report/formats/report_samples.h"

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

void dump(const gordian::ReportFacts& facts, const std::filesystem::path& stem) {
  const gordian::SourceRoot root("/src");
  auto file = [&stem](const char* end) { return stem.string() + end; };
  write(file(".xml"), gordian::report_to_junit(facts));
  write(file(".sarif"), gordian::dump_json(gordian::report_to_sarif(facts, root)));
  write(file(".github"), gordian::report_to_github(facts, root));
  write(file(".gitlab"), gordian::dump_json(gordian::report_to_gitlab(facts, root)));
  write(file(".md"), gordian::report_to_markdown(facts, root));
  write(file(".tap"), gordian::report_to_tap(facts));
  write(file(".dot"), gordian::report_to_dot(facts));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: gordian_formats_dump FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  dump(gordian::testing_support::sample_report(), folder / "sample");
  dump(gordian::testing_support::hostile_report(), folder / "hostile");
  dump(gordian::ReportFacts{}, folder / "empty");
}
