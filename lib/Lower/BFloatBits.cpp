// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves bf16 values as their bits.
#include "lib/Lower/BFloatBits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace {

/// The integers of one function.
class BFloatBits {
public:
  explicit BFloatBits(llvm::Module &module)
      : i16(llvm::Type::getInt16Ty(module.getContext())) {}

  void rewrite(llvm::Function &function) {
    bits.clear();
    llvm::SmallVector<llvm::Instruction *> old;
    for (llvm::Instruction &each : llvm::instructions(function)) {
      if (isBFloat(&each) || llvm::any_of(each.operands(), isBFloat)) {
        old.push_back(&each);
      }
    }
    for (llvm::Instruction *each : old) {
      llvm::IRBuilder<> b(each);
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(each)) {
        b.CreateAlignedStore(get(store->getValueOperand()),
                             store->getPointerOperand(), store->getAlign());
        dead.push_back(store);
      } else if (each->getType() == i16 && llvm::isa<llvm::BitCastInst>(each)) {
        each->replaceAllUsesWith(get(each->getOperand(0)));
        dead.push_back(each);
      }
    }
    for (llvm::Instruction *each : llvm::reverse(dead)) {
      each->eraseFromParent();
    }
    dead.clear();
  }

private:
  static bool isBFloat(llvm::Value *value) {
    return value->getType()->isBFloatTy();
  }

  /// The bits of `value`, made where it is made. What still needs the value
  /// itself, or makes it in another way, keeps it.
  llvm::Value *get(llvm::Value *value) {
    if (auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value)) {
      return llvm::ConstantInt::get(i16,
                                    constant->getValueAPF().bitcastToAPInt());
    }
    llvm::Value *&known = bits[value];
    if (known) {
      return known;
    }
    auto *made = llvm::dyn_cast<llvm::Instruction>(value);
    if (!made) { // an argument, or poison
      return known = llvm::PoisonValue::get(i16);
    }
    llvm::IRBuilder<> b(made);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(made)) {
      return known = b.CreateAlignedLoad(i16, load->getPointerOperand(),
                                         load->getAlign());
    }
    if (llvm::isa<llvm::BitCastInst>(made)) {
      return known = made->getOperand(0);
    }
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(made)) {
      llvm::Value *x = get(select->getTrueValue()),
                  *y = get(select->getFalseValue());
      return bits[value] = b.CreateSelect(select->getCondition(), x, y);
    }
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(made)) {
      llvm::PHINode *copy = b.CreatePHI(i16, phi->getNumIncomingValues());
      known = copy; // a loop may ask for it again
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        copy->addIncoming(get(phi->getIncomingValue(i)),
                          phi->getIncomingBlock(i));
      }
      return copy;
    }
    b.SetInsertPoint(made->getNextNode());
    return known = b.CreateBitCast(made, i16);
  }

  llvm::Type *i16;
  llvm::DenseMap<llvm::Value *, llvm::Value *> bits;
  llvm::SmallVector<llvm::Instruction *> dead;
};

} // namespace

void moelle::keepBFloatsInIntegers(llvm::Module &module) {
  BFloatBits bits(module);
  for (llvm::Function &function : module) {
    bits.rewrite(function);
  }
}
