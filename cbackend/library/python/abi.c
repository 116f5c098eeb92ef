#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of CPython's stable ABI (3.11 and later) that is used here: Python's headers are not needed. */
typedef struct PyObject PyObject;
typedef ptrdiff_t Py_ssize_t;

typedef struct {
  void *buf;
  PyObject *obj;
  Py_ssize_t len, itemsize;
  int readonly, ndim;
  char *format;
  Py_ssize_t *shape, *strides, *suboffsets;
  void *internal;
} Py_buffer;
enum { PyBUF_FORMAT = 0x4, PyBUF_STRIDES = 0x18 };

typedef PyObject *AtlFunction(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *names);
enum { METH_FASTCALL = 0x80, METH_KEYWORDS = 0x2 };
typedef struct {
  const char *name;
  AtlFunction *function;
  int flags;
  const char *doc;
} PyMethodDef;
typedef struct {
  struct {
    Py_ssize_t references;
    void *type;
    PyObject *(*init)(void);
    Py_ssize_t index;
    PyObject *copy;
  } base;
  const char *name, *doc;
  Py_ssize_t size;
  PyMethodDef *methods;
  void *slots, *traverse, *clear, *free;
} PyModuleDef;
typedef struct {
  const char *name, *doc;
} PyStructSequence_Field;
typedef struct {
  const char *name, *doc;
  PyStructSequence_Field *fields;
  int count;
} PyStructSequence_Desc;

extern PyObject _Py_NoneStruct;
extern PyObject *PyExc_BufferError, *PyExc_ImportError, *PyExc_MemoryError, *PyExc_OverflowError, *PyExc_TypeError,
    *PyExc_ValueError;

void Py_IncRef(PyObject *);
void Py_DecRef(PyObject *);
PyObject *PyModule_Create2(PyModuleDef *, int version);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);

PyObject *PyErr_Occurred(void);
void PyErr_Clear(void);
void PyErr_SetString(PyObject *, const char *);
PyObject *PyErr_NoMemory(void);

int PyObject_CheckBuffer(PyObject *);
int PyObject_GetBuffer(PyObject *, Py_buffer *, int flags);
void PyBuffer_Release(Py_buffer *);
int PyBuffer_ToContiguous(void *, const Py_buffer *, Py_ssize_t, char order);

PyObject *PyImport_ImportModule(const char *);
PyObject *PyObject_Call(PyObject *, PyObject *, PyObject *);
PyObject *PyObject_CallObject(PyObject *, PyObject *);
PyObject *PyObject_GetAttrString(PyObject *, const char *);
int PyObject_IsTrue(PyObject *);
PyObject *PyObject_Type(PyObject *);
void *PyCapsule_GetPointer(PyObject *, const char *);

PyObject *PyBool_FromLong(long);
PyObject *PyFloat_FromDouble(double);
double PyFloat_AsDouble(PyObject *);
PyObject *PyLong_FromLongLong(long long);
long long PyLong_AsLongLong(PyObject *);
PyObject *PyNumber_Index(PyObject *);
PyObject *PyUnicode_FromString(const char *);
PyObject *PyUnicode_InternFromString(const char *);
const char *PyUnicode_AsUTF8AndSize(PyObject *, Py_ssize_t *);
int PyUnicode_CompareWithASCIIString(PyObject *, const char *);
PyObject *PyTuple_New(Py_ssize_t);
Py_ssize_t PyTuple_Size(PyObject *);
PyObject *PyTuple_GetItem(PyObject *, Py_ssize_t);
int PyTuple_SetItem(PyObject *, Py_ssize_t, PyObject *);
PyObject *PySequence_Tuple(PyObject *);
PyObject *PyStructSequence_NewType(PyStructSequence_Desc *);
PyObject *PyStructSequence_New(PyObject *type);
void PyStructSequence_SetItem(PyObject *, Py_ssize_t, PyObject *);

#define Py_None (&_Py_NoneStruct)
