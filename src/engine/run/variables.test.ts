import { describe, expect, it } from "vitest";
import { readDocument } from "../document/read-document.ts";
import { recordScope } from "../template/scope.ts";
import { collectRun, endOf } from "../testing/collect-run.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { emptyRunState } from "./run-state.ts";
import { knownInput, previewScope, unknownVariables } from "./preview-scope.ts";

const reading = (value: string) => ({
  ...sampleDocument({ start: "start", step: ["step", { value }] }, ["start>step"]),
  vars: { city: "Oslo", limits: { most: 3 } },
});

describe("a workflow's variables", () => {
  it("are there for its templates, with their types, and give way to those of the run", async () => {
    expect(endOf(await collectRun(reading("{{vars.limits}}"))).output).toEqual({ most: 3 });
    const run = await collectRun(reading("{{vars.city}} {{vars.more}}"), {}, { vars: { city: "Bergen", more: 1 } });
    expect(endOf(run).output).toBe("Bergen 1");
  });

  it("are named in the error when one is mistyped", async () => {
    const { error } = endOf(await collectRun(reading("{{vars.ctiy}}")));
    expect(error).toMatchObject({ code: "expression_error", hint: 'Did you mean "city"?' });
  });

  it("are there for previews", () => {
    const scope = previewScope(reading(""), sampleRegistry, "step", undefined, { now: 0 });
    expect(scope.get("vars")).toEqual(recordScope({ vars: reading("").vars }).get("vars"));
  });

  it("are what a held run knows, and the others are known to be missing", () => {
    const document = sampleDocument({ start: "start", step: "step", last: "step" }, ["start>step", "step>last"]);
    const run = emptyRunState("r");
    const node = { active: 0, text: "", uses: 0 };
    const held = {
      runId: "r",
      seq: 0,
      at: 0,
      type: "pause-wait",
      pauseId: "p",
      kind: "node",
      nodeId: "step",
      atNodeId: "step",
      input: 4,
    } as const;
    run.nodes = {
      start: { ...node, status: "done", output: 4 },
      step: { ...node, status: "paused", pauses: [held] },
    };
    expect(knownInput(run.nodes["step"])).toBe(4);
    const scope = previewScope(document, sampleRegistry, "step", run, { now: 0 });
    expect([scope.get("json"), scope.get("start")]).toEqual([4, 4]);
    expect(unknownVariables(document, sampleRegistry, "step", run)).toEqual([]);
    expect(unknownVariables(document, sampleRegistry, "last", run)).toEqual(expect.arrayContaining(["json", "step"]));
    expect(unknownVariables(document, sampleRegistry, "last", run)).not.toContain("start");
  });

  it("stay with the document when it is read, and have names that templates can write", () => {
    expect(readDocument(reading(""))).toMatchObject({ ok: true, document: { vars: { city: "Oslo" } } });
    const odd = readDocument({ ...reading(""), vars: { "a-b": 1 } });
    expect(odd.ok ? [] : odd.problems).toEqual([expect.stringContaining("vars")]);
  });
});
