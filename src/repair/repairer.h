// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which dependence is looked at when: brittle tests first, then those that share a state, then one
// after another, and again while patches are accepted.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "repair/patch_bench.h"
#include "repair/repair.h"

namespace gordian {

/// REQUIRES: all that is given outlives it.
class Repairer {
 public:
  Repairer(const Suite& suite, const std::vector<KnownDependence>& dependences, PatchBench& bench,
           const BeforePatches& before, const RepairOptions& options, RepairListener& listener);

  Status run();
  std::vector<Repair> take_repairs() { return std::move(repairs_); }

 private:
  /// How far the ladder was climbed on top of what is accepted now.
  struct Climb {
    std::optional<PatchBench::Tried> best;
    std::set<std::string> hopeless;  ///< ways that leave the witness as it is
    bool put_off = false;
  };

  Status begin();
  /// Brittle tests first: what puts state back around others would make them fail always.
  Status round();
  /// The rest of the ladders that were put off, when no patch for another came to help.
  Status climb_on();
  Status repair_one(std::size_t i);
  Status climb(std::size_t i);
  /// Whether to leave the rest of the ladder for later: a patch for another dependence may be all
  /// that this one lacks.
  bool is_put_off(std::size_t i, const PatchBench::Tried& tried) const;
  Status end_of_ladder(std::size_t i, const Proposals& proposals);
  Status repair_together(const std::vector<std::size_t>& group);
  std::vector<std::vector<std::size_t>> groups() const;
  std::size_t polluters_of(const std::vector<std::size_t>& group) const;
  /// The dependence without those polluters that accepted patches have tamed.
  Result<KnownDependence> as_it_is_now(std::size_t i);
  /// Which dependences a patch has taken away with its own.
  Status note_gone(std::size_t by);
  void accept(std::size_t i, const PatchBench::Tried& tried);
  void give_up(std::size_t i, std::string why);
  void end_without(std::size_t i, std::string why);
  void told(std::size_t i, const PatchBench::Tried& tried);

  const Suite& suite_;
  const std::vector<KnownDependence>& given_;
  PatchBench& bench_;
  const BeforePatches& before_;
  const RepairOptions& options_;
  RepairListener& listener_;
  std::vector<NamedDependence> named_;
  std::vector<Repair> repairs_;
  std::vector<bool> done_;
  std::vector<Climb> climbs_;
  bool may_put_off_ = true;
};

}  // namespace gordian
