// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#pragma once

/// How often it was called, this time included.
int count_call();
