// Refuses problems whose parts do not fit, in the words of the document's fields. Computes nothing.
#include "core/problem.h"

#include <cmath>
#include <string>

#include "core/language.h"

namespace attn::core {
namespace {

// "wq", or "wq[2]" when there are several.
std::string element(const std::string& name, std::size_t i, std::size_t size) {
  return size == 1 ? name : name + "[" + std::to_string(i) + "]";
}

// `name` must have as many rows or columns as `needed`; `why` says of what: "one per token (T)".
template <class M>
Check checkRows(const std::string& name, const M& m, Index needed, const std::string& other, const std::string& why) {
  if (m.rows() == needed) return std::nullopt;
  return Error{tr("{0}: {1} does not fit {2}: {0} needs {3} {3|row|rows}, {4}",
                  {name, shapeText(m.rows(), m.cols()), other, needed, why})};
}

template <class M>
Check checkColumns(const std::string& name, const M& m, Index needed, const std::string& other,
                   const std::string& why) {
  if (m.cols() == needed) return std::nullopt;
  return Error{tr("{0}: {1} does not fit {2}: {0} needs {3} {3|column|columns}, {4}",
                  {name, shapeText(m.rows(), m.cols()), other, needed, why})};
}

std::string tokensText(Index n) { return tr("{0} {0|token|tokens}", {n}); }
std::string sourcesText(Index n) { return tr("{0} {0|source|sources}", {n}); }
std::string onePerToken() { return tr("one per token (T)"); }
std::string onePerSource() { return tr("one per source (S)"); }

template <class M>
std::string shapeOf(const std::string& name, const M& m) {
  return name + " " + shapeText(m.rows(), m.cols());
}

Array actedOn(const Intervention& one) {
  using Kind = Intervention::Kind;
  return one.kind == Kind::kAblate || one.kind == Kind::kMeanAblate ? Array::kZ : one.array;
}

// One of q, k, v with everything that makes it.
template <class Scalar>
struct Projection {
  const char* name;  // "q"
  const std::vector<Matrix<Scalar>>& weights;
  const std::vector<RowVector<Scalar>>& biases;
  const std::vector<Matrix<Scalar>>& given;
  Index rows;                // T or S
  bool of_sources;           // with S beside T: cross-attention
  const char* input;         // "x"
  std::optional<Index> input_columns;  // D; nothing when there is no such input

  const std::vector<Matrix<Scalar>>& used() const { return weights.empty() ? given : weights; }
  std::string field() const { return weights.empty() ? name : std::string("w") + name; }
  std::string nameOf(std::size_t i) const { return element(field(), i, used().size()); }
};

template <class Scalar>
class Checker {
 public:
  explicit Checker(const Problem<Scalar>& problem) : p_(problem) {
    if (p_.residual == Residual::kPreNorm && p_.state)
      x_columns_ = p_.state->cols();
    else if (p_.x)
      x_columns_ = p_.x->cols();
    if (!p_.cross)
      source_columns_ = x_columns_;
    else if (p_.x_sources)
      source_columns_ = p_.x_sources->cols();
  }

  Check run() const {
    if (Check bad = sizes()) return bad;
    if (Check bad = inputs()) return bad;
    const char* source_input = p_.cross ? "x_sources" : "x";
    const Projection<Scalar> q{"q", p_.wq, p_.bq, p_.q, p_.T, false, "x", x_columns_};
    const Projection<Scalar> k{"k", p_.wk, p_.bk, p_.k, p_.S, p_.cross, source_input, source_columns_};
    const Projection<Scalar> v{"v", p_.wv, p_.bv, p_.v, p_.S, p_.cross, source_input, source_columns_};
    for (const Projection<Scalar>* part : {&q, &k, &v})
      if (Check bad = projection(*part)) return bad;
    if (Check bad = heads(q, k, v)) return bad;
    if (Check bad = output(v)) return bad;
    if (Check bad = rules()) return bad;
    if (Check bad = checkMask(p_.mask, p_.T, p_.S)) return bad;
    return interventions();
  }

 private:
  Check sizes() const {
    if (p_.T < 1) return Error{tr("tokens: the list is empty, give at least one token")};
    if (p_.S < 1) return Error{tr("sources: the list is empty, give at least one source token")};
    if (!p_.cross && p_.S != p_.T)
      return Error{tr("sources: {0} {0|source|sources} for {1} {1|token|tokens} is cross-attention, but the sources "
                      "are said to be the tokens themselves", {p_.S, p_.T})};
    return std::nullopt;
  }

  Check inputs() const {
    if (p_.x) {
      if (p_.residual == Residual::kPreNorm)
        return Error{tr("x: with residual.norm x is computed from residual.state, so leave x out")};
      if (Check bad = checkRows("x", *p_.x, p_.T, tokensText(p_.T), onePerToken())) return bad;
      if (p_.x->cols() < 1) return Error{tr("x: its rows are empty, give at least one number per token (D)")};
    }
    if (p_.x_sources) {
      if (!p_.cross)
        return Error{tr("x_sources: given without sources; give the list of source tokens, or leave it out")};
      if (Check bad = checkRows("x_sources", *p_.x_sources, p_.S, sourcesText(p_.S), onePerSource())) return bad;
      if (p_.x_sources->cols() < 1)
        return Error{tr("x_sources: its rows are empty, give at least one number per source")};
    }
    return state();
  }

  Check state() const {
    const bool needed = p_.residual == Residual::kState || p_.residual == Residual::kPreNorm;
    if (needed != p_.state.has_value())
      return Error{needed ? tr("residual: the state that y is added to is missing, give it as a T×D array")
                          : tr("residual: a state is given but nothing is added to it")};
    if (p_.norm.has_value() != (p_.residual == Residual::kPreNorm))
      return Error{tr("residual.norm: layer normalisation and its state go together, give both or neither")};
    if (!p_.state) return std::nullopt;
    const char* name = p_.norm ? "residual.state" : "residual";
    if (Check bad = checkRows(name, *p_.state, p_.T, tokensText(p_.T), onePerToken())) return bad;
    if (p_.state->cols() < 1) return Error{tr("{0}: its rows are empty, give at least one number per token", {name})};
    return p_.norm ? norm() : std::nullopt;
  }

  Check norm() const {
    const std::string state = shapeOf("residual.state", *p_.state), why = tr("one per column of the state (D)");
    if (!std::isfinite(p_.norm->eps) || p_.norm->eps < 0)
      return Error{tr("residual.norm.eps: it must be a number from 0 up, the usual one is 1e-5")};
    if (p_.norm->gain)
      if (Check bad = checkColumns("residual.norm.gain", *p_.norm->gain, p_.state->cols(), state, why)) return bad;
    if (p_.norm->bias)
      if (Check bad = checkColumns("residual.norm.bias", *p_.norm->bias, p_.state->cols(), state, why)) return bad;
    if (p_.norm->eps > 0) return std::nullopt;
    for (Index i = 0; i < p_.T; ++i)
      if ((p_.state->row(i).array() == (*p_.state)(i, 0)).all())
        return Error{tr("residual.norm.eps: it is 0 and all numbers of row {0} of the state are equal, so its "
                        "variance is 0; give an eps above 0", {i})};
    return std::nullopt;
  }

  Check projection(const Projection<Scalar>& part) const {
    const std::string name = part.name;
    if (!part.weights.empty() && !part.given.empty())
      return Error{tr("{0}: given beside w{0}, which computes it; give one of the two", {name})};
    if (part.used().empty())
      return Error{tr("{0}: missing, give {0} itself or {1} and w{0}", {name, part.input})};
    if (!part.biases.empty() && part.weights.empty())
      return Error{tr("b{0}: a bias needs w{0}, but {0} is given as it is", {name})};
    return part.weights.empty() ? givenArrays(part) : weights(part);
  }

  Check givenArrays(const Projection<Scalar>& part) const {
    const std::string many = part.of_sources ? sourcesText(part.rows) : tokensText(part.rows);
    const std::string why = part.of_sources ? onePerSource() : onePerToken();
    for (std::size_t i = 0; i < part.given.size(); ++i) {
      if (Check bad = checkRows(part.nameOf(i), part.given[i], part.rows, many, why)) return bad;
      if (part.given[i].cols() < 1)
        return Error{tr("{0}: its rows are empty, give at least one number each", {part.nameOf(i)})};
    }
    return std::nullopt;
  }

  Check weights(const Projection<Scalar>& part) const {
    if (!part.input_columns)
      return Error{tr("{0}: it needs {1}, which is missing", {part.field(), part.input})};
    const std::string input = std::string(part.input) + " " + shapeText(part.rows, *part.input_columns);
    for (std::size_t i = 0; i < part.weights.size(); ++i) {
      const std::string why = tr("one per column of {0} (D)", {part.input});
      if (Check bad = checkRows(part.nameOf(i), part.weights[i], *part.input_columns, input, why)) return bad;
      if (part.weights[i].cols() < 1) return Error{tr("{0}: it has no columns, give at least one", {part.nameOf(i)})};
    }
    if (part.biases.empty()) return std::nullopt;
    const std::string bias = std::string("b") + part.name;
    if (part.biases.size() != part.weights.size())
      return Error{tr("{0}: {1} {1|vector|vectors} for {2} {2|head|heads} of {3}; give one vector per head",
                      {bias, part.biases.size(), part.weights.size(), part.field()})};
    for (std::size_t i = 0; i < part.biases.size(); ++i) {
      const std::string of = part.nameOf(i);
      if (Check bad = checkColumns(element(bias, i, part.biases.size()), part.biases[i], part.weights[i].cols(),
                                   shapeOf(of, part.weights[i]), tr("one per column of {0}", {of})))
        return bad;
    }
    return std::nullopt;
  }

  Check heads(const Projection<Scalar>& q, const Projection<Scalar>& k, const Projection<Scalar>& v) const {
    const auto h = static_cast<Index>(q.used().size()), g = static_cast<Index>(k.used().size());
    const auto values = static_cast<Index>(v.used().size());
    if (g != values)
      return Error{tr("{0}: {1} {1|head|heads} for {2} {2|head|heads} of {3}; keys and values are shared together, so "
                      "give as many of each", {v.field(), values, g, k.field()})};
    if (h % g != 0)
      return Error{tr("{0}: {1} {1|query head|query heads} cannot share {2} {2|key/value head|key/value heads} "
                      "evenly; {2} must divide {1}", {k.field(), h, g})};
    const double cells = static_cast<double>(p_.T) * static_cast<double>(p_.S) * static_cast<double>(h);
    if (cells > static_cast<double>(kMaxTraceCells))
      return Error{tr("tokens: {0} scores in {1} {1|head|heads} are more than the {2} cells that can be shown in "
                      "full; use fewer tokens or heads", {shapeText(p_.T, p_.S), h, kMaxTraceCells})};
    const Index d_k = q.used()[0].cols();
    for (const Projection<Scalar>* part : {&q, &k})
      for (std::size_t i = 0; i < part->used().size(); ++i)
        if (Check bad = checkColumns(part->nameOf(i), part->used()[i], d_k, shapeOf(q.nameOf(0), q.used()[0]),
                                     tr("as many as the queries have (d_k)")))
          return bad;
    return std::nullopt;
  }

  Check output(const Projection<Scalar>& v) const {
    const Index group = p_.heads() / p_.keyValueHeads();
    Index width = 0;  // Σd_v over query heads
    for (const Matrix<Scalar>& m : v.used()) width += group * m.cols();
    const std::string concat = "concat " + shapeText(p_.T, width);
    if (p_.wo)
      if (Check bad = checkRows("wo", *p_.wo, width, concat, tr("one per column of concat (Σd_v)"))) return bad;
    if (p_.wo && p_.wo->cols() < 1) return Error{tr("wo: it has no columns, give at least one")};
    const Index d_out = p_.wo ? p_.wo->cols() : width;
    const std::string y = "y " + shapeText(p_.T, d_out);
    if (p_.bo)
      if (Check bad = checkColumns("bo", *p_.bo, d_out, y, tr("one per column of y"))) return bad;
    if (p_.residual == Residual::kNone) return std::nullopt;
    if (p_.residual == Residual::kInput && !p_.x) return Error{tr("residual: y is to be added to x, but x is missing")};
    const Matrix<Scalar>& base = p_.residual == Residual::kInput ? *p_.x : *p_.state;
    if (base.cols() == d_out) return std::nullopt;
    const std::string shape = shapeText(base.rows(), base.cols());
    return Error{tr("residual: y {0} cannot be added to {1}: both need the same number of columns; a wo of {2} would fit",
                    {shapeText(p_.T, d_out), p_.residual == Residual::kInput ? "x " + shape : tr("the state {0}", {shape}),
                     shapeText(width, base.cols())})};
  }

  Check rules() const {
    if (p_.scale && !std::isfinite(*p_.scale)) return Error{tr("scale: it must be a finite number")};
    if (p_.temperature && !(std::isfinite(*p_.temperature) && *p_.temperature > 0))
      return Error{tr("temperature: scores are divided by it, so it must be a finite number above 0")};
    if (p_.softcap && !(std::isfinite(*p_.softcap) && *p_.softcap > 0))
      return Error{tr("softcap: scores are capped at it, so it must be a finite number above 0")};
    if (Check bad = perHeadNumbers("sink", p_.sink)) return bad;
    if (Check bad = perHeadNumbers("alibi", p_.alibi)) return bad;
    if (Check bad = perHeadCount("bias", tr("give one matrix for all heads or one per head"), p_.bias.size())) return bad;
    const std::string scores = "scores " + shapeText(p_.T, p_.S);
    for (std::size_t i = 0; i < p_.bias.size(); ++i) {
      const std::string name = element("bias", i, p_.bias.size());
      if (Check bad = checkRows(name, p_.bias[i], p_.T, scores, tr("one per destination (T)"))) return bad;
      if (Check bad = checkColumns(name, p_.bias[i], p_.S, scores, onePerSource())) return bad;
    }
    return std::nullopt;
  }

  Check interventions() const {
    for (const Intervention& one : p_.interventions) {
      const std::string name(arrayName(actedOn(one)));
      if (!canActOn(one))
        return Error{tr("{0} cannot be edited so; x behind a norm, q, k, v, scores, masked, weights and z can be set, "
                        "and only weights be made uniform or dealt anew", {name})};
      if (one.head && (*one.head < 0 || *one.head >= p_.heads()))
        return Error{tr("an edit of {0} is about head {1}, but the last head is {2}", {name, *one.head, p_.heads() - 1})};
      for (Index h = 0; h < p_.heads(); ++h)
        if (concerns(p_, one, one.array, h) && !fits(one, h))
          return Error{tr("an edit of {0} lies outside it in head {1}; its rows, columns and numbers must fit",
                          {name, h})};
    }
    return std::nullopt;
  }

  bool canActOn(const Intervention& one) const {
    using Kind = Intervention::Kind;
    if (one.kind == Kind::kUniform || one.kind == Kind::kPermute) return one.array == Array::kWeights;
    switch (actedOn(one)) {
      case Array::kX: return p_.norm.has_value();
      case Array::kQ: case Array::kK: case Array::kV: case Array::kZ: return true;
      default: return isOverSources(one.array);
    }
  }

  bool fits(const Intervention& one, Index h) const {
    const auto g = static_cast<std::size_t>(h * p_.keyValueHeads() / p_.heads());
    const bool of_sources = one.array == Array::kK || one.array == Array::kV;
    const bool of_values = one.array == Array::kV || one.array == Array::kZ;
    const Index rows = of_sources ? p_.S : p_.T;
    const Index columns = isOverSources(one.array) ? p_.S
                          : one.array == Array::kX ? x_columns_.value_or(0)
                          : of_values              ? (p_.wv.empty() ? p_.v : p_.wv)[g].cols()
                                                   : (p_.wq.empty() ? p_.q : p_.wq)[0].cols();
    const auto inside = [](const std::optional<Index>& index, Index size) {
      return !index || (*index >= 0 && *index < size);
    };
    if (!inside(one.row, rows) || !inside(one.col, columns)) return false;
    if (one.kind != Intervention::Kind::kSet) return true;
    return static_cast<Index>(one.values.size()) == (one.col ? 1 : columns);
  }

  Check perHeadCount(const std::string& name, const std::string& remedy, std::size_t size) const {
    const auto n = static_cast<Index>(size);
    if (n <= 1 || n == p_.heads()) return std::nullopt;
    return Error{tr("{0}: {1} given for {2} {2|head|heads}; {3}", {name, n, p_.heads(), remedy})};
  }

  Check perHeadNumbers(const std::string& name, const std::vector<Scalar>& values) const {
    if (Check bad = perHeadCount(name, tr("give one number for all heads or one per head"), values.size())) return bad;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        return Error{tr("{0}: it must be a finite number", {element(name, i, values.size())})};
    return std::nullopt;
  }

  const Problem<Scalar>& p_;
  std::optional<Index> x_columns_, source_columns_;
};

template <class M>
auto cast(const M& m) {
  return m.template cast<float>().eval();
}

template <class M>
auto cast(const std::vector<M>& list) {
  std::vector<decltype(cast(list[0]))> out;
  for (const M& m : list) out.push_back(cast(m));
  return out;
}

std::optional<float> castNumber(const std::optional<double>& value) {
  return value ? std::optional<float>(static_cast<float>(*value)) : std::nullopt;
}

template <class M>
auto castOptional(const std::optional<M>& m) {
  return m ? std::optional(cast(*m)) : std::nullopt;
}

}  // namespace

template <class Scalar>
bool concerns(const Problem<Scalar>& p, const Intervention& one, Array array, Index head) {
  if (array != actedOn(one)) return false;
  if (!one.head || *one.head == head) return true;
  const auto shared = [&p](Index h) { return h * p.keyValueHeads() / p.heads(); };
  return (array == Array::kK || array == Array::kV) && shared(*one.head) == shared(head);
}

template bool concerns(const Problem<double>&, const Intervention&, Array, Index);
template bool concerns(const Problem<float>&, const Intervention&, Array, Index);

bool intervened(const Problem<double>& problem, Array array, Index head, Index row, Index col) {
  for (const Intervention& one : problem.interventions)
    if (concerns(problem, one, array, head) && one.row.value_or(row) == row && one.col.value_or(col) == col) return true;
  return false;
}

template <class Scalar>
Check checkProblem(const Problem<Scalar>& problem) {
  return Checker<Scalar>(problem).run();
}

template Check checkProblem(const Problem<double>&);
template Check checkProblem(const Problem<float>&);

Problem<float> toFloat(const Problem<double>& from) {
  Problem<float> to;
  to.T = from.T, to.S = from.S, to.cross = from.cross;
  to.x = castOptional(from.x), to.x_sources = castOptional(from.x_sources);
  to.wq = cast(from.wq), to.wk = cast(from.wk), to.wv = cast(from.wv);
  to.bq = cast(from.bq), to.bk = cast(from.bk), to.bv = cast(from.bv);
  to.q = cast(from.q), to.k = cast(from.k), to.v = cast(from.v);
  to.wo = castOptional(from.wo), to.bo = castOptional(from.bo);
  to.scale = castNumber(from.scale);
  to.temperature = castNumber(from.temperature);
  to.softcap = castNumber(from.softcap);
  to.sink.assign(from.sink.begin(), from.sink.end());
  to.alibi.assign(from.alibi.begin(), from.alibi.end());
  to.bias = cast(from.bias);
  to.mask = from.mask;
  to.interventions = from.interventions;
  to.residual = from.residual;
  to.state = castOptional(from.state);
  if (from.norm)
    to.norm = Norm<float>{static_cast<float>(from.norm->eps), castOptional(from.norm->gain),
                          castOptional(from.norm->bias)};
  return to;
}

}  // namespace attn::core
