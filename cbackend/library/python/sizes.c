/* Sizes from shapes: extents that are linear in one size that is not known yet are solved for it, until nothing new is
 * learnt; then everything that is known is checked. */
static int64_t atl_extent_of(const AtlCall *call, int param, int dimension) {
  return call->views[param].buffer.shape[dimension];
}

/* "A has 3 columns" */
static void atl_say_extent(AtlText *text, const AtlCall *call, int param, int dimension) {
  const AtlParam *p = &call->kernel->params[param];
  const long long count = atl_extent_of(call, param, dimension);
  const char *name = p->name, *s = count == 1 ? "" : "s";
  if (p->rank == 1)
    atl_say(text, "%s has %lld element%s", name, count, s);
  else if (p->rank == 2)
    atl_say(text, "%s has %lld %s%s", name, count, dimension == 0 ? "row" : "column", s);
  else
    atl_say(text, "%s has extent %lld in dimension %d of %d", name, count, dimension + 1, p->rank);
}

static void atl_say_reason(AtlText *text, const AtlCall *call, int size) {
  const char *name = call->kernel->params[size].name;
  if (call->reasons[size].param < 0) {
    atl_say(text, "%s = %lld was given", name, (long long)call->values[size].size);
  } else {
    atl_say_extent(text, call, call->reasons[size].param, call->reasons[size].dimension);
    atl_say(text, ", so %s = %lld", name, (long long)call->values[size].size);
  }
}

/* Where the values of the sizes come from; whether there is anything to say. */
static bool atl_say_reasons(AtlText *text, const AtlCall *call, const int *sizes, int except, const char *before) {
  bool said = false;
  for (; *sizes >= 0; ++sizes)
    if (*sizes != except && call->known[*sizes]) {
      atl_say(text, "%s", said ? "; " : before);
      atl_say_reason(text, call, *sizes);
      said = true;
    }
  return said;
}

/* The only size of the extent that is not known; -1 if there are none or several. */
static int atl_only_unknown(const AtlCall *call, const AtlExtent *extent) {
  int found = -1;
  for (const int *size = extent->sizes; *size >= 0; ++size)
    if (!call->known[*size]) {
      if (found >= 0)
        return -1;
      found = *size;
    }
  return found;
}

static const AtlLine *atl_line_of(const AtlExtent *extent, int size) {
  for (int i = 0; i < extent->line_count; ++i)
    if (extent->lines[i].size == size)
      return &extent->lines[i];
  return NULL;
}

typedef enum { atl_no_line, atl_no_solution, atl_solved } AtlSolved;

static AtlSolved atl_solve(const AtlExtent *extent, int size, int64_t actual, const AtlValue *values, int64_t *solution) {
  const AtlLine *line = atl_line_of(extent, size);
  if (!line)
    return atl_no_line;
  const AtlNumber slope = line->slope(values), product = atl_sub(atl_number(actual), line->rest(values));
  if (!slope.known || slope.value == 0 || !product.known || (slope.value == -1 && product.value == INT64_MIN))
    return atl_no_line;
  *solution = product.value / slope.value;
  return product.value % slope.value == 0 && *solution >= 0 ? atl_solved : atl_no_solution;
}

static bool atl_learn(AtlCall *call, int param, int dimension, bool *learnt) {
  const AtlExtent *extent = &call->kernel->params[param].extents[dimension];
  const int size = atl_only_unknown(call, extent);
  int64_t solution;
  AtlSolved solved = size < 0 ? atl_no_line
                              : atl_solve(extent, size, atl_extent_of(call, param, dimension), call->values, &solution);
  if (solved == atl_no_solution) {
    AtlText text = {.used = 0};
    atl_say_extent(&text, call, param, dimension);
    atl_say(&text, ", but %s is that for no %s", extent->text, call->kernel->params[size].name);
    if (atl_say_reasons(&text, call, extent->sizes, size, " ("))
      atl_say(&text, ")");
    return atl_fail(call, PyExc_ValueError, &text);
  }
  if (solved == atl_solved) {
    call->values[size].size = solution;
    call->known[size] = *learnt = true;
    call->reasons[size].param = param;
    call->reasons[size].dimension = dimension;
  }
  return true;
}

static bool atl_infer(AtlCall *call) {
  const AtlKernel *kernel = call->kernel;
  for (bool learnt = true; learnt;) {
    learnt = false;
    for (int p = 0; p < kernel->param_count && !learnt; ++p)
      for (int d = 0; kernel->params[p].kind == atl_input && d < kernel->params[p].rank && !learnt; ++d)
        if (!atl_learn(call, p, d, &learnt))
          return false;
  }
  for (int p = 0; p < kernel->param_count; ++p)
    if (kernel->params[p].kind == atl_size && !call->known[p]) {
      AtlText text = {.used = 0};
      const char *name = kernel->params[p].name;
      atl_say(&text, "the size %s is not given and does not follow from the inputs: add %s=NUMBER", name, name);
      return atl_fail(call, PyExc_TypeError, &text);
    }
  return true;
}

static bool atl_mismatch(const AtlCall *call, int param, int dimension, AtlNumber expected) {
  const AtlExtent *extent = &call->kernel->params[param].extents[dimension];
  const int64_t actual = atl_extent_of(call, param, dimension);
  AtlText text = {.used = 0};
  atl_say_extent(&text, call, param, dimension);
  int64_t implied;
  const bool has_one_size = extent->sizes[0] >= 0 && extent->sizes[1] < 0;
  if (has_one_size && atl_solve(extent, extent->sizes[0], actual, call->values, &implied) == atl_solved) {
    atl_say(&text, ", so %s = %lld, but ", call->kernel->params[extent->sizes[0]].name, (long long)implied);
    atl_say_reason(&text, call, extent->sizes[0]);
    return atl_fail(call, PyExc_ValueError, &text);
  }
  if (!expected.known)
    atl_say(&text, ", but %s is no number", extent->text);
  else if (extent->is_number)
    atl_say(&text, ", but %s %s declared", extent->text, expected.value == 1 ? "is" : "are");
  else
    atl_say(&text, ", but %s = %lld", extent->text, (long long)expected.value);
  if (atl_say_reasons(&text, call, extent->sizes, -1, " ("))
    atl_say(&text, ")");
  return atl_fail(call, PyExc_ValueError, &text);
}

/* Those of an input, or of an output that is given. */
static bool atl_check_extents(const AtlCall *call, int param) {
  const AtlParam *p = &call->kernel->params[param];
  for (int d = 0; d < p->rank; ++d) {
    const AtlNumber expected = p->extents[d].value(call->values);
    if (!expected.known || expected.value != atl_extent_of(call, param, d))
      return atl_mismatch(call, param, d, expected);
  }
  return true;
}

static bool atl_check_sizes(const AtlCall *call) {
  const AtlKernel *kernel = call->kernel;
  for (int p = 0; p < kernel->param_count; ++p)
    if (kernel->params[p].kind == atl_input && !atl_check_extents(call, p))
      return false;
  for (int p = 0; p < kernel->param_count; ++p)
    if (kernel->params[p].kind == atl_size &&
        (call->values[p].size < 0 || call->values[p].size > kernel->params[p].limit)) {
      AtlText text = {.used = 0};
      atl_say(&text, "%s: ", kernel->message(ATL_SIZE_OUT_OF_RANGE));
      atl_say_reason(&text, call, p);
      atl_say(&text, ", and the limit is %lld", (long long)kernel->params[p].limit);
      return atl_fail(call, PyExc_ValueError, &text);
    }
  for (int w = 0; w < kernel->where_count; ++w) {
    const AtlNumber holds = kernel->where[w].holds(call->values);
    if (!holds.known || !holds.value) {
      AtlText text = {.used = 0};
      atl_say(&text, "%s: %s is needed", kernel->message(ATL_WHERE_VIOLATED), kernel->where[w].text);
      atl_say_reasons(&text, call, kernel->where[w].sizes, -1, ", but ");
      return atl_fail(call, PyExc_ValueError, &text);
    }
  }
  return true;
}
