import { sampleTable } from "../../../engine/testing/sample-table.ts";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { newDocument, newNode } from "../../../engine/document/new-document.ts";
import { filesIn } from "../../../engine/file/file.ts";
import { buildWorkflow } from "../../../engine/testing/build-workflow.ts";
import { awaitingReview } from "../../../engine/document/review.ts";
import { createAuthService } from "../../../state/account/storage/auth-service.ts";
import { createEvaluationRepository } from "../../../state/evaluation/storage/evaluation-repository.ts";
import { createFileService } from "../../../state/file/storage/file-service.ts";
import { createKnowledgeRepository } from "../../../state/knowledge/storage/knowledge-repository.ts";
import { createMemoryRepository } from "../../../state/conversation/storage/memory-repository.ts";
import { createRunRepository } from "../../../state/run/storage/run-repository.ts";
import { createSupabaseClient } from "../../../state/shared/storage/supabase-client.ts";
import { createTabMemory } from "../../../state/conversation/storage/tab-memory.ts";
import { createWorkflowRepository } from "../../../state/document/storage/workflow-repository.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { ServiceError } from "../../../services/services.ts";
import { type Everything, readEverything, writeEverything } from "./everything-file.ts";
import { gatherEverything } from "./gather-everything.ts";
import { nothingTaken, takeEverything } from "./take-everything.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedTestStack();
});

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  const auth = createAuthService(client, null);
  await auth.enterAsGuest();
  const callFunction = () => Promise.reject(new Error("No function is needed."));
  return {
    files: createFileService({
      functionsUrl: `${stack.url}/functions/v1`,
      publishableKey: stack.key,
      accessToken: async () => (await client.auth.getSession()).data.session?.access_token ?? null,
    }),
    workflows: createWorkflowRepository(client),
    evaluations: createEvaluationRepository(client),
    knowledge: createKnowledgeRepository(client.database),
    runs: createRunRepository(client),
    memory: createMemoryRepository({ client, tab: createTabMemory(auth), callFunction }),
  };
}

function node(type: string, id: string, config: Record<string, string>) {
  const definition = nodeRegistry[type];
  if (definition === undefined) throw new Error(`There is no ${type}.`);
  return newNode(definition, { id, position: { x: 0, y: 0 }, config });
}

/** Two workflows, one of which uses the other and a collection, with a suite and settings. */
async function makeWork(user: Awaited<ReturnType<typeof newUser>>) {
  const collection = await user.knowledge.create({
    name: "Handbook",
    description: "Of the house",
    embedding: null,
    chunking: { size: 400, overlap: 50, split: { by: "headings", depth: 3 } },
  });
  const helper = await user.workflows.create(newDocument(randomUUID(), "Helper"));
  const main = newDocument(randomUUID(), "Main");
  main.nodes = {
    w: node("workflow-tool", "w", { workflow: helper.id }),
    k: node("knowledge-base-tool", "k", { collection: collection.id }),
    m: node("openai-model", "m", { credential: "of-ann" }),
    h: node("http-request", "h", { url: "https://api.example/?api_key=test-key-typed" }),
  };
  await user.workflows.create(main);
  const settings = { trials: 3, judge: { provider: "openai", model: "gpt-4o", credential: "of-ann" } };
  const suite = await user.evaluations.create({ name: "Checks", workflowId: main.id, settings });
  await user.evaluations.addCases(suite.id, [{ case: { id: "greets", input: "Hello", expected: "Hi" } }]);
  await user.runs.setRetention({ keepDays: 7, keepRuns: 50 });
  return { collection, helper, main };
}

const read = (text: string): Everything => {
  const result = readEverything(text);
  if (!result.ok) throw new Error(result.problem);
  return result.file;
};

describe("all work as one file", () => {
  it("leaves out collections that are tables, which only their own account reaches", async () => {
    const ann = await newUser();
    await ann.knowledge.create({ name: "Articles", table: sampleTable });
    expect((await gatherEverything(ann)).gathered.collections).toEqual([]);
  });

  it("goes to another account with its names, connections, suites and settings", async () => {
    const ann = await newUser();
    const made = await makeWork(ann);
    const { text, cleaned } = writeEverything((await gatherEverything(ann)).gathered);
    expect(cleaned).toBe(1);
    const bob = await newUser();
    const taken = nothingTaken();
    await takeEverything(bob, read(text), taken, { newId: randomUUID, withSettings: true });

    const stored = await bob.workflows.list();
    expect(stored.map(({ name }) => name)).toEqual(["Helper", "Main"]);
    expect(stored.map(({ id }) => id)).not.toContain(made.main.id);
    const [helper, main] = stored;
    const { document } = await bob.workflows.get(main?.id ?? "");
    const [collection] = await bob.knowledge.collections();
    expect(collection).toMatchObject({ name: "Handbook", description: "Of the house" });
    expect(collection?.chunking).toEqual({ size: 400, overlap: 50, split: { by: "headings", depth: 3 } });
    expect(document.nodes["w"]?.config["workflow"]).toBe(helper?.id);
    expect(document.nodes["k"]?.config["collection"]).toBe(collection?.id);
    expect(awaitingReview(document, nodeRegistry).map((awaited) => awaited.node.id)).toContain("h");
    const [suite] = await bob.evaluations.list();
    expect(suite).toMatchObject({ name: "Checks", workflowId: main?.id, cases: 1 });
    expect((await bob.evaluations.cases(suite?.id ?? ""))[0]?.case).toMatchObject({ id: "greets", expected: "Hi" });
    expect((await bob.evaluations.get(suite?.id ?? "")).settings).toMatchObject({ trials: 3 });
    expect(await bob.runs.retention()).toEqual({ keepDays: 7, keepRuns: 50 });
    expect(taken.refused.size).toBe(0);
  });

  it("S105 brings the files of test cases along, as files of the other account", async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    const { signal } = new AbortController();
    const bytes = new TextEncoder().encode("Lamps are blue.");
    const report = await ann.files.add({ name: "report.txt", mediaType: "text/plain", bytes }, signal);
    await makeWork(ann);
    const [suite] = await ann.evaluations.list();
    await ann.evaluations.addCases(suite?.id ?? "", [
      { case: { id: "reads", input: { report }, files: [report] } },
      { case: { id: "names", input: { report } } },
    ]);
    const { gathered, left } = await gatherEverything(ann);
    expect(left.size).toBe(0);
    await takeEverything(bob, read(writeEverything(gathered).text), nothingTaken(), {
      newId: randomUUID,
      withSettings: false,
    });
    const [own] = await bob.evaluations.list();
    const cases = await bob.evaluations.cases(own?.id ?? "");
    const [reads, names] = ["reads", "names"].map((id) => cases.find((one) => one.case.id === id)?.case);
    const [file] = reads?.files ?? [];
    expect(file).toMatchObject({ name: "report.txt", sha256: report.sha256 });
    expect(reads?.input).toEqual({ report: file });
    expect(await (await bob.files.open(file?.$file ?? "", signal)).text()).toBe("Lamps are blue.");
    expect(names).toEqual({ id: "names", input: { report } });
    await expect(bob.files.open(report.$file, signal)).rejects.toMatchObject({ kind: "not-found" });
  });

  it("S105 brings the files of pinned outputs along, as files of the other account", async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    const { signal } = new AbortController();
    const bytes = new TextEncoder().encode("Lamps are blue.");
    const report = await ann.files.add({ name: "report.txt", mediaType: "text/plain", bytes }, signal);
    const document = buildWorkflow({ id: randomUUID(), name: "Pins", nodes: { start: ["manual-trigger"] } });
    Object.assign(document.nodes["start"] ?? {}, { pin: { output: { report } } });
    await ann.workflows.create(document);
    const { gathered } = await gatherEverything(ann);
    const options = { newId: randomUUID, withSettings: false };
    await takeEverything(bob, read(writeEverything(gathered).text), nothingTaken(), options);
    const [listed] = await bob.workflows.list();
    const { nodes } = (await bob.workflows.get(listed?.id ?? "")).document;
    const [file] = filesIn(nodes["start"]?.pin?.output);
    expect(file).toMatchObject({ name: "report.txt", sha256: report.sha256 });
    expect(await (await bob.files.open(file?.$file ?? "", signal)).text()).toBe("Lamps are blue.");
  });

  it("S35 S69 holds no id of a credential and no typed secret", async () => {
    const ann = await newUser();
    await makeWork(ann);
    const { text } = writeEverything((await gatherEverything(ann)).gathered);
    expect(text).not.toContain("of-ann");
    expect(text).not.toContain("test-key-typed");
  });

  it("comes beside what is there: names stay free, a collection of the name is used, settings only on demand", async () => {
    const ann = await newUser();
    const { collection } = await makeWork(ann);
    const file = read(writeEverything((await gatherEverything(ann)).gathered).text);
    await ann.runs.setRetention({ keepDays: 30, keepRuns: null });
    await takeEverything(ann, file, nothingTaken(), { newId: randomUUID, withSettings: false });
    expect((await ann.workflows.list()).map(({ name }) => name)).toEqual(["Helper", "Helper 2", "Main", "Main 2"]);
    expect((await ann.knowledge.collections()).map(({ id }) => id)).toEqual([collection.id]);
    expect(await ann.runs.retention()).toEqual({ keepDays: 30, keepRuns: null });
  });

  it("gives a suite its cases where those could not be stored at first", async () => {
    const ann = await newUser();
    await makeWork(ann);
    const file = read(writeEverything((await gatherEverything(ann)).gathered).text);
    const bob = await newUser();
    const addCases = () => Promise.reject(new ServiceError("offline", "The server cannot be reached.", "Try again."));
    const failing = { ...bob, evaluations: { ...bob.evaluations, addCases } };
    const taken = nothingTaken();
    const options = { newId: randomUUID, withSettings: false };
    await expect(takeEverything(failing, file, taken, options)).rejects.toThrow("cannot be reached");
    await takeEverything(bob, file, taken, options);
    expect(await bob.evaluations.list()).toMatchObject([{ name: "Checks", cases: 1 }]);
  });

  it("is left where it is once it is stopped", async () => {
    const ann = await newUser();
    await makeWork(ann);
    const file = read(writeEverything((await gatherEverything(ann)).gathered).text);
    const bob = await newUser();
    const stop = new AbortController();
    const taken = nothingTaken();
    const options = { newId: randomUUID, withSettings: true, signal: stop.signal, onProgress: () => stop.abort() };
    await expect(takeEverything(bob, file, taken, options)).rejects.toThrow("aborted");
    expect(taken.workflows.size).toBe(0);
    expect(await bob.workflows.list()).toEqual([]);
  });

  it("goes on after a failure and makes nothing twice", async () => {
    const ann = await newUser();
    await makeWork(ann);
    const file = read(writeEverything((await gatherEverything(ann)).gathered).text);
    const bob = await newUser();
    let left = 1;
    const failing = {
      ...bob,
      workflows: {
        ...bob.workflows,
        create: (document: Parameters<typeof bob.workflows.create>[0]) => {
          if ((left -= 1) < 0) throw new ServiceError("offline", "The server cannot be reached.", "Try again.");
          return bob.workflows.create(document);
        },
      },
    };
    const taken = nothingTaken();
    const options = { newId: randomUUID, withSettings: false };
    await expect(takeEverything(failing, file, taken, options)).rejects.toThrow("cannot be reached");
    expect(taken.workflows.size).toBe(1);
    await takeEverything(bob, file, taken, options);
    const stored = await bob.workflows.list();
    expect(stored.map(({ name }) => name)).toEqual(["Helper", "Main"]);
    const { document } = await bob.workflows.get(stored[1]?.id ?? "");
    expect(document.nodes["w"]?.config["workflow"]).toBe(stored[0]?.id);
    expect(await bob.evaluations.list()).toHaveLength(1);
    expect(await bob.knowledge.collections()).toHaveLength(1);
  });

  it("names what it cannot take, and takes the rest", async () => {
    const ann = await newUser();
    await makeWork(ann);
    const file = read(writeEverything((await gatherEverything(ann)).gathered).text);
    file.workflows[0] = { ...file.workflows[0], nodes: 5 };
    const taken = nothingTaken();
    const bob = await newUser();
    await takeEverything(bob, file, taken, { newId: randomUUID, withSettings: false });
    expect((await bob.workflows.list()).map(({ name }) => name)).toEqual(["Main"]);
    expect([...taken.refused]).toEqual([["Helper", '"nodes" must be an object or a list.']]);
  });
});

it.each([
  ["no json", "does not contain JSON"],
  ["{}", "no export of all work"],
  ['{"nodes":{}}', "no export of all work"],
  ['{"format":"switchyard","version":2}', "newer version"],
  ['{"format":"switchyard","version":1}', "damaged at exportedAt"],
  ['{"format":"switchyard","version":1,"__proto__":{}}', "__proto__"],
])("S31 S32 a file that is none is refused with a reason: %s", (text, words) => {
  expect(readEverything(text)).toEqual({ ok: false, problem: expect.stringContaining(words) });
});
