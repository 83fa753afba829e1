// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Carries the precompiled header that all suites of the zoo share; it has no code of its own.
