import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { securityHeaders } from "../supabase/local/http/security-headers.ts";
import { protectSite } from "./protect-site.ts";

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));
const backend = "https://example.supabase.co";
const socket = "wss://example.supabase.co";
let root: string;

/** The page as it stands in the project, without the application behind it, which says nothing about headers. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "switchyard-protect-"));
  for (const [name, url] of Object.entries({ embedded: undefined, hosted: `${backend}/` })) {
    await build({
      configFile: false,
      root: projectRoot,
      logLevel: "error",
      plugins: [withoutApplication, protectSite(url)],
      build: { outDir: join(root, name), emptyOutDir: true },
    });
  }
}, 120_000);

const withoutApplication = {
  name: "without-application",
  enforce: "pre" as const,
  load: (id: string) => (id.endsWith("/src/app/main.tsx") ? "export {};" : null),
};

afterAll(() => rm(root, { recursive: true, force: true }));

const read = (site: string, file: string) => readFile(join(root, site, file), "utf8");

test.each(["embedded", "hosted"])(
  "S71 the built page (%s) carries its content security policy before anything else",
  async (site) => {
    const html = await read(site, "index.html");
    const [, policy = ""] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const connect = site === "hosted" ? `connect-src 'self' ${backend} ${socket};` : "connect-src 'self';";
    expect(policy).toContain(connect);
    expect(policy).toContain("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).not.toContain("'unsafe-eval'");
    expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.search(/<(script|link|style)\b/));
  },
);

test("S71 the page refuses to be framed where no header does", async () => {
  const html = await read("hosted", "index.html");
  expect(html.search(/<body>\s*<script src="\/before-paint\.js"><\/script>/)).toBeGreaterThan(0);
  expect(await read("hosted", "before-paint.js")).toContain("window.top !== window.self");
});

test("S71 static hosts find the headers of the embedded server in their own form", async () => {
  const wanted = securityHeaders("production");
  expect(wanted["content-security-policy"]).toContain("frame-ancestors 'none'");
  const lines = (await read("embedded", "_headers")).split("\n");
  expect(lines[0]).toBe("/*");
  for (const [name, value] of Object.entries(wanted)) expect(lines).toContain(`  ${name}: ${value}`);
  const vercel = JSON.parse(await read("embedded", "vercel.json"));
  expect(vercel.headers[0].headers).toEqual(Object.entries(wanted).map(([key, value]) => ({ key, value })));
  expect(JSON.parse(await read("embedded", "staticwebapp.config.json")).globalHeaders).toEqual(wanted);
  expect(await read("hosted", "_headers")).toContain(`connect-src 'self' ${backend} ${socket};`);
});

test("S76 static hosts serve chat pages with the sandbox, and never with the studio's page", async () => {
  const lines = (await read("hosted", "_headers")).split("\n");
  const chat = lines.slice(lines.indexOf("/c/*"), lines.indexOf("/chat-page/*"));
  expect(chat.join("\n")).toMatch(/content-security-policy: sandbox allow-scripts[a-z -]*; default-src 'none'/);
  expect(chat.join("\n")).toContain(`connect-src ${backend};`);
  expect(chat.join("\n")).not.toContain("allow-same-origin");
  expect((await read("hosted", "_redirects")).split("\n")[0]).toBe("/c/* /chat.html 200");
  const vercel = JSON.parse(await read("hosted", "vercel.json"));
  expect(vercel.rewrites[0]).toEqual({ source: "/c/:slug", destination: "/chat.html" });
  const azure = JSON.parse(await read("hosted", "staticwebapp.config.json"));
  expect(azure.routes[0]).toMatchObject({ route: "/c/*", rewrite: "/chat.html" });
  expect(azure.routes[0].headers["content-security-policy"]).toMatch(/^sandbox /);
});

test("S98 static hosts serve shared runs in the same sandbox, out of every frame and search", async () => {
  const lines = (await read("hosted", "_headers")).split("\n");
  const share = lines.slice(lines.indexOf("/s/*"), lines.indexOf("/share-page/*")).join("\n");
  expect(share).toMatch(/content-security-policy: sandbox allow-scripts[a-z -]*; default-src 'none'/);
  expect(share).toContain(`connect-src ${backend}; frame-ancestors 'none'`);
  expect(share).not.toContain("allow-same-origin");
  expect(share).toContain("x-robots-tag: noindex");
  expect((await read("hosted", "_redirects")).split("\n")[1]).toBe("/s/* /share.html 200");
  const vercel = JSON.parse(await read("hosted", "vercel.json"));
  expect(vercel.rewrites[1]).toEqual({ source: "/s/:slug", destination: "/share.html" });
});
