import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { maxFileBytes } from "../src/engine/file/file.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { makeApiKey } from "../supabase/functions/doors/testing/api-keys.ts";
import { startWorkerWorld, type WorkerWorld } from "../worker/testing/worker-world.ts";
import { type Bench, limitRow, ratioRow, type Row, time } from "./measure.ts";
import { residentBytes } from "./resident-memory.ts";

const megabyte = 1024 * 1024;
/** What the studio's processes may grow by while a file passes them. */
const mostGrowth = 64;
/** An upload, on a machine that does other work too. */
const mostSeconds = 30;
/** Goes through before anything is measured: code is loaded, and pools are filled. */
const warmUpBytes = 4 * megabyte;

/** Files of 100 MB through the embedded studio: memory of all its processes, and time. */
export const filesBench: Bench = {
  id: "files",
  title: "Files of 100 MB through the embedded studio, its functions and a worker",
  async run() {
    const host = await startFileHost();
    const world = await startWorkerWorld({ allowHosts: host.name });
    try {
      return [...(await fromHttpToHttp(world, host)), ...(await uploads(world))];
    } finally {
      await world.stop();
      host.stop();
    }
  },
};

/** A server that gives a file of `/<bytes>`, and counts what is posted. */
interface FileHost {
  name: string;
  url: string;
  taken(): number;
  stop(): void;
}

async function startFileHost(): Promise<FileHost> {
  let taken = 0;
  const server: Server = createServer((incoming, outgoing) => {
    void (incoming.method === "GET" ? give(incoming, outgoing) : take(incoming, outgoing, (bytes) => (taken = bytes)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const name = `127.0.0.1:${port}`;
  return {
    name,
    url: `http://${name}`,
    taken: () => taken,
    stop: () => server.closeAllConnections() ?? server.close(),
  };
}

async function give({ url = "/0" }: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const bytes = Number(url.slice(1));
  outgoing.writeHead(200, { "content-type": "application/octet-stream", "content-length": bytes });
  await pipeline(Readable.from(pieces(bytes)), outgoing).catch(() => outgoing.destroy());
}

async function take(incoming: IncomingMessage, outgoing: ServerResponse, tell: (bytes: number) => void): Promise<void> {
  let bytes = 0;
  for await (const piece of incoming) bytes += (piece as Uint8Array).byteLength;
  tell(bytes);
  outgoing.writeHead(200, { "content-type": "text/plain" }).end("taken");
}

function* pieces(bytes: number): Generator<Uint8Array> {
  const piece = new Uint8Array(64 * 1024).fill(7);
  for (let left = bytes; left > 0; left -= piece.byteLength)
    yield left < piece.byteLength ? piece.subarray(0, left) : piece;
}

async function fromHttpToHttp(world: WorkerWorld, host: FileHost): Promise<Row[]> {
  const slug = "pass-on";
  await world.publish(
    buildWorkflow({
      id: crypto.randomUUID(),
      name: slug,
      nodes: {
        start: ["manual-trigger"],
        get: ["http-request", { url: `${host.url}/{{json.bytes}}`, binary: "file", timeoutMs: 120_000 }],
        send: ["http-request", { url: host.url, method: "POST", body: "{{json.body}}", timeoutMs: 120_000 }],
      },
      edges: ["start.main -> get.main", "get.main -> send.main"],
    }),
  );
  const pass = async (bytes: number) => {
    await world.until(await world.start(slug, { bytes }), "completed");
    if (host.taken() !== bytes) throw new Error(`${host.taken()} of ${bytes} bytes arrived.`);
  };
  await pass(warmUpBytes);
  const { growth, ms } = await measured(() => pass(maxFileBytes));
  const bare = await time(() => passBare(host, maxFileBytes));
  return [
    limitRow("100 MB from HTTP to HTTP, memory on the way", growth / megabyte, "MB", mostGrowth),
    ratioRow("100 MB from HTTP to HTTP, kept on the way", { ours: ms, bare }, 25),
  ];
}

async function passBare({ url }: FileHost, bytes: number): Promise<void> {
  const given = await fetch(`${url}/${bytes}`);
  const sent: RequestInit & { duplex: "half" } = { method: "POST", body: given.body, duplex: "half" };
  await (await fetch(url, sent)).text();
}

async function uploads(world: WorkerWorld): Promise<Row[]> {
  const slug = "take-in";
  const workflow = await world.publish(
    buildWorkflow({ id: crypto.randomUUID(), name: slug, nodes: { hook: ["webhook-trigger"] }, edges: [] }),
    { senderMbPerDay: 2_000 },
  );
  const { error } = await world.user.client.rpc("studio_save_door", {
    p_workflow_id: workflow,
    p_kind: "hook",
    p_enabled: true,
    p_config: { scheme: "none", answer: "output", keepFiles: true },
    p_secrets: null,
  });
  if (error) throw new Error(error.message);
  const { key } = await makeApiKey(world.user, ["run:*"]);
  const { url } = world.stack;
  const form = (bytes: number) =>
    post(`${url}/api/run/${slug}`, bytes, {
      before: '--b\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n',
      after: "\r\n--b--\r\n",
      headers: { authorization: `Bearer ${key}`, "content-type": "multipart/form-data; boundary=b" },
    });
  const raw = (bytes: number) =>
    post(`${url}/hooks/${slug}`, bytes, { headers: { "content-type": "application/octet-stream" } });
  const rows: Row[] = [];
  for (const [name, send] of [
    ["100 MB in a form to the API", form],
    ["100 MB as the body to a webhook", raw],
  ] as const) {
    await send(warmUpBytes);
    const { growth, ms } = await measured(() => send(maxFileBytes));
    rows.push(
      limitRow(`${name}, memory on the way`, growth / megabyte, "MB", mostGrowth),
      limitRow(name, ms / 1_000, "s", mostSeconds),
    );
  }
  return rows;
}

interface Sent {
  before?: string;
  after?: string;
  headers?: Record<string, string>;
}

/** Posts bytes as fast as they are taken, of an announced size. */
async function post(url: string, bytes: number, { before = "", after = "", headers = {} }: Sent): Promise<void> {
  const size = before.length + bytes + after.length;
  const outgoing = request(url, { method: "POST", headers: { ...headers, "content-length": size } });
  const answered = once(outgoing, "response");
  const body = function* () {
    if (before !== "") yield Buffer.from(before);
    yield* pieces(bytes);
    if (after !== "") yield Buffer.from(after);
  };
  await pipeline(Readable.from(body()), outgoing);
  const [answer] = (await answered) as [IncomingMessage];
  let said = "";
  for await (const piece of answer) said += String(piece);
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${said.slice(0, 300)}`);
}

/** How long work takes, and by how much memory of this process and all that it started grew meanwhile, at most. */
async function measured(work: () => Promise<void>): Promise<{ growth: number; ms: number }> {
  const before = residentBytes(process.pid);
  const over = new AbortController();
  let peak = before;
  const looking = (async () => {
    while (!over.signal.aborted) {
      peak = Math.max(peak, residentBytes(process.pid));
      await delay(25);
    }
  })();
  const ms = await time(work).finally(() => over.abort());
  await looking;
  return { growth: peak - before, ms };
}
