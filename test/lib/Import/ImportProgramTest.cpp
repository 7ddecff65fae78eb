// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Import of programs: real exports, and small ones written for one rule each.
#include "lib/Import/ImportProgram.h"
#include "dialects/exec/Exec.h"
#include "test/lib/Import/ZipWriter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include <gtest/gtest.h>

using namespace moelle;
using namespace moelle::test;

namespace {

struct Node {
  std::string target, inputs, result, metadata = "{}";
};

std::string tensor(const std::string &name) {
  return R"({"as_tensor": {"name": ")" + name + R"("}})";
}
std::string given(const std::string &name, const std::string &value) {
  return R"({"name": ")" + name + R"(", "arg": )" + value + ", \"kind\": 1}";
}

/// A program with float32 inputs `x` and `y` of 2x3 whose output is the last
/// node's result, all of the same type unless `values` says otherwise.
std::string write(const std::vector<Node> &nodes,
                  const std::string &values = "",
                  const std::string &outputs = "") {
  std::string list,
      types = R"("x": )" + meta({2, 3}) + R"(, "y": )" + meta({2, 3});
  for (const Node &node : nodes) {
    list += (list.empty() ? "" : ", ") + (R"({"target": ")" + node.target) +
            R"(", "inputs": [)" + node.inputs + R"(], "outputs": [)" +
            tensor(node.result) + R"(], "metadata": )" + node.metadata +
            R"(, "name": ")" + node.result + "\"}";
    types += R"(, ")" + node.result + R"(": )" + meta({2, 3});
  }
  types += values;
  std::string output = outputs.empty() ? R"({"user_output": {"arg": )" +
                                             tensor(nodes.back().result) + "}}"
                                       : outputs;
  return writeZip(makeProgram(
      R"({"schema_version": {"major": 8}, "graph_module": {"graph": {"nodes": [)" +
      list + R"(], "tensor_values": {)" + types +
      R"(}}, "signature": {"input_specs": [{"user_input": {"arg": )" +
      tensor("x") +
      R"(}}, {"parameter": {"arg": {"name": "y"}, "parameter_name": "m.y"}}], "output_specs": [)" +
      output + "]}}}"));
}

class ImportProgram : public testing::Test {
protected:
  mlir::MLIRContext context;
  std::string errors;
  mlir::ScopedDiagnosticHandler handler{&context,
                                        [this](mlir::Diagnostic &diagnostic) {
                                          errors += diagnostic.str() + "\n";
                                        }};

  mlir::OwningOpRef<mlir::ModuleOp> import(const std::string &bytes) {
    auto archive = Archive::open(bytes, "a.pt2", errors);
    return archive ? importProgram(&context, *archive) : nullptr;
  }
  mlir::OwningOpRef<mlir::ModuleOp> importModel(const std::string &name) {
    auto archive = Archive::open(
        std::string(MOELLE_TEST_MODELS) + "/" + name + "/graph.pt2", errors);
    return archive ? importProgram(&context, *archive) : nullptr;
  }
  static std::string nameOf(mlir::Attribute attr) {
    return mlir::cast<mlir::StringAttr>(attr).str();
  }
};

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(ImportProgram, importsRecordedModels) {
  for (const char *model : {"mixtral-grouped-f32", "mixtral-batched-f32",
                            "moe-layer-grouped-f32", "lm-head-ce-f32"}) {
    auto module = importModel(model);
    ASSERT_TRUE(module) << model << ": " << errors;
    auto step = module->lookupSymbol<mlir::func::FuncOp>(exec::kStepName);
    ASSERT_TRUE(step);
    unsigned losses = 0, gradients = 0, trained = 0;
    for (unsigned i = 0; i < step.getNumResults(); ++i) {
      std::string name = nameOf(step.getResultAttr(i, exec::kNameAttr)),
                  kind = nameOf(step.getResultAttr(i, exec::kKindAttr));
      losses += kind == "loss" && name == "loss";
      gradients += kind == "gradient" && name.rfind("grad.", 0) == 0;
    }
    for (unsigned i = 0; i < step.getNumArguments(); ++i) {
      trained += nameOf(step.getArgAttr(i, exec::kKindAttr)) == "parameter";
    }
    EXPECT_EQ(losses, 1u) << model;
    EXPECT_EQ(gradients, trained) << model;
  }
}

TEST_F(ImportProgram, namesArgumentsAndResults) {
  auto module = import(write(
      {{"torch.ops.aten.neg.default", given("self", tensor("x")), "n"}}, "",
      R"({"loss_output": {"arg": {"name": "n"}}}, {"gradient_to_parameter": {"arg": {"name": "n"}, "parameter_name": "m.y"}},
                                {"gradient_to_user_input": {"arg": {"name": "n"}, "user_input_name": "x"}}, {"user_output": {"arg": )" +
          tensor("n") + "}}"));
  ASSERT_TRUE(module) << errors;
  auto step = module->lookupSymbol<mlir::func::FuncOp>(exec::kStepName);
  EXPECT_EQ(nameOf(step.getArgAttr(0, exec::kNameAttr)) + " " +
                nameOf(step.getArgAttr(0, exec::kKindAttr)),
            "x input");
  EXPECT_EQ(nameOf(step.getArgAttr(1, exec::kNameAttr)) + " " +
                nameOf(step.getArgAttr(1, exec::kKindAttr)),
            "m.y parameter");
  const char *expected[] = {"loss loss", "grad.m.y gradient",
                            "grad_input.x input_gradient", "n output"};
  ASSERT_EQ(step.getNumResults(), 4u);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(nameOf(step.getResultAttr(i, exec::kNameAttr)) + " " +
                  nameOf(step.getResultAttr(i, exec::kKindAttr)),
              expected[i]);
  }
}

TEST_F(ImportProgram, takesNumberInPlaceOfTensorAsScalarOverload) {
  auto module = import(write(
      {{"torch.ops.aten.mul.Tensor",
        given("self", tensor("x")) + ", " + given("other", R"({"as_int": 2})"),
        "m"}}));
  ASSERT_TRUE(module) << errors;
  bool found = false;
  module->walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "aten.mul.Scalar") {
      found = true;
      EXPECT_EQ(mlir::cast<mlir::IntegerAttr>(op->getAttr("other")).getInt(),
                2);
    }
  });
  EXPECT_TRUE(found);
}

TEST_F(ImportProgram, takesNumberInPlaceOfTensor) {
  auto module = import(write(
      {{"torch.ops.aten.sub.Tensor",
        given("self", R"({"as_int": 1})") + ", " + given("other", tensor("x")),
        "s"}}));
  ASSERT_TRUE(module) << errors;
  bool found = false;
  module->walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "aten.sub.Tensor") {
      auto *number = op->getOperand(0).getDefiningOp();
      ASSERT_TRUE(number);
      EXPECT_EQ(number->getName().getStringRef(), "aten.scalar_tensor");
      EXPECT_EQ(mlir::cast<mlir::IntegerAttr>(number->getAttr("s")).getInt(),
                1);
      found = true;
    }
  });
  EXPECT_TRUE(found);
  EXPECT_FALSE(import(write({{"torch.ops.aten.neg.default",
                              given("self", R"({"as_string": "x"})"), "n"}})));
  EXPECT_HAS(errors, "argument 'self' of 'neg' must be a tensor or a number");
}

TEST_F(ImportProgram, fillsSchemaDefaults) {
  auto module = import(write(
      {{"torch.ops.aten.slice.Tensor", given("self", tensor("x")), "s"}}));
  ASSERT_TRUE(module) << errors;
  module->walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "aten.slice.Tensor") {
      EXPECT_EQ(mlir::cast<mlir::IntegerAttr>(op->getAttr("dim")).getInt(), 0);
      EXPECT_EQ(mlir::cast<mlir::IntegerAttr>(op->getAttr("step")).getInt(), 1);
      EXPECT_FALSE(op->getAttr("end"));
    }
  });
}

TEST_F(ImportProgram, dropsPlacement) {
  auto module =
      import(write({{"torch.ops.aten.clone.default",
                     given("self", tensor("x")) + ", " +
                         given("memory_format", R"({"as_memory_format": 1})"),
                     "c"}}));
  EXPECT_TRUE(module) << errors;
}

TEST_F(ImportProgram, keepsNodeNameAndPythonLine) {
  auto module = import(write(
      {{"torch.ops.aten.neg.default", given("self", tensor("x")), "n",
        R"({"stack_trace": "  File \"model.py\", line 7, in forward\n    return -x\n", "nn_module_stack": "m,,M"})"}}));
  ASSERT_TRUE(module) << errors;
  module->walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "aten.neg") {
      std::string text;
      llvm::raw_string_ostream(text) << op->getLoc();
      EXPECT_HAS(text, "\"n\"");
      EXPECT_HAS(text, "\"model.py\":7");
      EXPECT_HAS(text, "m,,M");
    }
  });
}

TEST_F(ImportProgram, reportsAllUnsupportedOperatorsAtOnce) {
  std::string x = given("self", tensor("x"));
  EXPECT_FALSE(import(write(
      {{"torch.ops.aten.lgamma.default", x, "a"},
       {"torch.ops.aten.neg.default", given("self", tensor("a")), "b"},
       {"torch.ops.aten.digamma.default", given("self", tensor("b")), "c",
        R"({"stack_trace": "  File \"model.py\", line 7, in forward\n    return f(x)\n"})"},
       {"torch.ops.aten.lgamma.default", x, "d"}})));
  EXPECT_HAS(errors, "torch.ops.aten.lgamma.default: 2 uses, first at a");
  EXPECT_HAS(errors,
             "torch.ops.aten.digamma.default: 1 use, first at model.py:7: c");
  EXPECT_EQ(errors.find("neg"), std::string::npos) << errors;
}

TEST_F(ImportProgram, refusesDynamicSizes) {
  EXPECT_FALSE(import(write(
      {{"torch.ops.aten.neg.default", given("self", tensor("x")), "n"}},
      R"(, "n": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": "s0"}}]})")));
  EXPECT_HAS(errors, "value 'n' must have constant sizes");
}

TEST_F(ImportProgram, comparesInferredAndRecordedTypes) {
  EXPECT_FALSE(import(
      write({{"torch.ops.aten.neg.default", given("self", tensor("x")), "n"}},
            R"(, "n": )" + meta({3, 2}))));
  EXPECT_HAS(errors, "tensor<2x3xf32>");
}

TEST_F(ImportProgram, refusesUnknownArgument) {
  EXPECT_FALSE(import(write(
      {{"torch.ops.aten.neg.default",
        given("self", tensor("x")) + ", " + given("axis", R"({"as_int": 0})"),
        "n"}})));
  EXPECT_HAS(errors, "argument 'axis' of 'neg' is not part of its schema");
}

TEST_F(ImportProgram, refusesUndefinedOperandAndOutput) {
  EXPECT_FALSE(import(write(
      {{"torch.ops.aten.neg.default", given("self", tensor("z")), "n"}})));
  EXPECT_HAS(errors, "reads 'z' before any node makes it");
  EXPECT_FALSE(import(
      write({{"torch.ops.aten.neg.default", given("self", tensor("x")), "n"}},
            "", R"({"loss_output": {"arg": {"name": "q"}}})")));
  EXPECT_HAS(errors, "but 'q' is none");
}

} // namespace
