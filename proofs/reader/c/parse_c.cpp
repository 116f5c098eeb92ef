#include "proofs/reader/c/parse_c.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace atl::proofs::reader {

using Kind = CExpr::Kind;

namespace {

CExpr node(Kind kind, std::uint32_t at, std::string text, CExprs args = {}) {
  return {kind, std::move(text), std::move(args), at};
}

class Expressions {
public:
  explicit Expressions(Cursor &in) : in_(in) {}

  CExpr expression() {
    CExpr condition = infix(0);
    std::uint32_t at = in_.peek().at;
    if (!in_.takes("?"))
      return condition;
    CExpr then = expression();
    in_.expect(":");
    CExpr otherwise = expression();
    return node(Kind::choice, at, "?", {std::move(condition), std::move(then), std::move(otherwise)});
  }

  // An assignment's left side.
  CExpr postfix() {
    CExpr e = primary();
    for (;;) {
      std::uint32_t at = in_.peek().at;
      if (in_.takes("[")) {
        CExpr index = expression();
        in_.expect("]");
        e = node(Kind::subscript, at, "", {std::move(e), std::move(index)});
      } else if (in_.sees("(") && e.kind == Kind::name) {
        e = node(Kind::call, e.at, e.text, arguments("(", ")"));
      } else {
        return e;
      }
    }
  }

private:
  static constexpr std::array<std::array<std::string_view, 4>, 6> levels{
      {{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}};

  // Operators of one level are left-associative, and bind as C has it.
  CExpr infix(std::size_t level) {
    if (level == levels.size())
      return prefix();
    CExpr left = infix(level + 1);
    while (in_.peek().kind == Token::Kind::symbol &&
           std::count(levels[level].begin(), levels[level].end(), in_.peek().text) > 0) {
      Token op = in_.take();
      CExpr right = infix(level + 1);
      left = node(Kind::infix, op.at, std::string(op.text), {std::move(left), std::move(right)});
    }
    return left;
  }

  CExpr prefix() {
    Token first = in_.peek();
    for (std::string_view op : {"-", "!", "&"})
      if (in_.takes(op))
        return node(Kind::prefix, first.at, std::string(op), {prefix()});
    if (first.text == "(" && is_type(in_.peek(1).text) && in_.sees(")", 2)) {
      in_.take();
      std::string type = in_.word();
      in_.expect(")");
      return node(Kind::cast, first.at, type, {prefix()});
    }
    return postfix();
  }

  CExpr primary() {
    Token first = in_.peek();
    if (first.kind == Token::Kind::number) {
      in_.take();
      return node(Kind::number, first.at, std::string(first.text));
    }
    if (in_.takes("sizeof")) {
      in_.expect("(");
      std::string type = in_.word();
      in_.expect(")");
      return node(Kind::size_of, first.at, type);
    }
    if (first.text == "(" && in_.sees("const", 1)) {
      for (std::string_view part : {"(", "const", "int64_t", "[", "]", ")"})
        in_.expect(part);
      return node(Kind::array, first.at, "", arguments("{", "}"));
    }
    if (in_.takes("(")) {
      CExpr inner = expression();
      in_.expect(")");
      return inner;
    }
    return node(Kind::name, first.at, in_.word());
  }

  CExprs arguments(std::string_view open, std::string_view close) {
    CExprs all;
    in_.expect(open);
    if (in_.takes(close))
      return all;
    do
      all.push_back(expression());
    while (in_.takes(","));
    in_.expect(close);
    return all;
  }

  Cursor &in_;
};

class StatementParser {
public:
  explicit StatementParser(Cursor &in, bool has_instructions = false)
      : in_(in), has_instructions_(has_instructions) {}

  std::vector<CStmt> braces() {
    std::vector<CStmt> all;
    in_.expect("{");
    while (!in_.sees("}"))
      all.push_back(statement());
    in_.expect("}");
    return all;
  }

  CDeclaration declarator() {
    CDeclaration d;
    d.is_const = in_.takes("const");
    if (!is_type(in_.peek().text))
      in_.fail("a type is expected");
    d.type = in_.word();
    d.is_pointer = in_.takes("*");
    d.is_restrict = d.is_pointer && in_.takes("restrict");
    d.name = in_.word();
    return d;
  }

private:
  CStmt statement() {
    Token first = in_.peek();
    CStmt s{CStmt::Kind::mark, first.at, std::string(first.text), in_.position(), {}, {}, {}, {}, {}};
    if (first.kind == Token::Kind::directive || first.text == "atl_vectorize") {
      in_.take();
      return s;
    }
    if (first.text == "{") {
      s.kind = CStmt::Kind::block;
      s.body = braces();
      return s;
    }
    if (first.text == "if")
      return branch(std::move(s));
    if (first.text == "for")
      return loop(std::move(s));
    if (has_instructions_)
      return simple_or_foreign(s);
    if (first.kind != Token::Kind::word && first.text != "(")
      in_.fail("a statement is expected");
    return ended(s);
  }

  CStmt ended(CStmt s) {
    simple(s);
    in_.expect(";");
    return s;
  }

  CStmt simple_or_foreign(const CStmt &begun) {
    const Cursor begin = in_;
    try {
      return ended(begun);
    } catch (const Difference &) {
      in_ = begin;
      CStmt s = begun;
      s.kind = CStmt::Kind::foreign;
      skip_to_semicolon();
      return s;
    }
  }

  // That is in no parentheses or braces which begin before it.
  void skip_to_semicolon() {
    for (int depth = 0; depth > 0 || !in_.sees(";");) {
      const Token &token = in_.take();
      depth += token.text == "(" || token.text == "[" || token.text == "{";
      depth -= token.text == ")" || token.text == "]" || token.text == "}";
      if (depth < 0 || token.kind == Token::Kind::end)
        throw Difference(token.at, "a statement has no end");
    }
    in_.take();
  }

  CStmt branch(CStmt s) {
    s.kind = CStmt::Kind::branch;
    in_.expect("if");
    in_.expect("(");
    s.value = expression();
    in_.expect(")");
    if (in_.sees("{"))
      s.body = braces();
    else
      s.body.push_back(statement());
    return s;
  }

  CStmt loop(CStmt s) {
    s.kind = CStmt::Kind::loop;
    for (std::string_view part : {"for", "(", "int64_t"})
      in_.expect(part);
    s.text = in_.word();
    in_.expect("=");
    s.from = expression();
    in_.expect(";");
    in_.expect(s.text);
    in_.expect("<");
    s.value = Expressions(in_).expression();
    in_.expect(";");
    in_.expect("++");
    in_.expect(s.text);
    in_.expect(")");
    s.body = braces();
    return s;
  }

  void simple(CStmt &s) {
    if (in_.takes("return")) {
      s.kind = CStmt::Kind::result;
      s.value = expression();
    } else if (in_.sees("(") && in_.sees("void", 1)) {
      s.kind = CStmt::Kind::unused;
      for (std::string_view part : {"(", "void", ")"})
        in_.expect(part);
      s.text = in_.word();
    } else if (is_type(in_.peek().text) || in_.sees("const")) {
      declaration(s);
    } else {
      s.target = Expressions(in_).postfix();
      s.kind = CStmt::Kind::call;
      if (s.target->kind == Kind::call) {
        s.value = std::move(s.target);
        return;
      }
      s.kind = CStmt::Kind::assignment;
      s.text = std::string(in_.take().text);
      s.value = expression();
    }
  }

  void declaration(CStmt &s) {
    s.kind = CStmt::Kind::declaration;
    s.declaration = declarator();
    if (in_.takes("[")) {
      s.declaration.elements = expression();
      in_.expect("]");
    }
    if (in_.takes("="))
      s.declaration.value = expression();
  }

  CExpr expression() { return Expressions(in_).expression(); }

  Cursor &in_;
  bool has_instructions_;
};

} // namespace

CExpr parse_expression(Cursor &in) {
  return Expressions(in).expression();
}

CExpr parse_postfix(Cursor &in) {
  return Expressions(in).postfix();
}

bool is_type(std::string_view word) {
  constexpr std::array<std::string_view, 14> types{"int64_t", "float",    "double",  "int8_t",   "uint8_t",
                                                   "int16_t", "uint16_t", "int32_t", "uint32_t", "bool",
                                                   "void",    "int",      "char",    "size_t"};
  return std::find(types.begin(), types.end(), word) != types.end();
}

bool Cursor::takes(std::string_view text) {
  bool found = sees(text);
  if (found)
    take();
  return found;
}

void Cursor::expect(std::string_view text) {
  if (!takes(text))
    fail(fmt::format("'{}' is expected", text));
}

std::string Cursor::word() {
  if (peek().kind != Token::Kind::word)
    fail("a name is expected");
  return std::string(take().text);
}

bool Cursor::begins_with(const std::vector<Token> &expected) const {
  for (std::size_t i = 0; i < expected.size() && expected[i].kind != Token::Kind::end; ++i)
    if (peek(i).kind != expected[i].kind || peek(i).text != expected[i].text)
      return false;
  return true;
}

void Cursor::same_as(const std::vector<Token> &expected, const std::string &what) {
  for (const Token &token : expected) {
    if (token.kind == Token::Kind::end)
      return;
    if (peek().kind != token.kind || peek().text != token.text)
      fail(fmt::format("{} reads otherwise: '{}' is expected", what, token.text));
    take();
  }
}

CFunction parse_function(Cursor &in, bool has_instructions) {
  CFunction f;
  f.result = in.word();
  f.at = in.peek().at;
  f.name = in.word();
  in.expect("(");
  if (in.sees("void"))
    in.take();
  else
    do
      f.params.push_back(StatementParser(in).declarator());
    while (in.takes(","));
  in.expect(")");
  f.body = StatementParser(in, has_instructions).braces();
  f.end = in.peek().at;
  return f;
}

} // namespace atl::proofs::reader
