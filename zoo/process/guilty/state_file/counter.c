// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int load(void) {
  int value = 0;
  FILE* file = fopen("counter.txt", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%d", &value) != 1) value = -1;
  fclose(file);
  return value;
}

static void save(int value) {
  FILE* file = fopen("counter.txt", "w");
  assert(file != NULL);
  fprintf(file, "%d\n", value);
  fclose(file);
}

int main(int argc, char** argv) {
  assert(argc == 2);
  if (strcmp(argv[1], "fresh") == 0) assert(load() == 0);
  if (strcmp(argv[1], "count") == 0) {
    int before = load();
    save(before + 1);
    assert(load() == before + 1);
  }
  if (strcmp(argv[1], "name") == 0) assert(strstr(argv[0], "state_file") != NULL);
  return 0;
}
