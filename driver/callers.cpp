#include "driver/callers.h"

#include "atl/syntax/tree.h"

#include <algorithm>
#include <map>

namespace atl::driver {

namespace {

class Definitions {
public:
  Definitions(const Program &program, const std::vector<Compiled> &functions,
              const std::vector<Compiled> &kernels) {
    for (const Function &f : program.functions)
      bodies_[f.name] = f.body;
    for (const Kernel &k : program.kernels)
      bodies_[k.name] = k.body;
    for (const auto *compiled : {&functions, &kernels})
      for (const Compiled &definition : *compiled)
        if (!definition.proved)
          stands_[definition.name] = false;
  }

  // It is proved, and all that it calls. Calls do not go round in circles.
  bool stands(const std::string &name) {
    auto known = stands_.find(name);
    if (known == stands_.end())
      known = stands_.emplace(name, callees_stand(bodies_.at(name))).first;
    return known->second;
  }

private:
  bool callees_stand(const ExprPtr &e) {
    const Call *call = std::get_if<Call>(&e->node);
    const std::vector<ExprPtr> kids = children(*e);
    return (!call || stands(call->callee)) &&
           std::all_of(kids.begin(), kids.end(), [&](const ExprPtr &kid) { return callees_stand(kid); });
  }

  std::map<std::string, ExprPtr> bodies_;
  std::map<std::string, bool> stands_;
};

} // namespace

void withdraw_callers(const Program &program, const std::vector<Compiled> &functions,
                      std::vector<Compiled> &kernels) {
  Definitions definitions(program, functions, kernels);
  for (Compiled &kernel : kernels)
    kernel.proved = definitions.stands(kernel.name);
}

} // namespace atl::driver
