import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, open, readFile, realpath, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod/mini";
import type { MessageStore, VectorStore } from "../../src/engine/host.ts";
import { messageSchema } from "../../src/engine/model/message-schema.ts";
import { RunError } from "../../src/engine/errors.ts";
import { memoryStore } from "../../src/engine/in-memory/memory-store.ts";
import { vectorStore } from "../../src/engine/in-memory/vector-store.ts";
import { CommandFailure } from "./command-failure.ts";
import { withFileLock } from "./file-lock.ts";
import { userPath } from "./read-file.ts";

const vector = z.object({ model: z.string(), embedding: z.array(z.number()) });
const message = z.object({ id: z.number(), at: z.number(), message: messageSchema, vector: z.optional(vector) });
const memoryFile = z.object({
  format: z.literal("switchyard-memory"),
  version: z.literal(1),
  lastId: z.number(),
  sessions: z.array(
    z.object({ workflowId: z.nullable(z.string()), sessionId: z.string(), messages: z.array(message) }),
  ),
});
type MemoryFile = z.infer<typeof memoryFile>;

const empty: MemoryFile = { format: "switchyard-memory", version: 1, lastId: 0, sessions: [] };

/** Conversations as the engine reads and writes them. */
export interface KeptMemory {
  messages: MessageStore;
  vectors: VectorStore;
}

/**
 * Conversations in a JSON file that only its owner can read (0600). Each write takes the file's lock, reads the file anew and
 * puts a whole new one in its place, so that runs at the same time lose nothing and a crash leaves the old one. Throws
 * CommandFailure when the path cannot be used or holds something else; the stores reject with a RunError of code
 * `memory_error`.
 */
export async function openMemoryFile(given: string): Promise<KeptMemory> {
  const named = userPath(given);
  const path = await realpath(named).catch(() => named);
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new CommandFailure(
      `The memory file ${path} cannot be written there.`,
      "Name a directory that exists and is yours.",
    );
  });
  await readMemory(path).catch((error: unknown) => {
    throw new CommandFailure(
      `The memory file ${path} was not used: ${wordsOf(error)}`,
      "Name another file; it is made when it is not there.",
    );
  });

  async function reading<Value>(work: (kept: KeptMemory) => Promise<Value>): Promise<Value> {
    return failing("read", async () => work(storesOf(await readMemory(path))));
  }
  async function writing(work: (kept: KeptMemory) => Promise<void>): Promise<void> {
    await failing("written", () =>
      withFileLock(path, async () => {
        const stores = storesOf(await readMemory(path));
        await work(stores);
        await replaceFile(path, `${JSON.stringify(stores.file())}\n`);
      }),
    );
  }
  return {
    messages: {
      load: (key, options) => reading(({ messages }) => messages.load(key, options)),
      loadStored: (key, options) => reading(({ messages }) => messages.loadStored(key, options)),
      append: (key, added) => writing(({ messages }) => messages.append(key, added)),
      prune: (key, keep) => writing(({ messages }) => messages.prune(key, keep)),
    },
    vectors: {
      append: (key, added, model) => writing(({ vectors }) => vectors.append(key, added, model)),
      search: (key, query) => reading(({ vectors }) => vectors.search(key, query)),
    },
  };
}

/** The stores of one file's content, and the content they come to. */
function storesOf({ lastId, sessions }: MemoryFile): KeptMemory & { file(): MemoryFile } {
  const vectors = new Map(
    sessions.flatMap(({ messages }) =>
      messages.flatMap((kept) => (kept.vector ? [[kept.id, kept.vector] as const] : [])),
    ),
  );
  const messages = memoryStore(Date.now, {
    lastId,
    sessions: sessions.map(({ workflowId, sessionId, messages: kept }) => ({
      key: { workflowId, sessionId },
      messages: kept,
    })),
  });
  return {
    messages,
    vectors: vectorStore(messages, vectors),
    file: () => ({
      ...empty,
      lastId: messages.lastId(),
      sessions: messages.sessions().map((key) => ({
        ...key,
        messages: messages.keptOf(key).map(({ id, at, message: said }) => {
          const found = vectors.get(id);
          return { id, at, message: said, ...(found ? { vector: { ...found, embedding: [...found.embedding] } } : {}) };
        }),
      })),
    }),
  };
}

async function readMemory(path: string): Promise<MemoryFile> {
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  if (content === null) return empty;
  const parsed = memoryFile.safeParse(asJson(content));
  if (!parsed.success) throw new Error("it holds no conversations of this command.");
  return parsed.data;
}

function asJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** Puts a whole new file in the place of one: a reader sees the old or the new. */
async function replaceFile(path: string, content: string): Promise<void> {
  const next = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(next, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

async function failing<Value>(done: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError({
      code: "memory_error",
      message: `The memory file could not be ${done}: ${wordsOf(error)}`,
      hint: "Check the file that --memory names. The run continues without this memory.",
    });
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
