/* Tensors of the caller: the buffer protocol first, else DLPack. Nothing is copied, unless the caller asks for it. */
static const char *atl_kind_name(char kind) {
  return kind == 'f' ? "float" : kind == 'i' ? "int" : kind == 'u' ? "uint" : kind == 'c' ? "complex" : "bool";
}

/* The kind of one element of a format of the struct module; 0 for others. The bytes are those of this machine. */
static char atl_kind_of(const char *format) {
  if (!format)
    return 'u';
  const union {
    uint16_t number;
    uint8_t first;
  } order = {1};
  if (*format == '@' || *format == '=' || *format == (order.first ? '<' : '>'))
    ++format;
  if (format[0] == 0 || format[1] != 0)
    return 0;
  return strchr("bhilqn", *format) ? 'i' : strchr("BHILQN", *format) ? 'u' : strchr("efd", *format) ? 'f'
         : *format == '?'                                            ? 'b'
                                                                     : 0;
}

/* f, i, u, c, b: the types of DLPack */
static const char *const atl_formats[5][4] = {
    {NULL, "e", "f", "d"}, {"b", "h", "i", "q"}, {"B", "H", "I", "Q"}, {NULL}, {"?", NULL}};
typedef struct {
  void *data;
  struct {
    int32_t kind, number;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} AtlDLTensor;

static const char *atl_dlpack_format(const AtlDLTensor *tensor) {
  static const int rows[] = {1, 2, 0, -1, -1, 3, 4}; /* kDLInt, kDLUInt, kDLFloat, handle, bfloat, complex, bool */
  const int code = tensor->dtype.code, bits = tensor->dtype.bits;
  const int column = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : bits == 64 ? 3 : -1;
  const char *format = code > 6 || rows[code] < 0 || column < 0 || tensor->dtype.lanes != 1
                           ? NULL
                           : atl_formats[rows[code]][column];
  return format ? format : "of another kind";
}

static bool atl_take_dlpack(AtlCall *call, int param, PyObject *object, PyObject *method) {
  AtlView *view = &call->views[param];
  view->capsule = PyObject_CallObject(method, NULL);
  if (!view->capsule)
    return false;
  const AtlDLTensor *tensor = PyCapsule_GetPointer(view->capsule, "dltensor");
  if (!tensor)
    return false;
  AtlText text = {.used = 0};
  if (tensor->device.kind != 1 && tensor->device.kind != 3) { /* memory of the host */
    atl_say(&text, "%s is in the memory of a device (%d in DLPack): copy it to the host first",
            call->kernel->params[param].name, (int)tensor->device.kind);
    return atl_fail(call, PyExc_BufferError, &text);
  }
  const int rank = tensor->ndim;
  const Py_ssize_t bytes = (tensor->dtype.bits + 7) / 8;
  view->strides = malloc(sizeof(Py_ssize_t) * (size_t)(rank + 1));
  if (!view->strides)
    return PyErr_NoMemory(), false;
  Py_ssize_t length = bytes;
  for (int d = rank - 1; d >= 0; --d) {
    view->strides[d] = tensor->strides ? (Py_ssize_t)tensor->strides[d] * bytes : length;
    length *= (Py_ssize_t)tensor->shape[d];
  }
  view->buffer = (Py_buffer){.buf = (char *)tensor->data + tensor->byte_offset, .obj = object, .len = length,
                             .itemsize = bytes, .ndim = rank, .format = (char *)atl_dlpack_format(tensor),
                             .shape = (Py_ssize_t *)tensor->shape, .strides = view->strides};
  return true;
}

static bool atl_take(AtlCall *call, int param, PyObject *object) {
  AtlView *view = &call->views[param];
  if (PyObject_CheckBuffer(object)) {
    view->is_exported = PyObject_GetBuffer(object, &view->buffer, PyBUF_STRIDES | PyBUF_FORMAT) == 0;
    return view->is_exported;
  }
  PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
  if (method) {
    const bool taken = atl_take_dlpack(call, param, object, method);
    Py_DecRef(method);
    return taken;
  }
  PyErr_Clear();
  PyObject *type = PyObject_Type(object), *name = type ? PyObject_GetAttrString(type, "__name__") : NULL;
  const char *type_name = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  AtlText text = {.used = 0};
  const AtlParam *p = &call->kernel->params[param];
  atl_say(&text, "%s is needed, but %s is of type %.100s: numpy.asarray(..., dtype=\"%s\") makes an array of it",
          p->declaration, p->name, type_name ? type_name : "?", atl_elems[p->elem].numpy);
  PyErr_Clear();
  Py_DecRef(name);
  Py_DecRef(type);
  return atl_fail(call, PyExc_TypeError, &text);
}

static bool atl_check_type(const AtlCall *call, int param) {
  const Py_buffer *b = &call->views[param].buffer;
  const AtlParam *p = &call->kernel->params[param];
  const char kind = atl_kind_of(b->format);
  AtlText text = {.used = 0};
  if (kind != atl_elems[p->elem].kind || b->itemsize != atl_elems[p->elem].bytes) {
    atl_say(&text, "%s is needed, which is %s in NumPy, but the elements of %s are ", p->declaration,
            atl_elems[p->elem].numpy, p->name);
    if (kind == 'b')
      atl_say(&text, "bool");
    else if (kind)
      atl_say(&text, "%s%d", atl_kind_name(kind), (int)b->itemsize * 8);
    else
      atl_say(&text, "%.100s", b->format);
    return atl_fail(call, PyExc_TypeError, &text);
  }
  if (b->ndim != p->rank) {
    atl_say(&text, "%s is needed, with %d dimension%s, but %s has %d", p->declaration, p->rank,
            p->rank == 1 ? "" : "s", p->name, b->ndim);
    return atl_fail(call, PyExc_ValueError, &text);
  }
  return true;
}

/* Dense, row-major, and where elements of its type may be. */
static bool atl_is_contiguous(const Py_buffer *b) {
  Py_ssize_t dense = b->itemsize;
  bool is_dense = true;
  for (int d = b->ndim - 1; d >= 0; --d) {
    if (b->shape[d] == 0)
      return true;
    is_dense = is_dense && (b->shape[d] == 1 || !b->strides || b->strides[d] == dense);
    dense *= b->shape[d];
  }
  return is_dense && (uintptr_t)b->buf % (size_t)b->itemsize == 0;
}

static bool atl_check_layout(AtlCall *call, int param) {
  AtlView *view = &call->views[param];
  const AtlParam *p = &call->kernel->params[param];
  if (atl_is_contiguous(&view->buffer))
    return true;
  if (p->kind == atl_input && call->copy) {
    view->copy = malloc((size_t)view->buffer.len);
    if (!view->copy)
      return PyErr_NoMemory(), false;
    return PyBuffer_ToContiguous(view->copy, &view->buffer, view->buffer.len, 'C') == 0;
  }
  AtlText text = {.used = 0};
  atl_say(&text, "%s is not contiguous, row by row: ", p->name);
  if (p->kind == atl_input)
    atl_say(&text, "add %s=True, or pass numpy.ascontiguousarray(...)", call->kernel->copy);
  else
    atl_say(&text, "pass an array made by numpy.empty");
  return atl_fail(call, PyExc_ValueError, &text);
}

static bool atl_check_bools(const AtlCall *call, int param) {
  const uint8_t *bytes = call->values[param].tensor;
  const Py_ssize_t count = call->views[param].buffer.len;
  uint8_t all = 0;
  for (Py_ssize_t i = 0; i < count; ++i)
    all |= bytes[i];
  if (all <= 1)
    return true;
  AtlText text = {.used = 0};
  atl_say(&text, "a byte of %s is neither 0 nor 1, as those of bool are", call->kernel->params[param].name);
  return atl_fail(call, PyExc_ValueError, &text);
}

/* An input or output that was given. */
static bool atl_take_tensor(AtlCall *call, int param, PyObject *object) {
  if (!atl_take(call, param, object) || !atl_check_type(call, param) || !atl_check_layout(call, param))
    return false;
  AtlView *view = &call->views[param];
  call->values[param].tensor = view->copy ? view->copy : view->buffer.buf;
  const AtlParam *p = &call->kernel->params[param];
  if (p->kind == atl_output && view->buffer.readonly) {
    AtlText text = {.used = 0};
    atl_say(&text, "%s is read-only", p->name);
    return atl_fail(call, PyExc_ValueError, &text);
  }
  return p->kind != atl_input || p->elem != atl_bool || atl_check_bools(call, param);
}

static void atl_release(AtlCall *call) {
  for (int p = 0; p < call->kernel->param_count; ++p) {
    AtlView *view = &call->views[p];
    if (view->is_exported)
      PyBuffer_Release(&view->buffer);
    Py_DecRef(view->capsule);
    free(view->strides);
    free(view->copy);
    Py_DecRef(call->made[p]);
  }
  Py_DecRef(call->out_tuple);
}
