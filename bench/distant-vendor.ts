import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as forward } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { createIssuedCertificate } from "../supabase/functions/_shared/testing/self-signed-certificate.ts";

/** Milliseconds from here to the vendor and back. */
export const distanceMs = 20;

export interface DistantVendor {
  url: string;
  /** The file with the certificate's authority. */
  authority: string;
  /** Asks it directly, over a connection that stays open. */
  ask(question: string): Promise<void>;
  close(): Promise<void>;
}

/** The vendor at `target` once more, behind TLS and as far away as a real one: each way takes its time, a connection too. */
export async function startDistantVendor(target: string): Promise<DistantVendor> {
  const folder = mkdtempSync(join(tmpdir(), "switchyard-vendor-"));
  const authority = join(folder, "authority.pem");
  const certificate = createIssuedCertificate("localhost");
  writeFileSync(authority, certificate.authority);
  const secure = createTlsServer(certificate, (request, response) => {
    const { method, headers } = request;
    const onward = forward(new URL(request.url ?? "/", target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  const sockets = new Set<Socket>();
  const relay = createServer((near) => {
    sockets.add(near.setNoDelay(true).on("close", () => sockets.delete(near)));
    // The connection itself has gone there and back.
    void sleep(distanceMs).then(() => {
      const far = connect({ port: portOf(secure.address()), host: "127.0.0.1", noDelay: true });
      passOn(near, far);
      passOn(far, near);
    });
  });
  await Promise.all([secure, relay].map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
  const url = `https://localhost:${portOf(relay.address())}/v1`;
  const dispatcher = new Agent({ connect: { ca: certificate.authority }, keepAliveTimeout: 60_000 });
  return {
    url,
    authority,
    async ask(question) {
      const { origin, pathname } = new URL(`${url}/chat/completions`);
      const headers = { "content-type": "application/json" };
      const answer = await dispatcher.request({ origin, path: pathname, method: "POST", headers, body: question });
      const text = await answer.body.text();
      if (!text.includes("[DONE]")) throw new Error(text.slice(0, 300));
    },
    async close() {
      await dispatcher.destroy();
      for (const socket of sockets) socket.destroy();
      secure.closeAllConnections();
      await Promise.all([secure, relay].map((server) => once(server.close(), "close")));
      rmSync(folder, { recursive: true });
    },
  };
}

function passOn(from: Socket, to: Socket): void {
  from.on("data", (data) => void setTimeout(() => to.write(data), distanceMs / 2));
  from.on("close", () => void setTimeout(() => to.destroy(), distanceMs / 2));
  from.on("error", () => to.destroy());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}
