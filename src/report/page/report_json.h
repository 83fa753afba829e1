// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Everything a database knows of some test binaries, as one public, versioned document: what the
// page of `report --html` shows, and what `report --json` writes (docs/json.md). By the rules of
// report/json.h.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "model/report_facts.h"
#include "report/source_files.h"

namespace gordian {

/// Gives the lines of source files as they were when `binary` was built.
using SourcesOf = std::function<SourceReader(const std::string& binary)>;

enum class DocumentFor {
  programs,  ///< as docs/json.md says
  page,      ///< the same facts, with long lists in short forms: web/src/compact.ts reads them
};

/// {"kind": "report", "version": 1, "suites": [...]}
nlohmann::json report_to_json(const ReportFacts& facts, const SourcesOf& sources,
                              DocumentFor reader = DocumentFor::programs);

}  // namespace gordian
