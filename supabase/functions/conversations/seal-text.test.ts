import { describe, expect, test } from "vitest";
import { createTextSealer, type SealedText, type TextPlace } from "./seal-text.ts";

const newKey = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32));
const keys = { credentialKeys: new Map([[1, newKey()]]), credentialKeyVersion: 1 };
const place: TextPlace = { workflowId: "w", sessionId: "s", kind: "message" };

async function seal(text: string, with_ = keys) {
  const sealed = await createTextSealer(with_, "a").seal(place, text);
  if (!sealed.ok) throw new Error(sealed.error.message);
  return sealed.value;
}

const open = (sealed: SealedText, { with_ = keys, owner = "a", at = place } = {}) =>
  createTextSealer(with_, owner).open(at, sealed);

describe("S89 sealed conversations", () => {
  test("S89 a text opens where it was sealed, and no two ciphertexts are alike", async () => {
    const [first, second] = [await seal("Hello Zoë"), await seal("Hello Zoë")];
    expect(await open(first)).toEqual({ ok: true, text: "Hello Zoë" });
    expect(first.id).not.toBe(second.id);
    expect(first.sealed.slice(0, 16)).not.toBe(second.sealed.slice(0, 16));
    expect(atob(first.sealed)).not.toContain("Hello");
    const long = "x".repeat(300_000);
    expect(await open(await seal(long))).toEqual({ ok: true, text: long });
    expect(await open(await seal(""))).toEqual({ ok: true, text: "" });
  });

  test("S89 stays shut for another owner", async () => {
    expect(await open(await seal("Hello"), { owner: "b" })).toEqual({ ok: false, reason: "changed" });
  });

  const moves: [string, Partial<TextPlace>][] = [
    ["workflow", { workflowId: "v" }],
    ["scope", { workflowId: null }],
    ["session", { sessionId: "t" }],
    ["kind", { kind: "title" }],
  ];
  test.each(moves)("S89 stays shut at another %s", async (_name, move) => {
    expect(await open(await seal("Hello"), { at: { ...place, ...move } })).toEqual({ ok: false, reason: "changed" });
  });

  test("S89 stays shut when it was cut, changed, mixed up or mangled", async () => {
    const sealed = await seal("Hello");
    const other = await seal("Hello");
    const flipped = Buffer.from(sealed.sealed, "base64");
    flipped[14] = (flipped[14] ?? 0) ^ 1;
    const wrong = [
      { ...sealed, sealed: sealed.sealed.slice(0, 8) },
      { ...sealed, sealed: "" },
      { ...sealed, sealed: "%%%" },
      { ...sealed, sealed: flipped.toString("base64") },
      { ...sealed, sealed: other.sealed },
      { ...sealed, id: other.id },
    ];
    for (const one of wrong) expect(await open(one)).toEqual({ ok: false, reason: "changed" });
  });

  test("S89 after a rotation new texts use the new key; old ones open while the old key is kept", async () => {
    const sealed = await seal("Hello");
    const rotated = { credentialKeys: new Map([...keys.credentialKeys, [2, newKey()]]), credentialKeyVersion: 2 };
    expect((await seal("New", rotated)).key).toBe(2);
    expect(await open(sealed, { with_: rotated })).toEqual({ ok: true, text: "Hello" });
    expect(await open({ ...sealed, key: 2 }, { with_: rotated })).toEqual({ ok: false, reason: "changed" });
    const without = { credentialKeys: new Map([[2, newKey()]]), credentialKeyVersion: 2 };
    expect(await open(sealed, { with_: without })).toEqual({ ok: false, reason: "key" });
  });

  test("without a key nothing is sealed", async () => {
    const none = { credentialKeys: new Map(), credentialKeyVersion: null };
    expect(await createTextSealer(none, "a").seal(place, "Hello")).toMatchObject({
      ok: false,
      error: { code: "internal", hint: expect.stringContaining("CREDENTIALS_KEYS") },
    });
  });
});
