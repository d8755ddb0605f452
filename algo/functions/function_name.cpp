#include "algo/functions/function_name.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "assay/detail/text.hpp"
#include "assay/words.hpp"

namespace assay::functions {
namespace {

/// Modules of Python's library that a file of a bare name may be, and folders of it.
constexpr std::string_view kStandard =
    " abc argparse array ast asyncio asyncore atexit base64 bdb bisect bz2 calendar cmd code codecs codeop collections "
    "colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes dataclasses datetime "
    "decimal difflib dis doctest email encodings enum filecmp fileinput fnmatch fractions ftplib functools genericpath "
    "getopt getpass gettext glob graphlib gzip hashlib heapq hmac html http imaplib imp importlib inspect io ipaddress "
    "json keyword linecache locale logging lzma mailbox mimetypes modulefinder multiprocessing netrc nturl2path "
    "numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib posixpath pprint "
    "profile pstats pty py_compile pyclbr pydoc queue quopri random re reprlib rlcompleter runpy sched secrets "
    "selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 sre_compile sre_constants sre_parse "
    "ssl stat statistics string stringprep struct subprocess symtable sysconfig tabnanny tarfile telnetlib tempfile "
    "textwrap threading timeit token tokenize tomllib trace traceback tracemalloc tty types typing unittest urllib "
    "uuid venv warnings wave weakref webbrowser wsgiref xml xmlrpc zipapp zipfile zipimport zoneinfo ";
/// Packages as PyTorch's traces name them: without the folder of the installation.
constexpr std::string_view kPackages =
    " PIL accelerate apex av cupy cv2 dask datasets deepspeed diffusers einops flash_attn flax fsspec h5py "
    "huggingface_hub jax jaxlib joblib lightning lightning_fabric matplotlib megatron numba numpy nvidia nvtx optax "
    "pandas peft psutil pyarrow pydantic pytorch_lightning ray requests safetensors scipy sentence_transformers "
    "sentencepiece sglang sklearn sympy tensorboard tensorflow timm tokenizers tqdm transformer_engine transformers "
    "triton trl vllm wandb webdataset xformers yaml zmq ";
/// Files of JAX, which stand without their folders.
constexpr std::string_view kJax =
    " ad api api_util array batching compiler core dispatch dtypes lax linear_util mesh mlir partial_eval pjit "
    "profiler "
    "pxla scalar_types sharding_impls traceback_util tree_util util xla_bridge ";
constexpr std::array<std::string_view, 6> kTorch{"torch",     "torchgen",    "_pytest",
                                                 "functorch", "torchvision", "torchaudio"};

bool is_word_of(std::string_view words, std::string_view word) {
  return !word.empty() && words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The first folder of a relative path, or the module that a bare file is.
std::string_view root_of(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash != std::string_view::npos ? path.substr(0, slash) : path.substr(0, path.rfind('.'));
}

/// The number that ends at `end` and is preceded by `before`; its place in `at`.
std::int64_t line_in(std::string_view text, std::size_t from, std::size_t to) {
  return number_in<std::int64_t>(text.substr(from, to - from)).value_or(-1);
}

}  // namespace

FunctionName read_function_name(std::string_view name) {
  FunctionName out{name, {}, -1};
  if (const std::size_t colon = name.find("): "); colon != std::string_view::npos) {  // file(8): function
    const std::size_t open = name.rfind('(', colon);
    if (open == std::string_view::npos || open == 0) return out;
    const std::int64_t line = line_in(name, open + 1, colon);
    return line < 0 ? out : FunctionName{name.substr(colon + 3), name.substr(0, open), line};
  }
  if (name.ends_with(')')) {  // function (file:8)
    const std::size_t open = name.rfind(" ("), colon = name.rfind(':');
    if (open == std::string_view::npos || open == 0 || colon == std::string_view::npos || colon < open) return out;
    const std::int64_t line = line_in(name, colon + 1, name.size() - 1);
    return line < 0 ? out : FunctionName{name.substr(0, open), name.substr(open + 2, colon - open - 2), line};
  }
  if (name.starts_with('$')) {  // $file:8 function
    const std::size_t blank = name.find(' '), colon = name.rfind(':', blank);
    if (blank == std::string_view::npos || colon == std::string_view::npos || colon <= 1) return out;
    const std::int64_t line = line_in(name, colon + 1, blank);
    return line < 0 ? out : FunctionName{name.substr(blank + 1), name.substr(1, colon - 1), line, true};
  }
  return out;
}

Owner owner_of(const FunctionName& name) {
  if (name.file.empty() || name.file.starts_with('<')) return Owner::kInterpreter;
  const bool part_of_function = name.function == "<listcomp>" || name.function == "<genexpr>" ||
                                name.function == "<dictcomp>" || name.function == "<setcomp>";
  if (part_of_function) return Owner::kInterpreter;
  std::string_view path = name.file;
  bool installed = false;
  for (const std::string_view folder : {"site-packages/", "dist-packages/"}) {
    const std::size_t at = path.rfind(folder);
    if (at == std::string_view::npos) continue;
    path.remove_prefix(at + folder.size());
    installed = true;
  }
  if (!installed && (holds(path, "/lib/python3") || holds(path, "torchinductor_"))) return Owner::kInterpreter;
  const std::string_view root = root_of(path);
  if (std::ranges::find(kTorch, root) != kTorch.end()) return Owner::kInterpreter;
  if (!installed && !path.starts_with('/') && is_word_of(kStandard, root)) return Owner::kInterpreter;
  return installed || is_word_of(name.bare ? kJax : kPackages, root) ? Owner::kLibrary : Owner::kProgram;
}

std::string text_of(const FunctionName& name) {
  if (name.file.empty()) return std::string(name.function);
  const std::string_view file = name.file.substr(name.file.rfind('/') + 1);
  const std::string_view function = name.function == "<module>" ? "module code" : name.function;
  return filled("{} ({}{})", {function, file, name.line < 0 ? "" : ":" + std::to_string(name.line)});
}

std::string without_lines(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t end = at + 1;
    while (text[at] == ':' && end < text.size() && is_digit(text[end])) ++end;
    if (end > at + 1 && end < text.size() && text[end] == ')') at = end;
    out += text[at];
  }
  return out;
}

}  // namespace assay::functions
