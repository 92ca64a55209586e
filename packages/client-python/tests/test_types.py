"""The package is typed, and its types are there when it runs."""

import ast
import importlib
import inspect
import pkgutil
import sys
import typing
import unittest
from pathlib import Path

import emporion
from emporion import contract, operations
from emporion.requests import ListRequest, Request


class Types(unittest.TestCase):
    def test_marks_the_package_as_typed(self) -> None:
        self.assertTrue((Path(emporion.__file__).parent / "py.typed").exists())

    def test_needs_the_standard_library_and_websockets_alone(self) -> None:
        found: set[str] = set()
        for file in Path(emporion.__file__).parent.glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Import):
                    found.update(name.name.split(".")[0] for name in node.names)
                elif isinstance(node, ast.ImportFrom) and node.level == 0:
                    found.add((node.module or "").split(".")[0])
        self.assertEqual(found - sys.stdlib_module_names, {"websockets"})

    def test_resolves_every_annotation(self) -> None:
        count = 0
        for module in pkgutil.iter_modules(emporion.__path__, "emporion."):
            for thing in vars(importlib.import_module(module.name)).values():
                if getattr(thing, "__module__", None) == module.name and (
                    inspect.isfunction(thing) or inspect.isclass(thing)
                ):
                    typing.get_type_hints(thing)
                    count += 1
                    for method in vars(thing).values() if inspect.isclass(thing) else ():
                        if inspect.isfunction(method):
                            typing.get_type_hints(method)
        self.assertGreater(count, 500)

    def test_has_a_function_and_codes_for_every_operation(self) -> None:
        asked = set()
        for make in vars(operations).values():
            if not inspect.isfunction(make):
                continue
            takes = inspect.signature(make).parameters
            request = make(**{name: f"{name}/ü" for name in takes})
            self.assertIsInstance(request, Request)
            self.assertNotIn("{", request.url("http://a.example"))
            self.assertIn(request.operation, make.__doc__ or "")
            asked.add(request.operation)
        self.assertEqual(asked, set(contract.OPERATION_CODES))
        self.assertGreater(len(asked), 100)

    def test_knows_the_status_of_every_code(self) -> None:
        for code in typing.get_args(contract.ErrorCode):
            self.assertIn(code, contract.ERROR_STATUS)
        self.assertIn("ARENA_002", operations.arena_submit_commitment(typing.cast(typing.Any, {})).codes)

    def test_names_every_webhook(self) -> None:
        events = typing.get_args(contract.WebhookEvent)
        kinds = [typing.get_args(typing.get_type_hints(event)["type"]) for event in events]
        self.assertEqual(len(kinds), 22)
        self.assertEqual(len({kind for (kind,) in kinds}), 22)

    def test_makes_addresses(self) -> None:
        url = operations.fx_get_fx_quote("a/b").url("https://a.example")
        self.assertEqual(url, "https://a.example/v1/fx/quotes/a%2Fb")
        listed = operations.arena_list_orders(status="open", limit=2)
        self.assertIsInstance(listed, ListRequest)
        self.assertEqual(listed.url("https://a.example"), "https://a.example/api/arena/orders?status=open&limit=2")
        flag = operations.products_list_products(bidable=typing.cast(typing.Any, True)).url("https://a.example")
        self.assertEqual(flag, "https://a.example/v1/commerce/products?bidable=true")


if __name__ == "__main__":
    unittest.main()
