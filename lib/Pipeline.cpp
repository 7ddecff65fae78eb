// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of all passes.
#include "moelle/Pipeline.h"
#include "moelle/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void moelle::buildCompilePipeline(OpPassManager &pm) {
  pm.addPass(createVerifyStepPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createDecomposeAtenPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass()); // forward values that backward computes again
  pm.addPass(createCheckIndicesPass());
  pm.addPass(createFormKernelsPass());
  pm.addPass(createReuseOperandsPass());
  pm.addPass(createPlanArenaPass());
  pm.addPass(createCheckPlanPass());
}
