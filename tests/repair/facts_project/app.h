// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One state of each kind, for the tests of gordian-facts. Never built, only read.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace app {

extern int verbosity;
inline std::string prefix = "log: ";
inline std::map<std::string, int> seats;
inline std::unordered_map<std::string, std::shared_ptr<std::mutex>> locks;
inline std::map<int, std::unique_ptr<int>> owned;

class Cache {
 public:
  static Cache& get();
  void put(int value) { values_.push_back(value); }
  std::size_t size() const { return values_.size(); }
  void clear() { values_.clear(); }

 private:
  std::vector<int> values_;
  std::mutex mutex_;
};

class Session {
 public:
  static void open() { ++open_; }
  static void reset_all() { open_ = 0; }

 private:
  static int open_;
};

template <class T>
struct Pool {
  static inline int used = 0;
};

struct Profile {
  int limit = 10;
};
Profile* profile();

void set_verbosity(int level);
int warn();

}  // namespace app
