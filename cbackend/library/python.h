// The Python package of a library: a module in C, which calls its kernels, and the texts around it. The C of
// the module is python/*.c, the same for all libraries, with tables of the kernels behind it.
#pragma once
#include "cbackend/function/interface.h"
#include "cbackend/library/emit_c.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace atl::cbackend {

struct PythonPackage {
  std::string name;
  std::string source, module; // the module in C, and the file that it is compiled to
  std::vector<File> files;    // all but the latter
};

// `flags`: of the C compiler, for those who compile it again. `version`: of the library; without one, that is
// 0.
PythonPackage emit_python(const std::string &library, const std::vector<lowering::LoopKernel> &kernels,
                          const std::vector<std::string> &flags, const std::string &version);

// How kernels, their parameters and results are called in Python: as in the program, unless Python uses the
// name otherwise.
class PythonNames {
public:
  std::string claim(std::string_view name);

private:
  std::set<std::string> taken_;
};
std::string python_package_name(std::string_view library);
std::string numpy_name(Elem elem); // float32

struct PythonKernel {
  const CKernel *kernel;
  std::string name, results; // results: the type of several
  std::vector<std::string> params;
  std::string out, copy; // the options
};
std::vector<PythonKernel> python_kernels(const CLibrary &library);
std::string python_documentation(const PythonKernel &kernel);
// "A, B, *, M=None, out=None, copy=False"; with types if there are texts for them.
struct PythonTypes {
  std::string input, size, out, copy;
  std::string scalar(Elem elem) const;
};
std::string python_parameters(const PythonKernel &kernel, const PythonTypes *types = nullptr);

std::string emit_python_module(const CLibrary &library, const std::vector<PythonKernel> &kernels,
                               const std::string &package);

} // namespace atl::cbackend
