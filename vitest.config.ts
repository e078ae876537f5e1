import { defineConfig } from "vitest/config";

/** Tests that start no service of their own. */
const plain = [
  ...[
    "engine",
    "doors",
    "import",
    "export",
    "evaluation",
    "nodes",
    "providers",
    "browser",
    "stores",
    "features",
    "forms",
    "ui",
    "app",
  ].map((folder) => `src/${folder}/**/*.test.{ts,tsx}`),
  "scripts/docs.test.ts",
];

/** The files of tests share the modules of their worker, which saves loading them for each file. */
export default defineConfig({
  test: {
    globalSetup: "supabase/local/testing/test-databases.ts",
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "plain",
          include: plain,
          isolate: false,
          pool: "threads",
          testTimeout: 120_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "services",
          include: [
            "src/**/*.test.{ts,tsx}",
            "supabase/**/*.test.ts",
            "cli/**/*.test.ts",
            "scripts/**/*.test.ts",
            "corpora/**/*.test.ts",
            "bench/**/*.test.ts",
            "worker/**/*.test.ts",
            "e2e/servers/**/*.test.ts",
          ],
          exclude: ["**/node_modules/**", ...plain],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
