import { describe, expect, test } from "vitest";
import { createRedactor } from "./redact.ts";

const secret = 'test-key-Zm/9+q "ß" 0123456789';

async function throughStream(secrets: string[], chunks: Uint8Array[]): Promise<string> {
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
      controller.close();
    },
  });
  return new Response(source.pipeThrough(createRedactor(secrets).stream())).text();
}

/** Every character in the spelling that `write` gives it, or only every second one. */
const spelled = (write: (code: number, character: string) => string, every = 1) =>
  [...secret]
    .map((character, index) => (index % every ? character : write(character.codePointAt(0) ?? 0, character)))
    .join("");
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
const bytesOf = (character: string) => [...Buffer.from(character)].map((byte) => hex(byte, 2));

describe("S69 an encoded secret", () => {
  const spellings = {
    "in unicode escapes": spelled((code) => `\\u${hex(code, 4)}`),
    "in unicode escapes in upper case inside JSON": spelled((code) => `\\\\u${hex(code, 4).toUpperCase()}`),
    "in unicode escapes of some characters": spelled((code) => `\\u${hex(code, 4)}`, 2),
    "in code point escapes": spelled((code) => `\\u{${hex(code, 1)}}`),
    "percent-encoded in full": spelled((_code, character) =>
      bytesOf(character)
        .map((byte) => `%${byte}`)
        .join(""),
    ),
    "percent-encoded twice": spelled((_code, character) =>
      bytesOf(character)
        .map((byte) => `%25${byte}`)
        .join(""),
    ),
    "in decimal entities": spelled((code) => `&#${code};`),
    "in hexadecimal entities of some characters": spelled((code) => `&#x${hex(code, 2).toUpperCase()};`, 3),
    "in hexadecimal with colons": Buffer.from(secret)
      .toString("hex")
      .replace(/..(?=.)/g, "$&:"),
    "in base64 with line breaks": Buffer.from(`key=${secret}&x`).toString("base64").replace(/.{16}/g, "$&\n"),
    "in base64 of JSON": Buffer.from(JSON.stringify({ key: secret })).toString("base64"),
    "in base64url of a form": Buffer.from(new URLSearchParams({ key: secret }).toString()).toString("base64url"),
    "in base64 of base64": Buffer.from(Buffer.from(`:${secret}`).toString("base64")).toString("base64"),
  };

  test.each(Object.entries(spellings))(
    "S69 is found %s, in a text and in a stream wherever it is cut",
    async (_name, spelling) => {
      const whole = `before ${spelling} after`;
      const text = createRedactor([secret]).text(whole);
      expect(text).toMatch(/^before \S*\[redacted\]\S*\s?\S* after$/);
      expect(text.length).toBeLessThan(40);
      const bytes = Buffer.from(whole);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const streamed = await throughStream([secret], [bytes.subarray(0, cut), bytes.subarray(cut)]);
        expect(streamed).toContain("[redacted]");
        expect(streamed.length).toBeLessThan(40);
      }
    },
  );

  test("S69 texts that only look like one stay, and megabytes pass", () => {
    const { text } = createRedactor([secret, "\\".repeat(40), "a".repeat(60)]);
    const harmless = "\\u0074est &#116;est %74est dGVzdC1rZXktWm0v 746573742d6b ".repeat(20_000);
    expect(text(harmless)).toBe(harmless);
    const slashes = `${"\\".repeat(200)}x`.repeat(50);
    expect(text(slashes)).toContain("[redacted]");
  });
});

describe("S43 redaction", () => {
  const spellings = {
    plain: secret,
    "percent-encoded": encodeURIComponent(secret),
    "percent-encoded in lower case": encodeURIComponent(secret).replace(/%../g, (mark) => mark.toLowerCase()),
    "form-encoded": new URLSearchParams({ s: secret }).toString().slice(2),
    JSON: JSON.stringify(secret),
    "JSON inside JSON": JSON.stringify(JSON.stringify(secret)),
    hexadecimal: Buffer.from(secret).toString("hex"),
    HTML: secret.replace(/"/g, "&quot;"),
    base64: Buffer.from(secret).toString("base64"),
    base64url: Buffer.from(secret).toString("base64url"),
    "base64 one byte in": Buffer.from(`x${secret}yz`).toString("base64"),
    "base64 two bytes in": Buffer.from(`xx${secret}yz`).toString("base64"),
  };

  test.each(Object.entries(spellings))("S43 finds the secret %s", (_name, spelling) => {
    const redacted = createRedactor([secret]).text(`before ${spelling} after`);
    expect(redacted).toMatch(/^before .*\[redacted\].* after$/);
    expect(redacted.length).toBeLessThan(spelling.length);
    // What base64 leaves at the edges is at most the two letters that depend on the neighbours.
    expect(redacted.replace(/before|after|\[redacted\]|["\\\s]/g, "").length).toBeLessThanOrEqual(8);
  });

  test("S43 finds a secret in a stream wherever it is cut", async () => {
    const whole = Buffer.from(`data: ${secret}\n\ndata: ${encodeURIComponent(secret)}\n\n`);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const text = await throughStream([secret], [whole.subarray(0, cut), whole.subarray(cut)]);
      expect(text).toBe("data: [redacted]\n\ndata: [redacted]\n\n");
    }
    const single = [...whole].map((byte) => Buffer.from([byte]));
    expect(await throughStream([secret], single)).toBe("data: [redacted]\n\ndata: [redacted]\n\n");
  });

  test("bytes that are no secret pass unchanged and in order, split characters too", async () => {
    const bytes = Buffer.from("data: grüße 🚋 test-key-Zm, nearly\n\n");
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await throughStream([secret], single)).toBe(bytes.toString());
  });

  test("a piece that cannot be the start of a secret is not held back", async () => {
    const { readable, writable } = createRedactor([secret]).stream();
    const writer = writable.getWriter();
    const reader = readable.getReader();
    void writer.write(new Uint8Array(Buffer.from("data: {}\n\n")));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("data: {}\n\n");
    await reader.cancel();
  });

  test("headers are redacted, and very short secrets leave texts readable", () => {
    expect(createRedactor([secret]).headers({ location: `/?key=${encodeURIComponent(secret)}` })).toEqual({
      location: "/?key=[redacted]",
    });
    expect(createRedactor(["a", ""]).text("a banana")).toBe("a banana");
  });
});
