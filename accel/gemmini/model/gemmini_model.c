// What the commands of Gemmini do (gemmini_model.h). Weight-stationary: a preload names the weights and the
// place of the result, the compute that follows it multiplies.
#include "gemmini_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct {
  int on;
  int8_t spad[SPAD_ROWS][DIM];
  int32_t acc[ACC_ROWS][DIM];
  uint8_t written[LOCAL_ROWS][DIM];
  int8_t weights[DIM][DIM];
  struct block preloaded, result;
  int has_preload, is_preload_of_loop;
  struct {
    int is_set, a_stride, c_stride;
  } ex;
  struct {
    int is_set, shrunk, block_stride;
    uint64_t stride;
    float scale;
  } ld[3];
  struct {
    int is_set, relu;
    uint64_t stride;
    float scale;
  } st;
  int in_loop; // the next command is made by one
  struct gemmini_model_statistics stats;
} g;

static gemmini_model_handler handler;
static uint64_t seed = 1;

static void fail(const char *message) {
  if (handler) {
    handler(message);
    return;
  }
  fprintf(stderr, "gemmini: %s\n", message);
  abort();
}

static int refuse(const char *format, ...) {
  char message[160];
  va_list values;
  va_start(values, format);
  vsnprintf(message, sizeof message, format, values);
  va_end(values);
  fail(message);
  return 0;
}

uint32_t gemmini_model_float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

void gemmini_model_on_error(gemmini_model_handler h) {
  handler = h;
}

void gemmini_model_reset(void) {
  memset(&g, 0, sizeof g);
  g.on = 1;
  uint32_t state = 2463534242U; // xorshift: garbage that is the same in each run
  for (int r = 0; r < LOCAL_ROWS; ++r)
    for (int c = 0; c < DIM; ++c) {
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      if (r < SPAD_ROWS)
        g.spad[r][c] = (int8_t)(state & 0x7f);
      else
        g.acc[r - SPAD_ROWS][c] = (int32_t)(state >> 8);
    }
  timeline_reset();
  dram_reset();
  order_reset();
  station_reset(seed);
}

void gemmini_model_seed(uint64_t new_seed) {
  seed = new_seed;
  gemmini_model_reset();
}

static struct block block_of(uint64_t operand) {
  return (struct block){(uint32_t)operand, (int)(operand >> 48), (int)(operand >> 32 & 0xffff)};
}
static int is_garbage(struct block b) {
  return b.address == GARBAGE_ADDR;
}
static int in_accumulator(uint32_t address) {
  return address >> 31 != 0;
}
static int adds(uint32_t address) {
  return (address >> 30 & 1) != 0;
}
static int at_full_width(uint32_t address) {
  return (address >> 29 & 1) != 0;
}
// The number among all rows; only valid if `has_rows` said so.
static int row_number(uint32_t address) {
  return in_accumulator(address) ? SPAD_ROWS + (int)(address & 0x3ffffff) : (int)(address & 0x3ffffff);
}

static int has_rows(const char *what, uint32_t address, int64_t last) {
  int64_t rows = in_accumulator(address) ? ACC_ROWS : SPAD_ROWS, first = address & 0x3ffffff;
  return first + last < rows ||
         refuse("%s: row %lld of %lld", what, (long long)(first + last), (long long)rows);
}

static int has_size(const char *what, struct block b, int cols) {
  if (b.rows < 1 || b.rows > DIM)
    return refuse("%s: %d rows; there are 1 to %d", what, b.rows, DIM);
  return (b.cols >= 1 && b.cols <= cols) || refuse("%s: %d columns; there are 1 to %d", what, b.cols, cols);
}

static int8_t saturated(float v) {
  float rounded = nearbyintf(v); // to nearest, ties to even
  if (rounded < -128)
    return -128;
  return rounded <= 127 ? (int8_t)rounded : 127; // 127 for NaN, too
}

static void note_read(int row, int col) {
  g.stats.unwritten_reads += !g.written[row][col];
}

static void put(uint32_t address, int row, int col, int32_t value) {
  g.written[row][col] = 1;
  if (!in_accumulator(address))
    g.spad[row][col] = (int8_t)value;
  else {
    int32_t *cell = &g.acc[row - SPAD_ROWS][col];
    if (adds(address))
      note_read(row, col);
    *cell = (int32_t)((adds(address) ? (uint32_t)*cell : 0) + (uint32_t)value);
  }
}

static void issue(struct work *work) {
  ++g.stats.commands[work->unit];
  g.stats.configurations += (uint64_t)work->is_configuration;
  if (g.in_loop)
    timeline_issue_of_loop(work);
  else
    timeline_issue(work);
}

// Some time later it is done.
static void enter(const struct command *command, const struct work *work) {
  struct conflict c = order_enter(work);
  if (c.first)
    refuse(
        "mvins %lld and %lld since the fence may store to row %d%s in any order: nothing stands between them",
        (long long)c.first, (long long)c.second, c.row < SPAD_ROWS ? c.row : c.row - SPAD_ROWS,
        c.row < SPAD_ROWS ? "" : " of the accumulator");
  station_enter(command, work);
}

static void configure(uint64_t rs1, uint64_t rs2) {
  struct work work = {.is_configuration = 1};
  if ((rs1 & 3) == CONFIG_EX) {
    work.unit = GEMMINI_EXECUTE;
    if ((rs1 >> 2 & 1) != WEIGHT_STATIONARY || (rs1 >> 8 & 3) != 0) {
      refuse("config_ex: only weight-stationary without transposes is modelled");
      return;
    }
    g.ex.is_set |= !(rs1 >> 7 & 1);
    g.ex.a_stride = (int)(rs1 >> 16 & 0xffff), g.ex.c_stride = (int)(rs2 >> 48);
  } else if ((rs1 & 3) == CONFIG_LD) {
    int id = (int)(rs1 >> 3 & 3);
    if (id > 2 || (rs1 >> 8 & 0xff) != 1) {
      refuse("config_ld: id %d, pixel repeats %d", id, (int)(rs1 >> 8 & 0xff));
      return;
    }
    g.ld[id].is_set = 1, g.ld[id].shrunk = (int)(rs1 >> 2 & 1),
    g.ld[id].block_stride = (int)(rs1 >> 16 & 0xffff);
    g.ld[id].scale = float_of(rs1 >> 32), g.ld[id].stride = rs2;
  } else if ((rs1 & 3) == CONFIG_ST) {
    work.unit = GEMMINI_STORE;
    if ((rs1 >> 4 & 3) != 0 || (rs1 >> 2 & 3) > RELU) {
      refuse("config_st: pooling and activations besides ReLU are not modelled");
      return;
    }
    g.st.is_set = 1, g.st.relu = (rs1 >> 2 & 3) == RELU, g.st.stride = rs2 & 0xffffffff;
    if (rs2 >> 32 != 0xffffffff) // all ones: keep the scale
      g.st.scale = float_of(rs2 >> 32);
  } else
    refuse("config of normalisation is not modelled");
  issue(&work);
}

static void load(int id, uint64_t address, struct block to) {
  int wide = in_accumulator(to.address) && !g.ld[id].shrunk, element = wide ? 4 : 1;
  int blocks = (to.cols + DIM - 1) / DIM, apart = g.ld[id].block_stride;
  if (!g.ld[id].is_set) {
    refuse("mvin %d before its config_ld", id + 1);
    return;
  }
  if (!has_size("mvin", to, wide ? DIM : MAX_BLOCK_LEN * DIM) ||
      !has_rows("mvin", to.address, (int64_t)(blocks - 1) * apart + to.rows - 1))
    return;
  if (apart < to.rows) {
    refuse("mvin: blocks %d rows apart, of %d rows", apart, to.rows);
    return;
  }
  struct dram_block from = {address, g.ld[id].stride, to.rows, to.cols * element};
  if (address != 0 && !dram_load(&from, fail))
    return;
  struct command command = {.to = to, .apart = apart};
  for (int r = 0; r < to.rows; ++r)
    for (int c = 0; c < to.cols; ++c) {
      const int8_t *cell =
          (const int8_t *)(uintptr_t)(address + (uint64_t)r * from.stride) + (size_t)c * (size_t)element;
      if (address != 0 && wide)
        memcpy(&command.values[r][c], cell, sizeof command.values[r][c]);
      else if (address != 0)
        command.values[r][c] = saturated((float)*cell * g.ld[id].scale);
    }
  g.stats.bytes_in += address != 0 ? (uint64_t)from.rows * (uint64_t)from.bytes : 0;
  struct work work = {.unit = GEMMINI_LOAD,
                      .dram = from,
                      .is_wide = wide,
                      .is_scaled = !wide && g.ld[id].scale != 1,
                      .write_count = blocks,
                      .adds = in_accumulator(to.address) && adds(to.address)};
  for (int b = 0; b < blocks; ++b)
    work.writes[b] = (struct rows){row_number(to.address) + b * apart, to.rows};
  issue(&work);
  enter(&command, &work);
}

void do_load(const struct command *command, int row) {
  int block = row / DIM, r = row % DIM;
  for (int c = block * DIM; c < command->to.cols && c < (block + 1) * DIM; ++c)
    put(command->to.address, row_number(command->to.address) + block * command->apart + r, c % DIM,
        command->values[r][c]);
}

static int32_t read_out(const struct command *command, int row, int col) {
  uint32_t address = command->from.address;
  note_read(row, col);
  if (!in_accumulator(address))
    return g.spad[row][col];
  int32_t value = g.acc[row - SPAD_ROWS][col];
  if (at_full_width(address))
    return value;
  if (command->relu && value < 0) // before the scale, also where that is negative
    value = 0;
  return saturated((float)value * command->scale);
}

static void store(uint64_t address, struct block from) {
  int wide = in_accumulator(from.address) && at_full_width(from.address);
  int blocks = (from.cols + DIM - 1) / DIM;
  if (!g.st.is_set) {
    refuse("mvout before config_st");
    return;
  }
  if (!has_size("mvout", from, wide ? DIM : MAX_BLOCK_LEN * DIM) ||
      !has_rows("mvout", from.address, (int64_t)(blocks - 1) * DIM + from.rows - 1))
    return;
  struct dram_block to = {address, g.st.stride, from.rows, from.cols * (wide ? 4 : 1)};
  struct command command = {.from = from, .relu = g.st.relu, .scale = g.st.scale};
  command.bytes = dram_store(&to, fail);
  if (!command.bytes)
    return;
  g.stats.bytes_out += (uint64_t)to.rows * (uint64_t)to.bytes;
  struct work work = {.unit = GEMMINI_STORE, .dram = to, .is_wide = wide};
  work.read_count = blocks;
  for (int b = 0; b < blocks; ++b)
    work.reads[b] = (struct rows){row_number(from.address) + b * DIM, from.rows};
  issue(&work);
  enter(&command, &work);
}

void do_store(const struct command *command) {
  struct block from = command->from;
  uint8_t *to = command->bytes;
  for (int r = 0; r < from.rows; ++r)
    for (int c = 0; c < from.cols; ++c) {
      int32_t value = read_out(command, row_number(from.address) + c / DIM * DIM + r, c % DIM);
      int size = in_accumulator(from.address) && at_full_width(from.address) ? 4 : 1;
      memcpy(to, &value, (size_t)size); // the low bytes come first
      to += size;
    }
}

static void add_range(struct rows *ranges, int *count, struct block b, int stride) {
  if (!is_garbage(b))
    ranges[(*count)++] = (struct rows){row_number(b.address), (b.rows - 1) * stride + 1};
}

static void preload(struct block weights, struct block result) {
  if (!g.ex.is_set) {
    refuse("preload before config_ex");
    return;
  }
  if (!is_garbage(weights) && in_accumulator(weights.address)) {
    refuse("preload: weights in the accumulator are not modelled");
    return;
  }
  if (!is_garbage(weights) &&
      !(has_size("preload", weights, DIM) && has_rows("preload", weights.address, weights.rows - 1)))
    return;
  if (!is_garbage(result) && !in_accumulator(result.address)) {
    refuse("preload: results in the scratchpad are not modelled");
    return;
  }
  if (!is_garbage(result) &&
      !(has_size("preload", result, DIM) &&
        has_rows("preload", result.address, (int64_t)(result.rows - 1) * g.ex.c_stride)))
    return;
  g.preloaded = weights, g.result = result, g.has_preload = 1, g.is_preload_of_loop = g.in_loop;
  struct work work = {.unit = GEMMINI_EXECUTE, .part = PART_PRELOAD, .adds = adds(result.address)};
  add_range(work.reads, &work.read_count, weights, 1);
  add_range(work.writes, &work.write_count, result, g.ex.c_stride);
  issue(&work);
}

static void take_weights(struct block from) {
  memset(g.weights, 0, sizeof g.weights);
  for (int r = 0; !is_garbage(from) && r < from.rows; ++r)
    for (int c = 0; c < from.cols; ++c) {
      int row = row_number(from.address) + r;
      note_read(row, c);
      g.weights[r][c] = g.spad[row][c];
    }
}

static uint32_t product(const struct command *command, int r, int c) {
  struct block a = command->a, d = command->d;
  uint32_t sum = is_garbage(d) ? 0 : (uint32_t)(int32_t)g.spad[row_number(d.address) + r][c];
  for (int k = 0; k < a.cols; ++k)
    sum += (uint32_t)(g.spad[row_number(a.address) + r * command->a_stride][k] * g.weights[k][c]);
  return sum;
}

static int can_compute(struct block a, struct block d) {
  if (!g.has_preload)
    return refuse("compute without a preload before it");
  if (is_garbage(a) || in_accumulator(a.address) || (!is_garbage(d) && in_accumulator(d.address)))
    return refuse("compute: operands that are garbage, or in the accumulator, are not modelled");
  if (!has_size("compute", a, DIM) || !has_rows("compute", a.address, (int64_t)(a.rows - 1) * g.ex.a_stride))
    return 0;
  if (!is_garbage(d) && !(has_size("compute", d, DIM) && has_rows("compute", d.address, d.rows - 1)))
    return 0;
  return is_garbage(g.result) || g.result.rows <= a.rows ||
         refuse("compute: a result of %d rows from %d rows", g.result.rows, a.rows);
}

void do_compute(const struct command *command) {
  struct block a = command->a, to = command->result;
  if (command->new_weights)
    take_weights(command->weights);
  for (int r = 0; !is_garbage(to) && r < to.rows; ++r) {
    for (int k = 0; k < a.cols; ++k)
      note_read(row_number(a.address) + r * command->a_stride, k);
    for (int c = 0; c < to.cols; ++c)
      put(to.address, row_number(to.address) + r * command->c_stride, c, (int32_t)product(command, r, c));
  }
}

static void compute(struct block a, struct block d, int with_new_weights) {
  if (!can_compute(a, d))
    return;
  int rows = is_garbage(g.result) ? 0 : g.result.rows;
  g.stats.multiplications += (uint64_t)rows * (uint64_t)g.result.cols * (uint64_t)a.cols;
  struct work work = {.unit = GEMMINI_EXECUTE, .part = PART_COMPUTE};
  add_range(work.reads, &work.read_count, a, g.ex.a_stride);
  add_range(work.reads, &work.read_count, d, 1);
  g.has_preload = 0;
  issue(&work);
  add_range(work.reads, &work.read_count, g.preloaded, 1); // and those of its preload
  add_range(work.writes, &work.write_count, g.result, g.ex.c_stride);
  struct command command = {.weights = g.preloaded,
                            .a = a,
                            .d = d,
                            .result = g.result,
                            .new_weights = with_new_weights,
                            .a_stride = g.ex.a_stride,
                            .c_stride = g.ex.c_stride};
  enter(&command, &work);
}

// Loads that wait for the result of a preload could fill the station, so that its compute never comes.
static int splits_preload(int funct) {
  return g.has_preload && !g.is_preload_of_loop && funct != k_COMPUTE_PRELOADED &&
         funct != k_COMPUTE_ACCUMULATE;
}

static void carry_out(int funct, uint64_t rs1, uint64_t rs2) {
  switch (funct) {
  case k_CONFIG: configure(rs1, rs2); break;
  case k_MVIN: load(0, rs1, block_of(rs2)); break;
  case k_MVIN2: load(1, rs1, block_of(rs2)); break;
  case k_MVIN3: load(2, rs1, block_of(rs2)); break;
  case k_MVOUT: store(rs1, block_of(rs2)); break;
  case k_PRELOAD: preload(block_of(rs1), block_of(rs2)); break;
  case k_COMPUTE_PRELOADED: compute(block_of(rs1), block_of(rs2), 1); break;
  case k_COMPUTE_ACCUMULATE: compute(block_of(rs1), block_of(rs2), 0); break;
  case k_FLUSH: break; // there is no TLB
  case k_LOOP_WS:
  case k_LOOP_WS_CONFIG_BOUNDS:
  case k_LOOP_WS_CONFIG_ADDRS_AB:
  case k_LOOP_WS_CONFIG_ADDRS_DC:
  case k_LOOP_WS_CONFIG_STRIDES_AB:
  case k_LOOP_WS_CONFIG_STRIDES_DC: product_set_up(funct, rs1, rs2, fail); break;
  case k_LOOP_CONV_WS:
  case k_LOOP_CONV_WS_CONFIG_1:
  case k_LOOP_CONV_WS_CONFIG_2:
  case k_LOOP_CONV_WS_CONFIG_3:
  case k_LOOP_CONV_WS_CONFIG_4:
  case k_LOOP_CONV_WS_CONFIG_5:
  case k_LOOP_CONV_WS_CONFIG_6: convolution_set_up(funct, rs1, rs2, fail); break;
  default: refuse("operation %d is not modelled", funct);
  }
}

void gemmini_model_issue(int funct, uint64_t rs1, uint64_t rs2) {
  if (!g.on)
    gemmini_model_reset();
  if (splits_preload(funct))
    refuse("a preload is not followed by its compute: this may hang");
  carry_out(funct, rs1, rs2);
}

void loop_command(int funct, uint64_t rs1, uint64_t rs2) {
  g.in_loop = 1;
  carry_out(funct, rs1, rs2);
  g.in_loop = 0;
}

void gemmini_model_fence(void) {
  if (!g.on)
    gemmini_model_reset();
  ++g.stats.fences;
  if (g.has_preload && !g.is_preload_of_loop)
    refuse("a fence behind a preload without its compute: this may hang");
  timeline_fence(); // loops have sent all of their commands
  station_fence();
  order_reset();
  dram_fence(fail);
}

struct gemmini_model_statistics gemmini_model_statistics(void) {
  g.stats.cycles = timeline_end();
  for (int unit = 0; unit < GEMMINI_UNITS; ++unit)
    g.stats.busy[unit] = timeline_busy(unit);
  return g.stats;
}

uint64_t gemmini_model_unwritten_reads(void) {
  return g.stats.unwritten_reads;
}

uint64_t gemmini_model_multiplications(void) {
  return g.stats.multiplications;
}

double gemmini_model_cycles(void) {
  return timeline_end();
}

double gemmini_model_utilisation(void) {
  double cycles = timeline_end();
  return cycles > 0 ? (double)g.stats.multiplications / (256 * cycles) : 0;
}

void gemmini_model_report(FILE *to) {
  static const char *const names[GEMMINI_UNITS] = {"load", "execute", "store"};
  struct gemmini_model_statistics s = gemmini_model_statistics();
  double busy = 0;
  for (int unit = 0; unit < GEMMINI_UNITS; ++unit) {
    fprintf(to, "gemmini: %-7s %8llu commands %12.0f cycles\n", names[unit],
            (unsigned long long)s.commands[unit], s.busy[unit]);
    busy += s.busy[unit];
  }
  fprintf(to, "gemmini: %llu of them configure; %llu fences; %llu bytes in, %llu bytes out\n",
          (unsigned long long)s.configurations, (unsigned long long)s.fences, (unsigned long long)s.bytes_in,
          (unsigned long long)s.bytes_out);
  fprintf(to, "gemmini: %.0f cycles in all (%.0f without overlap), %.1f %% of the peak\n", s.cycles, busy,
          100 * gemmini_model_utilisation());
  if (s.unwritten_reads)
    fprintf(to, "gemmini: %llu elements were read that nothing wrote\n",
            (unsigned long long)s.unwritten_reads);
}
