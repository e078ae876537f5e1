import { describe, expect, it } from "vitest";
import type { FileValue } from "../../engine/file/file.ts";
import type { StoreFile } from "../../engine/file/sent-file.ts";
import { fileStore } from "../../engine/in-memory/file-store.ts";
import { newId } from "../../state/shared/new-id.ts";
import { readImport } from "./import/read-import.ts";
import { readWorkflowFile } from "./import/read-workflow-file.ts";
import { storePinnedFiles } from "./pinned-files.ts";
import { askWithTools } from "./templates/ask-with-tools.ts";
import { toWorkflowFile } from "./workflow-file.ts";

const nothing = { credentials: new Set<string>(), workflows: new Set<string>(), collections: new Set<string>() };

/** An account's files: how they are read and stored. */
function account() {
  const store = fileStore();
  const storeFile: StoreFile = async (file) => {
    const created = await store.create(file, { signal: new AbortController().signal });
    if (!created.ok) throw new Error(created.error.message);
    return created.value;
  };
  return { store, storeFile, read: async (id: string) => store.kept.get(id)?.bytes };
}

function pinned(...files: FileValue[]) {
  const document = askWithTools("w");
  const [node] = Object.values(document.nodes);
  if (node) node.pin = { output: { note: "kept", files } };
  return document;
}

/** What an account makes of a workflow's file. */
async function taken(text: string, storeFile: StoreFile) {
  const read = readImport(text, nothing, newId);
  if (!read.ok) throw new Error(read.problems.join());
  const document = await storePinnedFiles(read.findings.document, read.findings.sent, storeFile);
  return Object.values(document.nodes).find(({ pin }) => pin)?.pin?.output;
}

describe("the file of a workflow with pinned files", () => {
  it("holds their bytes, which become files of whoever takes it", async () => {
    const [ann, bob] = [account(), account()];
    await bob.store.put("own.txt", "text/plain", "private");
    const file = await ann.store.put("a.png", "image/png", "a picture");
    const { text, warning } = await toWorkflowFile(pinned(file, file), ann.read);
    expect(warning).toBeUndefined();
    expect(JSON.parse(text).files).toHaveLength(1);
    const output = await taken(text, bob.storeFile);
    const [, stored] = [...bob.store.kept.values()];
    expect(output).toEqual({ note: "kept", files: [stored?.file, stored?.file] });
    expect(new TextDecoder().decode(stored?.bytes)).toBe("a picture");
    expect(stored?.file).toMatchObject({ name: "a.png", mediaType: "image/png" });
  });

  it("says what is gone or has no room, and keeps the reference", async () => {
    const { store, read } = account();
    const [first, second] = [await store.put("a.txt", "text/plain", "123456"), await store.put("b.txt", "", "123456")];
    const gone = { ...first, $file: newId(), name: "gone.txt" };
    const typed = { ...second, mediaType: "text/plain" };
    const { text, warning } = await toWorkflowFile(pinned(gone, first, typed), read, 10);
    expect(warning?.message).toBe("Some files of pinned outputs were left out: “gone.txt”, “b.txt”.");
    expect(await taken(text, account().storeFile)).toMatchObject({ files: [gone, {}, typed] });
  });

  it("says of secrets that were left out as well", async () => {
    const { store, read } = account();
    const gone = { ...(await store.put("a.txt", "text/plain", "1")), $file: newId() };
    const document = pinned(gone);
    const [node] = Object.values(document.nodes);
    if (node) node.config = { headers: { Authorization: "Bearer test-key-0123456789" } };
    const { warning } = await toWorkflowFile(document, read);
    expect(warning?.message).toMatch(
      /looks like a secret: .*headers\.Authorization\. .*pinned outputs were left out: “a\.txt”\.$/,
    );
    expect(warning?.hint).toMatch(/credential.* 10 MB/);
  });

  it("S105 brings no bytes under another's name: other bytes, and what no pin names, are stored nowhere", async () => {
    const { store, storeFile, read } = account();
    const file = await store.put("a.txt", "text/plain", "mine");
    const { text } = await toWorkflowFile(pinned(file), read);
    const sent = JSON.parse(text);
    const count = store.kept.size;
    const forged = { ...sent, files: [{ ...sent.files[0], base64: btoa("other") }] };
    expect(await taken(JSON.stringify(forged), storeFile)).toMatchObject({ files: [file] });
    const loose = { ...sent, files: [{ ...sent.files[0], $file: newId() }, "no file", { name: "half" }] };
    expect(await taken(JSON.stringify(loose), storeFile)).toMatchObject({ files: [file] });
    expect(store.kept.size).toBe(count);
  });

  it("may be larger than a workflow by these bytes, and by nothing else", async () => {
    const { store, read } = account();
    const file = await store.put("a.bin", "application/octet-stream", new Uint8Array(4.5 * 1024 * 1024));
    const { text } = await toWorkflowFile(pinned(file), read);
    expect(readWorkflowFile(text, newId)).toMatchObject({ ok: true, sent: [{ name: "a.bin" }] });
    const large = { ...JSON.parse(text), description: `"base64"${"x".repeat(5 * 1024 * 1024)}` };
    expect(readWorkflowFile(JSON.stringify(large), newId)).toMatchObject({
      ok: false,
      problems: ["The file is larger than 5 MB."],
    });
  });
});
