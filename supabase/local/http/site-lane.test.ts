import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

const directory = await mkdtemp(join(tmpdir(), "switchyard-lane-"));
const script = "console.log('hello');".repeat(200);
let stack: TestStack;

beforeAll(async () => {
  for (const folder of ["assets", "chat-page"]) await mkdir(join(directory, folder));
  await writeFile(join(directory, "index.html"), "<!doctype html><html><head></head><body></body></html>");
  for (const name of files) await writeFile(join(directory, name), script);
  stack = await startTestStack({ site: directory });
});
afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

const files = ["/assets/main-abc.js", "/chat-page/chat-abc.js"];

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** fetch sets headers and changes paths itself, so this goes by node:http. */
function send(path: string, { method = "GET", headers = {}, body }: Sent = {}) {
  const { port, host } = new URL(stack.url);
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const options = { host: "127.0.0.1", port, path, method, headers: { host, ...headers } };
      const sent = request(options, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { date: _date, ...rest } = response.headers;
        resolve({ status: response.statusCode, headers: rest, body: Buffer.concat(chunks) });
      });
      sent.once("error", reject);
      sent.end(body);
    },
  );
}

/** By its way through the routes, which any query makes it take, and by the short one. */
const bothWays = async (path: string, sent?: Sent) => {
  await send(path);
  return { long: await send(`${path}?`, sent), short: await send(path, sent) };
};

test.each(files)("%s is answered the same from memory as on the way through the routes", async (path) => {
  const { etag } = (await send(path, { headers: { "accept-encoding": "br" } })).headers;
  const asked: [Sent, number][] = [
    [{}, 200],
    [{ headers: { "accept-encoding": "gzip, br" } }, 200],
    [{ headers: { "accept-encoding": "gzip" } }, 200],
    [{ method: "HEAD", headers: { "accept-encoding": "br" } }, 200],
    [{ headers: { "accept-encoding": "br", "if-none-match": `"other", ${etag}` } }, 304],
    [{ headers: { "accept-encoding": "gzip", "if-none-match": String(etag) } }, 200],
    [{ headers: { origin: stack.url, "sec-fetch-site": "same-origin" } }, 200],
    [{ method: "POST" }, 405],
    [{ method: "GET", headers: { "content-length": "4" }, body: "body" }, 200],
  ];
  for (const [sent, status] of asked) {
    const { long, short } = await bothWays(path, sent);
    expect(short, JSON.stringify(sent)).toEqual(long);
    expect(short.status, JSON.stringify(sent)).toBe(status);
  }
});

test("a file in memory comes whole, compressed as asked, to be kept for good, and with the headers of every answer", async () => {
  const { short } = await bothWays("/assets/main-abc.js", { headers: { "accept-encoding": "br" } });
  expect(brotliDecompressSync(short.body).toString()).toBe(script);
  expect(short.headers).toMatchObject({
    "content-encoding": "br",
    "content-length": String(short.body.byteLength),
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": expect.stringContaining("default-src 'self'"),
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  });
});

test("S42 a file in memory is refused to other hosts and, but for the chat page's, to other sites", async () => {
  const foreign: [Sent, number][] = [
    [{ headers: { host: "evil.example" } }, 403],
    [{ headers: { origin: "https://evil.example" } }, 200],
    [{ headers: { "sec-fetch-site": "cross-site" } }, 200],
  ];
  for (const [sent, ofChat] of foreign) {
    const [own, chat] = [await bothWays("/assets/main-abc.js", sent), await bothWays("/chat-page/chat-abc.js", sent)];
    expect([own.short.status, chat.short.status], JSON.stringify(sent)).toEqual([403, ofChat]);
    expect(own.short).toEqual(own.long);
    expect(chat.short).toEqual(chat.long);
  }
});

test("no path leads out of the folders of such files", async () => {
  const paths = ["/assets/../index.html", "/assets/..%2findex.html", "/assets/.hidden.js", "/assets/none-abc.js"];
  const answers = await Promise.all(paths.map((path) => send(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 404]);
  expect(answers[0]?.headers["content-type"]).toBe("text/html; charset=utf-8");
});
