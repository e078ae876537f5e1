import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { sayReply } from "../e2e/servers/openai-reply.ts";
import { startOpenaiServer } from "../e2e/servers/openai-server.ts";
import { fileStore, type MemoryFileStore } from "../src/engine/in-memory/file-store.ts";
import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import type { EvaluationCase } from "../src/evaluation/suite/evaluation-case.ts";
import type { JsonObject } from "../src/engine/json.ts";
import type { RunEvent } from "../src/engine/run/events.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { exportSuite } from "../src/features/tests/export-suite.ts";
import { zipFiles } from "../src/features/tests/zip-files.ts";
import { ServiceError } from "../src/services/services.ts";
import { openSuite } from "../src/state/evaluation/open-suite.ts";
import { readCredentials } from "./headless/credentials-file.ts";
import { createNodeHost } from "./headless/node-host.ts";
import { readWorkflowDirectory } from "./headless/workflow-directory.ts";

const script = fileURLToPath(new URL("./evaluate.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "switchyard-export-"));
const vendor = await startOpenaiServer();
const keys = join(folder, "keys.json");
const credential = crypto.randomUUID();
writeFileSync(keys, JSON.stringify({ [credential]: { type: "openai", apiKey: vendor.key, baseUrl: vendor.baseUrl } }), {
  mode: 0o600,
});
const credentials = await readCredentials(keys, []);

afterAll(async () => {
  await vendor.close();
  rmSync(folder, { recursive: true });
});

const openaiModel = { credential, model: "gpt-4o-mini" };

const agent = (tools: Parameters<typeof buildWorkflow>[0]["nodes"] = { calculator: ["calculator-tool"] }) =>
  buildWorkflow({
    name: "Sums",
    nodes: { chat: ["chat-trigger"], agent: ["ai-agent"], model: ["openai-model", openaiModel], ...tools },
    edges: [
      "chat.main -> agent.main",
      "model.model -> agent.model",
      ...Object.keys(tools).map((id) => `${id}.tool -> agent.tools`),
    ],
  });

/** A studio with one suite. Its models are those of the vendor. */
async function studioOf(suite: {
  settings: JsonObject;
  cases: readonly { case: EvaluationCase; cassette?: RunEvent[] }[];
  document?: WorkflowDocument;
  others?: readonly WorkflowDocument[];
  files?: MemoryFileStore;
}) {
  const document = suite.document ?? agent();
  const documents = new Map([document, ...(suite.others ?? [])].map((one) => [one.id, one]));
  const none = await readWorkflowDirectory(undefined);
  const store = suite.files ?? fileStore();
  const services = {
    files: {
      async open(id: string) {
        const found = store.kept.get(id);
        if (!found) throw new ServiceError("not-found", "It is gone.", "");
        return new Blob([found.bytes]);
      },
    },
    evaluations: {
      get: () =>
        Promise.resolve({
          id: "s",
          name: "Sums & more",
          workflowId: document.id,
          settings: suite.settings,
          revision: 1,
        }),
      cases: () =>
        Promise.resolve(
          suite.cases.map((one, index) => ({
            id: String(index),
            case: one.case,
            hasCassette: one.cassette !== undefined,
          })),
        ),
      cassette: (id: string) => Promise.resolve(suite.cases[Number(id)]?.cassette ?? []),
    },
    workflows: {
      get: (id: string) => {
        const found = documents.get(id);
        if (!found) throw new Error(`There is no ${id}.`);
        return Promise.resolve({ id, name: found.name, document: found, revision: 1, createdAt: "", updatedAt: "" });
      },
    },
    createHost: () => ({
      ...createNodeHost({ credentials, policy: { allowHosts: [] }, approve: false, workflows: none, files: store }),
      workflows: {
        load: async (id: string) => ({ ok: true as const, document: (await services.workflows.get(id)).document }),
      },
    }),
  };
  const open = await openSuite(services, "s");
  return (records: boolean) =>
    exportSuite(services, open, { records, signal: new AbortController().signal, onProgress: () => {} });
}

/** The files of a ZIP archive in a new folder; gives the folder and the files. */
function unpacked(archive: Uint8Array) {
  const to = mkdtempSync(join(folder, "files-"));
  const files = Object.entries(unzipSync(archive)).map(([path, bytes]): [string, string] => [path, strFromU8(bytes)]);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), text);
  }
  return { to, files: Object.fromEntries(files) };
}

/** The command as CI runs it: a process of its own, without keys. */
function evaluate(...args: string[]) {
  return new Promise<{ code: number | null; said: string }>((resolve) => {
    const child = spawn(process.execPath, [script, ...args, "--replay", "all"], { cwd: folder });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (said += data.toString()));
    child.on("close", (code) => resolve({ code, said }));
  });
}

const sum: EvaluationCase = { id: "Sum: 2 + 3?", input: "What is 2 + 3?", expected: "5" };
const product: EvaluationCase = { id: "Sum/2 + 3?", input: "What is 6 * 7?", expected: "42" };
const talk: EvaluationCase = { id: "talk", input: "What is 1 + 1?", turns: ["What is 4 + 5?"], expected: "9" };
const settings = {
  trials: 5,
  matrix: [{ model: "gpt-4o-mini" }, { model: "gpt-4o" }],
  gate: { passRate: 0.9, noWorse: true, maxCostUsd: 1 },
  publishing: "block",
  defaultAssert: [
    { type: "contains", value: "{{expected}}" },
    { type: "tool-used", value: "calculator" },
  ],
};

describe("a suite that leaves the studio for CI", () => {
  it("passes from its files without keys and network, and fails when the workflow asks something else", async () => {
    const made = await (await studioOf({ settings, cases: [{ case: sum }, { case: product }, { case: talk }] }))(true);
    expect(made).toMatchObject({ passing: [sum.id, product.id, "talk"], failing: [], unrecorded: [], notes: [] });
    const { suite, files } = made.write(false);
    const { to, files: written } = unpacked(zipFiles(files));
    expect(written).toEqual(files);
    expect(Object.keys(files).toSorted()).toEqual([
      "README.md",
      "cases.jsonl",
      "cassettes/001-sum-2-3.jsonl",
      "cassettes/002-sum-2-3.jsonl",
      "cassettes/003-talk.jsonl",
      "sums-more.suite.json",
      "workflow.json",
    ]);
    for (const secret of [credential, vendor.key]) expect(JSON.stringify(files)).not.toContain(secret);
    const asked = vendor.requests.length;
    const { code, said } = await evaluate(join(to, suite));
    expect(said).toMatch(/3 of 3 trials.*Passed\./s);
    expect(code).toBe(0);
    expect(vendor.requests).toHaveLength(asked);

    const workflow = readFileSync(join(to, "workflow.json"), "utf8");
    writeFileSync(join(to, "workflow.json"), workflow.replace("gpt-4o-mini", "gpt-4o"));
    expect(await evaluate(join(to, suite))).toMatchObject({ code: 1 });
    expect(vendor.requests).toHaveLength(asked);

    // What was recorded once is served again, and asks no model.
    const cassette = (files["cassettes/001-sum-2-3.jsonl"] ?? "")
      .trimEnd()
      .split("\n")
      .map((line): RunEvent => JSON.parse(line));
    const again = await studioOf({ settings, cases: [{ case: sum, cassette }, { case: product }] });
    expect(await again(false)).toMatchObject({ passing: [sum.id], failing: [], unrecorded: [product.id] });
    expect(vendor.requests).toHaveLength(asked);
  });

  it("S105 takes the files of its cases along, and fails where their bytes are others", async () => {
    const files = fileStore();
    const report = await files.put("report.txt", "text/plain", "Lamps are blue.");
    const document = buildWorkflow({
      name: "Reads",
      nodes: { start: ["manual-trigger"], read: ["read-file", { file: "{{json.report}}" }] },
      edges: ["start.main -> read.main"],
    });
    const reads: EvaluationCase = { id: "reads", input: { report }, expected: "Lamps are blue.", files: [report] };
    const bare: EvaluationCase = { id: "bare", input: { report }, expected: "Lamps are blue." };
    const suite = { settings: {}, cases: [{ case: reads }, { case: bare }], document, files };
    const made = await (await studioOf(suite))(true);
    expect(made).toMatchObject({ passing: ["reads"], failing: [{ caseId: "bare" }], notes: [] });
    expect(made.failing[0]?.reason).toContain("neither received nor made");
    const written = made.write(false);
    const { to } = unpacked(zipFiles(written.files));
    expect(await evaluate(join(to, written.suite))).toMatchObject({ code: 0 });

    const cases = readFileSync(join(to, "cases.jsonl"), "utf8");
    writeFileSync(join(to, "cases.jsonl"), cases.replace(btoa("Lamps are blue."), btoa("Lamps are grey.")));
    const { code, said } = await evaluate(join(to, written.suite));
    expect([code, said]).toEqual([2, expect.stringContaining('The bytes of "report.txt" of "reads"')]);
  });

  it("names the cases that do not pass from their recordings, and leaves them out if wanted", async () => {
    const wrong = { ...product, expected: "43" };
    const made = await (await studioOf({ settings, cases: [{ case: sum }, { case: wrong }] }))(true);
    expect(made.passing).toEqual([sum.id]);
    expect(made.failing).toEqual([{ caseId: wrong.id, reason: expect.stringContaining("43") }]);
    const runs = [true, false].map((withFailing) => {
      const { suite, files } = made.write(withFailing);
      return evaluate(join(unpacked(zipFiles(files)).to, suite));
    });
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([1, 0]);
  });

  it("takes along what the judge said, and the workflows that the workflow runs", async () => {
    const other = buildWorkflow({
      id: "other",
      name: "Greeter",
      nodes: { start: ["manual-trigger"], set: ["set-fields", { fields: { greeting: "Hello Ada" } }] },
      edges: ["start.main -> set.main"],
    });
    const document = agent({ greet: ["workflow-tool", { workflow: "other", approval: "never" }] });
    const judge = { provider: "openai", model: "gpt-4o", credential };
    const judged = { judge, concurrency: 1, defaultAssert: [{ type: "llm-rubric", value: "It greets." }] };
    const verdict = sayReply(JSON.stringify({ reason: "It does.", pass: true, score: 1 }));
    const call = sayReply("", { calls: [{ name: "run_workflow", arguments: "{}" }] });
    // While recording the judge is asked, and while the recording is tried.
    vendor.enqueue(call, sayReply("Hello Ada!"), verdict, verdict);
    const cases = [{ case: { id: "greets", input: "Greet Ada" } }];
    const made = await (await studioOf({ settings: judged, cases, document, others: [other] }))(true);
    expect(made).toMatchObject({ passing: ["greets"], failing: [] });
    const { suite, files } = made.write(false);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(["cassettes/judgements.jsonl", "workflows/1-greeter.json"]),
    );
    expect(files["cassettes/001-greets.jsonl"]).toContain("Hello Ada");
    expect(JSON.stringify(files)).not.toContain(credential);
    const asked = vendor.requests.length;
    expect(await evaluate(join(unpacked(zipFiles(files)).to, suite))).toMatchObject({ code: 0 });
    expect(vendor.requests).toHaveLength(asked);
  });

  it("says what is wrong with a workflow that cannot run", async () => {
    const { agent: node, chat } = agent().nodes;
    if (!node || !chat) throw new Error("The workflow should have an agent.");
    const broken = { ...agent(), nodes: { chat, agent: node }, edges: {} };
    const made = (await studioOf({ settings, cases: [{ case: sum }], document: broken }))(true);
    await expect(made).rejects.toMatchObject({
      message: expect.stringMatching(/^Sums: .*model/i),
      hint: "Correct the workflow, then export the suite again.",
    });
  });
});
