import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod/mini";
import type { MetadataChange } from "../../src/engine/knowledge/document-metadata.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import type { RemoteStudio } from "../operator/remote-studio.ts";

const documentSchema = z.object({
  name: z.string(),
  status: z.enum(["pending", "ready", "failed"]),
  sha256: z.nullable(z.string()),
  metadata: z.record(z.string(), z.json()),
  error: z.nullable(z.object({ message: z.string(), hint: z.string() })),
});

/** A document as the studio tells of it. */
export type RemoteDocument = z.infer<typeof documentSchema>;

const pageSchema = z.object({ documents: z.array(documentSchema), next: z.nullable(z.string()) });
const problemSchema = z.object({ title: z.string(), detail: z.string() });

/** The documents of one collection, over the API. Methods throw CommandFailure. */
export interface DocumentsClient {
  /** All of them, by name. */
  list(): Promise<Map<string, RemoteDocument>>;
  send(name: string, bytes: Uint8Array<ArrayBuffer>, metadata: MetadataChange): Promise<void>;
}

/** How often a request is made again that the studio has no time for. */
const mostTries = 6;

export function documentsClient({ url, apiKey }: RemoteStudio, collection: string): DocumentsClient {
  const address = `${url}/api/knowledge/${collection}/documents`;

  async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(`${address}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${apiKey}`, ...init.headers },
        redirect: "error",
      }).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new CommandFailure(`The studio at ${url} cannot be reached: ${reason}`, "Start it, or give --url.");
      });
      const body: unknown = await response.json().catch(() => null);
      if (response.ok) return body;
      const wait = Number(response.headers.get("retry-after"));
      if ((response.status === 429 || response.status === 503) && tries < mostTries) {
        await sleep(Math.min(60, Math.max(1, wait || 1)) * 1_000);
        continue;
      }
      throw refusal(response.status, body);
    }
  }

  return {
    async list() {
      const found = new Map<string, RemoteDocument>();
      for (let next: string | null = ""; next !== null;) {
        const page = pageSchema.parse(await ask(next === "" ? "" : `?after=${encodeURIComponent(next)}`));
        for (const document of page.documents) found.set(document.name, document);
        next = page.next;
      }
      return found;
    },
    async send(name, bytes, metadata) {
      const headers = { "content-type": "application/octet-stream" };
      const query = new URLSearchParams({ name });
      if (Object.keys(metadata).length > 0) query.set("metadata", JSON.stringify(metadata));
      await ask(`?${query.toString()}`, { method: "POST", body: bytes, headers });
    },
  };
}

function refusal(status: number, body: unknown): CommandFailure {
  const problem = problemSchema.safeParse(body);
  const [message, hint] = problem.success
    ? [problem.data.title, problem.data.detail]
    : [`The studio answered with status ${status}.`, "Check the address, and that this studio is up to date."];
  if (status === 401) return new CommandFailure(message, `${hint} SWITCHYARD_API_KEY holds the key.`);
  if (status === 404) return new CommandFailure("There is no such collection.", "Check its id, and whose key this is.");
  return new CommandFailure(message, hint);
}
