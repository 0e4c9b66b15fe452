"""Rules for kernel code that no compiler checks (why: ARCHITECTURE.md, "Numba")."""

import ast
from pathlib import Path

import pytest

KERNELS = sorted((Path(__file__).parent.parent / "solver" / "bummerl" / "kernels").glob("*.py"))

PLANS = ("plan.py", "plan_moves.py", "plan_tree.py")


def kernel_functions(tree: ast.Module):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "kernel":
                    yield node, decorator


def literal_recursions(source: str) -> list[str]:
    """Find calls of a function to itself with a bare literal: they abort the process on a warm start."""
    found = []
    for function, _ in kernel_functions(ast.parse(source)):
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == function.name:
                found += [f"{function.name}:{node.lineno}" for a in node.args if isinstance(a, ast.Constant)]
    return found


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: p.name)
def test_kernels_are_typed_small_and_free_of_literal_recursion(path):
    source = path.read_text()
    assert literal_recursions(source) == []
    for function, decorator in kernel_functions(ast.parse(source)):
        # Arguments make recursion dear; the plan search spends its time on sets.
        assert len(function.args.args) <= (14 if path.name in PLANS else 8), function.name
        signature = decorator.args[0]
        assert isinstance(signature, ast.Constant)
        assert "(" in signature.value
        assert ast.get_docstring(function), function.name


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: p.name)
def test_only_entries_call_themselves(path):
    for function, decorator in kernel_functions(ast.parse(path.read_text())):
        called = {getattr(node.func, "id", "") for node in ast.walk(function) if isinstance(node, ast.Call)}
        if function.name in called:
            assert "entry" in [keyword.arg for keyword in decorator.keywords], function.name


def test_the_check_finds_what_it_looks_for():
    source = '@kernel("int64(int64, int64)")\ndef f(x, y):\n    """F."""\n    return f(x - y, 1)\n'
    assert literal_recursions(source) == ["f:4"]
