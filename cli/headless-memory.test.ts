import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messageText, userMessage } from "../src/engine/model/message.ts";
import { openMemoryFile } from "./headless/memory-file.ts";
import { startWorkflowCommand } from "../scripts/testing/workflow-command.ts";

const { directory, write, run, stop } = await startWorkflowCommand();
afterAll(stop);

const ask = (message: string, ...more: string[]) =>
  run(["demo.json", "--input", JSON.stringify({ message, sessionId: "s" }), ...more]);

interface Kept {
  sessions: { workflowId: string; sessionId: string; messages: { id: number; message: { role: string } }[] }[];
}
const read = (name: string): Kept => JSON.parse(readFileSync(join(directory, name), "utf8"));

describe("npm run workflow --memory", () => {
  it("remembers from one run to the next, in a file that only its owner reads", async () => {
    const first = await ask("My cat is called Tom", "--memory", "kept.json");
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(statSync(join(directory, "kept.json")).mode & 0o777).toBe(0o600);
    chmodSync(join(directory, "kept.json"), 0o644);
    const second = await ask("What did I say?", "--memory", "kept.json", "--events");
    const events = second.stdout
      .trimEnd()
      .split("\n")
      .map((line): { type: string } => JSON.parse(line));
    expect(events.find(({ type }) => type === "memory-load")).toMatchObject({ session: "s", messages: 2 });
    expect(read("kept.json").sessions).toMatchObject([{ workflowId: "workflow-1", sessionId: "s" }]);
    expect(read("kept.json").sessions[0]?.messages.map(({ message }) => message.role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(statSync(join(directory, "kept.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).filter((name) => name.startsWith("kept.json"))).toEqual(["kept.json"]);
  });

  it("S60 loses nothing and tears no turn when runs write at the same time", async () => {
    const said = ["One", "Two", "Three", "Four"];
    const runs = await Promise.all(said.map((message) => ask(message, "--memory", "shared.json")));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const messages = read("shared.json").sessions[0]?.messages ?? [];
    expect(messages.map(({ message }) => message.role)).toEqual(said.flatMap(() => ["user", "assistant"]));
    expect(new Set(messages.map(({ id }) => id)).size).toBe(8);
  });

  it("warns once without it, and not about a workflow that writes to no database memory", async () => {
    const { stderr } = await ask("Hi");
    expect(stderr.match(/ends with this run/g)).toHaveLength(1);
    write("bare.json", {
      id: "w",
      name: "Bare",
      nodes: { start: { id: "start", type: "manual-trigger", title: "Start" } },
      edges: {},
    });
    expect((await run(["bare.json"])).stderr).toBe("");
  });

  it("says once that a workflow's encrypted conversations are plain text in the file, and nowhere without one", async () => {
    const demo: object = JSON.parse(readFileSync(join(directory, "demo.json"), "utf8"));
    write("private.json", { ...demo, privacy: { mask: [], patterns: [], encryptConversations: true } });
    const input = ["--input", JSON.stringify({ message: "My cat is called Tom", sessionId: "s" })];
    const told = await run(["private.json", ...input, "--memory", "private-kept.json"]);
    expect([told.code, told.stderr.match(/as plain text/g)?.length]).toEqual([0, 1]);
    expect(read("private-kept.json").sessions[0]?.messages).toHaveLength(2);
    expect((await run(["private.json", ...input])).stderr).not.toContain("plain text");
  });

  it("leaves a file that holds something else alone, and says so before the run", async () => {
    write("other.json", { a: 1 });
    const refused = await ask("Hi", "--memory", "other.json");
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("was not used: it holds no conversations");
    expect(readFileSync(join(directory, "other.json"), "utf8")).toBe('{"a":1}');
    expect((await ask("Hi", "--memory", "nowhere/kept.json")).stderr).toContain("cannot be written there");
  });
});

describe("a memory file", () => {
  let place: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), "switchyard-memory-"));
  });
  afterAll(() => rmSync(place, { recursive: true }));
  const key = { workflowId: "w", sessionId: "s" };

  it("keeps ids, prunes by turns, and finds by meaning", async () => {
    const path = join(place, "a.json");
    const { vectors, messages } = await openMemoryFile(path);
    await vectors.append(key, [{ message: userMessage("cat"), embedding: [1, 0] }], "m");
    await vectors.append(key, [{ message: userMessage("car"), embedding: [0, 1] }], "m");
    const again = await openMemoryFile(path);
    const found = await again.vectors.search(key, { embedding: [1, 0.1], model: "m", limit: 1 });
    expect(found.map(({ id, message }) => [id, messageText(message)])).toEqual([[1, "cat"]]);
    await messages.prune(key, 1);
    expect((await again.messages.loadStored(key, {})).map(({ id }) => id)).toEqual([2]);
    await messages.prune(key, 0);
    await messages.append(key, [userMessage("new")]);
    expect((await again.messages.loadStored(key, {})).map(({ id }) => id)).toEqual([3]);
    expect(await again.messages.load({ ...key, workflowId: null }, {})).toEqual([]);
  });

  it("is written after a run was killed while it held the lock, and waits for one that lives", async () => {
    const path = join(place, "b.json");
    const { messages } = await openMemoryFile(path);
    writeFileSync(`${path}.lock`, `${hostname()} ${2 ** 30} gone`);
    await messages.append(key, [userMessage("one")]);
    expect(existsSync(`${path}.lock`)).toBe(false);
    writeFileSync(`${path}.lock`, `${hostname()} ${process.ppid} alive`);
    const written = messages.append(key, [userMessage("two")]);
    expect(await messages.load(key, {})).toHaveLength(1);
    rmSync(`${path}.lock`);
    await written;
    expect(await messages.load(key, {})).toHaveLength(2);
  });

  it("keeps the old content and tells why when it cannot be written", async () => {
    const path = join(place, "c.json");
    const { messages } = await openMemoryFile(path);
    await messages.append(key, [userMessage("one")]);
    writeFileSync(path, "{");
    await expect(messages.append(key, [userMessage("two")])).rejects.toMatchObject({ data: { code: "memory_error" } });
    expect(readFileSync(path, "utf8")).toBe("{");
    expect(readdirSync(place).filter((name) => name.startsWith("c.json"))).toEqual(["c.json"]);
  });
});
