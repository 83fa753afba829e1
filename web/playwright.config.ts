// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Debian's Chromium opens pages from files; nothing is served, nothing is downloaded.
import { defineConfig } from "@playwright/test";

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: "tests",
  timeout: 180_000,
  expect: { timeout: 30_000 }, // for machines much slower than any of ours
  workers: 1,
  forbidOnly: true,
  outputDir: process.env.GORDIAN_TRACES ?? "test-results",
  reporter: [["list"]],
  use: {
    launchOptions: { executablePath: process.env.GORDIAN_CHROMIUM ?? "/usr/bin/chromium", args: quiet },
  },
});
