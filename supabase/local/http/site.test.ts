import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSite } from "./site.ts";
import { createSiteFiles } from "./site-files.ts";

const directory = await mkdtemp(join(tmpdir(), "switchyard-site-"));
const key = "test-key-</script><b>";
const config = { supabaseUrl: "", supabaseKey: key };
const site = createSite(createSiteFiles(directory, config));
const script = "console.log('hello');".repeat(200);

beforeAll(async () => {
  await mkdir(join(directory, "assets"));
  await writeFile(
    join(directory, "index.html"),
    "<!doctype html><html><head><title>S</title></head><body></body></html>",
  );
  await writeFile(join(directory, "assets", "main-abc.js"), script);
  await writeFile(join(directory, "favicon.png"), "png");
  await writeFile(join(directory, ".switchyard-build"), "stamp");
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const get = (path: string, headers: Record<string, string> = {}) =>
  site(new Request(`http://127.0.0.1${path}`, { headers }));

test("the page carries its configuration as data that cannot end its own script", async () => {
  const html = await (await get("/")).text();
  const [, json] = /<script type="application\/json" id="switchyard-config">(.*)<\/script>\s*<\/head>/.exec(html) ?? [];
  expect(json).not.toContain("<");
  expect(JSON.parse(json ?? "")).toEqual({ supabaseUrl: "", supabaseKey: key });
});

test("a path of the site's router gets the page, a missing file does not", async () => {
  expect(await (await get("/workflows/123")).text()).toBe(await (await get("/")).text());
  expect((await get("/assets/missing-abc.js")).status).toBe(404);
  expect((await get("/assets/missing-abc.js")).headers.get("content-type")).toBe("text/plain");
});

test("nothing outside the directory, hidden or malformed is served", async () => {
  const paths = [
    "/.switchyard-build",
    "/%2e%2e/%2e%2e/etc/passwd.txt",
    "/..%2f..%2fpackage.json",
    "/assets/%00.js",
    "/%E0%A4%A.js",
  ];
  for (const path of paths) expect((await get(path)).status, path).toBe(404);
});

test("hashed assets are kept for good, the page is checked each time", async () => {
  expect((await get("/assets/main-abc.js")).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const page = await get("/");
  expect(page.headers.get("cache-control")).toBe("no-cache");
  const etag = page.headers.get("etag") ?? "";
  const again = await get("/", { "if-none-match": etag });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
  expect((await get("/", { "if-none-match": '"other"' })).status).toBe(200);
});

test("text is compressed as the browser accepts it, images are not", async () => {
  const bytes = async (encoding: string) => {
    const response = await get("/assets/main-abc.js", { "accept-encoding": encoding });
    return { encoding: response.headers.get("content-encoding"), body: Buffer.from(await response.arrayBuffer()) };
  };
  const brotli = await bytes("gzip, deflate, br");
  expect(brotli.encoding).toBe("br");
  expect(brotliDecompressSync(brotli.body).toString()).toBe(script);
  const zipped = await bytes("gzip, br;q=0");
  expect(zipped.encoding).toBe("gzip");
  expect(gunzipSync(zipped.body).toString()).toBe(script);
  expect((await bytes("identity")).body.toString()).toBe(script);
  expect((await get("/favicon.png", { "accept-encoding": "br" })).headers.get("content-encoding")).toBeNull();
});

test("a rebuilt file is served as it is now", async () => {
  const before = (await get("/favicon.png")).headers.get("etag");
  await writeFile(join(directory, "favicon.png"), "new");
  await utimes(join(directory, "favicon.png"), new Date(), new Date(Date.now() + 5_000));
  const after = await get("/favicon.png");
  expect(await after.text()).toBe("new");
  expect(after.headers.get("etag")).not.toBe(before);
});

test("other methods are refused, and a missing build says what to do", async () => {
  const post = await site(new Request("http://127.0.0.1/", { method: "POST" }));
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const head = await site(new Request("http://127.0.0.1/", { method: "HEAD" }));
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const absent = createSite(createSiteFiles(join(directory, "absent"), config));
  const missing = await absent(new Request("http://127.0.0.1/"));
  expect(missing.status).toBe(503);
  expect(await missing.text()).toContain("npm start");
});

test("S76 a chat page's path gets the chat page, which carries nothing of the studio's", async () => {
  await writeFile(join(directory, "chat.html"), "<!doctype html><html><head><title>Chat</title></head></html>");
  const page = await (await get("/c/help")).text();
  expect(page).toContain("<title>Chat</title>");
  expect(page).not.toContain(key);
  for (const path of ["/c/help/more", "/c", "/c/HELP"]) {
    expect(await (await get(path)).text(), path).toContain("switchyard-config");
  }
});

test("S98 the path of a shared run gets its page, which carries nothing of the studio's", async () => {
  await writeFile(join(directory, "share.html"), "<!doctype html><html><head><title>Shared run</title></head></html>");
  await writeFile(join(directory, "share-file.html"), "<!doctype html><html><head><title>File</title></head></html>");
  const page = await (await get(`/s/${"a".repeat(32)}`)).text();
  expect(page).toContain("<title>Shared run</title>");
  expect(page).not.toContain(key);
  expect(await (await get("/share-file.html")).text()).not.toContain(key);
  for (const path of ["/s/short", `/s/${"a".repeat(33)}`, "/s"]) {
    expect(await (await get(path)).text(), path).toContain("switchyard-config");
  }
});
