import { describe, expect, it } from "vitest";
import { newDocument, newNode } from "../../../engine/document/new-document.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { difyChat } from "../../../import/testing/dify-app.ts";
import { completeExport } from "../../../import/testing/n8n-export.ts";
import { templateFile } from "../share/template-file.ts";
import { askWithTools } from "../templates/ask-with-tools.ts";
import { toWorkflowFile } from "../workflow-file.ts";
import { type ImportFindings, type OwnThings, readImport } from "./read-import.ts";

const nothing: OwnThings = { credentials: new Set(), workflows: new Set(), collections: new Set() };

function withNodes(nodes: Record<string, [type: string, config?: JsonObject]>): WorkflowDocument {
  const document = newDocument("w", "From outside");
  for (const [id, [type, config]] of Object.entries(nodes)) {
    const definition = nodeRegistry[type];
    document.nodes[id] = definition
      ? newNode(definition, { id, position: { x: 0, y: 0 }, config })
      : { id, type, version: 1, title: id, position: { x: 0, y: 0 }, config: config ?? {} };
  }
  return document;
}

function found(document: object, own: OwnThings = nothing): ImportFindings {
  const read = readImport(JSON.stringify(document), own, () => "fresh");
  if (!read.ok) throw new Error(read.problems.join(" "));
  return read.findings;
}

describe("reading a workflow from outside", () => {
  it("S34 leaves foreign credentials unresolved and lists where to choose", () => {
    const foreign = withNodes({ m: ["openai-model", { credential: "of-ann" }], c: ["chat-trigger"] });
    const findings = found(foreign);
    expect(JSON.stringify(findings.document)).not.toContain("of-ann");
    expect(findings.credentials).toMatchObject([
      { nodeId: "m", field: "credential", types: ["openai"], required: true },
    ]);
    const own = found(foreign, { ...nothing, credentials: new Set(["of-ann"]) });
    expect(own.document.nodes["m"]?.config["credential"]).toBe("of-ann");
    expect(own.credentials).toEqual([]);
  });

  it("names a workflow after its file where the file gives no name", () => {
    const { name, ...unnamed } = completeExport;
    const nameOf = (source: object) => {
      const read = readImport(JSON.stringify(source), nothing, () => "fresh", "Mail desk.v2.json");
      return read.ok && read.findings.document.name;
    };
    expect([nameOf(completeExport), nameOf(unnamed)]).toEqual([name, "Mail desk.v2"]);
  });

  it("S34 takes the credential out of nodes that are not known here, too", () => {
    const findings = found(withNodes({ x: ["from-the-future", { credential: "of-ann", kept: 1 }] }));
    expect(findings.unknown).toMatchObject([{ type: "from-the-future", config: { credential: "", kept: 1 } }]);
    expect(findings.notes).toEqual([]);
  });

  it.each([
    ["an empty file", " \n", "The file is empty."],
    ["one that was cut off", '{"nodes": {', "The file does not contain JSON: "],
  ])("says what to do with %s", (_what, text, problem) => {
    const read = readImport(text, nothing, () => "fresh");
    expect(read).toMatchObject({ ok: false, problems: [expect.stringContaining(problem)] });
    expect(read).toMatchObject({ problems: [expect.stringContaining("Export the workflow again")] });
  });

  it("lists workflows and collections that this account does not have", () => {
    const document = withNodes({
      w: ["workflow-tool", { workflow: "theirs" }],
      k: ["knowledge-base-tool", { collection: "theirs" }],
    });
    expect(found(document).missing.map(({ what }) => what)).toEqual(["workflow", "collection"]);
    const all = new Set(["theirs"]);
    expect(found(document, { credentials: all, workflows: all, collections: all }).missing).toEqual([]);
  });

  it("S33 makes nodes that reach out wait, whatever the file says of itself", () => {
    const document = withNodes({ h: ["http-request", { url: "https://collect.example" }], s: ["set-fields"] });
    for (const node of Object.values(document.nodes)) node.unreviewed = false;
    const findings = found(document);
    expect(findings.review.map(({ node }) => node.id)).toEqual(["h"]);
    expect(findings.document.nodes["s"]?.unreviewed).toBeUndefined();
  });

  it("S67 drops the tools of a server that somebody elsewhere approved", () => {
    const pins = { send: "{}" };
    const { nodes } = found(withNodes({ m: ["mcp-tool", { url: "https://mcp.example/mcp", pins }] })).document;
    expect(nodes["m"]?.config).toMatchObject({ url: "https://mcp.example/mcp" });
    expect(nodes["m"]?.config).not.toHaveProperty("pins");
  });

  it("S33 asks nothing of the network while it reads", () => {
    const asked: string[] = [];
    const before = globalThis.fetch;
    globalThis.fetch = (input) => {
      asked.push(String(input));
      return Promise.reject(new Error("No network here."));
    };
    try {
      found(
        withNodes({ m: ["mcp-tool", { url: "https://collect.example/mcp" }], c: ["code", { code: "fetch('x')" }] }),
      );
    } finally {
      globalThis.fetch = before;
    }
    expect(asked).toEqual([]);
  });

  it("S31 S32 refuses what is no workflow, in words", () => {
    for (const [text, reason] of [
      ["{", "not contain JSON"],
      ['{"nodes":{"a":{"type":"x","config":{"constructor":{}}}}}', "constructor"],
      ['{"nodes":[{"id":"a","type":"x"},{"id":"a","type":"x"}]}', "Two nodes"],
      ['{"name":"some-package","version":"1.0.0"}', 'it has no "nodes". It has name, version.'],
      ["{}", "It is empty"],
    ] as const) {
      const read = readImport(text, nothing, () => "fresh");
      expect(read.ok ? "" : read.problems.join(" ")).toContain(reason);
    }
  });

  it("S36 keeps a label that looks like markup as the text that it is", () => {
    const document = askWithTools("w");
    const label = '<img src=x onerror="alert(1)">[link](javascript:alert(1))';
    if (document.nodes["agent"]) document.nodes["agent"].title = label;
    expect(found(document).document.nodes["agent"]?.title).toBe(label);
  });

  it("S35 finds in an export of one's own nothing but what has to be chosen again", async () => {
    const document = withNodes({ m: ["openai-model", { credential: "mine" }] });
    const { text } = await toWorkflowFile(document, async () => undefined);
    const findings = found(JSON.parse(text), { ...nothing, credentials: new Set(["mine"]) });
    expect(findings.credentials).toHaveLength(1);
    expect(findings.missing).toEqual([]);
  });
});

describe("a template that somebody shared", () => {
  it("is taken from its file, under its name, with the variables that it asks for", () => {
    const { text } = templateFile(
      { ...newDocument("w", "Weather"), vars: { city: "Rome", tone: "dry" } },
      { asked: new Set(["city"]), picture: undefined, registry: nodeRegistry },
    );
    const result = readImport(text, nothing, () => "new-id");
    if (!result.ok) throw new Error(result.problems.join(" "));
    expect(result.findings.document).toMatchObject({ id: "new-id", name: "Weather", vars: { city: "", tone: "dry" } });
  });
});

describe("a workflow of Dify", () => {
  it("is taken from YAML with its report", () => {
    const result = readImport(difyChat, nothing, () => "new-id");
    if (!result.ok) throw new Error(result.problems.join(" "));
    expect(result.findings.document.name).toBe("Travel desk");
    expect(result.findings.report?.nodes).toMatchObject({ total: 11, placeholder: 0 });
  });
});

describe("a workflow of n8n", () => {
  it("is taken with a report of its nodes, and waits for review where it reaches out", () => {
    const result = readImport(JSON.stringify(completeExport), nothing, () => "new-id");
    if (!result.ok) throw new Error(result.problems.join(" "));
    const { document, report, review, credentials } = result.findings;
    expect(document.name).toBe("Everything at once");
    expect(report?.nodes).toMatchObject({ total: 15, placeholder: 1 });
    expect(review.map(({ node }) => node.title)).toContain("Look up");
    expect(credentials.map(({ title }) => title)).toContain("Model");
  });

  it("says why a broken one cannot be taken", () => {
    expect(readImport("no workflow at all", nothing, () => "new-id")).toMatchObject({ ok: false });
  });
});
