/* A call: arguments, sizes, results, and then the kernel, while other threads of Python run. */
static PyObject *atl_empty, *atl_dtypes[sizeof atl_elems / sizeof *atl_elems]; /* of NumPy, once they are needed */

static PyObject *atl_pair(PyObject *first, PyObject *second) { /* takes the first */
  PyObject *pair = PyTuple_New(2);
  if (!pair)
    return Py_DecRef(first), NULL;
  Py_IncRef(second);
  PyTuple_SetItem(pair, 0, first);
  PyTuple_SetItem(pair, 1, second);
  return pair;
}

static bool atl_find_numpy(const AtlCall *call, AtlElem elem) {
  if (!atl_empty) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    atl_empty = numpy ? PyObject_GetAttrString(numpy, "empty") : NULL;
    Py_DecRef(numpy);
    if (!atl_empty) {
      AtlText text = {.used = 0};
      atl_say(&text, "results are arrays of NumPy, which cannot be imported: pass memory for them, %s=...",
              call->kernel->out);
      return atl_fail(call, PyExc_ImportError, &text);
    }
  }
  if (!atl_dtypes[elem])
    atl_dtypes[elem] = PyUnicode_FromString(atl_elems[elem].numpy);
  return atl_dtypes[elem] != NULL;
}

static PyObject *atl_shape(const AtlCall *call, const AtlParam *p) {
  PyObject *shape = PyTuple_New(p->rank);
  AtlNumber bytes = atl_number(atl_elems[p->elem].bytes);
  for (int d = 0; shape && d < p->rank; ++d) {
    const AtlNumber extent = p->extents[d].value(call->values);
    PyObject *number = PyLong_FromLongLong(extent.value);
    bytes = atl_mul(bytes, extent);
    if (number && bytes.known && extent.value >= 0) {
      PyTuple_SetItem(shape, d, number);
      continue;
    }
    Py_DecRef(number);
    Py_DecRef(shape);
    AtlText text = {.used = 0};
    atl_say(&text, "%s", call->kernel->message(ATL_TOO_LARGE));
    return atl_fail(call, PyExc_MemoryError, &text), NULL;
  }
  return shape;
}

static bool atl_make_output(AtlCall *call, int param) {
  const AtlParam *p = &call->kernel->params[param];
  if (p->rank == 0) {
    call->values[param].tensor = &call->scalars[param];
    return true;
  }
  if (!atl_find_numpy(call, p->elem))
    return false;
  PyObject *shape = atl_shape(call, p), *arguments = shape ? atl_pair(shape, atl_dtypes[p->elem]) : NULL;
  PyObject *array = arguments ? PyObject_CallObject(atl_empty, arguments) : NULL;
  Py_DecRef(arguments);
  call->made[param] = array;
  return array && atl_take_tensor(call, param, array);
}

static PyObject *atl_scalar_object(const AtlValue *value, AtlElem elem) {
  switch (elem) {
  case atl_f32: return PyFloat_FromDouble((double)value->f32);
  case atl_f64: return PyFloat_FromDouble(value->f64);
  case atl_i8: return PyLong_FromLongLong(value->i8);
  case atl_u8: return PyLong_FromLongLong(value->u8);
  case atl_i16: return PyLong_FromLongLong(value->i16);
  case atl_u16: return PyLong_FromLongLong(value->u16);
  case atl_i32: return PyLong_FromLongLong(value->i32);
  case atl_u32: return PyLong_FromLongLong(value->u32);
  case atl_i64: return PyLong_FromLongLong(value->i64);
  case atl_bool: break;
  }
  return PyBool_FromLong(value->boolean);
}

static PyObject *atl_result(const AtlCall *call, int param) {
  PyObject *object = call->given[param] ? call->given[param] : call->made[param];
  if (!object)
    return atl_scalar_object(&call->scalars[param], call->kernel->params[param].elem);
  Py_IncRef(object);
  return object;
}

static PyObject *atl_results(const AtlCall *call) {
  const AtlKernel *kernel = call->kernel;
  const int first = kernel->param_count - kernel->output_count;
  if (kernel->output_count == 1)
    return atl_result(call, first);
  PyObject *all = PyStructSequence_New(*kernel->result_type);
  for (int i = 0; all && i < kernel->output_count; ++i) {
    PyObject *one = atl_result(call, first + i);
    if (!one)
      return Py_DecRef(all), NULL;
    PyStructSequence_SetItem(all, i, one);
  }
  return all;
}

static bool atl_run(AtlCall *call) {
  const AtlKernel *kernel = call->kernel;
  if (!atl_take_inputs(call) || !atl_infer(call) || !atl_check_sizes(call))
    return false;
  for (int p = kernel->param_count - kernel->output_count; p < kernel->param_count; ++p)
    if (call->given[p] ? !atl_take_tensor(call, p, call->given[p]) || !atl_check_extents(call, p)
                       : !atl_make_output(call, p))
      return false;
  void *thread = PyEval_SaveThread();
  const int error = kernel->call(call->values);
  PyEval_RestoreThread(thread);
  if (error == ATL_OK)
    return true;
  AtlText text = {.used = 0};
  atl_say(&text, "%s", kernel->message(error));
  const bool is_memory = error == ATL_TOO_LARGE || error == ATL_OUT_OF_MEMORY;
  return atl_fail(call, is_memory ? PyExc_MemoryError : PyExc_ValueError, &text);
}

static PyObject *atl_call(const AtlKernel *kernel, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
  AtlCall call;
  memset(&call, 0, sizeof call);
  call.kernel = kernel;
  PyObject *results = atl_parse(&call, arguments, count, names) && atl_run(&call) ? atl_results(&call) : NULL;
  atl_release(&call);
  return results;
}

static bool atl_prepare(const AtlKernel *kernel) {
  const int n = kernel->param_count;
  for (int p = 0; p < n + 2; ++p) {
    kernel->names[p] = PyUnicode_InternFromString(p == n       ? kernel->out
                                                  : p == n + 1 ? kernel->copy
                                                               : kernel->params[p].name);
    if (!kernel->names[p])
      return false;
  }
  if (kernel->output_count > 1)
    *kernel->result_type = PyStructSequence_NewType(kernel->results);
  return kernel->output_count == 1 || *kernel->result_type;
}
