import { describe, expect, test } from "vitest";
import { createRedactor } from "./redact.ts";

const SECRET = 'test-key-Zm/9+q "ß" 0123456789';

async function throughStream(secrets: string[], chunks: Uint8Array[]): Promise<string> {
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
      controller.close();
    },
  });
  return new Response(source.pipeThrough(createRedactor(secrets).stream())).text();
}

describe("S43 redaction", () => {
  const spellings = {
    plain: SECRET,
    "percent-encoded": encodeURIComponent(SECRET),
    "percent-encoded in lower case": encodeURIComponent(SECRET).replace(/%../g, (mark) => mark.toLowerCase()),
    "form-encoded": new URLSearchParams({ s: SECRET }).toString().slice(2),
    JSON: JSON.stringify(SECRET),
    "JSON inside JSON": JSON.stringify(JSON.stringify(SECRET)),
    hexadecimal: Buffer.from(SECRET).toString("hex"),
    HTML: SECRET.replace(/"/g, "&quot;"),
    base64: Buffer.from(SECRET).toString("base64"),
    base64url: Buffer.from(SECRET).toString("base64url"),
    "base64 one byte in": Buffer.from(`x${SECRET}yz`).toString("base64"),
    "base64 two bytes in": Buffer.from(`xx${SECRET}yz`).toString("base64"),
  };

  test.each(Object.entries(spellings))("S43 finds the secret %s", (_name, spelling) => {
    const redacted = createRedactor([SECRET]).text(`before ${spelling} after`);
    expect(redacted).toMatch(/^before .*\[redacted\].* after$/);
    expect(redacted.length).toBeLessThan(spelling.length);
    // What base64 leaves at the edges is at most the two letters that depend on the neighbours.
    expect(redacted.replace(/before|after|\[redacted\]|["\\\s]/g, "").length).toBeLessThanOrEqual(8);
  });

  test("S43 finds a secret in a stream wherever it is cut", async () => {
    const whole = Buffer.from(`data: ${SECRET}\n\ndata: ${encodeURIComponent(SECRET)}\n\n`);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const text = await throughStream([SECRET], [whole.subarray(0, cut), whole.subarray(cut)]);
      expect(text).toBe("data: [redacted]\n\ndata: [redacted]\n\n");
    }
    const single = [...whole].map((byte) => Buffer.from([byte]));
    expect(await throughStream([SECRET], single)).toBe("data: [redacted]\n\ndata: [redacted]\n\n");
  });

  test("bytes that are no secret pass unchanged and in order, split characters too", async () => {
    const bytes = Buffer.from("data: grüße 🚋 test-key-Zm, nearly\n\n");
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await throughStream([SECRET], single)).toBe(bytes.toString());
  });

  test("a piece that cannot be the start of a secret is not held back", async () => {
    const { readable, writable } = createRedactor([SECRET]).stream();
    const writer = writable.getWriter();
    const reader = readable.getReader();
    void writer.write(new Uint8Array(Buffer.from("data: {}\n\n")));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("data: {}\n\n");
    await reader.cancel();
  });

  test("headers are redacted, and very short secrets leave texts readable", () => {
    expect(createRedactor([SECRET]).headers({ location: `/?key=${encodeURIComponent(SECRET)}` })).toEqual({
      location: "/?key=[redacted]",
    });
    expect(createRedactor(["a", ""]).text("a banana")).toBe("a banana");
  });
});
