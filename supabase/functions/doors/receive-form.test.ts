import { describe, expect, it } from "vitest";
import { DoorProblem, problems } from "../_shared/door-problem.ts";
import type { ArrivingFile } from "../_shared/files/door-files.ts";
import { maxFields } from "./read-parts.ts";
import { receiveForm } from "./receive-form.ts";

const contentType = "multipart/form-data; boundary=b";
const tooLarge = new DoorProblem(problems.badRequest("too large"));

/** One part of a form; with a name of a file it is one. */
function part(name: string, content: string, sentName?: string, type?: string): string {
  const file = sentName === undefined ? "" : `; filename="${sentName}"`;
  const typed = type === undefined ? "" : `content-type: ${type}\r\n`;
  return `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\n${typed}\r\n${content}\r\n`;
}
const end = "--b--\r\n";

/** A body in pieces of so many bytes. */
async function* inPieces(body: string, size: number, onPiece?: () => void): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(body);
  for (let at = 0; at < bytes.byteLength; at += size) {
    onPiece?.();
    yield bytes.subarray(at, at + size);
  }
}

async function read({ name, mediaType, bytes }: ArrivingFile) {
  let text = "";
  for await (const piece of bytes) text += new TextDecoder().decode(piece);
  return { name, mediaType, text };
}

const receive = <Kept>(
  body: AsyncIterable<Uint8Array>,
  keep: (file: ArrivingFile) => Promise<Kept>,
  maxTextBytes = 10_000,
) => receiveForm(body, { contentType, maxTextBytes, tooLarge, keep });

describe("a form that is read as it comes", () => {
  const form = [
    part("note", "Grüße"),
    part("a", "one\r\n--cones", "..\\Ü%22.txt", "text/plain; charset=utf-8"),
    part("a", "x".repeat(30_000), "big.bin"),
    part("empty", "", "empty.csv", "Text/CSV"),
    part("note", ""),
  ].join("");

  it.each([1_000_000, 65_536, 7])("has its fields and files in their order, in pieces of %i bytes", async (size) => {
    const { fields, files } = await receive(inPieces(form + end, size), read);
    expect(fields).toEqual([
      ["note", "Grüße"],
      ["a", 0],
      ["a", 1],
      ["empty", 2],
      ["note", ""],
    ]);
    expect(files.map(({ name, mediaType }) => [name, mediaType])).toEqual([
      ["Ü_.txt", "text/plain"],
      ["big.bin", "text/plain"],
      ["empty.csv", "text/csv"],
    ]);
    expect(files.map(({ text }) => text.length)).toEqual([12, 30_000, 0]);
  });

  it("waits for the keeper instead of holding a file", async () => {
    let pieces = 0;
    let most = 0;
    const body = inPieces(part("a", "x".repeat(4_000_000), "a.bin") + end, 10_000, () => (pieces += 1));
    await receive(body, async ({ bytes }) => {
      let taken = 0;
      for await (const piece of bytes) {
        taken += piece.byteLength;
        most = Math.max(most, pieces * 10_000 - taken);
        // A keeper that lets others work.
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    expect(most).toBeLessThan(500_000);
  });

  it("is refused as soon as its texts are too large, however large its files may be", async () => {
    const files = part("a", "x".repeat(200_000), "a.bin");
    await expect(receive(inPieces(files + part("b", "x".repeat(9_000)) + end, 1_000), read)).resolves.toBeDefined();
    for (const texts of [
      part("b", "x".repeat(20_000)),
      part("b", "x".repeat(6_000)).repeat(2),
      part("b".repeat(20_000), "x"),
    ])
      await expect(receive(inPieces(files + texts + end, 1_000), read)).rejects.toBe(tooLarge);
  });

  it.each<[string, string]>([
    ["breaks off in a file", part("a", "x".repeat(100_000), "a.bin")],
    ["breaks off in a second file", part("a", "x", "a.bin") + part("b", "x".repeat(100_000), "b.bin")],
    ["breaks off in a text", part("a", "x", "a.bin") + part("b", "x")],
    ["has too many fields", part("a", "x").repeat(maxFields + 1) + end],
  ])("that %s is refused in words", async (_what, body) => {
    await expect(receive(inPieces(body, 900), read, 1_000_000)).rejects.toBeInstanceOf(DoorProblem);
  });

  it("without a boundary is refused in words", async () => {
    const terms = { contentType: "multipart/form-data", maxTextBytes: 100, tooLarge, keep: read };
    await expect(receiveForm(inPieces("x", 1), terms)).rejects.toBeInstanceOf(DoorProblem);
  });

  it("ends with what a file could not be kept for, after all of it was read, and keeps none after it", async () => {
    const asked: string[] = [];
    const body = part("a", "x".repeat(100_000), "a.bin") + part("b", "x", "b.bin") + end;
    let pieces = 0;
    const full = new Error("The storage is full.");
    const kept = receive(
      inPieces(body, 1_000, () => (pieces += 1)),
      async ({ name }) => {
        asked.push(name);
        throw full;
      },
    );
    await expect(kept).rejects.toBe(full);
    expect(asked).toEqual(["a.bin"]);
    expect(pieces).toBe(Math.ceil(body.length / 1_000));
  });

  it("breaks a file off with the connection", async () => {
    const cut = new Error("The connection was cut.");
    async function* body() {
      yield* inPieces(part("a", "x".repeat(100_000), "a.bin"), 1_000);
      throw cut;
    }
    let ended: unknown;
    const kept = receive(body(), async ({ bytes }) => {
      try {
        for await (const _ of bytes);
        ended = "whole";
      } catch (error) {
        ended = error;
        throw error;
      }
    });
    await expect(kept).rejects.toBe(cut);
    expect(ended).toBeInstanceOf(Error);
  });
});
