import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { appPageHeaders, pagePolicyOfApps } from "./security-headers.ts";

test("S99 the page of interfaces has its policy wherever it is hosted, and the sandbox where headers are sent", async () => {
  const html = await readFile(fileURLToPath(new URL("../../../public/mcp-app.html", import.meta.url)), "utf8");
  const [, policy] = /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html) ?? [];
  expect(policy).toBe(pagePolicyOfApps);
  expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.search(/<(script|style)\b/));
  expect(policy).toContain("frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; webrtc 'block'");
  const header = appPageHeaders["content-security-policy"] ?? "";
  expect(header).toMatch(/^sandbox allow-scripts allow-forms; /);
  expect(header).toContain("frame-ancestors 'self'");
  expect(header).not.toContain("allow-same-origin");
});
