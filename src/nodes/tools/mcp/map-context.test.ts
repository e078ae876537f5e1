import { expect, it } from "vitest";
import { mapResource } from "./map-context.ts";

const resource = (mimeType: string, hex: string) =>
  mapResource({
    contents: [{ uri: "file:///a", mimeType, blob: btoa(String.fromCharCode(...Buffer.from(hex, "hex"))) }],
  });

it.each([
  ["text/csv", "cdcbbbf5d5feb2df", "退货政策"],
  ["text/plain; charset=windows-1251", "cff0e8", "При"],
  ["application/json", "7b7d", "{}"],
])("reads a resource of %s that is sent as bytes", (mimeType, hex, text) => {
  expect(resource(mimeType, hex)).toEqual({ ok: true, output: text });
});

it("names one that is no text, or whose bytes cannot be read", () => {
  expect(resource("application/zip", "504b0304")).toMatchObject({
    text: "[resource file:///a, application/zip, 4 bytes]",
  });
  const broken = { contents: [{ uri: "file:///a", mimeType: "text/plain", blob: "%" }] };
  expect(mapResource(broken)).toMatchObject({ text: "[resource file:///a, text/plain, 0 bytes]" });
});
