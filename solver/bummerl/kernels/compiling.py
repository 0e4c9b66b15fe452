"""How kernels are compiled, and how they call each other.

Left to itself Numba links all the code of a kernel into every kernel that calls it and optimises it again there, so
that the search would be compiled ten times over. Here there are two sorts. An *entry* is compiled once, lies in the
cache, and is called by others through a symbol that has its address. All others are *parts*: they have no machine
code of their own and are compiled into each entry that uses them.

A call finds its types in the signature of what it calls, so a kernel that calls itself is typed once as well.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType
from typing import Any

import llvmlite.binding
import numba
from numba.core import cgutils, compiler, sigutils, types
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import make_concrete_template, signature
from numba.extending import lower_builtin

from bummerl.kernels import cache

# Kernels get their arrays from Python and never keep one, so nothing has to count references (`_nrt`).
_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
# Closures, `with`, exceptions, literals that decide types, and expressions of whole arrays.
_NOT_NEEDED = {
    "WithLifting",
    "InlineClosureLikes",
    "RewriteSemanticConstants",
    "DeadBranchPrune",
    "GenericRewrites",
    "RewriteDynamicRaises",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "FindLiterallyCalls",
    "LiteralUnroll",
    "LiteralPropagationSubPipelinePass",
    "InlineOverloads",
    "NopythonRewrites",
}
_BUILTIN, _PLAIN = (BuiltinFunctionType, type), (types.Number, types.Boolean, types.Array)
_known: dict[Any, Any] = {}


class Pipeline(compiler.CompilerBase):
    """Numba's way from bytecode to machine code, without detours for what kernels do not use."""

    def define_pipelines(self) -> list[Any]:
        """Return Numba's own pipeline, shortened."""
        whole = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        whole.passes = [each for each in whole.passes if each[0].__name__ not in _NOT_NEEDED]
        return [whole]


@contextlib.contextmanager
def remembered_types() -> Iterator[None]:
    """Let Numba find out once what an operator makes of numbers and arrays, instead of thousands of times."""
    base: Any = BaseFunction
    resolve = base.get_call_type
    if resolve.__name__ == "remembered":
        yield  # within another kernel
        return

    def remembered(self: Any, context: Any, arguments: Any, named: Any) -> Any:
        given = tuple(types.unliteral(each) for each in arguments)
        if named or not isinstance(self.typing_key, _BUILTIN) or not all(isinstance(each, _PLAIN) for each in given):
            return resolve(self, context, arguments, named)
        found = _known.get((self, given))
        if found is None:
            found = _known[self, given] = resolve(self, context, arguments, named)
        return found

    base.get_call_type = remembered
    try:
        yield
    finally:
        base.get_call_type = resolve


class Part:
    """Code to be linked into other code as Numba's libraries are, but not optimised and translated on its own before.

    Parameters
    ----------
    library : CPUCodeLibrary
        Numba's library that holds the code, not finalized.
    """

    def __init__(self, library: Any) -> None:
        self._reload_init: set[Any] = set()
        self._module = library._final_module
        for other in library._linking_libraries:
            self._module.link_in(other._get_module_for_linking(), preserve=True)
        for function in self._module.functions:
            if not function.is_declaration and function.linkage == llvmlite.binding.Linkage.external:
                function.linkage = "linkonce_odr"

    def _ensure_finalized(self) -> None:
        pass

    def _get_module_for_linking(self) -> Any:
        return self._module


class Kernel:
    """A kernel, to be called from other kernels, and from Python if it is an entry.

    Parameters
    ----------
    function : callable
        What to compile.
    text : str
        Its signature.
    entry : bool
        Whether it is an entry, compiled at once, or a part.
    """

    def __init__(self, function: Callable[..., Any], text: str, entry: bool) -> None:
        arguments, result = sigutils.normalize_signature(text)
        self.py_func = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.signature = signature(result, *arguments)
        self.entry = entry
        # The machine code in the cache names it, so it must not be that of another version.
        self.symbol = f"bummerl.{cache.fingerprint()}.{function.__module__}.{function.__name__}"
        self._compiled: Any = None
        self._part: Part | None = None
        self._numba_type_ = types.Function(make_concrete_template(self.__name__, self, [self.signature]))
        lower_builtin(self, *arguments)(self._lower_call)
        if entry:
            self._compile_entry()

    def __call__(self, *arguments: Any) -> Any:
        """Call an entry from Python."""
        return self._compiled(*arguments)

    def _compile_entry(self) -> None:
        # A kernel that calls itself has to find this object.
        self.py_func.__globals__[self.__name__] = self
        njit: Any = numba.njit
        with cache.caching() as kept, remembered_types():
            compiled = njit(self.signature, cache=kept, pipeline_class=Pipeline, **_OPTIONS)(self.py_func)
        (result,) = compiled.overloads.values()
        address = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
        llvmlite.binding.add_symbol(self.symbol, address)
        self._compiled = compiled

    def _compile_part(self) -> None:
        flags: Any = compiler.Flags()
        cpu_target.options.parse_as_flags(flags, {**_OPTIONS, "no_cpython_wrapper": True})
        flags.no_compile = True
        self._compiled = compiler.compile_extra(
            cpu_target.typing_context,
            cpu_target.target_context,
            self.py_func,
            self.signature.args,
            self.signature.return_type,
            flags,
            {},
            pipeline_class=Pipeline,
        )
        self._part = Part(self._compiled.library)

    def _lower_call(self, context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        """Emit a call from another kernel, or from itself."""
        if not self.entry:
            if self._part is None:
                self._compile_part()
            context.active_code_library.add_linking_library(self._part)
            return context.call_internal(builder, self._compiled.fndesc, call, arguments)
        convention = context.call_conv
        if self._compiled is None:
            callee = builder.function  # what is being compiled
        else:
            kind = convention.get_function_type(call.return_type, call.args)
            callee = cgutils.get_or_insert_function(builder.module, kind, self.symbol)
        status, result = convention.call_function(builder, callee, call.return_type, call.args, arguments)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result
