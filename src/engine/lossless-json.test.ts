import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactText, parseExactJson, parseJson, readJson } from "./json.ts";
import { isLargeInteger, withLargeIntegersAsText } from "./lossless-json.ts";

describe("JSON from outside", () => {
  it.each<[text: string, value: unknown]>([
    ["7615917337495251231", "7615917337495251231"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["9007199254740991", 9_007_199_254_740_991],
    ["-9007199254740991", -9_007_199_254_740_991],
    ["9007199254740992", "9007199254740992"],
    ["9007199254740993", "9007199254740993"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["0.1234567890123456789", 0.12345678901234568],
    ["7615917337495251231.0", 7_615_917_337_495_251_000],
    ["7615917337495251231e0", 7_615_917_337_495_251_000],
    ["1e22", 1e22],
    ['"7615917337495251231"', "7615917337495251231"],
    ['{"a": [{"id": 7615917337495251231}]}', { a: [{ id: "7615917337495251231" }] }],
    ['{"7615917337495251231": 1}', { "7615917337495251231": 1 }],
    ["[7615917337495251231,\n7615917337495251299]", ["7615917337495251231", "7615917337495251299"]],
    ['"\\"7615917337495251231, 1"', '"7615917337495251231, 1'],
  ])("%s keeps its digits", (text, value) => {
    expect(readJson(text)).toEqual(value);
  });

  it("is what JSON.parse gives wherever no integer is large", () => {
    fc.assert(
      fc.property(fc.json(), fc.integer(), (text, number) => {
        // That key is refused beside long runs of digits, as a test below says.
        fc.pre(!/(?:^|[^\d.])\d{16}/.test(text) && !text.includes("__proto__"));
        const long = `[${text}, "1234567890123456 ${number}"]`;
        expect(readJson(text)).toEqual(JSON.parse(text));
        expect(readJson(long)).toEqual(JSON.parse(long));
      }),
    );
  });

  it("keeps every integer, and writes it back bare", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (integer) => {
        const text = `{"id":${integer},"list":[${integer}]}`;
        expect(String((readJson(text) as { id: unknown }).id)).toBe(String(integer));
        expect(exactText(parseExactJson(text) ?? null)).toBe(text);
      }),
    );
  });

  it.each([
    "",
    "[1234567890123456789",
    "{1234567890123456789: 1}",
    "01234567890123456789",
    "[1234567890123456789,]",
    "+1234567890123456789",
  ])("%s is refused in the words of JSON.parse", (text) => {
    const refusal = (parse: (text: string) => unknown) => {
      try {
        return parse(text);
      } catch (error) {
        return String(error);
      }
    };
    expect(refusal(readJson)).toBe(refusal(JSON.parse));
    expect(parseJson(text)).toBeUndefined();
  });

  it.each(["__proto__", "\\u005f_proto__", "__\\u0070roto__", "\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006F__"])(
    "S31 the key %s changes no prototype",
    (key) => {
      const small = readJson(`{"${key}": {"polluted": 1}}`);
      expect(Object.getPrototypeOf(small)).toBe(Object.prototype);
      for (const text of [
        `{"id": 7615917337495251231, "${key}": {"polluted": 1}}`,
        `[{"${key}" : [1]}, 7615917337495251231]`,
        `{"a": {"${key}":"x"}, "id": 7615917337495251231}`,
      ]) {
        expect(() => readJson(text)).toThrow("__proto__");
        expect(parseExactJson(text)).toBeUndefined();
        expect(Object.getPrototypeOf(JSON.parse(withLargeIntegersAsText(text)))).not.toHaveProperty("polluted");
      }
      expect(readJson(`["${key}", 7615917337495251231]`)).toEqual(["__proto__", "7615917337495251231"]);
    },
  );

  it("is read however deep it nests", () => {
    const levels = 200_000;
    const text = `${"[".repeat(levels)}7615917337495251231${"]".repeat(levels)}`;
    let inner: unknown = readJson(text);
    for (let level = 0; level < levels; level += 1) inner = (inner as unknown[])[0];
    expect(inner).toBe("7615917337495251231");
    expect(withLargeIntegersAsText(text)).toBe(text);
  });

  it("carries digits of any length, and works with those of a thousand characters", () => {
    const digits = "7".repeat(200_000);
    expect(readJson(`[${digits}]`)).toEqual([digits]);
    expect(parseExactJson(`[${digits}]`)).toEqual([digits]);
    expect(isLargeInteger(digits)).toBe(false);
    expect(isLargeInteger("7".repeat(1_000))).toBe(true);
  });
});
