import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.{ts,tsx}",
      "supabase/**/*.test.ts",
      "scripts/**/*.test.ts",
      "bench/**/*.test.ts",
      "worker/**/*.test.ts",
      "e2e/servers/**/*.test.ts",
    ],
    globalSetup: "supabase/local/testing/test-databases.ts",
    testTimeout: 120_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
  },
});
