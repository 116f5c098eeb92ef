/* What the tables below say of the kernels. */
typedef union {
  int64_t size;
  void *tensor;
  float f32;
  double f64;
  int8_t i8;
  uint8_t u8;
  int16_t i16;
  uint16_t u16;
  int32_t i32;
  uint32_t u32;
  int64_t i64;
  bool boolean;
} AtlValue;
typedef AtlNumber AtlExpression(const AtlValue *values);

/* extent = slope * size + rest, both without the size */
typedef struct {
  int size; /* a parameter */
  AtlExpression *slope, *rest;
} AtlLine;
typedef struct {
  const char *text;
  AtlExpression *value;
  const int *sizes; /* those in it, by their names; ends with -1 */
  bool is_number;
  const AtlLine *lines;
  int line_count;
} AtlExtent;
typedef struct {
  const char *text;
  AtlExpression *holds;
  const int *sizes;
} AtlClause;

typedef enum { atl_size, atl_scalar, atl_input, atl_output } AtlKind;
typedef struct {
  const char *name, *declaration; /* A, A: f32[M, K] */
  AtlKind kind;
  AtlElem elem;
  int rank;
  const AtlExtent *extents;
  int64_t limit; /* of a size */
} AtlParam;
typedef struct {
  const char *name, *out, *copy; /* the last two as parameters of the function in Python */
  const AtlParam *params;        /* as in C */
  int param_count, output_count;
  const AtlClause *where;
  int where_count;
  int (*call)(const AtlValue *values);
  const char *(*message)(int error);
  PyStructSequence_Desc *results; /* of several outputs */
  PyObject **names;               /* of the parameters, of `out` and of `copy`, made when the module is */
  PyObject **result_type;
} AtlKernel;

/* One call. Everything in it is given back by atl_release. */
typedef struct {
  Py_buffer buffer;
  bool is_exported;    /* by an object of Python */
  PyObject *capsule;   /* of DLPack */
  Py_ssize_t *strides; /* in bytes, of DLPack */
  void *copy;
} AtlView;
typedef struct {
  const AtlKernel *kernel;
  PyObject *given[ATL_MOST_PARAMS]; /* borrowed; of an output: the one to fill */
  PyObject *made[ATL_MOST_PARAMS];  /* the outputs, owned */
  PyObject *out_tuple;
  bool copy;
  AtlValue values[ATL_MOST_PARAMS];
  AtlValue scalars[ATL_MOST_PARAMS]; /* outputs of rank 0 */
  AtlView views[ATL_MOST_PARAMS];
  bool known[ATL_MOST_PARAMS]; /* of sizes */
  struct {
    int param, dimension; /* from which the size follows; -1: it was given */
  } reasons[ATL_MOST_PARAMS];
} AtlCall;

/* Sentences. Names are those of the program, so all of it is ASCII. */
typedef struct {
  char data[4000];
  size_t used;
} AtlText;

static void atl_say(AtlText *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text->data + text->used, sizeof text->data - text->used, format, arguments);
  va_end(arguments);
  if (length > 0)
    text->used += (size_t)length < sizeof text->data - text->used ? (size_t)length : sizeof text->data - text->used - 1;
}

static bool atl_fail(const AtlCall *call, PyObject *type, const AtlText *text) {
  AtlText all = {.used = 0};
  atl_say(&all, "%s: %s", call->kernel->name, text->data);
  PyErr_SetString(type, all.data);
  return false;
}
