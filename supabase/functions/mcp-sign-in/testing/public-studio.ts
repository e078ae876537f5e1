import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod/mini";
import { startTestStack, type TestStack } from "../../../local/testing/start-stack.ts";
import { createSelfSignedCertificate } from "../../_shared/testing/self-signed-certificate.ts";

interface Answer {
  status: number | undefined;
  json: Record<string, unknown>;
}

/** A studio with functions that has a certificate for a public name, which leads to no address. */
export interface PublicStudio {
  stack: TestStack;
  /** How this machine reaches it, for `callFunction`. */
  inner: { url: string; key: string };
  /** Asks it under its public name, or another of its own: posts a body as its page does, or gets. */
  ask(path: string, post?: { body: object; token: string }, origin?: string): Promise<Answer>;
  stop(): Promise<void>;
}

const object = z.record(z.string(), z.unknown());

export async function startPublicStudio(): Promise<PublicStudio> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-public-"));
  const { key, cert } = createSelfSignedCertificate("studio.example.test");
  const tls = { certificate: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  await Promise.all([writeFile(tls.certificate, cert), writeFile(tls.key, key)]);
  const stack = await startTestStack({ functions: true, tls });
  const { port, hostname } = new URL(stack.url);
  return {
    stack,
    inner: { url: stack.innerUrl, key: stack.key },
    ask(path, post, origin = stack.url) {
      const { host } = new URL(origin);
      const method = post === undefined ? "GET" : "POST";
      const headers = { host, ...(post && { authorization: `Bearer ${post.token}`, apikey: stack.key, origin }) };
      const options = { host: "127.0.0.1", port, path, method, headers, ca: cert, servername: hostname };
      return new Promise((resolve, reject) => {
        const sent = request(options, (response) => {
          let text = "";
          response.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
          response.once("end", () => resolve({ status: response.statusCode, json: object.parse(JSON.parse(text)) }));
        });
        sent.once("error", reject);
        sent.end(post && JSON.stringify(post.body));
      });
    },
    async stop() {
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
