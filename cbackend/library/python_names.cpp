#include "cbackend/library/python.h"

#include "cbackend/term/names.h"

#include <iterator>
#include <sstream>

namespace atl::cbackend {

using NameSet = std::set<std::string, std::less<>>;

static NameSet words(const char *text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

static bool is_keyword(std::string_view name) {
  static const NameSet keywords = words(R"(
    False None True and as assert async await break class continue def del elif else except finally for from global if
    import in is lambda nonlocal not or pass raise return try while with yield
  )");
  return keywords.contains(name);
}

// Packages that come with Python, or that ours import: a folder of such a name would hide them.
static bool is_known_package(std::string_view name) {
  static const NameSet packages = words(R"(
    abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins
    bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
    configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
    distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
    functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib
    imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap
    marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers
    numpy opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pip pipes pkgutil platform plistlib poplib
    posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re
    readline reprlib resource rlcompleter runpy sched secrets select selectors setuptools shelve shlex shutil signal site
    smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string
    stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios test
    textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo
    types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib
    xml xmlrpc zipapp zipfile zipimport zlib zoneinfo atlc
  )");
  return packages.contains(name);
}

std::string PythonNames::claim(std::string_view name) {
  std::string result = c_identifier(name);
  while (is_keyword(result) || !taken_.insert(result).second)
    result += '_';
  return result;
}

std::string python_package_name(std::string_view library) {
  std::string name = c_identifier(library);
  return is_keyword(name) || is_known_package(name) ? name + "_kernels" : name;
}

static PythonKernel python_kernel(const CKernel &kernel, PythonNames &functions) {
  PythonKernel result{&kernel, functions.claim(kernel.kernel->name), {}, {}, {}, {}};
  PythonNames params, results;
  for (const CParam &p : kernel.params)
    result.params.push_back((p.kind == CParam::Kind::output ? results : params).claim(p.name));
  result.out = params.claim("out");
  result.copy = params.claim("copy");
  return result;
}

std::vector<PythonKernel> python_kernels(const CLibrary &library) {
  PythonNames functions;
  functions.claim("_kernels"); // the module of ours
  std::vector<PythonKernel> kernels;
  for (const CKernel &kernel : library.kernels)
    kernels.push_back(python_kernel(kernel, functions));
  for (PythonKernel &kernel : kernels)
    kernel.results = functions.claim(kernel.name + "_results");
  return kernels;
}

std::string PythonTypes::scalar(Elem elem) const {
  return elem == Elem::boolean ? ": bool" : is_float(elem) ? ": float" : ": int";
}

std::string python_parameters(const PythonKernel &kernel, const PythonTypes *types) {
  std::string positional, named;
  const std::vector<CParam> &params = kernel.kernel->params;
  for (std::size_t i = 0; i < params.size(); ++i)
    switch (params[i].kind) {
    case CParam::Kind::size: named += kernel.params[i] + (types ? types->size : "=None") + ", "; break;
    case CParam::Kind::scalar:
      positional += kernel.params[i] + (types ? types->scalar(params[i].elem) : "") + ", ";
      break;
    case CParam::Kind::input: positional += kernel.params[i] + (types ? types->input : "") + ", "; break;
    case CParam::Kind::output: break;
    }
  return positional + "*, " + named + kernel.out + (types ? types->out : "=None") + ", " + kernel.copy +
         (types ? types->copy : "=False");
}

} // namespace atl::cbackend
