import { expect, test } from "vitest";
import { caseCount } from "./suite-text.ts";

test("cases are counted in the singular and the plural", () => {
  expect([0, 1, 2].map(caseCount)).toEqual(["0 cases", "1 case", "2 cases"]);
});
