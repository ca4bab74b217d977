// The list is by name, so that a name PyTorch may add one day is refused until somebody has read what it means.
#include "io/torch_names.h"

#include "core/language.h"

namespace attn::io {
namespace {

using Role = TorchName::Role;

struct Entry {
  std::string_view module, name;
  TorchName meaning;
};

constexpr Entry storage(std::string_view name, std::string_view what, ElementType type, std::size_t bytes) {
  return {"torch", name, {Role::kStorage, what, type, bytes}};
}
constexpr Entry type(std::string_view name, ElementType type = ElementType::kText) {
  return {"torch", name, {Role::kType, name, type, 0}};
}

constexpr Entry kNames[] = {
    {"torch._utils", "_rebuild_tensor", {Role::kTensor}},
    {"torch._utils", "_rebuild_tensor_v2", {Role::kTensor}},
    {"torch._utils", "_rebuild_tensor_v3", {Role::kTensorV3}},
    {"torch._utils", "_rebuild_parameter", {Role::kWrapped}},
    {"torch._utils", "_rebuild_parameter_with_state", {Role::kWrapped}},
    {"torch._tensor", "_rebuild_from_type_v2", {Role::kTyped}},
    {"torch._utils", "_rebuild_sparse_tensor", {Role::kOdd, trLater("a sparse tensor")}},
    {"torch._utils", "_rebuild_sparse_csr_tensor", {Role::kOdd, trLater("a sparse tensor")}},
    {"torch._utils", "_rebuild_nested_tensor", {Role::kOdd, trLater("a nested tensor")}},
    {"torch._utils", "_rebuild_qtensor", {Role::kOdd, trLater("a quantised tensor")}},
    {"torch._utils", "_rebuild_meta_tensor_no_storage", {Role::kOdd, trLater("a tensor of the device meta without data")}},
    {"torch._utils", "_rebuild_wrapper_subclass", {Role::kOdd, trLater("a tensor of a class of its own")}},
    {"torch._utils", "_rebuild_device_tensor_from_numpy", {Role::kOdd, trLater("a tensor that is stored as a NumPy array")}},
    {"torch._utils", "_rebuild_device_tensor_from_cpu_tensor", {Role::kWrapped}},
    {"numpy.core.multiarray", "_reconstruct", {Role::kOdd, trLater("a NumPy array")}},
    {"numpy._core.multiarray", "_reconstruct", {Role::kOdd, trLater("a NumPy array")}},
    {"numpy.core.multiarray", "scalar", {}},
    {"numpy._core.multiarray", "scalar", {}},
    {"numpy", "ndarray", {}},
    {"numpy", "dtype", {}},
    {"_codecs", "encode", {}},

    storage("FloatStorage", "float32", ElementType::kF32, 4),
    storage("DoubleStorage", "float64", ElementType::kF64, 8),
    storage("HalfStorage", "float16", ElementType::kF16, 2),
    storage("BFloat16Storage", "bfloat16", ElementType::kBF16, 2),
    storage("CharStorage", "int8", ElementType::kI8, 1),
    storage("ByteStorage", "uint8", ElementType::kU8, 1),
    storage("ShortStorage", "int16", ElementType::kI16, 2),
    storage("IntStorage", "int32", ElementType::kI32, 4),
    storage("LongStorage", "int64", ElementType::kI64, 8),
    storage("BoolStorage", "bool", ElementType::kBool, 1),
    storage("UntypedStorage", "bytes", ElementType::kU8, 1),
    {"torch.storage", "UntypedStorage", {Role::kStorage, "bytes", ElementType::kU8, 1}},
    storage("ComplexFloatStorage", "complex64", ElementType::kText, 8),
    storage("ComplexDoubleStorage", "complex128", ElementType::kText, 16),
    storage("QInt8Storage", "qint8", ElementType::kText, 1),
    storage("QUInt8Storage", "quint8", ElementType::kText, 1),
    storage("QInt32Storage", "qint32", ElementType::kText, 4),
    storage("QUInt4x2Storage", "quint4x2", ElementType::kText, 0),
    storage("QUInt2x4Storage", "quint2x4", ElementType::kText, 0),

    type("float16", ElementType::kF16), type("half", ElementType::kF16), type("bfloat16", ElementType::kBF16),
    type("float32", ElementType::kF32), type("float", ElementType::kF32), type("float64", ElementType::kF64),
    type("double", ElementType::kF64), type("int8", ElementType::kI8), type("int16", ElementType::kI16),
    type("short", ElementType::kI16), type("int32", ElementType::kI32), type("int", ElementType::kI32),
    type("int64", ElementType::kI64), type("long", ElementType::kI64), type("uint8", ElementType::kU8),
    type("uint16", ElementType::kU16), type("uint32", ElementType::kU32), type("uint64", ElementType::kU64),
    type("bool", ElementType::kBool), type("complex32"), type("complex64"), type("complex128"),
    type("float8_e4m3fn"), type("float8_e5m2"), type("float8_e4m3fnuz"), type("float8_e5m2fnuz"),
    type("float8_e8m0fnu"), type("float4_e2m1fn_x2"), type("qint8"), type("quint8"), type("qint32"),
    type("quint4x2"), type("quint2x4"), type("bits8"), type("bits16"),

    {"torch", "Size", {}},
    {"torch", "device", {}},
    {"torch", "Tensor", {}},
    {"torch.nn.parameter", "Parameter", {}},
    {"torch.nn.parameter", "Buffer", {}},
    {"torch", "strided", {}},
    {"torch", "contiguous_format", {}},
    {"torch", "preserve_format", {}},
    {"torch", "channels_last", {}},
    {"torch", "per_tensor_affine", {}},
    {"torch", "per_channel_affine", {}},
    {"torch", "per_channel_affine_float_qparams", {}},
    {"torch.serialization", "_get_layout", {}},

    {"collections", "OrderedDict", {Role::kMapping}},
    {"collections", "defaultdict", {Role::kMapping}},
    {"collections", "Counter", {Role::kMapping}},
    {"collections", "deque", {Role::kObject}},
    {"argparse", "Namespace", {Role::kObject}},
    {"types", "SimpleNamespace", {Role::kObject}},
};

// Classes of Python itself, which are no more than values.
constexpr std::string_view kBuiltins[] = {"set",   "frozenset", "list", "dict",  "tuple", "int",     "float",
                                          "bool",  "str",       "bytes", "bytearray", "complex", "range", "xrange",
                                          "slice", "object"};

constexpr TorchName kValue, kObject{Role::kObject};

// Outputs and caches of Hugging Face models, whose classes are many.
bool isModelOutput(std::string_view module, std::string_view name) {
  if (!module.starts_with("transformers.")) return false;
  if (module == "transformers.cache_utils") return name.ends_with("Cache") || name.ends_with("Layer");
  if (module == "transformers.tokenization_utils_base") return name == "BatchEncoding";
  return name.ends_with("Output") || module == "transformers.modeling_outputs";
}

bool isSimple(std::string_view name) {
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!letter) return false;
  }
  return !name.empty();
}

}  // namespace

const TorchName* torchName(std::string_view module, std::string_view name) {
  if (module == "torch.cuda") module = "torch";
  for (const Entry& entry : kNames) {
    if (entry.module == module && entry.name == name) return &entry.meaning;
  }
  if (module == "builtins" || module == "__builtin__") {
    for (const std::string_view known : kBuiltins) {
      if (known == name) return &kValue;
    }
    return nullptr;
  }
  const bool object = module == "torch.return_types" || isModelOutput(module, name);
  return object && isSimple(name) ? &kObject : nullptr;
}

}  // namespace attn::io
