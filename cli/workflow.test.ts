import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sayReply } from "../e2e/servers/openai-reply.ts";
import { agentWorkflow, startWorkflowCommand } from "../scripts/testing/workflow-command.ts";

const { directory, model, api, write, run, ask, stop } = await startWorkflowCommand();

afterAll(stop);

describe("npm run workflow", () => {
  it("prints the output of a run that calls both tools", async () => {
    const question = `What is 12 * 7, and what does ${api.url}/weather?city=Oslo say?`;
    const { code, stdout, stderr } = await run([...ask(question), "--allow-host", new URL(api.url).host]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringContaining("ends with this run"),
      expect.stringContaining("--memory"),
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      response: expect.stringMatching(/84.*snow/),
      metadata: { iterations: 2, finishReason: "completed", toolsUsed: ["calculator", "http_request"] },
    });
  });

  it.each([
    ["Tell me [length]", 'Stopped early at "Agent": The answer was cut off at the model\'s token limit.', "length"],
    ["Harm [refuse]", 'Stopped early at "Agent": The model declined to answer.', "refused"],
  ])("says on standard error why a run stopped early: %s", async (message, said, finishReason) => {
    const { code, stdout, stderr } = await run(ask(message));
    expect(code).toBe(0);
    expect(stderr).toContain(said);
    expect(JSON.parse(stdout)).toMatchObject({ metadata: { finishReason } });
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

  it("S97 does not do again what a broken recording had begun, and says so, unless it is told to", async () => {
    const config = { method: "POST", url: `${api.url}/weather?city=Oslo` };
    const nodes = [
      { id: "start", type: "manual-trigger" },
      { id: "post", type: "http-request", title: "Post it", config },
    ];
    write("post.json", {
      nodes,
      edges: [{ from: { node: "start", port: "main" }, to: { node: "post", port: "main" } }],
    });
    const command = ["post.json", "--allow-host", new URL(api.url).host];
    const { stdout } = await run([...command, "--events"]);
    const lines = stdout.split("\n");
    write("cut.jsonl", lines.slice(0, lines.findIndex((line) => line.includes('"write-start"')) + 1).join("\n"));
    const sent = api.requests.length;
    const refused = await run([...command, "--replay", "cut.jsonl"]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("“Post it”, so it may have been done")]);
    expect(refused.stderr).toContain("With --repeat it is done again.");
    expect(api.requests).toHaveLength(sent);
    await run([...command, "--replay", "cut.jsonl", "--repeat"]);
    expect(api.requests).toHaveLength(sent + 1);
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

  it("gives an agent its workspace for as long as the command lasts", async () => {
    write("space.json", {
      nodes: [
        { id: "start", type: "chat-trigger" },
        { id: "agent", type: "ai-agent" },
        { id: "model", type: "openai-model", config: { credential: "key-1", model: "gpt-4o-mini" } },
        { id: "space", type: "workspace-tool" },
      ],
      edges: [
        { from: { node: "start", port: "main" }, to: { node: "agent", port: "main" } },
        { from: { node: "model", port: "model" }, to: { node: "agent", port: "model" } },
        { from: { node: "space", port: "tool" }, to: { node: "agent", port: "tools" } },
      ],
    });
    const written = { path: "sales.csv", content: "city,amount\nOslo,1\nBergen,2\nOslo,3\n" };
    model.enqueue(sayReply("", { calls: [{ name: "write_file", arguments: JSON.stringify(written) }] }));
    const sums = { path: "sales.csv", group_by: ["city"], aggregates: [{ of: "sum", column: "amount" }] };
    model.enqueue(sayReply("", { calls: [{ name: "query_table", arguments: JSON.stringify(sums) }] }));
    const { code, stdout } = await run([
      "space.json",
      "--input",
      '{"message":"Go"}',
      "--credentials",
      "credentials.json",
      "--events",
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('"workspace":{"path":"sales.csv","version":1}');
    expect(stdout).toContain('{"city":"Oslo","sum_amount":4}');
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
});
