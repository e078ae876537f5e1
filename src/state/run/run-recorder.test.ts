import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordRun } from "./run-recorder.ts";
import type { SaveState } from "./run-store.ts";
import { ServiceError, type RecordedRun } from "../../services/services.ts";

const run: RecordedRun = {
  id: "run-1",
  workflowId: "workflow-1",
  input: { message: "hi" },
  document: { schemaVersion: 1, id: "workflow-1", name: "Test", nodes: {}, edges: {} },
  startedAt: 1000,
};

function textEvents(count: number): RunEvent[] {
  return Array.from({ length: count }, (_, seq) => ({
    runId: run.id,
    seq,
    at: 1000 + seq,
    type: "text-delta",
    nodeId: "agent",
    callId: "call",
    text: `${seq} `,
  }));
}

const requestEvent: RunEvent = {
  runId: run.id,
  seq: 0,
  at: 1000,
  type: "model-request",
  purpose: "answer",
  provider: "demo",
  model: "demo",
  settings: {},
  messages: [],
  tools: [],
  toolChoice: "auto",
  nodeId: "agent",
  modelNodeId: "model",
  edgeId: "edge",
  callId: "call",
  iteration: 1,
};

function endEvent(seq: number): RunEvent {
  return {
    runId: run.id,
    seq,
    at: 2000,
    type: "run-end",
    outcome: "completed",
    output: "done",
    usage: { inputTokens: 3, outputTokens: 4 },
    costUsd: null,
    durationMs: 1000,
  };
}

/** A database table with a primary key, behind a connection that can break before or after a write. */
function unreliableRepository(faults: string[] = []) {
  const starts: string[] = [];
  const rows = new Map<number, RunEvent>();
  const ends: object[] = [];
  let writes = 0;
  let batches = 0;
  const through = async (write: () => void) => {
    const fault = faults[writes++];
    if (fault === "before") throw new ServiceError("offline", "No connection.", "Check the network.");
    write();
    if (fault === "after") throw new TypeError("Failed to fetch");
  };
  const add = (events: readonly RunEvent[]) => {
    batches += 1;
    for (const event of events) if (!rows.has(event.seq)) rows.set(event.seq, event);
  };
  return {
    starts,
    rows,
    ends,
    get batches() {
      return batches;
    },
    start: (value: RecordedRun) => through(() => starts.push(value.id)),
    appendEvents: (_runId: string, events: readonly RunEvent[]) => through(() => add(events)),
    finish: (_runId: string, end: object, events: readonly RunEvent[] = []) =>
      through(() => {
        if (events.length > 0) add(events);
        ends.push(end);
      }),
  };
}

const noWait = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

describe("recordRun", () => {
  it("writes the row once the run has asked a model, or after a moment where it asks none", async () => {
    const waits: { ms: number; wake: () => void }[] = [];
    const sleep = (ms: number) => new Promise<void>((resolve) => waits.push({ ms, wake: resolve }));
    const begin = () => {
      const repository = unreliableRepository();
      const recorder = recordRun(run, { repository, registry: {}, onState: () => {}, sleep });
      return { starts: repository.starts, recorder };
    };
    const [asks, works] = [begin(), begin()];
    await expect.poll(() => waits.length).toBe(2);
    expect([asks.starts, works.starts]).toEqual([[], []]);
    asks.recorder.push({ ...requestEvent, seq: 0 });
    await expect.poll(() => asks.starts).toEqual(["run-1"]);
    expect(works.starts).toEqual([]);
    for (const { wake } of waits) wake();
    await expect.poll(() => works.starts).toEqual(["run-1"]);
  });

  it("stores the row, every event and the end, in few writes", async () => {
    const repository = unreliableRepository();
    const states: SaveState[] = [];
    const recorder = recordRun(run, {
      repository,
      registry: {},
      onState: (state) => states.push(state),
      sleep: noWait,
    });
    for (const event of [...textEvents(250), endEvent(250)]) recorder.push(event);
    await recorder.done;
    expect(repository.starts).toEqual(["run-1"]);
    expect([...repository.rows.keys()]).toEqual(Array.from({ length: 251 }, (_, seq) => seq));
    expect(repository.batches).toBeLessThanOrEqual(3);
    expect(repository.ends).toEqual([
      { status: "completed", output: "done", error: null, totalTokens: 7, costUsd: null, endedAt: 2000, spending: [] },
    ]);
    expect(states.at(-1)).toEqual({ status: "saved" });
  });

  it("stores the last events and the end in one write, and separately where they do not fit together", async () => {
    const record = async (fault?: ServiceError) => {
      const repository = unreliableRepository();
      const writes: string[] = [];
      const { appendEvents, finish } = repository;
      repository.appendEvents = (runId, events) => {
        writes.push(`${events.length} events`);
        return appendEvents(runId, events);
      };
      repository.finish = async (runId, end, events = []) => {
        writes.push(`the end and ${events.length} events`);
        if (fault && events.length > 0) throw fault;
        return finish(runId, end, events);
      };
      const states: SaveState[] = [];
      const recorder = recordRun(run, { repository, registry: {}, onState: (state) => states.push(state) });
      for (const event of [...textEvents(9), endEvent(9)]) recorder.push(event);
      await recorder.done;
      expect(states.at(-1)).toEqual({ status: "saved" });
      expect([repository.rows.size, repository.ends.length]).toEqual([10, 1]);
      return writes;
    };
    expect(await record()).toEqual(["the end and 10 events"]);
    const separately = ["the end and 10 events", "10 events", "the end and 0 events"];
    expect(await record(new ServiceError("invalid", "It is too large.", "Make it smaller."))).toEqual(separately);
    expect(await record(new ServiceError("full", "Your account is full.", "Delete runs."))).toEqual(separately);
  });

  it("stores why an agent of the flow stopped early, but not one that was called as a tool", async () => {
    const end = (seq: number, message: string, parentCallId?: string): RunEvent => ({
      runId: run.id,
      seq,
      at: 1000,
      ...(parentCallId === undefined ? {} : { parentCallId }),
      type: "iteration-end",
      nodeId: "agent",
      iteration: 1,
      round: 1,
      finish: "length",
      ending: { finish: "length", message, hint: "Raise it." },
    });
    const repository = unreliableRepository();
    const recorder = recordRun(run, { repository, registry: {}, onState: () => {} });
    for (const event of [end(0, "Cut."), end(1, "Inner.", "call"), endEvent(2)]) recorder.push(event);
    await recorder.done;
    expect(repository.ends).toMatchObject([{ status: "completed", ending: { finish: "length", message: "Cut." } }]);
  });

  it("S57 keeps trying while the database is down, says so, and stores nothing twice", async () => {
    const faults = ["before", "before", "after", "", "after", "before", "", "before", "after", ""];
    const repository = unreliableRepository(faults);
    const states: SaveState[] = [];
    const pauses: number[] = [];
    const recorder = recordRun(run, {
      repository,
      registry: {},
      onState: (state) => states.push(state),
      sleep: (ms) => {
        pauses.push(ms);
        return noWait();
      },
    });
    const pushed = [...textEvents(30), endEvent(30)];
    for (const event of pushed) expect(() => recorder.push(event)).not.toThrow();
    await recorder.done;
    expect([...repository.rows.values()]).toEqual(pushed);
    expect(new Set(repository.starts)).toEqual(new Set(["run-1"]));
    expect(states.some((state) => state.status === "retrying" && state.message.includes("No connection"))).toBe(true);
    expect(states.at(-1)).toEqual({ status: "saved" });
    expect(pauses.filter((ms) => ms >= 1000).slice(0, 3)).toEqual([1000, 2000, 4000]);
  });

  it("gives up, in words, when the refusal cannot change", async () => {
    const repository = {
      ...unreliableRepository(),
      start: () => Promise.reject(new ServiceError("not-found", "The workflow is gone.", "It was deleted elsewhere.")),
    };
    const states: SaveState[] = [];
    const recorder = recordRun(run, {
      repository,
      registry: {},
      onState: (state) => states.push(state),
      sleep: noWait,
    });
    recorder.push(endEvent(0));
    await recorder.done;
    expect(states.at(-1)).toEqual({ status: "lost", message: "The workflow is gone." });
  });

  it("S65 finishes a run whose events no longer fit, without what takes room, and says what is full", async () => {
    const repository = unreliableRepository();
    const full = () => Promise.reject(new ServiceError("full", "Your account is full.", "Delete runs."));
    const ends: { status: string; output: unknown; totalTokens: number }[] = [];
    let batches = 0;
    const states: SaveState[] = [];
    const recorder = recordRun(run, {
      repository: {
        ...repository,
        appendEvents: () => {
          batches += 1;
          return full();
        },
        finish: async (_id, end, events = []) => {
          ends.push(end);
          if (events.length > 0 || end.output !== null) await full();
        },
      },
      registry: {},
      onState: (state) => states.push(state),
      sleep: noWait,
    });
    for (const event of [...textEvents(250), endEvent(250)]) recorder.push(event);
    await recorder.done;
    expect(batches).toBe(1);
    // With its events, alone, and without what takes room.
    expect(ends.map(({ output }) => output)).toEqual([expect.anything(), expect.anything(), null]);
    expect(ends.at(-1)?.status).toBe("completed");
    expect(states.at(-1)).toEqual({ status: "lost", message: "Your account is full. Delete runs." });
  });

  it("masks what the workflow names before it is stored, and only there", async () => {
    const repository = unreliableRepository(["before", "", "after"]);
    const started: unknown[] = [];
    const start = repository.start;
    repository.start = (value) => {
      started.push(value.input, value.document.nodes.n);
      return start(value);
    };
    const pinned = {
      id: "n",
      type: "set-fields",
      version: 1,
      title: "Mail",
      position: { x: 0, y: 0 },
      config: { to: "ada@example.org" },
      pin: { output: { from: "ada@example.org" } },
    };
    const document = {
      ...run.document,
      nodes: { n: pinned },
      privacy: { mask: ["emails" as const], patterns: [] },
    };
    const recorder = recordRun(
      { ...run, document, input: { message: "I am ada@example.org" } },
      { repository, registry: {}, onState: () => {}, sleep: noWait },
    );
    const cut: RunEvent[] = textEvents(2).map((event, index) => ({
      ...event,
      type: "text-delta",
      nodeId: "agent",
      callId: "call",
      text: index === 0 ? "To ada@exa" : "mple.org",
    }));
    const end = { ...endEvent(2), output: "ada@example.org" };
    for (const event of [...cut, end]) recorder.push(event);
    await recorder.done;
    expect(started[0]).toEqual({ message: "I am [email]" });
    expect(started[1]).toEqual({ ...pinned, config: { to: "[email]" }, pin: { output: { from: "[email]" } } });
    expect([...repository.rows.keys()].toSorted()).toEqual([0, 1, 2]);
    expect(JSON.stringify([...repository.rows.values(), ...repository.ends])).not.toContain("ada@");
    expect(repository.rows.get(0)).toMatchObject({ text: "To [email]" });
    // Told again, since the first answer was lost.
    expect(repository.ends).toMatchObject([{ output: "[email]" }, { output: "[email]" }]);
    expect(end.output).toBe("ada@example.org");
  });

  it("sends long events in requests of their own", async () => {
    const repository = unreliableRepository();
    const sizes: number[] = [];
    const { appendEvents, finish } = repository;
    repository.appendEvents = (runId, events) => {
      sizes.push(events.length);
      return appendEvents(runId, events);
    };
    repository.finish = (runId, end, events = []) => {
      sizes.push(events.length);
      return finish(runId, end, events);
    };
    const recorder = recordRun(run, { repository, registry: {}, onState: () => {}, sleep: noWait });
    const long = textEvents(8).map((event) => ({ ...event, text: String(event.seq).repeat(400_000) }));
    for (const event of [...long, endEvent(8)]) recorder.push(event);
    await recorder.done;
    expect(sizes).toEqual([2, 2, 2, 3]);
    expect(repository.rows.size).toBe(9);
  });

  it("stores at once what a person is asked, since the tab may be closed before the answer", async () => {
    const repository = unreliableRepository();
    const recorder = recordRun(run, {
      repository,
      registry: {},
      onState: () => {},
      sleep: () => new Promise(() => {}),
    });
    for (const event of textEvents(2)) recorder.push(event);
    const call = { nodeId: "agent", toolNodeId: "refund", edgeId: "edge", callId: "call" };
    recorder.push({
      runId: run.id,
      seq: 2,
      at: 1002,
      type: "approval-wait",
      ...call,
      toolName: "refund",
      input: {},
    });
    await expect.poll(() => [...repository.rows.keys()]).toEqual([0, 1, 2]);
  });

  it("does not wait for the run's end to store its beginning", async () => {
    const repository = unreliableRepository();
    const recorder = recordRun(run, { repository, registry: {}, onState: () => {}, sleep: noWait });
    for (const event of textEvents(5)) recorder.push(event);
    await expect.poll(() => repository.rows.size).toBe(5);
    expect(repository.ends).toEqual([]);
    recorder.push(endEvent(5));
    await recorder.done;
    expect(repository.rows.size).toBe(6);
  });

  describe("with what the database refuses", () => {
    /** Refuses every write that holds one of these words, as a whole. */
    function pickyRepository(...words: string[]) {
      const repository = unreliableRepository();
      const started: RecordedRun[] = [];
      const check = (value: unknown) => {
        if (!words.some((word) => JSON.stringify(value).includes(word))) return;
        throw new ServiceError("invalid", "A value does not fit.", "Try another.");
      };
      return {
        ...repository,
        started,
        async start(value: RecordedRun) {
          check(value);
          started.push(value);
        },
        async appendEvents(runId: string, events: readonly RunEvent[]) {
          check(events);
          return repository.appendEvents(runId, events);
        },
        async finish(runId: string, end: object, events: readonly RunEvent[] = []) {
          check([end, ...events]);
          return repository.finish(runId, end, events);
        },
      };
    }

    async function record(repository: ReturnType<typeof pickyRepository>, events: readonly RunEvent[]) {
      const states: SaveState[] = [];
      const onState = (state: SaveState) => void states.push(state);
      const recorder = recordRun(run, { repository, registry: {}, onState, sleep: noWait });
      for (const event of events) recorder.push(event);
      await recorder.done;
      return states.at(-1);
    }

    it("stores the rest of a batch, a note in the place of what does not fit, and the end", async () => {
      const repository = pickyRepository('"7 "', '"23 "');
      const last = await record(repository, [...textEvents(40), endEvent(40)]);
      expect([...repository.rows.keys()].toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 41 }, (_, seq) => seq),
      );
      expect(repository.rows.get(7)).toMatchObject({
        type: "warning",
        message: "What happened here could not be stored.",
      });
      expect(repository.rows.get(8)).toMatchObject({ type: "text-delta" });
      expect(repository.ends).toMatchObject([{ status: "completed", output: "done" }]);
      expect(last).toEqual({ status: "incomplete", missing: 2 });
    });

    it("finishes the run without an output that does not fit", async () => {
      const repository = pickyRepository("done");
      const last = await record(repository, [...textEvents(2), endEvent(2)]);
      expect(repository.rows.get(2)).toMatchObject({ type: "run-end", outcome: "completed", output: null });
      expect(repository.ends).toMatchObject([{ status: "completed", output: null }]);
      expect(last).toMatchObject({ status: "incomplete" });
    });

    it("stores the run without an input that does not fit", async () => {
      const repository = pickyRepository('"hi"');
      const last = await record(repository, [endEvent(0)]);
      expect(repository.started).toMatchObject([{ id: "run-1", input: null }]);
      expect(repository.ends).toHaveLength(1);
      expect(last).toMatchObject({ status: "incomplete" });
    });

    it("does not ask for ever when no event is accepted, and finishes the run", async () => {
      const repository = pickyRepository("text-delta", "warning");
      let asked = 0;
      const append = repository.appendEvents;
      repository.appendEvents = (runId, events) => {
        asked += 1;
        return append(runId, events);
      };
      const last = await record(repository, [...textEvents(3_000), endEvent(3_000)]);
      expect([...repository.rows.keys()]).toEqual([3_000]);
      expect(repository.ends).toHaveLength(1);
      expect(asked).toBeLessThan(600);
      expect(last).toEqual({ status: "incomplete", missing: 3_000 });
    });
  });

  it("joins a character that was cut between two pieces of an answer", async () => {
    const repository = unreliableRepository();
    const recorder = recordRun(run, { repository, registry: {}, onState: () => {}, sleep: noWait });
    const pieces = ["Hi \ud83d", "\ude00 there\u0000", "\ud83d"];
    for (const [seq, text] of pieces.entries()) {
      recorder.push({ runId: run.id, seq, at: 1000, type: "text-delta", nodeId: "agent", callId: "c", text });
    }
    recorder.push(endEvent(3));
    await recorder.done;
    expect([0, 1, 2].map((seq) => repository.rows.get(seq))).toMatchObject([
      { text: "Hi " },
      { text: "😀 there\ufffd" },
      { text: "" },
    ]);
  });
});
