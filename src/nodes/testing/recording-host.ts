import type { BrowserModel } from "../../engine/model/browser-model.ts";
import type { Host } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { knowledgeStore } from "../../engine/in-memory/knowledge-store.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";

/** A file that every run is given. */
export const givenFile = {
  $file: "00000000-0000-4000-9000-000000000001",
  name: "note.txt",
  mediaType: "text/plain",
  size: 1,
  sha256: "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
};

/** Something outside the run that a node used: what it was, and with which address and credential. */
export interface Use {
  through:
    | "function"
    | "mcp"
    | "model"
    | "sandbox"
    | "conversations"
    | "knowledge"
    | "workflow"
    | "page"
    | "callers"
    | "studio";
  /** Of an edge function. */
  name?: string;
  url?: string;
  credential?: string;
}

/** A collection with vectors of a vendor. */
const handbook = {
  id: "handbook",
  name: "Handbook",
  embedding: { provider: "openai", model: "text-embedding-3-small", credential: "credential-of-the-collection" },
  dimension: 2,
  chunks: [],
};

const other = buildWorkflow({ id: "other", nodes: { start: ["manual-trigger"] } });

function text(body: JsonObject, name: string): { [field: string]: string } {
  const value = body[name];
  return typeof value === "string" ? { [name]: value } : {};
}

/** Every method of `store` tells `told` first. */
function watched<Store extends object>(store: Store, told: () => void): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        told();
        const result: unknown = value.apply(target, args);
        return result;
      };
    },
  });
}

/** A host that answers everything with little and writes down what it was used for. */
export function recordingHost(uses: Use[]): Host {
  const note = (use: Use) => void uses.push(use);
  const world = testHost({ knowledge: knowledgeStore([handbook]), workflows: { other } });
  const conversations = () => note({ through: "conversations" });
  return {
    ...world,
    // Short waits pass at once; long ones are time limits, which must not pass while a vendor's library loads.
    sleep: (ms, signal) => (ms < 1_000 ? Promise.resolve() : realSleep(ms, signal)),
    wait: () => Promise.resolve(),
    messages: watched(world.messages, conversations),
    encryptedMessages: watched(world.encryptedMessages, conversations),
    tab: watched(world.tab, conversations),
    vectors: watched(world.vectors, conversations),
    knowledge: watched(world.knowledge, () => note({ through: "knowledge" })),
    workflows: watched(world.workflows, () => note({ through: "workflow" })),
    files: { ...world.files, open: async () => ({ ok: true, value: new Blob(["x"]).stream() }) },
    async documents() {
      const sections = [{ headings: [], text: "x", metadata: { page: 1 } }];
      const files = [{ name: "a.txt", mediaType: "text/plain", bytes: new Uint8Array([120]) }];
      return { ok: true, document: { kind: "text", sections, tables: [], data: "x" }, files };
    },
    async fetch(connection) {
      note({ through: "model", credential: connection.credential });
      return Response.json({ error: { message: "Wrong key." } }, { status: 401 });
    },
    async browserModel(): Promise<BrowserModel> {
      note({ through: "model", credential: "" });
      throw new DOMException("This page may not use it.", "NotAllowedError");
    },
    async mcpFetch(connection) {
      note({ through: "mcp", ...connection });
      return new Response("No such server", { status: 404 });
    },
    async callFunction(name, body) {
      note({ through: "function", name, ...text(body, "url"), ...text(body, "credential") });
      const message = "Nothing answers here.";
      return { ok: false, status: 404, error: { code: "tool_error", message, hint: "", retryable: false } };
    },
    studio() {
      note({ through: "studio" });
      const execute = async () => ({ ok: true as const, output: null });
      return { tools: [{ name: "read_workflow", description: "", parameters: { type: "object" }, execute }] };
    },
    async runCode() {
      note({ through: "sandbox" });
      return { ok: true, output: null, logs: [] };
    },
  };
}
