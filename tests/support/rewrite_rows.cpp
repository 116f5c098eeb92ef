#include "tests/support/rewrite_rows.h"

#include "atl/syntax/print.h"
#include "tests/support/agree.h"

namespace atl::testing {

namespace {

std::string kernel_text(const RewriteRow &row, const std::string &body) {
  return "kernel test" + row.signature + " { " + body + " }\n";
}

ScheduledText scheduled_row(const RewriteRow &row) {
  return scheduled(kernel_text(row, row.body) + "schedule s for test { " + row.steps + " }");
}

// Whatever way it was written in.
std::string as_printed(const RewriteRow &row, const std::string &body) {
  return print(typed(kernel_text(row, body)));
}

void applies(const RewriteRow &row, Numbers numbers) {
  CAPTURE(row.body);
  CAPTURE(row.steps);
  ScheduledText s = scheduled_row(row);
  CHECK(s.problem == ""); // from all obligations: of the step, of equality, and of the program as it is now
  CHECK(print(s.kernel) == as_printed(row, row.expected));
  bool bit_by_bit = s.in_order && !s.used_laws;
  CHECK(bit_by_bit == (numbers == Numbers::any));
  if (s.problem.empty())
    check_agreement(s, numbers);
}

} // namespace

void applies(const std::vector<RewriteRow> &rows) {
  for (const RewriteRow &row : rows)
    applies(row, Numbers::any);
}

void applies_up_to_rounding(const std::vector<RewriteRow> &rows) {
  for (const RewriteRow &row : rows)
    applies(row, Numbers::exact);
}

void refuses(const std::vector<RewriteRow> &rows) {
  for (const RewriteRow &row : rows) {
    CAPTURE(row.body);
    CAPTURE(row.steps);
    CHECK(scheduled_row(row).problem.substr(0, row.expected.size()) == row.expected);
    CHECK(!row.expected.empty());
  }
}

} // namespace atl::testing
