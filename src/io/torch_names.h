// The names that files of tensors ask for, and what each stands for. Whatever is not among them is refused.
#pragma once
#include <cstddef>
#include <string_view>

#include "io/element_type.h"

namespace attn::io {

struct TorchName {
  enum class Role {
    kValue,      // a constant or a small value, such as a device; no array
    kMapping,    // a dictionary
    kObject,     // holds its values as items or as its state
    kTensor,     // makes a tensor of a storage, a place in it, a shape and strides
    kTensorV3,   // the same, with its type as the seventh argument
    kWrapped,    // has a tensor as its first argument
    kTyped,      // has what makes the tensor and its arguments as first and third argument
    kOdd,        // makes a tensor that cannot be read; `what` says which
    kStorage,    // a type of storage
    kType,       // a type of elements
  };
  Role role = Role::kValue;
  std::string_view what = {};              // of odd tensors; of storages and types their name
  ElementType type = ElementType::kText;   // of a storage or a type; text where it cannot be read
  std::size_t bytes = 0;                   // of one element of a storage; 0 when unknown
};

// What the name stands for; null when a file of tensors does not need it.
const TorchName* torchName(std::string_view module, std::string_view name);

}  // namespace attn::io
