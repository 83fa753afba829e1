// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/other_writers.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace gordian {

std::vector<OtherWriter> other_writers(const DataFlow& flow, std::size_t near) {
  std::map<StateId, std::vector<Place>> writers;  // ascending
  std::map<TestId, Place> places;
  for (Place place = 0; place < flow.tests.size(); ++place) {
    places.emplace(flow.tests[place].test, place);
    for (StateId state : flow.tests[place].writes) writers[state].push_back(place);
  }
  std::set<OtherWriter> pairs;
  for (Place reader = 0; reader < flow.tests.size(); ++reader) {
    for (StateId state : flow.tests[reader].reads) {
      const std::vector<Place>& all = writers[state];
      const auto behind = std::upper_bound(all.begin(), all.end(), reader);
      const auto own = std::lower_bound(all.begin(), all.end(), reader);
      const auto left = static_cast<std::size_t>(all.end() - behind);
      for (std::size_t i = 0; i < std::min(near, left); ++i) pairs.insert({reader, behind[i]});
      const auto before = static_cast<std::size_t>(own - all.begin());
      for (std::size_t i = 1; i < before && i <= near; ++i) {
        pairs.insert({reader, all[before - 1 - i]});
      }
    }
  }
  for (const DataDependence& known : flow.dependences) {
    pairs.erase({places.at(known.reader), places.at(known.writer)});
  }
  return {pairs.begin(), pairs.end()};
}

std::vector<Place> order_of(const FlowGraph& graph, const OtherWriter& pair) {
  const std::vector<Place> for_reader = graph.needed_by(pair.reader);
  const std::vector<Place> for_writer = graph.needed_by(pair.writer);
  std::vector<Place> order;
  std::set_union(for_reader.begin(), for_reader.end(), for_writer.begin(), for_writer.end(),
                 std::back_inserter(order));
  std::erase_if(order, [&](Place place) { return place == pair.reader || place == pair.writer; });
  order.push_back(pair.writer);
  order.push_back(pair.reader);
  return order;
}

}  // namespace gordian
