// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#pragma once

class Settings {
 public:
  static Settings& instance();

  int verbosity() const { return verbosity_; }
  void set_verbosity(int level);

 private:
  int verbosity_ = 1;
};
