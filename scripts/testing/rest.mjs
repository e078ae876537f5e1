/**
 * The unit tests that `npm run test:rest` runs and `npm test` does not: they are slow, and what most changes may break is
 * found by others. Browser tests of that kind have the tag `@rest` where they stand.
 */
export const restFiles = [];

/** The tag of browser tests. */
export const restTag = "@rest";

/** The environment variable that tells Vitest's configuration the part, "main" or "rest"; without it all tests are there. */
export const partVariable = "SWITCHYARD_TEST_PART";
