/**
 * The files of tests that `npm run test:rest` runs and `npm test` does not: they are slow, and what most changes may break
 * is found by others. Single browser tests of that kind have `@rest` at the end of their title.
 */
export const restFiles = [
  "e2e/canary.spec.ts",
  "e2e/closed-dialogs.spec.ts",
  "e2e/crash.spec.ts",
  "e2e/database-pause.spec.ts",
  "e2e/first-load.spec.ts",
  "e2e/first-visit.spec.ts",
  "e2e/forms.spec.ts",
  "e2e/knowledge-readers.spec.ts",
  "e2e/large-graph.spec.ts",
  "e2e/long-chat.spec.ts",
  "e2e/long-lists.spec.ts",
  "e2e/look.spec.ts",
  "e2e/names.spec.ts",
  "e2e/slow-answers.spec.ts",
  "e2e/slow-conversations.spec.ts",
  "e2e/soak.spec.ts",
  "e2e/tests-import.spec.ts",
  "e2e/unsaved-run.spec.ts",
  "e2e/virtual-log.spec.ts",
];

const restSpecs = restFiles.filter((file) => file.endsWith(".spec.ts")).map((file) => file.slice("e2e/".length));

/** What the browser tests of the rest have in their file's name, title and tags, as a regular expression. */
export const restBrowserTests = ["@rest\\b", ...restSpecs.map((name) => name.replaceAll(".", "\\."))].join("|");

/** The environment variable that tells Vitest's configuration the part, "main" or "rest"; without it all tests are there. */
export const partVariable = "SWITCHYARD_TEST_PART";
