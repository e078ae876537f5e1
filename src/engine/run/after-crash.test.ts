import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import type { AfterCrash } from "../document/after-crash.ts";
import type { ApprovalRequest, Host } from "../host.ts";
import type { JsonObject } from "../json.ts";
import { buildWorkflow } from "../testing/build-workflow.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { modelNodeOf } from "../testing/service-node.ts";
import { testHost } from "../testing/test-host.ts";
import type { EventOf, RunEvent, RunEventType } from "./events.ts";
import { recordingOf } from "./replay/recording.ts";
import { reduceRunAll } from "./reduce-run.ts";
import { emptyRunState } from "./run-state.ts";
import { runWorkflow } from "./run-workflow.ts";

const runId = "00000000-0000-4000-8000-00000000feed";

type Answer = "yes" | "no" | "nobody" | "edited";

interface Sent {
  url: string;
  key: string;
}

/** A process that dies at its `at`-th moment: it never comes back from there, and what was not stored is gone. */
interface Process {
  at: number;
  moments: number;
}

/**
 * A run that writes in four places: a step, a tool, and a step and a tool of another workflow. Its log is stored at checkpoints only,
 * and its process can be killed at each of them, and before and after each request.
 */
function world(afterCrash: AfterCrash, answer: Answer = "no") {
  const sent: Sent[] = [];
  const asked: ApprovalRequest[] = [];
  const stored: RunEvent[] = [];
  const call = (name: string) => ({ calls: [{ name, arguments: {}, callId: `call_${name}` }] });
  const outer = scriptedModel(({ messages }) => {
    const results = messages.filter(({ role }) => role === "tool").length;
    return [call("send"), call("flow"), call("read")][results] ?? { text: "Done." };
  });
  const inner = scriptedModel(({ messages }) =>
    messages.some(({ role }) => role === "tool") ? { text: "Inner." } : call("inner"),
  );
  const tool = (toolName: string, method = "POST"): [string, JsonObject] => [
    "http-request-tool",
    { toolName, method, url: `https://api.example.com/${toolName}`, approval: "never", afterCrash },
  ];
  const step = (name: string): [string, JsonObject] => [
    "http-request",
    { method: "POST", url: `https://api.example.com/${name}`, afterCrash, onError: "continue" },
  ];
  const flow = buildWorkflow({
    id: "flow",
    nodes: {
      start: ["manual-trigger"],
      post: step("inner-step"),
      agent: ["ai-agent", { userMessage: "Go" }],
      model: ["inner-model"],
      inner: tool("inner"),
    },
    edges: [
      "start.main -> post.main",
      "post.main -> agent.main",
      "model.model -> agent.model",
      "inner.tool -> agent.tools",
    ],
  });
  const document = buildWorkflow({
    nodes: {
      start: ["manual-trigger"],
      post: step("step"),
      agent: ["ai-agent", { userMessage: "Go" }],
      model: ["outer-model"],
      send: tool("send"),
      read: tool("read", "GET"),
      flow: ["workflow-tool", { workflow: "flow", toolName: "flow", approval: "never" }],
    },
    edges: [
      "start.main -> post.main",
      "post.main -> agent.main",
      "model.model -> agent.model",
      "send.tool -> agent.tools",
      "read.tool -> agent.tools",
      "flow.tool -> agent.tools",
    ],
  });
  const nodes = [modelNodeOf("outer-model", outer), modelNodeOf("inner-model", inner)];
  const registry = { ...nodeRegistry, ...Object.fromEntries(nodes.map((node) => [node.type, node])) };

  async function attempt(
    number: number,
    at = Infinity,
    recording?: readonly RunEvent[],
    until?: string | number,
  ): Promise<Process> {
    const process = { at, moments: 0 };
    const controller = new AbortController();
    const never = new Promise<never>(() => undefined);
    let die = () => {};
    const dead = new Promise<"dead">((resolve) => (die = () => resolve("dead")));
    const moment = () => {
      process.moments += 1;
      if (process.moments !== at) return undefined;
      die();
      return never;
    };
    const log: RunEvent[] = [...stored];
    let ids = 0;
    const host: Host = {
      ...testHost({
        workflows: { flow },
        functions: {
          async "execute-http"({ url, headers }) {
            await moment();
            const { "Idempotency-Key": key = "" } = headers as Record<string, string>;
            sent.push({ url: String(url).split("/").at(-1) ?? "", key });
            await moment();
            return { ok: true, body: { success: true, statusCode: 200, headers: {}, body: "ok" } };
          },
        },
      }),
      // No two processes make the same one.
      newId: () => `id-${number}-${(ids += 1)}`,
      async checkpoint(begin) {
        begin?.();
        // The reader of the events gets its turn.
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        await moment();
        stored.splice(0, Infinity, ...log);
        await moment();
      },
      async approve(request) {
        asked.push(request);
        if (answer === "nobody") return { approved: false, reason: "", unasked: true };
        if (answer === "edited") return { approved: true, input: { other: "arguments" } };
        return answer === "yes"
          ? { approved: true, input: request.input }
          : { approved: false, reason: "It has arrived." };
      },
    };
    const events = runWorkflow(document, {
      registry,
      host,
      input: {},
      runId,
      scratch: false,
      signal: controller.signal,
      ...(recording
        ? { replay: { recording: recordingOf(recording, document), ...(until === undefined ? {} : { until }) } }
        : {}),
      ...(stored.length > 0 ? { resume: { events: [...stored], attempt: number } } : {}),
    });
    const reading = (async () => {
      for await (const event of events) log.push(JSON.parse(JSON.stringify(event)) as RunEvent);
      stored.splice(0, Infinity, ...log);
    })();
    await Promise.race([reading, dead]);
    return process;
  }

  /** Kills a process for each of these moments, in this order, and lets the last one finish. */
  async function run(...kills: number[]): Promise<void> {
    for (const [index, at] of kills.entries()) await attempt(index + 1, at);
    if (of(stored, "run-end").length === 0) await attempt(kills.length + 1);
  }
  return { run, attempt, sent, asked, stored };
}

function of<Type extends RunEventType>(log: readonly RunEvent[], type: Type): EventOf<Type>[] {
  return log.filter((event): event is EventOf<Type> => event.type === type);
}

function hasEnded(log: readonly RunEvent[], { nodeId, callId }: EventOf<"write-start">): boolean {
  return callId === undefined
    ? of(log, "node-end").some((end) => end.nodeId === nodeId)
    : of(log, "tool-call-end").some((end) => end.callId === callId);
}

const writes = ["inner", "inner-step", "send", "step"];

function times(sent: readonly Sent[], url: string): number {
  return sent.filter((one) => one.url === url).length;
}

async function momentsOf(): Promise<number> {
  return (await world("repeat").attempt(1)).moments;
}

/** The log of a process that was killed while it waited for the answer to a request. */
async function killedIn(url: string): Promise<RunEvent[]> {
  for (let at = 1; ; at += 1) {
    const { attempt, sent, stored } = world("ask");
    const { moments } = await attempt(1, at);
    if (moments < at) throw new Error(`No process died while it waited for ${url}.`);
    const isAnswered = of(stored, "run-end").length > 0;
    if (!isAnswered && sent.at(-1)?.url === url) return stored;
  }
}

const settings: [AfterCrash, Answer][] = [
  ["repeat", "no"],
  ["ask", "yes"],
  ["ask", "no"],
  ["fail", "no"],
];

describe("S97 what a crash interrupted", () => {
  it.each(settings)(
    "is done again only where its setting (%s, answered %s) lets it, and then says so",
    async (afterCrash, answer) => {
      const mayRepeat = afterCrash === "repeat" || answer === "yes";
      const moments = await momentsOf();
      const kill = fc.integer({ min: 1, max: moments });
      const property = fc.asyncProperty(kill, fc.option(kill, { nil: undefined }), async (first, second) => {
        const { run, sent, asked, stored } = world(afterCrash, answer);
        await run(...[first, second].filter((each) => each !== undefined));
        expect(of(stored, "run-end")).toMatchObject([{ outcome: "completed" }]);
        const marked = of(stored, "write-start").filter(({ again }) => again !== undefined);
        for (const url of writes) {
          const count = times(sent, url);
          if (!mayRepeat) expect([url, count]).toEqual([url, Math.min(count, 1)]);
          else expect(count).toBeGreaterThan(0);
          expect(new Set(sent.filter((one) => one.url === url).map(({ key }) => key)).size).toBe(Math.min(count, 1));
        }
        const repeated = writes.filter((url) => times(sent, url) > 1);
        expect(marked.length).toBeGreaterThanOrEqual(repeated.length);
        if (afterCrash !== "ask") expect(asked).toEqual([]);
        // A question is asked once, however often the process dies meanwhile.
        expect(of(stored, "approval-wait").every(({ again }) => again !== undefined)).toBe(true);
      });
      await fc.assert(property, { numRuns: 15 });
    },
  );

  it("is nothing that had not begun: a kill between two calls asks nobody and loses nothing", async () => {
    const begun = world("ask");
    await begun.attempt(1);
    const log = [...begun.stored];
    for (const start of of(log, "tool-call-start")) {
      const again = world("ask");
      again.stored.push(...log.slice(0, start.seq + 1));
      await again.attempt(2);
      expect(again.asked).toEqual([]);
      expect(of(again.stored, "run-end")).toMatchObject([{ outcome: "completed" }]);
    }
  });

  it("is asked about under a name of its own, and once", async () => {
    const log = await killedIn("send");
    const first = world("ask", "yes");
    first.stored.push(...log);
    await first.attempt(2);
    expect(first.asked).toMatchObject([{ callId: "call_send/again-1", toolName: "send", again: 1, input: {} }]);
    expect(times(first.sent, "send")).toBe(1);
    const state = reduceRunAll(emptyRunState(runId), first.stored);
    // As the database has it: what is decided counts as told once the log has its id.
    const questions = first.asked.map(({ callId }) => callId);
    expect(of(first.stored, "approval-end").map(({ callId }) => callId)).toEqual(questions);
    const step = state.steps.find(({ id }) => id === "call_send");
    expect(step).toMatchObject({ again: 1, approval: { state: "approved", again: 1 }, end: { ok: true } });
    expect(state.steps.filter((each) => each.kind === "note" && each.event.type === "write-start")).toHaveLength(1);
  });

  it("tells the model and the log where it is not done again", async () => {
    const log = await killedIn("send");
    const results: string[] = [];
    for (const [afterCrash, answer] of [
      ["ask", "no"],
      ["ask", "nobody"],
      ["fail", "no"],
    ] as const) {
      const again = world(afterCrash, answer);
      again.stored.push(...log);
      await again.attempt(2);
      const end = of(again.stored, "tool-call-end").find(({ callId }) => callId === "call_send");
      expect([end?.ok, again.sent.some(({ url }) => url === "send")]).toEqual([false, false]);
      results.push(end?.text ?? "");
      const warned = of(again.stored, "warning").map(({ message }) => message);
      expect(warned).toEqual(
        answer === "no" && afterCrash === "ask"
          ? []
          : ["The run was interrupted during a call of send, which may have been made. It is not made again."],
      );
    }
    expect(results[0]).toContain("A person decided not to make it again. Reason: It has arrived.");
    expect(results[1]).toContain("nobody could be asked");
    expect(results[2]).toContain("It was not made again.");
  });

  it("ends a step that is not done again with an error that says so", async () => {
    const log = await killedIn("step");
    const again = world("ask", "no");
    again.stored.push(...log);
    await again.attempt(2);
    expect(again.asked).toMatchObject([{ callId: "again:post:1", nodeId: "post", again: 1 }]);
    expect(of(again.stored, "node-error")).toMatchObject([
      {
        nodeId: "post",
        handled: true,
        error: { code: "tool_error", message: expect.stringContaining("It has arrived.") },
      },
    ]);
  });

  it.each(["send", "step"])(
    "is asked about in another run that goes on from its recording, where %s is set to be repeated",
    async (url) => {
      const fork = world("repeat", "no");
      await fork.attempt(1, Infinity, await killedIn(url));
      expect(fork.asked).toMatchObject([{ again: 1 }]);
      expect(times(fork.sent, url)).toBe(0);
    },
  );

  it.each(["send", "step"])("is done again without a question by a fork made at it, and marked: %s", async (url) => {
    const log = await killedIn(url);
    const write = of(log, "write-start").at(-1);
    const until = write?.callId ?? of(log, "node-start").findLast(({ nodeId }) => nodeId === write?.nodeId)?.seq;
    const fork = world("ask", "no");
    await fork.attempt(1, Infinity, log, until);
    expect(fork.asked).toEqual([]);
    expect(times(fork.sent, url)).toBe(1);
    const marks = of(fork.stored, "write-start").filter(({ again }) => again !== undefined);
    expect(marks).toMatchObject([{ nodeId: write?.nodeId, again: 1 }]);
  });

  it("is made again as it was, whatever an answer says of its arguments: the service would ignore another body", async () => {
    const log = await killedIn("send");
    const again = world("ask", "edited");
    again.stored.push(...log);
    await again.attempt(2);
    expect(of(again.stored, "approval-end")).toMatchObject([{ approved: true, input: {} }]);
    expect(of(again.stored, "tool-call-end").find(({ callId }) => callId === "call_send")).toMatchObject({ ok: true });
  });

  it.each(["send", "step"])("is not done by a fork whose process dies while it asks, or before: %s", async (url) => {
    const log = await killedIn(url);
    for (const setting of ["repeat", "ask", "fail"] as const) {
      const fork = world(setting, "no");
      await fork.attempt(2, Infinity, log);
      const begun = fork.stored.findIndex(
        (event) => event.type === "write-start" && event.replayed && !hasEnded(log, event),
      );
      for (let length = begun + 1; length < fork.stored.length; length += 1) {
        const again = world(setting, "no");
        again.stored.push(...fork.stored.slice(0, length));
        await again.attempt(3);
        expect([setting, length, times(again.sent, url)]).toEqual([setting, length, 0]);
        expect(of(again.stored, "run-end")).toMatchObject([{ outcome: "completed" }]);
      }
    }
  });

  it("is asked about, too, when another run goes on from its recording", async () => {
    const fork = world("ask", "no");
    await fork.attempt(1, Infinity, await killedIn("send"));
    expect(fork.asked).toMatchObject([{ toolName: "send", again: 1 }]);
    expect(times(fork.sent, "send")).toBe(0);
    expect(of(fork.stored, "run-end")).toMatchObject([{ outcome: "completed" }]);
  });
});
