import { describe, expect, it } from "vitest";
import { readConfig } from "../../evaluation/import/read-config.ts";
import type { ImportedSuite } from "../../evaluation/import/imported-suite.ts";
import { type EvaluationService, ServiceError } from "../../services/services.ts";
import { partGroups, storeImported, suiteToStore } from "./import-suite.ts";

function imported(config: object): ImportedSuite {
  const read = readConfig({ name: "config.json", text: JSON.stringify(config) });
  if (!read.ok) throw new Error(read.problem);
  return read.imported;
}

const sums = imported({
  description: "Sums",
  evaluateOptions: { repeat: 2 },
  defaultTest: { assert: [{ type: "contains", value: "{{answer}}" }] },
  tests: [
    { vars: { question: "2 + 3?", answer: "5" }, assert: [{ type: "python", value: "a" }] },
    { vars: { question: "6 * 7?", answer: "42" }, assert: [{ type: "python", value: "b" }] },
  ],
});

function storage(refusal?: ServiceError) {
  const stored = new Map<string, unknown>();
  const evaluations: Pick<EvaluationService, "create" | "addCases" | "remove"> = {
    create(suite) {
      stored.set("suite-1", suite);
      return Promise.resolve({ id: "suite-1", revision: 1, ...suite });
    },
    addCases(id, cases) {
      if (refusal) return Promise.reject(refusal);
      stored.set(`${id} cases`, cases);
      return Promise.resolve();
    },
    remove: (id) => Promise.resolve(void stored.delete(id)),
  };
  return { evaluations, stored };
}

describe("an imported suite", () => {
  it("is stored with its settings and cases", async () => {
    const read = suiteToStore(sums);
    if (!read.ok) throw new Error(read.problems.join(" "));
    const { evaluations, stored } = storage();
    expect(await storeImported(evaluations, "workflow-1", read.made)).toBe("suite-1");
    expect(stored.get("suite-1")).toEqual({
      name: "Sums",
      workflowId: "workflow-1",
      settings: { trials: 2, defaultAssert: [{ type: "contains", value: "{{input.answer}}" }] },
    });
    expect(stored.get("suite-1 cases")).toMatchObject([{ case: { id: "case-1" } }, { case: { id: "case-2" } }]);
  });

  it("leaves nothing behind when its cases cannot be stored", async () => {
    const read = suiteToStore(sums);
    if (!read.ok) throw new Error(read.problems.join(" "));
    const { evaluations, stored } = storage(new ServiceError("offline", "Offline.", "Try again."));
    await expect(storeImported(evaluations, "workflow-1", read.made)).rejects.toThrow("Offline.");
    expect(stored.size).toBe(0);
  });

  it("may have no cases, but not nothing at all", async () => {
    const criterion = { type: "string_check", input: "{{sample.output_text}}", reference: "x", operation: "eq" };
    const read = suiteToStore(imported({ testing_criteria: [criterion] }));
    expect(read).toMatchObject({ ok: true, made: { name: "", cases: [] } });
    if (!read.ok) return;
    const { evaluations, stored } = storage();
    await storeImported(evaluations, "workflow-1", { ...read.made, name: "Empty" });
    expect([...stored.keys()]).toEqual(["suite-1"]);
    expect(suiteToStore(imported({ tests: "file://tests.csv" }))).toEqual({
      ok: false,
      problems: [expect.stringContaining("Put the tests into the file.")],
    });
  });
});

it("tells equal parts of the report once", () => {
  expect(partGroups(sums.parts, "left-out")).toEqual([
    { what: "python", note: "It has no counterpart.", places: ["tests[0].assert[0]", "tests[1].assert[0]"] },
  ]);
});
