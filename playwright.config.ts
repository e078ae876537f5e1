import { defineConfig } from "@playwright/test";

const asRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  globalSetup: "./e2e/template.ts",
  fullyParallel: false,
  // Each has a studio of its own; the files of tests are spread over them. A third one makes the whole slower on two
  // processors, since a test that waits keeps looking at its page.
  workers: 2,
  retries: 0,
  // Some tests go through a whole feature; a slow machine beside service tests takes four times as long as a quick one.
  timeout: 420_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    viewport: { width: 1440, height: 900 },
    // Without its film strip and its copies of the page, which take a tenth of the time; a failure keeps the last picture and
    // what assistive technology sees.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        ...(asRoot ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
