// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A little of everything that debug information describes, in few bytes.
namespace app {
struct Base {
  long identity;
};
template <class T>
struct Pool : Base {
  static int used;
  T* first;
  union {
    int number;
    float real;
  };
  unsigned low : 3;
};
template <class T>
int Pool<T>::used = 1;
enum class Colour : short { red = -1, green = 200 };
Pool<Colour> g_pool;
int g_grid[2][3];
struct Declared;
Declared* g_declared;
const char* volatile g_text;
}  // namespace app
thread_local int t_depth;
namespace {
int hidden;
}
int depth(int by) {
  static int current;
  {
    static long nested;
    nested += by;
  }
  return current += by + hidden++ + app::Pool<app::Colour>::used++ + t_depth++;
}
