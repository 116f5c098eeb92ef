"""atlc equiv: what is equal, what differs, and what is not found equal."""


def equal(c):
    c.write("same.atl", "".join(f"kernel {k}(M: size) -> f32[M] {{ let t = gen i < M {{ let t = 2.0; t }}; t }}\n" for k in ("a", "b")))
    result = c.fine("equiv where temporaries inside each other have one name", "equiv", "same.atl", "a", "b")
    c.check("they are equal", "a and b are equal" in result.stdout, result)
    c.write("sums.atl", "".join(f"kernel {name}(N: size, A: f32[N]) -> f32 {{ {body} }}\n" for name, body in (
        ("plain", "sum i < N { A[i] }"), ("difference", "sum i < N { 2.0 * A[i] - A[i] }"),
        ("twice", "sum i < N { 2.0 * A[i] }"), ("most", "max i < N { A[i] }"), ("most_twice", "max i < 2 * N { A[i / 2] }"))))
    c.write("apart.atl", "\n".join(f"kernel {name}(N: size, x: f32[N]) -> f32 where N >= 1, {where} {{ x[{i}] }}"
                                   for name, where, i in (("few", "N < 4", 0), ("many", "N > 5", 3), ("even", "N % 2 == 0", 0), ("third", "N % 3 == 0", 0))))
    c.fails("equiv of what is never called alike", 1, "E7009", "equiv", "apart.atl", "few", "many", says="few and many")
    c.fine("equiv of what is called alike with other sizes than those found for each", "equiv", "apart.atl", "even", "third")
    c.fails("equiv of what differs", 1, "E5105", "equiv", "sums.atl", "plain", "twice", says="N = 1")
    for first, second in (("plain", "difference"), ("most", "most_twice")):
        c.fails("equiv of what is not found equal", 1, "E7008", "equiv", "sums.atl", first, second, says="both compute the same")
    c.write("special.atl", "kernel a(x: f32) -> f32 { max(x, 0.0) }\nkernel b(x: f32) -> f32 { select(x > 0.0, x, 0.0) }\n")
    c.fails("equiv of what differs for NaN", 1, "E5105", "equiv", "special.atl", "a", "b")
