import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../state/shared/new-id.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import { createAuthService } from "../../../state/account/storage/auth-service.ts";
import { createSupabaseClient } from "../../../state/shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../../state/document/storage/workflow-repository.ts";
import type { WorkflowRepository } from "../../../services/services.ts";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { createImportList } from "./import-list.ts";

let stack: SharedStack;
let workflows: WorkflowRepository;

beforeAll(async () => {
  stack = await sharedTestStack();
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  workflows = createWorkflowRepository(client);
});

const own = { credentials: new Set<string>(), workflows: new Set<string>(), collections: new Set<string>() };

function openList(over: Partial<WorkflowRepository> = {}) {
  const outside = { ...workflows, ...over };
  return createImportList({
    workflows: outside,
    storeFile: () => Promise.reject(new Error("Nothing is stored.")),
    newId,
    account: async () => ({ own, names: (await workflows.list()).map(({ name }) => name) }),
  });
}

/** A file with a workflow; it is not read to its end before `until`. */
function file(name: string, until: Promise<void> = Promise.resolve()): File {
  const text = JSON.stringify(newDocument(newId(), name));
  return Object.assign(new File([text], `${name}.json`), {
    arrayBuffer: () => until.then(() => new TextEncoder().encode(text).buffer),
  });
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const names = ({ store }: ReturnType<typeof openList>) =>
  store.getState().files.map(({ name, workflows: found }) => `${name}: ${found.length}`);

describe("a list of files to import", () => {
  it("has all that was dropped in this order, whichever of it could be read first", async () => {
    const list = openList();
    const slow = gate();
    const first = list.read(Promise.resolve([file("one", slow.opened), file("two")]));
    const second = list.read(Promise.resolve([file("three"), new File(["x"], "picture.png")]));
    slow.open();
    expect(await Promise.all([first, second])).toEqual([2, 1]);
    await list.read(Promise.resolve([file("four")]));
    expect(names(list)).toEqual(["one.json: 1", "two.json: 1", "three.json: 1", "four.json: 1"]);
    expect(list.store.getState()).toMatchObject({ others: 1, work: { kind: "idle" } });
  });

  it("goes on after files that cannot be got at", async () => {
    const list = openList();
    const failed = list.read(Promise.reject(new Error("The folder is gone.")));
    const read = list.read(Promise.resolve([file("five")]));
    await expect(failed).rejects.toThrow("The folder is gone.");
    await read;
    expect(names(list)).toEqual(["five.json: 1"]);
  });

  it("keeps what is given while it is stored, and names nothing twice", async () => {
    const storing = gate();
    const list = openList({
      async create(document) {
        await storing.opened;
        return await workflows.create(document);
      },
    });
    await list.read(Promise.resolve([file("Orders")]));
    const imported = list.importAll();
    const read = list.read(Promise.resolve([file("Orders")]));
    storing.open();
    expect(await imported).toMatchObject({ made: [{ name: "Orders" }], left: [] });
    await read;
    expect(names(list)).toEqual(["Orders.json: 1"]);
    expect(await list.importAll()).toMatchObject({ made: [{ name: "Orders 2" }], left: [] });
    expect(list.store.getState().files).toEqual([]);
  });

  it("is stored once, however often that is asked for", async () => {
    const list = openList();
    await list.read(Promise.resolve([file("Once")]));
    const both = await Promise.all([list.importAll(), list.importAll()]);
    expect(both.map(({ made }) => made.length)).toEqual([1, 0]);
  });

  it("keeps what was read when it is stopped, and reads no more of what waited", async () => {
    const list = openList();
    const slow = gate();
    const first = list.read(Promise.resolve([file("one", slow.opened), file("two")]));
    const second = list.read(Promise.resolve([file("three")]));
    await expect.poll(() => list.store.getState().work.kind).toBe("reading");
    list.stop();
    slow.open();
    await Promise.all([first, second]);
    expect(names(list)).toEqual(["one.json: 1"]);
    await list.read(Promise.resolve([file("four")]));
    expect(names(list)).toEqual(["one.json: 1", "four.json: 1"]);
  });
});
