// The stack of a pickle, its marks and its memory, and what is made of the values on it.
#include <cassert>

#include "core/language.h"
#include "io/label.h"
#include "io/pickle_reader.h"

namespace attn::io {

bool PickleReader::push(const Value& value) {
  if (pickle_.values_.size() == limits_.values) {
    failure_ = core::Error{tr("{0} holds more than {1} values; save fewer things in one file.",
                              {ticked(file_name_), limits_.values})};
    return false;
  }
  const auto id = static_cast<Id>(pickle_.values_.size());
  return out(pickle_.values_.push(value)) && pushId(id);
}

// The stack holds what can be recalled again and again, so values alone do not bound it.
bool PickleReader::pushId(Id id) {
  if (stack_.size() == limits_.cells) return fail(tr("puts down too many values"));
  return out(stack_.push(id));
}

bool PickleReader::pushInteger(std::int64_t number, Kind kind) {
  Value value;
  value.kind = kind;
  value.a = static_cast<std::uint32_t>(static_cast<std::uint64_t>(number));
  value.b = static_cast<std::uint32_t>(static_cast<std::uint64_t>(number) >> 32);
  return push(value);
}

bool PickleReader::pop(Id& id) {
  if (!has(1)) return false;
  id = stack_.back();
  stack_.shrink(stack_.size() - 1);
  return true;
}

bool PickleReader::popMark(std::size_t& from) {
  if (marks_.size() == 0) return fail(tr("ends a list that has not begun"));
  from = marks_.back();
  marks_.shrink(marks_.size() - 1);
  assert(from <= stack_.size());
  return true;
}

bool PickleReader::add(Id container, Id item) {
  if (pickle_.cells_.size() == limits_.cells) {
    failure_ = core::Error{tr("{0} holds lists of more than {1} items together; save fewer things in one file.",
                              {ticked(file_name_), limits_.cells})};
    return false;
  }
  const auto cell = static_cast<std::uint32_t>(pickle_.cells_.size());
  if (!out(pickle_.cells_.push({item, Pickle::kNoValue}))) return false;
  Value& value = pickle_.values_[container];
  if (value.a == Pickle::kNoValue) {
    value.a = cell;
  } else {
    pickle_.cells_[value.b].next = cell;
  }
  value.b = cell;
  return true;
}

// Whether as many values stand on the stack, and no mark between them.
bool PickleReader::has(std::size_t count) {
  const std::size_t least = marks_.size() > 0 ? marks_.back() : 0;
  return stack_.size() - least >= count || fail(tr("takes more than it has put down"));
}

// Whether a value stands right below `from`, and no mark between.
bool PickleReader::standsBelow(std::size_t from) {
  const std::size_t least = marks_.size() > 0 ? marks_.back() : 0;
  return from > least || fail(tr("takes more than it has put down"));
}

// A new container of what stands on the stack from `from` on.
bool PickleReader::gather(Kind kind, std::size_t from) {
  const std::size_t end = stack_.size();
  if (kind == Kind::kDict && (end - from) % 2 != 0) return fail(tr("has a key without a value"));
  Value value;
  value.kind = kind;
  value.pairs = kind == Kind::kDict;
  if (!push(value)) return false;
  const Id id = stack_.back();
  for (std::size_t i = from; i < end; ++i) {
    if (!add(id, stack_[i])) return false;
  }
  stack_.shrink(from);
  return pushId(id);
}

bool PickleReader::append(std::size_t from) {
  if (!standsBelow(from)) return false;
  const Id id = stack_[from - 1];
  Value& list = pickle_.values_[id];
  const bool takes = list.kind == Kind::kList || (list.kind == Kind::kCall && !list.pairs);
  if (!takes) return fail(tr("adds to what is no list"));
  for (std::size_t i = from; i < stack_.size(); ++i) {
    if (!add(id, stack_[i])) return false;
  }
  stack_.shrink(from);
  return true;
}

bool PickleReader::setItems(std::size_t from) {
  if (!standsBelow(from)) return false;
  if ((stack_.size() - from) % 2 != 0) return fail(tr("has a key without a value"));
  const Id id = stack_[from - 1];
  Value& dict = pickle_.values_[id];
  const bool empty = dict.kind == Kind::kCall && dict.a == Pickle::kNoValue;
  if (dict.kind != Kind::kDict && !(dict.kind == Kind::kCall && (dict.pairs || empty))) {
    return fail(tr("sets items of what is no dictionary"));
  }
  dict.pairs = true;
  for (std::size_t i = from; i < stack_.size(); ++i) {
    if (!add(id, stack_[i])) return false;
  }
  stack_.shrink(from);
  return true;
}

bool PickleReader::addItems(std::size_t from) {
  if (!standsBelow(from)) return false;
  if (pickle_.values_[stack_[from - 1]].kind != Kind::kSet) return fail(tr("adds to what is no set"));
  const Id id = stack_[from - 1];
  for (std::size_t i = from; i < stack_.size(); ++i) {
    if (!add(id, stack_[i])) return false;
  }
  stack_.shrink(from);
  return true;
}

bool PickleReader::pushName(const Value& name) {
  const std::string_view module = pickle_.slice(name.a, name.b), own = pickle_.slice(name.c, name.d);
  if (!allowed_(module, own)) {
    failure_ = core::Error{tr("{0} asks for {1}, which a file of tensors does not need, so nothing of it was opened; "
                              "save the tensors alone: of a model, torch.save(model.state_dict(), …).",
                              {ticked(file_name_), ticked(std::string(module.substr(0, 100)) + "." +
                                                          std::string(own.substr(0, 100)))})};
    return false;
  }
  return push(name);
}

bool PickleReader::nameFromLines() {
  Value name;
  name.kind = Kind::kName;
  return takeLine(name.a, name.b) && takeLine(name.c, name.d) && pushName(name);
}

bool PickleReader::nameFromStack() {
  Id own, module;
  if (!pop(own) || !pop(module)) return false;
  if (pickle_.kind(own) != Kind::kText || pickle_.kind(module) != Kind::kText) {
    return fail(tr("asks for a name that is no text"));
  }
  const Value module_text = pickle_.values_[module], own_text = pickle_.values_[own];
  Value name;
  name.kind = Kind::kName;
  name.a = module_text.a, name.b = module_text.b, name.c = own_text.a, name.d = own_text.b;
  return pushName(name);
}

bool PickleReader::reduce() {
  Id arguments, function;
  if (!pop(arguments) || !pop(function)) return false;
  if (pickle_.kind(function) != Kind::kName || pickle_.kind(arguments) != Kind::kTuple) {
    return fail(tr("calls what is no name"));
  }
  Value value;
  value.kind = Kind::kCall;
  value.c = function;
  value.d = arguments;
  return push(value);
}

bool PickleReader::build() {
  Id state, object;
  if (!pop(state) || !pop(object)) return false;
  if (pickle_.kind(object) != Kind::kCall) return fail(tr("fills in what is no object"));
  pickle_.values_[object].e = state;
  return pushId(object);
}

bool PickleReader::remember(std::uint64_t index) {
  if (!has(1)) return false;
  if (index > limits_.values) return fail(tr("remembers too many values"));
  while (memory_.size() <= index) {
    if (!out(memory_.push(Pickle::kNoValue))) return false;
  }
  memory_[static_cast<std::size_t>(index)] = stack_.back();
  return true;
}

bool PickleReader::recall(std::uint64_t index) {
  if (index >= memory_.size() || memory_[static_cast<std::size_t>(index)] == Pickle::kNoValue) {
    return fail(tr("recalls a value that it has not put down"));
  }
  return pushId(memory_[static_cast<std::size_t>(index)]);
}

}  // namespace attn::io
