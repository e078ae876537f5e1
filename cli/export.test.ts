import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExportTarget, exportTargets } from "../src/export/export-target.ts";
import { exportCode } from "../src/export/export-code.ts";
import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import type { Json, JsonObject } from "../src/engine/json.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { templates } from "../src/features/library/templates/index.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { startWorkflowCommand } from "../scripts/testing/workflow-command.ts";

const script = fileURLToPath(new URL("export.mjs", import.meta.url));
const root = dirname(dirname(script));
let command: Awaited<ReturnType<typeof startWorkflowCommand>>;
// Below the project, so that the programs find its packages.
let programs = "";

beforeAll(async () => {
  command = await startWorkflowCommand();
  mkdirSync(join(root, "node_modules", ".cache"), { recursive: true });
  programs = mkdtempSync(join(root, "node_modules", ".cache", "switchyard-export-"));
});
afterAll(async () => {
  await command.stop();
  rmSync(programs, { recursive: true, force: true });
});

const model: [string, JsonObject] = [
  "openai-compatible-model",
  { credential: "key-1", model: "loopback-1", streaming: false },
];

/** Tools of every kind, a helper agent, branches, items, code and a merge. */
const everything: WorkflowDocument = {
  ...buildWorkflow({
    name: "Everything */ at once",
    nodes: {
      chat: ["chat-trigger"],
      shape: [
        "set-fields",
        { fields: { words: '{{split(json.message, " ")}}', "odd name": "{{size(json.message)}}" } },
      ],
      check: ["if", { condition: '{{json.message.contains("2")}}' }],
      agent: [
        "ai-agent",
        { systemPrompt: "Answer `briefly` about ${things} in {{vars.region}}.", userMessage: "{{json.message}}" },
      ],
      helper: [
        "ai-agent",
        {
          toolName: "ask_helper",
          systemPrompt: "You help.",
          outputFormat: "json",
          outputSchema: { type: "object", properties: { answer: { type: "string" } } },
        },
      ],
      calculator: ["calculator-tool"],
      lookup: [
        "http-request-tool",
        {
          toolName: "find_order",
          url: 'https://api.example.com/orders/{{ai("id", "the order", "string")}}',
          method: "POST",
          bodyType: "form",
          form: { a: "{{json.message}}" },
          approval: "ask",
        },
      ],
      open: ["http-request-tool", { toolName: "open_request", allowedHosts: ["*.example.com"] }],
      pages: [
        "http-request-tool",
        { toolName: "list_all", url: "https://api.example.com/all", paging: "offset", pageParameter: "skip" },
      ],
      script: [
        "code-tool",
        {
          toolName: "double",
          parameters: { type: "object", properties: { amount: { type: "number", default: 1 } } },
          inputs: { region: "{{vars.region}}" },
          code: "const lines = [];\nlines.push(region);\nreturn { twice: amount * 2, lines: lines.map(l => l.trim()) };",
        },
      ],
      memory: ["window-memory", { maxMessages: 4 }],
      items: ["for-each", { items: "{{json.words}}", concurrency: 2 }],
      word: [
        "code",
        {
          code: "let total = 0;\nfor (const letter of json) total += letter.length;\nreturn { word: json, total, region };",
          inputs: { region: "{{vars.region}}" },
        },
      ],
      route: ["switch", { value: "{{size(json)}}", cases: ["1", "2"] }],
      one: ["set-fields", { fields: { route: "one" }, keepInput: false }],
      other: ["set-fields", { fields: { route: "other", count: "{{size(items.done)}}" }, keepInput: false }],
      together: ["merge", { mode: "all", combine: "object" }],
      model,
      model2: model,
      again: ["repeat", { until: "{{json.count >= 3}}", asked: "before", mostTurns: 5, atLimit: "fail" }],
      more: ["set-fields", { fields: { count: "{{json.count + 1}}" } }],
    },
    edges: [
      "chat.main -> shape.main",
      "shape.main -> check.main",
      "check.true -> agent.main",
      "check.false -> items.main",
      "items.main -> word.main",
      "items.done -> route.main",
      "route.case1 -> one.main",
      "route.default -> other.main",
      "one.main -> together.main",
      "other.main -> together.main",
      "together.main -> again.main",
      "again.main -> more.main",
      "model.model -> agent.model",
      "model2.model -> helper.model",
      "model2.model -> agent.fallback",
      "memory.memory -> agent.memory",
      "calculator.tool -> agent.tools",
      "lookup.tool -> agent.tools",
      "open.tool -> agent.tools",
      "pages.tool -> agent.tools",
      "script.tool -> agent.tools",
      "helper.tool -> agent.tools",
    ],
  }),
  vars: { region: "eu" },
};

/** The workflow as a program that Node can load. */
async function load(
  document: WorkflowDocument,
  target: ExportTarget,
): Promise<{ run(input: Json, options?: object): Promise<Json> }> {
  const { code } = exportCode(document, { target, registry: nodeRegistry });
  const made = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  const file = join(programs, `${crypto.randomUUID()}.mjs`);
  writeFileSync(file, made.outputText);
  return import(pathToFileURL(file).href);
}

/** The tool calls that the scripted model made since a request, as it was told of them afterwards: name, arguments, result. */
function callsSince(start: number): unknown[] {
  const bodies = command.model.requests.slice(start).map(({ body }) => JSON.stringify(body));
  const last = command.model.requests.slice(start).at(-1)?.body as { messages?: Message[] } | undefined;
  expect(bodies.length).toBeGreaterThan(0);
  return (last?.messages ?? []).flatMap(({ role, tool_calls: calls, content }) =>
    role === "tool"
      ? [content]
      : (calls ?? []).map((call) => [call.function.name, JSON.parse(call.function.arguments)]),
  );
}

interface Message {
  role: string;
  content: unknown;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

function environment(): void {
  process.env.MODEL_BASE_URL = command.model.baseUrl;
  process.env.MODEL_API_KEY = command.model.key;
}

async function inStudio(document: WorkflowDocument, input: Json): Promise<Json> {
  command.write("exported.json", document);
  command.write(
    "keys.json",
    { "key-1": { type: "openai-compatible", apiKey: command.model.key, baseUrl: command.model.baseUrl } },
    0o600,
  );
  const { stdout, stderr } = await command.run([
    "exported.json",
    "--input",
    JSON.stringify(input),
    "--credentials",
    "keys.json",
  ]);
  expect(stderr).not.toContain("rror");
  return JSON.parse(stdout);
}

describe.each(exportTargets)("a workflow as a program for %s", (target) => {
  it("type-checks, whatever it has: every template, and everything at once", () => {
    const documents = [...templates.map((one) => one.build("document-1", one.knowledge && "collection-1")), everything];
    const files = documents.map((document, index) => {
      const file = join(programs, `${target}-${index}.ts`);
      writeFileSync(file, exportCode(document, { target, registry: nodeRegistry }).code);
      return file;
    });
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      types: ["node"],
      typeRoots: [join(root, "node_modules", "@types")],
    });
    const problems = ts.getPreEmitDiagnostics(program).map((one) => {
      const line = one.file?.getLineAndCharacterOfPosition(one.start ?? 0).line ?? 0;
      return `${one.file?.fileName}:${line + 1} ${ts.flattenDiagnosticMessageText(one.messageText, " ")}`;
    });
    expect(problems).toEqual([]);
  });

  it("makes the same tool calls on the same model, with the same results", async () => {
    environment();
    const input = { message: "What is 12 * 7?", sessionId: "one" };
    const before = command.model.requests.length;
    const studio = await inStudio(everything, input);
    const expected = callsSince(before);
    expect(expected).toEqual([["calculator", { expression: "12 * 7" }], expect.stringContaining("84")]);
    const { run } = await load(everything, target);
    const start = command.model.requests.length;
    expect(await run(input)).toMatchObject({ response: expect.stringContaining("84") });
    expect(callsSince(start)).toEqual(expected);
    expect(JSON.stringify(studio)).toContain("84");
    // It goes on with the conversation, and with no other one.
    await run({ message: "What did I ask about 2?", sessionId: "one" });
    expect(command.model.requests.at(-1)?.text).toContain("12 * 7");
    await run({ message: "Who are you 2?", sessionId: "another" });
    expect(command.model.requests.at(-1)?.text).not.toContain("12 * 7");
  });

  it("takes the same branches, items and expressions", async () => {
    const input = { message: "one and more words", sessionId: "s" };
    const studio = await inStudio(everything, input);
    const { run } = await load(everything, target);
    expect(await run(input)).toEqual(studio);
    expect(studio).toEqual({ route: "other", count: 4 });
  });

  it("repeats with the last result until the condition holds, and says when it does not", async () => {
    const repeating = (atLimit: string) =>
      buildWorkflow({
        name: "Repeats",
        nodes: {
          start: ["manual-trigger"],
          again: ["repeat", { until: "{{json.count >= 3}}", mostTurns: 4, atLimit }],
          more: ["set-fields", { fields: { count: "{{json.count + 1}}" } }],
          after: ["set-fields", { keepInput: false, fields: { got: "{{nodes.again.done.count}}" } }],
        },
        edges: ["start.main -> again.main", "again.main -> more.main", "again.done -> after.main"],
      });
    const { run } = await load(repeating("continue"), target);
    expect(await run({ count: 0 })).toEqual({ got: 3 });
    expect(await run({ count: 7 })).toEqual({ got: 8 });
    expect(await run({ count: -9 })).toEqual({ got: -5 });
    const strict = await load(repeating("fail"), target);
    await expect(strict.run({ count: -9 })).rejects.toThrow("did not hold after the last turn");
  });

  it("asks the next model where one fails", async () => {
    environment();
    const falling = buildWorkflow({
      name: "Falls back",
      nodes: {
        chat: ["chat-trigger"],
        agent: ["ai-agent", { maxTotalTokens: 50_000, maxCostUsd: 1 }],
        // Nothing answers there.
        gone: ["openai-compatible-model", { preset: "ollama", model: "gone" }],
        model,
        calculator: ["calculator-tool"],
      },
      edges: [
        "chat.main -> agent.main",
        "gone.model -> agent.model",
        "model.model -> agent.fallback",
        "calculator.tool -> agent.tools",
      ],
    });
    const { notes } = exportCode(falling, { target, registry: nodeRegistry });
    expect(notes.map(({ note }) => note).join(" ")).toContain("the cost budget");
    expect(
      notes
        .map(({ note }) => note)
        .join(" ")
        .includes("the token budget"),
    ).toBe(target === "openai-agents");
    const { run } = await load(falling, target);
    const start = command.model.requests.length;
    expect(await run({ message: "What is 5 * 5?" })).toMatchObject({ response: expect.stringContaining("25") });
    expect(callsSince(start)[0]).toEqual(["calculator", { expression: "5 * 5" }]);
  }, 60_000);

  it("asks for all pages of a list", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      const page = Number(new URL(request.url ?? "", "http://localhost").searchParams.get("page") ?? 1);
      const rows = page > 2 ? [] : [page * 10, page * 10 + 1];
      response.setHeader("content-type", "application/json");
      response.setHeader("link", page > 2 ? "" : `</rows?page=${page + 1}>; rel="next"`);
      response.end(JSON.stringify({ rows, cursor: page < 2 ? page + 1 : null }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const listing = (config: JsonObject) =>
      buildWorkflow({
        name: "Lists",
        nodes: {
          start: ["manual-trigger"],
          list: ["http-request", { url: `http://127.0.0.1:${port}/rows`, itemsPath: "rows", maxPages: 9, ...config }],
        },
        edges: ["start.main -> list.main"],
      });
    const ways: JsonObject[] = [
      { paging: "page", pageParameter: "page" },
      { paging: "cursor", pageParameter: "page", nextPath: "cursor" },
      { paging: "link" },
    ];
    for (const config of ways) {
      const { run } = await load(listing(config), target);
      expect(await run({})).toMatchObject({ status: 200, body: [10, 11, 20, 21], more: false });
    }
    asked.length = 0;
    const { run } = await load(listing({ paging: "link", maxPages: 1 }), target);
    expect(await run({})).toMatchObject({ body: [10, 11], pages: 1, more: true });
    expect(asked).toEqual(["/rows"]);
    await new Promise((resolve) => server.close(resolve));
  });

  it("asks at a step that asks, and takes the way that was decided; nobody there is a no", async () => {
    const asking = buildWorkflow({
      name: "Asks in the flow",
      nodes: {
        chat: ["chat-trigger"],
        ask: ["approval", { message: "Send “{{json.message}}”?" }, "Desk"],
        yes: ["set-fields", { keepInput: false, fields: { did: "{{json.message}}" } }],
        no: ["set-fields", { keepInput: false, fields: { did: "{{json.approval.approved}}" } }],
      },
      edges: ["chat.main -> ask.main", "ask.approved -> yes.main", "ask.declined -> no.main"],
    });
    const { run } = await load(asking, target);
    const asked: unknown[] = [];
    expect(await run({ message: "Hi" }, { approve: (call: unknown) => asked.push(call) > 0 })).toEqual({ did: "Hi" });
    expect(asked).toEqual([{ tool: "Desk", args: { message: "Send “Hi”?" } }]);
    expect(await run({ message: "Hi" })).toEqual({ did: false });
  });

  it("asks first where a tool asks, and refuses where nobody answers", async () => {
    environment();
    const asking = buildWorkflow({
      name: "Asks",
      nodes: {
        chat: ["chat-trigger"],
        agent: ["ai-agent"],
        model,
        calculator: ["calculator-tool", { approval: "ask" }],
      },
      edges: ["chat.main -> agent.main", "model.model -> agent.model", "calculator.tool -> agent.tools"],
    });
    const { run } = await load(asking, target);
    const start = command.model.requests.length;
    await run({ message: "What is 3 * 3?" });
    expect(callsSince(start)[1]).toBe("A person refused this call.");
    const asked: unknown[] = [];
    await run({ message: "What is 4 * 4?" }, { approve: (call: unknown) => asked.push(call) > 0 });
    expect(asked).toEqual([{ tool: "calculator", args: { expression: "4 * 4" } }]);
    expect(callsSince(start)[1]).toBe("16");
  });

  it("leaves out credentials, and secrets that are typed into fields", () => {
    const typed = buildWorkflow({
      nodes: {
        start: ["manual-trigger"],
        send: [
          "http-request",
          {
            url: "https://example.com",
            headers: { authorization: `Bearer sk-${"a1B2".repeat(12)}` },
            credential: "key-1",
          },
        ],
      },
      edges: ["start.main -> send.main"],
    });
    const { code, notes } = exportCode(typed, { target, registry: nodeRegistry });
    expect(code).not.toMatch(/sk-a1B2|key-1/);
    expect(notes.map(({ note }) => note)).toEqual([
      expect.stringContaining("looks like a secret"),
      expect.stringContaining("Its credential stays in the studio"),
    ]);
  });

  it("says what it does not have, and fails where that is reached", async () => {
    const beyond = buildWorkflow({
      name: "Beyond",
      nodes: {
        start: ["manual-trigger"],
        when: ["set-fields", { fields: { day: '{{formatDate(now, "yyyy")}}' } }],
        database: ["postgres"],
      },
      edges: ["start.main -> when.main", "when.main -> database.main"],
    });
    const { code, notes } = exportCode(beyond, { target, registry: nodeRegistry });
    expect(notes).toEqual([
      { node: "when", note: expect.stringContaining("the function formatDate is the studio's own") },
      { node: "database", note: expect.stringContaining("This step needs the studio.") },
    ]);
    expect(code).toContain("// Not as in the studio:\n//   when: The expression");
    const { run } = await load(beyond, target);
    await expect(run({})).rejects.toThrow("is not part of this program");
  });
});

describe("npm run export", () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [script, ...args], { cwd: command.directory }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr });
      });
    });

  it("prints the program, or writes it to a file", async () => {
    const printed = await run("demo.json", "--to", "ai-sdk");
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    expect(printed.stdout).toContain("export async function run(");
    const written = await run("demo.json", "--to", "openai-agents", "--out", "program.ts");
    expect(written).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("Install @openai/agents@") });
    expect(readFileSync(join(command.directory, "program.ts"), "utf8")).toContain('from "@openai/agents"');
  });

  it("says what is wrong with the command or the file", async () => {
    expect((await run("--help")).stdout).toContain("npm run --silent export");
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining("No workflow file was named.") });
    expect(await run("demo.json")).toMatchObject({ code: 2, stderr: expect.stringContaining("--to") });
    expect(await run("demo.json", "--to", "cobol")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no export to "cobol"'),
    });
    expect(await run("demo.json", "agent.json", "--to", "ai-sdk")).toMatchObject({ code: 2 });
    expect(await run("demo.json", "--nonsense")).toMatchObject({ code: 2 });
    expect(await run("gone.json", "--to", "ai-sdk")).toMatchObject({
      code: expect.any(Number),
      stderr: expect.stringContaining("gone.json"),
    });
    expect(await run("credentials.json", "--to", "ai-sdk")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no trigger"),
    });
    const nowhere = await run("demo.json", "--to", "ai-sdk", "--out", "no/such/folder.ts");
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be written") });
  });
});
