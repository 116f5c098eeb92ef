// The constants of the public header of Gemmini that emitted C uses, in its default configuration.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define DIM 16
#define BANK_NUM 4
#define BANK_ROWS 4096
#define GARBAGE_ADDR ((uint32_t)(-1))
#define WEIGHT_STATIONARY 1
#define NO_ACTIVATION 0
#define RELU 1
