/**
 * The files of tests that `npm run test:rest` runs and `npm test` does not: they are slow, and what most changes may break
 * is found by others. Single browser tests of that kind have the tag `@rest` where they stand.
 */
export const restFiles = [];

const restSpecs = restFiles.filter((file) => file.endsWith(".spec.ts")).map((file) => file.slice("e2e/".length));

/** What the browser tests of the rest have in their file's name, title and tags, as a regular expression. */
export const restBrowserTests = ["@rest\\b", ...restSpecs.map((name) => name.replaceAll(".", "\\."))].join("|");

/** The environment variable that tells Vitest's configuration the part, "main" or "rest"; without it all tests are there. */
export const partVariable = "SWITCHYARD_TEST_PART";
