import { expect, it } from "vitest";
import { RunError } from "../../../engine/errors.ts";
import { mapResource } from "./map-context.ts";

const resource = (mimeType: string, hex: string) =>
  mapResource({
    contents: [{ uri: "file:///a", mimeType, blob: btoa(String.fromCharCode(...Buffer.from(hex, "hex"))) }],
  });

it.each([
  ["text/csv", "cdcbbbf5d5feb2df", "退货政策"],
  ["text/plain; charset=windows-1251", "cff0e8", "При"],
  ["application/json", "7b7d", "{}"],
])("reads a resource of %s that is sent as bytes", async (mimeType, hex, text) => {
  expect(await resource(mimeType, hex)).toEqual({ ok: true, output: text });
});

it("names one that is no text, or whose bytes cannot be read", async () => {
  expect(await resource("application/zip", "504b0304")).toMatchObject({
    text: "[resource file:///a, application/zip, 4 bytes]",
  });
  const broken = { contents: [{ uri: "file:///a", mimeType: "text/plain", blob: "%" }] };
  expect(await mapResource(broken)).toMatchObject({ text: "[resource file:///a, text/plain, 0 bytes]" });
});

const png = {
  contents: [{ uri: "https://a.test/pics/a%2Fb.png?size=1", mimeType: "image/png", blob: btoa("picture") }],
};

it("S105 keeps one of bytes as a file, under a name without folders", async () => {
  const kept: [string, string][] = [];
  const result = await mapResource(png, async (name, mediaType, bytes) => {
    kept.push([name, mediaType]);
    return {
      $file: "00000000-0000-4000-9000-000000000001",
      name,
      mediaType,
      size: bytes.length,
      sha256: "0".repeat(64),
    };
  });
  expect(kept).toEqual([["a%2Fb.png", "image/png"]]);
  expect(result).toMatchObject({ ok: true, output: [{ name: "a%2Fb.png", size: 7 }] });
});

it("says where one could not be kept, and keeps the result", async () => {
  const full = new RunError({ code: "invalid_config", message: "The storage is full.", hint: "Delete runs." });
  const result = await mapResource(png, () => Promise.reject(full));
  expect(result).toMatchObject({ ok: true, text: expect.stringContaining("The storage is full.") });
});
