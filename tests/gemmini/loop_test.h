// What the tests of the hardware's loops share: the model's last error, what failed, random numbers.
#pragma once
#include "gemmini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char last_error[200];
static int failures;

static void remember(const char *message) {
  snprintf(last_error, sizeof last_error, "%s", message);
}

static void refused(const char *words) {
  if (!strstr(last_error, words)) {
    printf("not refused: %s (%s)\n", words, last_error);
    ++failures;
  }
  last_error[0] = 0;
}

static int below(int n) {
  return rand() / 3 % n;
}

static int least(int x, int y) {
  return x < y ? x : y;
}
