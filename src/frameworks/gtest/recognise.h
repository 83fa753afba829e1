// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// GoogleTest in one file, whichever of its three signs is left: a symbol, a class name, its help
// text.
#pragma once

#include "symbols/framework_detection.h"

namespace gordian {

bool recognise_gtest(const ElfFile& file, FrameworkFinding& finding);

}  // namespace gordian
