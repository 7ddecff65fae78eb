// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All operators of the aten dialect, by family.
#ifndef MOELLE_ATEN_OPS_TD
#define MOELLE_ATEN_OPS_TD

include "dialects/aten/AtenPointwise.td"
include "dialects/aten/AtenViews.td"
include "dialects/aten/AtenReductions.td"
include "dialects/aten/AtenIndexing.td"

#endif // MOELLE_ATEN_OPS_TD
