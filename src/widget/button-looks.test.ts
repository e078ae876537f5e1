import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { buttonLooks, readButtonLooks, usualLooks } from "./button-looks.ts";

it("takes the page's colour in both themes, with what can be read on it", () => {
  const looks = buttonLooks({ theme: "system", accent: { light: "#b3261e", dark: "#b3261e" } });
  expect(looks.colorScheme).toBe("light dark");
  expect(looks.accent).toMatch(/^light-dark\(#b3261e, #[0-9a-f]{6}\)$/);
  expect(looks.ink).toMatch(/^light-dark\(#ffffff, #(000000|ffffff)\)$/);
});

it("shows the page's theme, and the studio's colour where the page has none", () => {
  expect(buttonLooks({ theme: "dark", accent: { light: "", dark: "" } })).toEqual({
    ...usualLooks,
    colorScheme: "dark",
  });
});

it("takes nothing but colours from an answer", () => {
  for (const info of [null, "x", {}, { accent: { light: "red;} *{display:none", dark: 3 } }]) {
    expect(buttonLooks(info)).toEqual(usualLooks);
  }
});

it("has the usual looks where the page refuses or answers otherwise", async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/refused" ? 403 : 200;
    response.end("no JSON");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  for (const path of ["/refused", "/odd"]) {
    expect(await readButtonLooks(`http://127.0.0.1:${port}${path}`)).toEqual(usualLooks);
  }
  server.close();
  expect(await readButtonLooks("http://127.0.0.1:9/")).toEqual(usualLooks);
});
