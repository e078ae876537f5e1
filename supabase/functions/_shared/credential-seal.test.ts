import { describe, expect, test } from "vitest";
import { openSecret, sealSecret, type SealBinding } from "./credential-seal.ts";

const key = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32));
const oldKey = key();
const keys = { credentialKeys: new Map([[1, oldKey]]), credentialKeyVersion: 1 };
const binding: SealBinding = { owner: "a", credentialId: "c", type: "openai", allowedHosts: ["api.openai.com"] };

async function seal(with_ = keys) {
  const sealed = await sealSecret(with_, binding, "test-key-1234");
  if (!sealed.ok) throw new Error(sealed.error.message);
  return sealed.value;
}

describe("S45 sealed secrets", () => {
  test("S45 a secret opens with what it was sealed for, and no two ciphertexts are alike", async () => {
    const [first, second] = [await seal(), await seal()];
    expect(await openSecret(keys, binding, first)).toEqual({ ok: true, value: "test-key-1234" });
    expect(first.iv).not.toBe(second.iv);
    expect(first.ciphertext).not.toBe(second.ciphertext);
    expect(atob(first.ciphertext)).not.toContain("test-key");
  });

  const changes: [string, Partial<SealBinding>][] = [
    ["owner", { owner: "b" }],
    ["credential", { credentialId: "d" }],
    ["type", { type: "openai-compatible" }],
    ["host", { allowedHosts: ["evil.example.com"] }],
    ["host added", { allowedHosts: ["api.openai.com", "evil.example.com"] }],
    ["no host", { allowedHosts: [] }],
  ];
  test.each(changes)("S45 fails closed for another %s", async (_name, change) => {
    const opened = await openSecret(keys, { ...binding, ...change }, await seal());
    expect(opened).toMatchObject({ ok: false, error: { code: "invalid_credentials" } });
  });

  test("S45 fails closed for cut, changed and mangled ciphertext", async () => {
    const sealed = await seal();
    const flipped = Buffer.from(sealed.ciphertext, "base64");
    flipped[0] = (flipped[0] ?? 0) ^ 1;
    const other = await seal();
    const wrong = [
      { ...sealed, ciphertext: sealed.ciphertext.slice(0, 8) },
      { ...sealed, ciphertext: "" },
      { ...sealed, ciphertext: "%%%" },
      { ...sealed, ciphertext: flipped.toString("base64") },
      { ...sealed, ciphertext: other.ciphertext },
      { ...sealed, iv: other.iv },
    ];
    for (const one of wrong) expect((await openSecret(keys, binding, one)).ok).toBe(false);
  });

  test("S45 after a rotation new secrets use the new key, old ones open while the old key is kept", async () => {
    const sealed = await seal();
    const rotated = { credentialKeys: new Map([...keys.credentialKeys, [2, key()]]), credentialKeyVersion: 2 };
    expect((await seal(rotated)).keyVersion).toBe(2);
    expect((await openSecret(rotated, binding, sealed)).ok).toBe(true);
    expect((await openSecret(rotated, binding, { ...sealed, keyVersion: 2 })).ok).toBe(false);
    const without = { credentialKeys: new Map([[2, key()]]), credentialKeyVersion: 2 };
    expect(await openSecret(without, binding, sealed)).toMatchObject({ ok: false, error: { code: "internal" } });
  });

  test("without a key nothing is stored", async () => {
    const none = { credentialKeys: new Map(), credentialKeyVersion: null };
    expect(await sealSecret(none, binding, "test-key-1234")).toMatchObject({ ok: false, error: { code: "internal" } });
  });
});
