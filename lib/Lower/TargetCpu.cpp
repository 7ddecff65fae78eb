// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of CPUs to code generators, and what their code needs.
#include "lib/Lower/TargetCpu.h"

#include "runtime/CpuFeatures.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace moelle;

static void initialiseNativeTarget() {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
}

/// This machine's features: a virtual machine may hide some of its CPU's.
static std::string getHostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &[name, isPresent] : llvm::sys::getHostCPUFeatures()) {
    features.AddFeature(name, isPresent);
  }
  return features.getString();
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
moelle::createTargetMachine(const Target &target) {
  initialiseNativeTarget();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found) {
    return llvm::createStringError("no code generator for this machine: " +
                                   error);
  }
  bool isHost = target.cpu.empty();
  std::string cpu = isHost ? llvm::sys::getHostCPUName().str() : target.cpu;
  if (!isHost) {
    // Asked without a CPU: LLVM writes its own warning for one it lacks.
    std::unique_ptr<llvm::MCSubtargetInfo> known(
        found->createMCSubtargetInfo(triple, "", ""));
    if (!known->isCPUStringValid(cpu)) {
      return llvm::createStringError(
          "unknown target '" + cpu + "': must be 'cpu', this machine (" +
          llvm::sys::getHostCPUName().str() +
          "), or the name that LLVM has for a CPU of architecture " +
          triple.getArchName().str());
    }
  }
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      triple, cpu, isHost ? getHostFeatures() : "", options, llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

std::vector<std::string>
moelle::getRequiredFeatures(const llvm::TargetMachine &machine) {
  const llvm::MCSubtargetInfo &subtarget = *machine.getMCSubtargetInfo();
  std::vector<std::string> required;
  for (const llvm::SubtargetFeatureKV &feature :
       subtarget.getAllProcessorFeatures()) {
    if (subtarget.getFeatureBits().test(feature.Value) &&
        cpuFeature(feature.Key) != FeatureSupport::Unknown) {
      required.emplace_back(feature.Key);
    }
  }
  return required;
}
