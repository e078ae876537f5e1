import { expect, test } from "vitest";
import type { FileValue } from "../../engine/file/file.ts";
import { fileStore } from "../../engine/in-memory/file-store.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { createFilePacker } from "../../engine/file/pack-files.ts";
import type { StoreFile } from "../../engine/file/sent-file.ts";
import { packCase, storeCaseFiles } from "./case-files.ts";
import { readCaseLines } from "./evaluation-case.ts";

const signal = new AbortController().signal;

/** An account's files: how they are read and stored. */
function account() {
  const store = fileStore();
  const storeFile: StoreFile = async (file) => {
    const created = await store.create(file, { signal });
    if (!created.ok) throw new Error(created.error.message);
    return created.value;
  };
  return { store, storeFile, read: async (id: string) => store.kept.get(id)?.bytes };
}

const added = (file: FileValue): RunEvent => ({ type: "file-add", nodeId: "a", file, runId: "r", seq: 1, at: 0 });

test("a case leaves with its files and those of its recording, and comes back under the ids of another account", async () => {
  const [ada, bob] = [account(), account()];
  // Bob's own file has the id that Ada's has with her.
  await bob.store.put("own.txt", "text/plain", "private");
  const [sent, made] = [
    await ada.store.put("a.txt", "text/plain", "sent"),
    await ada.store.put("b.txt", "text/plain", "made"),
  ];
  const one = { id: "reads", input: { file: sent }, expected: { file: sent }, files: [sent] };
  const packed = await packCase(createFilePacker(ada.read), one, [added(made)]);
  const read = readCaseLines(JSON.stringify(packed));
  if (!read.ok) throw new Error(read.problems.join());
  const [outside] = read.cases;
  if (!outside) throw new Error("There is no case.");
  expect(outside).not.toHaveProperty("files");
  const stored = await storeCaseFiles(outside, read.files.get("reads") ?? [], bob.storeFile);
  const [file, other] = stored.files ?? [];
  expect([file?.name, other?.name]).toEqual(["a.txt", "b.txt"]);
  expect(stored.input).toEqual({ file });
  expect(stored.expected).toEqual({ file });
  expect(file?.$file).not.toBe(sent.$file);
  expect(new TextDecoder().decode(await bob.read(file?.$file ?? ""))).toBe("sent");
});

test("S105 a reference from outside without its bytes, or with others, is plain data", async () => {
  const { store, storeFile } = account();
  const own = await store.put("own.txt", "text/plain", "private");
  const { size: _size, ...named } = own;
  const line = (files: unknown) => readCaseLines(JSON.stringify({ id: "a", input: { file: own }, files }));
  expect(line([own])).toMatchObject({ ok: false, problems: [expect.stringContaining("base64")] });
  for (const files of [undefined, [], [{ ...named, base64: btoa("other") }], [{ ...named, base64: "%" }]]) {
    const read = line(files);
    if (!read.ok) throw new Error(read.problems.join());
    const [one] = read.cases;
    const stored = one && (await storeCaseFiles({ ...one, files: [own] }, read.files.get("a") ?? [], storeFile));
    expect(stored).toEqual({ id: "a", input: { file: own } });
  }
  expect(store.kept.size).toBe(1);
});

test("files that are gone or too many are left out by name", async () => {
  const { store, read } = account();
  const [first, second] = [
    await store.put("first.txt", "text/plain", "123456"),
    await store.put("second.txt", "text/plain", "123456"),
  ];
  const gone = { ...first, $file: "00000000-0000-4000-8000-000000000000", name: "gone.txt" };
  const packer = createFilePacker(read, 10);
  const packed = await packCase(packer, { id: "a", input: null, files: [gone, first, second] });
  expect(packed.files?.map(({ name }) => name)).toEqual(["first.txt"]);
  expect([...packer.left]).toEqual(["gone.txt", "second.txt"]);
});

test("a case without files stays as it is, and what a recording masks is no file", async () => {
  const { store, read } = account();
  const file = await store.put("a.txt", "text/plain", "x");
  const packer = createFilePacker(read);
  const masked = { ...file, name: "[masked]", sha256: "[masked]" };
  expect(await packCase(packer, { id: "a", input: "Hi" }, [added(masked)])).toEqual({ id: "a", input: "Hi" });
  expect(packer.left.size).toBe(0);
});
