#include "tests/unit/proofs/proofs_cases.h"

#include "atl/base/check.h"

#include <algorithm>
#include <cctype>

namespace atl::proofs_cases {

namespace {

class Parser {
public:
  explicit Parser(const std::string &text) : text_(text) {}

  Pred whole() {
    Pred p = disjunction();
    ATL_CHECK(peek() == '\0', "cannot read " + text_);
    return p;
  }

private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(const std::string &token) {
    peek();
    if (text_.compare(at_, token.size(), token) != 0)
      return false;
    at_ += token.size();
    return true;
  }

  Pred disjunction() {
    Pred p = conjunction();
    while (accept("or "))
      p = disj(p, conjunction());
    return p;
  }

  Pred conjunction() {
    Pred p = chain();
    while (accept("and "))
      p = conj(p, chain());
    return p;
  }

  std::optional<PredOp> comparison() {
    static const std::pair<const char *, PredOp> symbols[] = {{"<=", PredOp::le}, {">=", PredOp::ge},
                                                              {"==", PredOp::eq}, {"!=", PredOp::ne},
                                                              {"<", PredOp::lt},  {">", PredOp::gt}};
    for (const auto &[symbol, op] : symbols)
      if (accept(symbol))
        return op;
    return std::nullopt;
  }

  Pred chain() {
    Pred p = truth(true);
    Index left = sum();
    while (auto op = comparison()) {
      Index right = sum();
      p = conj(p, compare(*op, left, right));
      left = right;
    }
    return p;
  }

  Index sum() {
    Index e = product();
    for (;;)
      if (accept("+"))
        e = binary(IndexOp::add, e, product());
      else if (accept("-"))
        e = binary(IndexOp::sub, e, product());
      else
        return e;
  }

  Index product() {
    Index e = atom();
    for (;;)
      if (accept("*"))
        e = binary(IndexOp::mul, e, atom());
      else if (accept("/"))
        e = binary(IndexOp::div, e, atom());
      else if (accept("%"))
        e = binary(IndexOp::mod, e, atom());
      else
        return e;
  }

  Index call(IndexOp op) {
    Index a = sum();
    ATL_CHECK(accept(","), "cannot read " + text_);
    Index b = sum();
    ATL_CHECK(accept(")"), "cannot read " + text_);
    return binary(op, a, b);
  }

  Index atom() {
    if (accept("("))
      return parenthesized();
    if (accept("cdiv("))
      return call(IndexOp::cdiv);
    if (accept("min("))
      return call(IndexOp::min);
    if (accept("max("))
      return call(IndexOp::max);
    std::string word = accept("-") ? "-" : "";
    peek();
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      word += text_[at_++];
    ATL_CHECK(!word.empty(), "cannot read " + text_);
    return std::isalpha(static_cast<unsigned char>(word[0])) ? variable(word) : constant(std::stoll(word));
  }

  Index parenthesized() {
    Index e = sum();
    ATL_CHECK(accept(")"), "cannot read " + text_);
    return e;
  }

  const std::string text_;
  std::size_t at_ = 0;
};

int below(std::mt19937 &random, int n) {
  return static_cast<int>(random() % static_cast<unsigned>(n));
}

Index any_name(std::mt19937 &random) {
  static const char *const names[] = {"N", "M", "i", "j"};
  return variable(names[below(random, 4)]);
}

Pred random_comparison(std::mt19937 &random) {
  static const PredOp ops[] = {PredOp::lt, PredOp::le, PredOp::gt, PredOp::ge, PredOp::eq, PredOp::ne};
  Index a = random_index(random, 2), b = random_index(random, 2);
  return compare(ops[below(random, 6)], a, b);
}

} // namespace

Pred pred(const std::string &text) {
  return Parser(text).whole();
}

Obligation obligation(const std::vector<Pred> &hypotheses, const std::vector<Pred> &claims) {
  Obligation o{};
  o.kind = ObligationKind::bounds;
  o.code = Code::out_of_bounds;
  o.kernel = "k";
  o.what = "all is well";
  o.hypotheses = hypotheses;
  std::set<std::string> names;
  for (const Pred &p : hypotheses)
    collect_variables(p, names);
  for (const Pred &p : claims) {
    collect_variables(p, names);
    o.claims.push_back({p, {}});
  }
  for (const std::string &name : names)
    (std::isupper(static_cast<unsigned char>(name[0])) ? o.sizes : o.variables).push_back(name);
  return o;
}

Obligation parsed(const std::vector<std::string> &hypotheses, const std::vector<std::string> &claims) {
  std::vector<Pred> all_hypotheses, all_claims;
  for (const std::string &text : hypotheses)
    all_hypotheses.push_back(pred(text));
  for (const std::string &text : claims)
    all_claims.push_back(pred(text));
  return obligation(all_hypotheses, all_claims);
}

// Every size also has the bounds that the language gives it.
static Family family(std::string name, bool linear, std::vector<std::string> hypotheses,
                     const std::vector<std::string> &claims) {
  Obligation names = parsed(hypotheses, claims);
  for (const std::string &size : names.sizes)
    hypotheses.push_back("0 <= " + size + " <= 2147483647");
  return {std::move(name), parsed(hypotheses, claims), linear};
}

std::vector<Family> families() {
  const std::vector<std::string> in4{"0 <= a < A", "0 <= b < B", "0 <= c < C", "0 <= d < D"};
  const std::vector<std::string> flat_in4{"0 <= x < A * B * C * D"};
  const std::string flat4 = "(((a * B + b) * C + c) * D + d)";
  auto twice = [](std::vector<std::string> a, const std::vector<std::string> &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  return {
      family("stencil", true, {"0 <= y < N + 2", "0 <= x < M"}, {"0 <= x + 2 < M + 2", "y < N + 2"}),
      family(
          "tile of 4", true, {"0 <= io < cdiv(N, 4)", "0 <= ii < 4", "io * 4 + ii < N"},
          {"(io * 4 + ii) / 4 == io", "(io * 4 + ii) % 4 == ii", "io < (N + 3) / 4", "0 <= io * 4 + ii < N"}),
      family("cut of 4", true, {}, {"0 <= 4 * cdiv(N, 4) - N < 4"}),
      family("nested literal division", true, {"0 <= x < N"},
             {"x / 4 / 8 / 2 == x / 64", "x / 4 / 8 / 2 < cdiv(cdiv(cdiv(N, 4), 8), 2)"}),
      family("min and max", true, {"0 <= i < min(N, M)"}, {"i < N", "i < M", "max(N, M) <= N + M"}),
      family("store once", true, {"0 <= i < N", "0 <= j < N", "i != j", "0 <= ii < 8", "0 <= jj < 8"},
             {"i * 8 + ii != j * 8 + jj"}),
      family("flatten", false, {"0 <= i < N", "0 <= j < M"}, {"0 <= i * M + j < N * M"}),
      family("flatten, quotient", false, {"0 <= i < N", "0 <= j < M"}, {"(i * M + j) / M == i"}),
      family("flatten, remainder", false, {"0 <= i < N", "0 <= j < M"}, {"(i * M + j) % M == j"}),
      family("flatten is injective", false,
             {"0 <= i < N", "0 <= j < M", "0 <= k < N", "0 <= l < M", "i * M + j == k * M + l"},
             {"i == k", "j == l"}),
      family("split by 2 and flattened", false, {"0 <= j < N", "0 <= l < N"},
             {"0 <= j / 2 * N * 2 + j % 2 * N + l < N * N"}),
      family("cdiv by a size", false, {"T > 0"}, {"cdiv(N, T) * T >= N", "cdiv(N, T) * T - N < T"}),
      family("tile of a size", false, {"T > 0", "0 <= io < cdiv(N, T)", "0 <= ii < T"},
             {"0 <= io * T + ii < T * cdiv(N, T)"}),
      family("guarded tile of a size", false,
             {"T > 0", "0 <= io < cdiv(N, T)", "0 <= ii < T", "io * T + ii < N"},
             {"0 <= io * T + ii < N", "(io * T + ii) / T == io"}),
      family("tiles are disjoint", false,
             {"T > 0", "0 <= io < cdiv(N, T)", "0 <= ii < T", "0 <= ko < cdiv(N, T)", "0 <= ki < T",
              "io * T + ii == ko * T + ki"},
             {"io == ko", "ii == ki"}),
      family("four dimensions", false, in4, {"0 <= " + flat4 + " < A * B * C * D"}),
      family("four dimensions, expanded", false, in4,
             {"0 <= a * (B * C * D) + b * (C * D) + c * D + d < A * B * C * D"}),
      family("division by three sizes", false, flat_in4, {"0 <= x / (B * C * D) < A"}),
      family("nested division", false, flat_in4, {"0 <= x / D / C / B < A"}),
      family("remainders of four", false, flat_in4,
             {"0 <= x % D < D", "0 <= x / D % C < C", "0 <= x / D / C % B < B"}),
      family("nested division is division", false, {"C > 0", "D > 0", "0 <= x"},
             {"x / D / C == x / (C * D)"}),
      family("there and back, four", false, in4,
             {flat4 + " / D / C / B == a", flat4 + " / D / C % B == b", flat4 + " / D % C == c",
              flat4 + " % D == d"}),
      family("four dimensions are injective", false,
             twice(in4, {"0 <= i < A", "0 <= j < B", "0 <= k < C", "0 <= l < D",
                         flat4 + " == ((i * B + j) * C + k) * D + l"}),
             {"a == i", "b == j", "c == k", "d == l"}),
      family("splits give the extents back", false, {"B > 0", "C > 0", "D > 0"},
             {"cdiv(cdiv(cdiv(A * B * C * D, D), C), B) == A", "cdiv(A * B * C * D, D) == A * B * C"}),
      family("split and join", false, {"T > 0", "0 <= x < N"},
             {"x / T < cdiv(N, T)", "x / T * T + x % T == x", "x % T < T"}),
      family("division is monotone", false, {"T > 0", "0 <= x <= y"}, {"x / T <= y / T"}),
      family("unequal quotients", false, {"T > 0", "x / T != y / T"}, {"x != y"}),
      family("extents", false, {}, {"0 <= N * M", "0 <= N * M * K * 4"}),
      family(
          "width", false, {"0 <= i < N", "0 <= j < M"},
          {"-9223372036854775807 <= i * M + j <= 9223372036854775807", "N * M * 2 <= 9223372036854775807"}),
      family("width of four", false, twice(in4, {"A <= 10000", "B <= 10000", "C <= 10000", "D <= 10000"}),
             {"A * B * C * D <= 9223372036854775807", flat4 + " <= 9223372036854775807"}),
      family("im2col", false, {"B > 0", "C > 0", "0 <= x < A * B * C"},
             {"x / (B * C) < A", "x % (B * C) / C < B", "x % C < C"}),
      family("tiles of a matrix", false,
             {"T > 0", "0 <= io < cdiv(N, T)", "0 <= jo < cdiv(M, T)", "0 <= ii < T", "0 <= ji < T",
              "io * T + ii < N", "jo * T + ji < M"},
             {"0 <= (io * T + ii) * M + jo * T + ji < N * M",
              "((io * cdiv(M, T) + jo) * T + ii) * T + ji < cdiv(N, T) * cdiv(M, T) * T * T"}),
      family("strided convolution", false,
             {"S > 0", "K >= 1", "K <= H + 2 * P", "0 <= oh < (H + 2 * P - K) / S + 1", "0 <= k < K"},
             {"0 <= oh * S + k < H + 2 * P"}),
      family(
          "decoding a column", false, {"0 <= c < C * K * L", "K > 0", "L > 0"},
          {"0 <= c / (K * L) < C", "0 <= c / L % K < K", "(c / (K * L) * K + c / L % K) * L + c % L == c"}),
      family("packed triangle", false, {"0 <= i < N", "0 <= j <= i"},
             {"0 <= i * (i + 1) / 2 + j < N * (N + 1) / 2"}),
      family("squares", false, {"0 <= i < N"}, {"i * i <= (N - 1) * (N - 1)"}),
      family("last tile", false, {"T > 0", "0 <= io < cdiv(N, T)", "0 <= i < min(T, N - io * T)"},
             {"io * T + i < N"}),
      family("rounding up twice", false, {"T > 0", "U > 0"}, {"cdiv(cdiv(N, T), U) == cdiv(N, T * U)"}),
      family("five dimensions are injective", false,
             twice(in4, {"0 <= e < E", "0 <= i < A", "0 <= j < B", "0 <= k < C", "0 <= l < D", "0 <= m < E",
                         "a != i or b != j or c != k or d != l or e != m"}),
             {flat4 + " * E + e != (((i * B + j) * C + k) * D + l) * E + m"}),
      family("a rotation is injective", false, {"0 <= i < M", "0 <= j < M", "i != j"},
             {"(4 % M + i) % M != (4 % M + j) % M"}),
      family("split of a flattened row", false, {"T > 0", "M > 0", "0 <= x < N * M"},
             {"x / M < N", "x % M / T < cdiv(M, T)"}),
  };
}

Obligation made_stricter(Obligation o) {
  for (Claim &claim : o.claims) {
    std::vector<Pred> parts{claim.holds};
    while (parts.back()->op == PredOp::conj) {
      Pred both = parts.back();
      parts.back() = both->a;
      parts.push_back(both->b);
    }
    const Pred &last = parts.back();
    if (last->op == PredOp::eq)
      claim.holds = compare(PredOp::ne, last->lhs, last->rhs);
    else
      claim.holds = conj(claim.holds, compare(last->op, add(last->lhs, constant(1)), last->rhs));
  }
  return o;
}

Index random_index(std::mt19937 &random, int depth) {
  int choice = below(random, depth > 0 ? 9 : 2);
  if (choice == 0)
    return any_name(random);
  if (choice == 1)
    return constant(below(random, 8) - 2);
  Index a = random_index(random, depth - 1);
  if (choice <= 5) {
    static const IndexOp rings[] = {IndexOp::add, IndexOp::add, IndexOp::sub, IndexOp::mul};
    return binary(rings[choice - 2], a, random_index(random, depth - 1));
  }
  static const IndexOp ops[] = {IndexOp::div, IndexOp::mod, IndexOp::cdiv, IndexOp::min, IndexOp::max};
  IndexOp op = ops[below(random, 5)];
  return binary(op, a, below(random, 3) == 0 ? any_name(random) : constant(below(random, 5) + 1));
}

Obligation random_obligation(std::mt19937 &random) {
  std::vector<Pred> hypotheses;
  for (auto [one, other] : {std::pair{"0 <= N", "1 <= N"},
                            {"0 <= M", "0 <= M"},
                            {"0 <= i < N", "0 <= i < N + 2"},
                            {"0 <= j < M", "-2 <= j < cdiv(M, 4)"}})
    hypotheses.push_back(pred(below(random, 2) == 0 ? one : other));
  if (below(random, 2) == 0)
    hypotheses.push_back(random_comparison(random));
  static const char *const usual[] = {"i * M + j < N * M", "(i * M + j) / M == i", "0 <= i + j"};
  std::vector<Pred> claims{below(random, 2) == 0 ? pred(usual[below(random, 3)]) : random_comparison(random)};
  if (below(random, 2) == 0)
    claims.push_back(random_comparison(random));
  return obligation(hypotheses, claims);
}

} // namespace atl::proofs_cases
