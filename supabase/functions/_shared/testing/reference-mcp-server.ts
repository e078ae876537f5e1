import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as openRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSocketServer, type AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The reference server of the protocol behind a gate that asks for a header and can cut a stream. */
export interface ReferenceServer {
  url: string;
  /** `127.0.0.1:<port>`. */
  host: string;
  /** Requests that passed the gate or were refused, oldest first. */
  seen: { method: string; headers: IncomingMessage["headers"]; status: number }[];
  /** The next answer to a tool call breaks off after its first bytes. */
  cutNextCall(): void;
  /** From now on every list of tools says `after` where it said `before`. */
  reword(before: string, after: string): void;
  /** How many answers are under way. */
  open(): number;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const probe = createSocketServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

async function startReference(): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort();
  const root = dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json"));
  const child = spawn(process.execPath, [join(root, "dist", "index.js"), "streamableHttp"], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (data: Buffer) => {
      if (data.toString("utf8").includes("listening")) resolve();
    });
    child.once("exit", (code) => reject(new Error(`The reference server ended with code ${code}.`)));
  });
  return {
    port,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Who may enter, and what others are told in `WWW-Authenticate`. */
interface Gate {
  allows(headers: IncomingMessage["headers"]): boolean;
  challenge?(): string;
}

/** Lets in who sends this header. */
export function headerGate(header: string, value: string): Gate {
  return { allows: (headers) => headers[header] === value };
}

/** Starts both on free loopback ports. Requests that the gate does not allow are answered 401. */
export async function startReferenceServer(gate: Gate): Promise<ReferenceServer> {
  const reference = await startReference();
  const seen: ReferenceServer["seen"] = [];
  let cut = false;
  let wording: { before: string; after: string } | undefined;
  let open = 0;

  function pass(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { method = "GET", headers, url = "/" } = request;
    const isCut = cut && body.includes('"tools/call"');
    if (isCut) cut = false;
    const { connection: _hop, ...passed } = headers;
    const upstream = openRequest({
      port: reference.port,
      method,
      path: url,
      headers: { ...passed, host: "localhost" },
      agent: false,
    });
    upstream.on("response", (answer) => {
      seen.push({ method, headers, status: answer.statusCode ?? 0 });
      open += 1;
      response.on("close", () => {
        open -= 1;
        upstream.destroy();
      });
      const reworded = wording;
      if (reworded && body.includes('"tools/list"')) {
        // What may be cut anywhere is reworded as a whole.
        const parts: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => parts.push(chunk));
        answer.on("end", () => {
          const { "content-length": _length, ...kept } = answer.headers;
          response.writeHead(answer.statusCode ?? 502, kept);
          response.end(Buffer.concat(parts).toString("utf8").replaceAll(reworded.before, reworded.after));
        });
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("data", (chunk: Buffer) => {
        // What was written has to leave before the connection goes.
        response.write(chunk, () => void (isCut && setTimeout(() => response.destroy(), 100)));
      });
      answer.on("end", () => response.end());
    });
    upstream.on("error", () => response.destroy());
    upstream.end(body);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (gate.allows(request.headers)) return pass(request, response, Buffer.concat(chunks));
      seen.push({ method: request.method ?? "", headers: request.headers, status: 401 });
      const challenge = gate.challenge === undefined ? {} : { "www-authenticate": gate.challenge() };
      response.writeHead(401, { "content-type": "text/plain", ...challenge }).end("no");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    host: `127.0.0.1:${port}`,
    seen,
    cutNextCall: () => void (cut = true),
    reword: (before, after) => void (wording = { before, after }),
    open: () => open,
    async stop() {
      server.closeAllConnections();
      server.close();
      await reference.stop();
    },
  };
}
