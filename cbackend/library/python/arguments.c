/* Arguments by position and by name to parameters; scalars to numbers of their types. */
static bool atl_is_positional(const AtlParam *p) { return p->kind == atl_scalar || p->kind == atl_input; }

/* The parameter of that name; behind all of them come `out` and `copy`. -1: there is none. */
static int atl_find(const AtlKernel *kernel, PyObject *name) {
  const int n = kernel->param_count;
  for (int p = 0; p < n + 2; ++p)
    if (kernel->names[p] == name && (p >= n || kernel->params[p].kind != atl_output))
      return p;
  for (int p = 0; p < n + 2; ++p) {
    const char *text = p == n ? kernel->out : p == n + 1 ? kernel->copy : kernel->params[p].name;
    if ((p >= n || kernel->params[p].kind != atl_output) && PyUnicode_CompareWithASCIIString(name, text) == 0)
      return p;
  }
  return -1;
}

static void atl_say_params(AtlText *text, const AtlKernel *kernel) {
  const char *separator = "";
  for (int p = 0; p < kernel->param_count; ++p)
    if (kernel->params[p].kind != atl_output) {
      atl_say(text, "%s%s", separator, kernel->params[p].declaration);
      separator = ", ";
    }
}

static bool atl_wrong_argument(const AtlCall *call, const char *what, const char *name) {
  AtlText text = {.used = 0};
  atl_say(&text, what, name);
  atl_say(&text, "; the parameters are ");
  atl_say_params(&text, call->kernel);
  return atl_fail(call, PyExc_TypeError, &text);
}

/* Those by name; `special` are `out` and `copy`. None says that one is not given. */
static bool atl_parse_names(AtlCall *call, PyObject *const *arguments, PyObject *names, PyObject **special) {
  const int n = call->kernel->param_count;
  const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *name = PyTuple_GetItem(names, i);
    const int p = atl_find(call->kernel, name);
    if (p < 0) {
      const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
      return text && atl_wrong_argument(call, "there is no parameter '%.100s'", text);
    }
    PyObject **place = p < n ? &call->given[p] : &special[p - n];
    if (*place)
      return atl_wrong_argument(call, "%s is given twice", p < n ? call->kernel->params[p].name : "an option");
    if (arguments[i] != Py_None || (p < n && atl_is_positional(&call->kernel->params[p])))
      *place = arguments[i];
  }
  return true;
}

static bool atl_take_outputs(AtlCall *call, PyObject *out) {
  const AtlKernel *kernel = call->kernel;
  const int first = kernel->param_count - kernel->output_count;
  if (kernel->output_count == 1) {
    call->given[first] = out;
    return true;
  }
  call->out_tuple = PySequence_Tuple(out);
  if (!call->out_tuple)
    return false;
  AtlText text = {.used = 0};
  if (PyTuple_Size(call->out_tuple) != kernel->output_count) {
    atl_say(&text, "%s is a tuple of the %d results: arrays, or None", kernel->out, kernel->output_count);
    return atl_fail(call, PyExc_TypeError, &text);
  }
  for (int i = 0; i < kernel->output_count; ++i) {
    PyObject *one = PyTuple_GetItem(call->out_tuple, i);
    call->given[first + i] = one == Py_None ? NULL : one;
  }
  return true;
}

static bool atl_parse(AtlCall *call, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
  const AtlKernel *kernel = call->kernel;
  PyObject *special[2] = {NULL, NULL};
  int next = 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    while (next < kernel->param_count && !atl_is_positional(&kernel->params[next]))
      ++next;
    if (next == kernel->param_count)
      return atl_wrong_argument(call, "there are too many arguments%s", "; sizes are given by name");
    call->given[next++] = arguments[i];
  }
  if (!atl_parse_names(call, arguments + count, names, special))
    return false;
  for (int p = 0; p < kernel->param_count; ++p)
    if (atl_is_positional(&kernel->params[p]) && !call->given[p])
      return atl_wrong_argument(call, "the parameter %s is not given", kernel->params[p].name);
  const int copy = special[1] ? PyObject_IsTrue(special[1]) : 0;
  call->copy = copy == 1;
  return copy >= 0 && (!special[0] || atl_take_outputs(call, special[0]));
}

/* What Python has to say of an argument, after its name. */
static bool atl_wrong_value(const AtlCall *call, int param, const char *what) {
  PyErr_Clear();
  AtlText text = {.used = 0};
  atl_say(&text, "%s %s", call->kernel->params[param].declaration, what);
  return atl_fail(call, PyExc_TypeError, &text);
}

static bool atl_does_not_fit(const AtlCall *call, int param) {
  PyErr_Clear();
  AtlText text = {.used = 0};
  atl_say(&text, "%s: the number does not fit", call->kernel->params[param].declaration);
  return atl_fail(call, PyExc_OverflowError, &text);
}

static bool atl_integer(AtlCall *call, int param, int64_t least, int64_t greatest, int64_t *value) {
  PyObject *number = PyNumber_Index(call->given[param]);
  if (!number)
    return atl_wrong_value(call, param, "is needed, an integer");
  *value = PyLong_AsLongLong(number);
  Py_DecRef(number);
  return (!PyErr_Occurred() && *value >= least && *value <= greatest) || atl_does_not_fit(call, param);
}

static bool atl_boolean(AtlCall *call, int param) {
  PyObject *object = call->given[param];
  Py_buffer buffer;
  int64_t value = 2;
  if (!PyObject_CheckBuffer(object)) { /* of Python */
    if (!atl_integer(call, param, 0, 1, &value))
      return false;
  } else { /* of NumPy */
    if (PyObject_GetBuffer(object, &buffer, PyBUF_STRIDES | PyBUF_FORMAT) != 0)
      return false;
    if (buffer.ndim == 0 && atl_kind_of(buffer.format) == 'b')
      value = *(const uint8_t *)buffer.buf;
    PyBuffer_Release(&buffer);
  }
  call->values[param].boolean = value == 1;
  return value <= 1 || atl_wrong_value(call, param, "is needed, True or False");
}

static bool atl_take_scalar(AtlCall *call, int param) {
  AtlValue *value = &call->values[param];
  const AtlElem elem = call->kernel->params[param].elem;
  if (elem == atl_bool)
    return atl_boolean(call, param);
  if (atl_elems[elem].kind == 'f') {
    const double number = PyFloat_AsDouble(call->given[param]);
    if (number == -1 && PyErr_Occurred())
      return atl_wrong_value(call, param, "is needed, a number");
    if (elem == atl_f64)
      value->f64 = number;
    else
      value->f32 = (float)number;
    const bool is_finite = number - number == 0;
    return elem == atl_f64 || !is_finite || value->f32 - value->f32 == 0 || atl_does_not_fit(call, param);
  }
  const int bits = atl_elems[elem].bytes * 8;
  const bool is_signed = atl_elems[elem].kind == 'i';
  const int64_t greatest = INT64_MAX >> (64 - bits - !is_signed);
  int64_t number;
  if (!atl_integer(call, param, is_signed ? -greatest - 1 : 0, greatest, &number))
    return false;
  switch (elem) {
  case atl_i8: value->i8 = (int8_t)number; break;
  case atl_u8: value->u8 = (uint8_t)number; break;
  case atl_i16: value->i16 = (int16_t)number; break;
  case atl_u16: value->u16 = (uint16_t)number; break;
  case atl_i32: value->i32 = (int32_t)number; break;
  case atl_u32: value->u32 = (uint32_t)number; break;
  default: value->i64 = number; break;
  }
  return true;
}

static bool atl_take_inputs(AtlCall *call) {
  const AtlKernel *kernel = call->kernel;
  for (int p = 0; p < kernel->param_count; ++p) {
    const AtlKind kind = kernel->params[p].kind;
    if (kind == atl_scalar && !atl_take_scalar(call, p))
      return false;
    if (kind == atl_input && !atl_take_tensor(call, p, call->given[p]))
      return false;
    if (kind == atl_size && call->given[p]) {
      if (!atl_integer(call, p, INT64_MIN, INT64_MAX, &call->values[p].size))
        return false;
      call->known[p] = true;
      call->reasons[p].param = -1;
    }
  }
  return true;
}
