// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How fast prioritised orders cover: the last one of each technique, of the build at hand. Reports
// draw them.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "model/report_facts.h"
#include "store/open_file.h"

namespace gordian {

class CurveStore : public StoreOf<CurveStore> {
 public:
  using StoreOf::StoreOf;

  /// Replaces earlier ones of the same binary path, technique and units; all or none.
  Status save(const BinaryIdentity& binary, std::span<const ReportedCurve> curves);
  Result<std::vector<ReportedCurve>> load(const BinaryIdentity& binary);
};

/// The default order first, then by technique. One of another build is not found.
Result<std::vector<ReportedCurve>> load_curves(Database& database, const BinaryIdentity& binary);

}  // namespace gordian
