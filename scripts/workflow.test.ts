import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startJsonApi } from "../e2e/servers/json-api.ts";
import type { LoopbackServer } from "../e2e/servers/loopback-server.ts";
import { sayReply } from "../e2e/servers/openai-reply.ts";
import { startOpenaiServer, type OpenaiServer } from "../e2e/servers/openai-server.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const script = join(root, "scripts", "workflow.mjs");

let directory: string;
let model: OpenaiServer;
let api: LoopbackServer;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "switchyard-workflow-"));
  [model, api] = await Promise.all([startOpenaiServer(), startJsonApi()]);
  write("agent.json", agentWorkflow("openai-model", { credential: "key-1", model: "gpt-4o-mini" }));
  write("demo.json", agentWorkflow("demo-model", {}));
  write("credentials.json", { "key-1": { type: "openai", apiKey: model.key, baseUrl: model.baseUrl } }, 0o600);
});

afterAll(async () => {
  await Promise.all([model.close(), api.close()]);
  rmSync(directory, { recursive: true });
});

function write(name: string, content: unknown, mode = 0o644): void {
  const path = join(directory, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  chmodSync(path, mode);
}

function agentWorkflow(type: string, config: object) {
  return {
    id: "workflow-1",
    name: "Ask with tools",
    nodes: {
      start: { id: "start", type: "chat-trigger", title: "Chat" },
      agent: { id: "agent", type: "ai-agent", title: "Agent" },
      model: { id: "model", type, title: "Model", config },
      calculator: { id: "calculator", type: "calculator-tool", title: "Calculator" },
      web: {
        id: "web",
        type: "http-request-tool",
        title: "Web",
        config: { url: '{{ai("url", "The address", "string")}}' },
      },
      memory: { id: "memory", type: "window-memory", title: "Memory" },
    },
    edges: {
      e1: { id: "e1", from: { node: "start", port: "main" }, to: { node: "agent", port: "main" } },
      e2: { id: "e2", from: { node: "model", port: "model" }, to: { node: "agent", port: "model" } },
      e3: { id: "e3", from: { node: "calculator", port: "tool" }, to: { node: "agent", port: "tools" } },
      e4: { id: "e4", from: { node: "web", port: "tool" }, to: { node: "agent", port: "tools" } },
      e5: { id: "e5", from: { node: "memory", port: "memory" }, to: { node: "agent", port: "memory" } },
    },
  };
}

interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command in the test's own directory; `during` sees the child while it runs. */
function run(args: string[], options: { stdin?: string; during?: (kill: () => void) => void } = {}): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { cwd: directory });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.stdin.end(options.stdin ?? "");
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    options.during?.(() => child.kill("SIGINT"));
  });
}

function ask(message: string): string[] {
  return ["agent.json", "--input", JSON.stringify({ message }), "--credentials", "credentials.json"];
}

describe("npm run workflow", () => {
  it("prints the output of a run that calls both tools", async () => {
    const question = `What is 12 * 7, and what does ${api.url}/weather?city=Oslo say?`;
    const { code, stdout, stderr } = await run([...ask(question), "--allow-host", new URL(api.url).host]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      response: expect.stringMatching(/84.*snow/),
      metadata: { iterations: 2, finishReason: "completed", toolsUsed: ["calculator", "http_request"] },
    });
  });

  it("prints one event per line with --events", async () => {
    const { code, stdout } = await run([...ask("What is 2 + 3?"), "--events"]);
    const events: { type: string; seq: number }[] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
    expect(events[0]?.type).toBe("run-start");
    expect(events.at(-1)?.type).toBe("run-end");
    expect(events.map((event) => event.type)).toContain("tool-call-end");
  });

  it("serves a recorded run again without a model, and goes on for real from a call", async () => {
    const recorded = await run([...ask("What is 2 + 3?"), "--events"]);
    write("run.jsonl", recorded.stdout);
    const asked = model.requests.length;
    // Without credentials: nothing is called.
    const replayed = await run(["agent.json", "--input", '{"message":"What is 2 + 3?"}', "--replay", "run.jsonl"]);
    expect(replayed.stderr).toBe("");
    expect(replayed.code).toBe(0);
    expect(model.requests).toHaveLength(asked);
    const events = recorded.stdout.trimEnd().split("\n");
    const call = events.map((line): { type: string; callId: string } => JSON.parse(line));
    const { callId } = call.findLast((event) => event.type === "model-request") ?? { callId: "" };
    const forked = await run([...ask("What is 2 + 3?"), "--replay", "run.jsonl", "--until", callId]);
    expect(forked.code).toBe(0);
    expect(model.requests).toHaveLength(asked + 1);
    const nowhere = await run([...ask("What is 2 + 3?"), "--replay", "run.jsonl", "--until", "call-x"]);
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('no call "call-x"')]);
    write("broken.jsonl", "nonsense");
    const broken = await run([...ask("Hi"), "--replay", "broken.jsonl"]);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("Line 1")]);
  });

  it("writes traces, and masks what the workflow names in all that it prints and writes", async () => {
    const workflow = { ...agentWorkflow("demo-model", {}), privacy: { mask: ["emails"], patterns: ["Oslo"] } };
    write("private.json", workflow);
    const input = ["--input", '{"message":"Ask ada@example.org in Oslo"}'];
    const { code, stdout } = await run(["private.json", ...input, "--events", "--otel", "t.json", "--otel-content"]);
    expect(code).toBe(0);
    const traces = readFileSync(join(directory, "t.json"), "utf8");
    expect(stdout + traces).not.toMatch(/ada@example|Oslo/);
    expect(stdout).toContain("[email]");
    const { resourceSpans } = JSON.parse(traces);
    const names = resourceSpans[0].scopeSpans[0].spans.map((span: { name: string }) => span.name);
    expect(names).toEqual(expect.arrayContaining(["run Ask with tools", "invoke_agent Agent", "chat demo"]));
    const unwritable = await run(["private.json", ...input, "--otel", "missing/t.json"]);
    expect([unwritable.code, unwritable.stderr]).toEqual([1, expect.stringContaining("could not be written")]);
  });

  it("needs no credentials for the demo model and reads its input from standard input", async () => {
    const { code, stdout } = await run(["demo.json", "--input", "-"], { stdin: '{"message":"What is 6 * 7?"}' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ response: expect.stringContaining("42") });
  });

  it("prints a long output whole", async () => {
    write("long.json", {
      nodes: [{ id: "start", type: "manual-trigger" }],
      edges: [],
    });
    write("input.json", { text: "x".repeat(3_000_000) });
    const { code, stdout } = await run(["long.json", "--input", "@input.json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ text: "x".repeat(3_000_000) });
  });

  it("S1 leaves private addresses closed unless they are named", async () => {
    const before = api.requests.length;
    const { code, stdout } = await run([...ask(`Read ${api.url}/weather?city=Oslo`), "--events"]);
    expect(code).toBe(0);
    expect(stdout).toContain("blocked_address");
    expect(api.requests).toHaveLength(before);
  });

  it("says what the vendor said and what to do, and exits with 1", async () => {
    const { code, stdout, stderr } = await run(ask("[401]"));
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("invalid_credentials");
    expect(stderr).toContain("Incorrect API key provided.");
  });

  it("S43 prints a key nowhere, also when the vendor echoes it", async () => {
    const { stdout, stderr } = await run([...ask("[echo key]"), "--events"]);
    expect(stdout).toContain("invalid_credentials");
    expect(stdout + stderr).not.toContain(model.key);
  });

  it("refuses a credentials file that others may read", async () => {
    write("shared.json", { "key-1": { type: "openai", apiKey: "test-key-shared" } }, 0o644);
    const { code, stderr } = await run(["agent.json", "--credentials", "shared.json"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/mode 644[\s\S]*chmod 600/);
    expect(stderr).not.toContain("test-key-shared");
  });

  it("names what is wrong in a credentials file without showing values", async () => {
    write("wrong.json", { "key-1": { type: "openai", apiKey: "test-key-wrong", baseUrl: "nowhere" } }, 0o600);
    const { code, stderr } = await run(["agent.json", "--credentials", "wrong.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain('"key-1" of type openai: baseUrl');
    expect(stderr).not.toContain("test-key-wrong");
  });

  it("names settings that do not fit their credential", async () => {
    const connectionString = "postgresql://a:test-key-settings@db.example.com/b";
    write("set.json", { "key-1": { type: "postgres", connectionString, settings: { hints: 1 } } }, 0o600);
    const { code, stderr } = await run(["agent.json", "--credentials", "set.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain('the settings of "key-1" do not fit type postgres');
    expect(stderr).not.toContain("test-key-settings");
  });

  it("says that nobody signs in with a browser here", async () => {
    write("signed.json", { "key-1": { type: "mcp-oauth", url: "https://mcp.example.com/mcp" } }, 0o600);
    const { code, stderr } = await run(["agent.json", "--credentials", "signed.json"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/"key-1" needs a browser[\s\S]*Authorization/);
  });

  it("names a credential that is missing", async () => {
    const { code, stderr } = await run(["agent.json", "--input", '{"message":"Hi"}']);
    expect(code).toBe(1);
    expect(stderr).toContain('"key-1" is not in the credentials file');
  });

  it("says each problem of a workflow file that is not valid", async () => {
    write("broken.json", {
      nodes: [{ id: "agent", type: "ai-agent" }],
      edges: [
        { from: { node: "nowhere", port: "main" }, to: { node: "agent", port: "main" } },
        { from: { node: "agent", port: "main" }, to: { node: "elsewhere", port: "main" } },
      ],
    });
    const { code, stderr } = await run(["broken.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain("nowhere");
    expect(stderr).toContain("elsewhere");
  });

  it("says at which node a workflow lacks something", async () => {
    write("no-model.json", {
      nodes: [
        { id: "start", type: "chat-trigger" },
        { id: "agent", type: "ai-agent", title: "Lonely agent" },
      ],
      edges: [{ from: { node: "start", port: "main" }, to: { node: "agent", port: "main" } }],
    });
    const { code, stderr } = await run(["no-model.json", "--input", '{"message":"Hi"}']);
    expect(code).toBe(1);
    expect(stderr).toContain('missing_connection) at "Lonely agent"');
  });

  it("runs a workflow inside a workflow when its directory is named", async () => {
    write("inner.json", { id: "inner", name: "Inner", nodes: [{ id: "start", type: "chat-trigger" }], edges: [] });
    write("outer.json", {
      nodes: [
        { id: "start", type: "chat-trigger" },
        { id: "agent", type: "ai-agent" },
        { id: "model", type: "openai-model", config: { credential: "key-1", model: "gpt-4o-mini" } },
        { id: "tool", type: "workflow-tool", config: { workflow: "inner" } },
      ],
      edges: [
        { from: { node: "start", port: "main" }, to: { node: "agent", port: "main" } },
        { from: { node: "model", port: "model" }, to: { node: "agent", port: "model" } },
        { from: { node: "tool", port: "tool" }, to: { node: "agent", port: "tools" } },
      ],
    });
    const args = ["outer.json", "--input", '{"message":"Go"}', "--credentials", "credentials.json"];
    const call = { name: "run_workflow", arguments: '{"message":"from outside"}' };
    model.enqueue(sayReply("", { calls: [call] }));
    const { code, stdout } = await run([...args, "--workflows", "."]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ response: expect.stringContaining("from outside") });
    expect((await run(args)).stderr).toContain("--workflows");
  });

  it("cancels the run on Ctrl-C and hangs up on the model", async () => {
    const asked = model.requests.length;
    const { code, stderr } = await run(ask("[slow]"), {
      during: (interrupt) => {
        const watch = setInterval(() => {
          if (model.requests.length === asked) return;
          clearInterval(watch);
          setTimeout(interrupt, 300);
        }, 20);
      },
    });
    expect(code).toBe(1);
    expect(stderr).toContain("cancelled");
    await expect.poll(() => model.requests.at(-1)?.aborted).toBe(true);
  });

  it("explains itself, and exits with 2 when it is not understood", async () => {
    const help = await run(["--help"]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain("--allow-host");
    const unknown = await run(["agent.json", "--nonsense"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("--nonsense");
  });

  it("names a workflow file that is not there", async () => {
    const { code, stderr } = await run(["missing.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain("there is no such file");
  });
});
