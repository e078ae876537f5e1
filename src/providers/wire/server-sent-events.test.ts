import { describe, expect, it } from "vitest";
import { ServerSentEvents } from "./server-sent-events.ts";

/** The data of all events of a body that comes in these pieces. */
async function dataOf(...pieces: (string | Uint8Array<ArrayBuffer>)[]): Promise<string[]> {
  return (await readAll(...pieces)).data;
}

/** That, and the lines outside of events. */
async function readAll(...pieces: (string | Uint8Array<ArrayBuffer>)[]): Promise<{ data: string[]; outside: string }> {
  const waiting = pieces.map((piece) => (typeof piece === "string" ? new TextEncoder().encode(piece) : piece));
  const events = new ServerSentEvents(
    new Response(
      new ReadableStream({
        pull(controller) {
          const piece = waiting.shift();
          if (piece) controller.enqueue(piece);
          else controller.close();
        },
      }),
    ),
  );
  const data: string[] = [];
  for (let next = await events.next(); next; next = await events.next()) data.push(...next);
  return { data, outside: events.outside() };
}

describe("server-sent events", () => {
  it("end at an empty line, whatever ends the lines", async () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const body = ["data: one", "", ": comment", "event: two", "data: 2", "id: 7", "data:  b", "data", "", ""].join(
        end,
      );
      const expected = ["one", "2\n b\n"];
      expect(await dataOf(body + "\n")).toEqual(expected);
      expect(await dataOf(...body, "\n")).toEqual(expected);
    }
  });

  it("S52 keep characters that a piece cuts in two", async () => {
    const bytes = new TextEncoder().encode("data: Grüße 🌍\n\n");
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(await dataOf(bytes.slice(0, cut), bytes.slice(cut))).toEqual(["Grüße 🌍"]);
    }
  });

  it("S52 do not count when they were cut off", async () => {
    expect(await dataOf("data: whole\n\ndata: half")).toEqual(["whole"]);
    expect(await dataOf("data: whole\n\ndata: half\n")).toEqual(["whole"]);
    expect(await dataOf("")).toEqual([]);
  });

  it("take time in line with their size, however many pieces one comes in", async () => {
    const piece = "x".repeat(1_000);
    const pieces = Array.from({ length: 5_000 }, () => piece);
    const [data] = await dataOf("data: ", ...pieces, "\n\n");
    expect(data).toHaveLength(5_000_000);
  });

  it("are none of an answer without a body", async () => {
    expect(await new ServerSentEvents(new Response(null)).next()).toBeUndefined();
  });

  it("S52 tell what a server wrote bare into its answer, also in a last line without an end", async () => {
    const body = 'data: one\n\n{"error":{"message":"No: nothing."}}';
    for (const end of ["", "\n", "\n\n"]) {
      const expected = { data: ["one"], outside: '{"error":{"message":"No: nothing."}}' };
      expect(await readAll(body + end)).toEqual(expected);
      expect(await readAll(...body, end)).toEqual(expected);
    }
    expect(await readAll("data: one\n\ndata: half")).toEqual({ data: ["one"], outside: "" });
  });
});
