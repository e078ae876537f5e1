import { expect, it } from "vitest";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { askedVariables, isSecretValue, withAskedValues } from "./asked-values.ts";

const document: WorkflowDocument = {
  schemaVersion: 1,
  id: "w",
  name: "Shared",
  nodes: {},
  edges: {},
  vars: { city: "", tone: "dry", apiToken: "", count: 3 },
};

it("asks for the variables that came without a value, and fills in what was given", () => {
  expect(askedVariables(document)).toEqual(["city", "apiToken"]);
  expect(askedVariables({ ...document, vars: {} })).toEqual([]);
  const filled = withAskedValues(document, { city: " Rome ", tone: "changed", unknown: "x" });
  expect(filled.vars).toEqual({ city: "Rome", tone: "dry", apiToken: "", count: 3 });
  expect(withAskedValues(document, {})).toBe(document);
});

it("keeps secrets out of variables", () => {
  expect(isSecretValue("apiToken", "abc")).toBe(true);
  expect(isSecretValue("city", "Bearer test-key-0123456789abcdef")).toBe(true);
  expect(isSecretValue("city", "Rome")).toBe(false);
  expect(isSecretValue("apiToken", " ")).toBe(false);
  expect(withAskedValues(document, { apiToken: "abc" }).vars).toMatchObject({ apiToken: "" });
});
