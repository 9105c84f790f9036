"""What pyproject.toml has no lasting words for: the extension that plays compiled rules (see docs/speed.md).

It is optional: where it cannot be built, all is played in Python.
"""

from setuptools import Extension, setup
from setuptools.command.build_py import build_py


class Modules(build_py):
    def find_package_modules(self, package, package_dir):
        """All but this file, which lies in the package because the package is the whole repository."""
        return [found for found in super().find_package_modules(package, package_dir) if found[1] != "setup"]


setup(
    cmdclass={"build_py": Modules},
    ext_modules=[
        Extension(
            "tabarro.interpreter._native",
            [
                "interpreter/_native.c",
                "interpreter/_log.c",
                "interpreter/_luck.c",
                "interpreter/_table.c",
                "interpreter/_worlds.c",
                "interpreter/_search.c",
            ],
            depends=["interpreter/_native.h", "interpreter/machine.h"],
            extra_compile_args=["-ffp-contract=off"],  # sums as Python makes them
            optional=True,
        )
    ],
)
