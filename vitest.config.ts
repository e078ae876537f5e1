import { defineConfig } from "vitest/config";
import { partVariable, restFiles } from "./scripts/testing/rest.mjs";

/** Tests that start no service of their own stand here. */
const plainFolders = [
  "engine",
  "doors",
  "import",
  "export",
  "evaluation",
  "nodes",
  "providers",
  "features",
  "forms",
  "ui",
  "app",
].map((folder) => `src/${folder}/`);

const plain = [
  ...plainFolders.map((folder) => `${folder}**/*.test.{ts,tsx}`),
  // What stores state is tested with a backend.
  "src/state/*/{*,!(storage)/**/*}.test.{ts,tsx}",
  "scripts/docs.test.ts",
];

const services = [
  "src/**/*.test.{ts,tsx}",
  "supabase/**/*.test.ts",
  "cli/**/*.test.ts",
  "scripts/**/*.test.ts",
  "corpora/**/*.test.ts",
  "bench/**/*.test.ts",
  "worker/**/*.test.ts",
  "e2e/servers/**/*.test.ts",
];

const part = process.env[partVariable];
const isPlain = (file: string) =>
  plainFolders.some((folder) => file.startsWith(folder)) ||
  (file.startsWith("src/state/") && !file.includes("/storage/"));

/** The files of tests share the modules of their worker, which saves loading them for each file. */
export default defineConfig({
  test: {
    globalSetup: "supabase/local/testing/test-databases.ts",
    maxWorkers: 2,
    // What waits, waits for an event: these only end what would never come, on the slowest machine too.
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "plain",
          include: part === "rest" ? restFiles.filter(isPlain) : plain,
          exclude: part === "main" ? restFiles : [],
          isolate: false,
          pool: "threads",
          testTimeout: 600_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "services",
          include: part === "rest" ? restFiles.filter((file) => !file.endsWith(".spec.ts")) : services,
          exclude: ["**/node_modules/**", ...plain, ...(part === "main" ? restFiles : [])],
          isolate: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
