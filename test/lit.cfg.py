# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit suite: every .mlir and .test file below this folder."""
import os

import lit.formats

config.name = "moelle"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test")
paths = [os.path.join(config.build_dir, "bin"), os.path.join(config.test_source_root, "commands"), config.llvm_bin, os.environ["PATH"]]
config.environment["PATH"] = os.pathsep.join(paths)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"
config.substitutions.append(("%models", os.path.join(config.test_source_root, "models")))
