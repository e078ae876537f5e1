import type { Host } from "../../src/engine/host.ts";
import { providers } from "../../src/providers/index.ts";
import { startOpenaiServer } from "../../e2e/servers/openai-server.ts";
import { sayReply } from "../../e2e/servers/openai-reply.ts";
import { type CredentialBook, noCredentials, readCredentials } from "../../cli/headless/credentials-file.ts";
import { createNodeHost } from "../../cli/headless/node-host.ts";
import { OptionsRefused } from "../../bench/measure.ts";
import type { ModelSeat } from "./play-task.ts";
import type { AssistantTask, ScriptTurn } from "./task.ts";

/** Gives each task a model, and what has to be stopped afterwards. */
export type SeatFor = (task: AssistantTask) => Promise<{ seat: ModelSeat; close(): Promise<void> }>;

const policy = { allowHosts: [] };
const workflows = { load: () => Promise.reject(new Error("The assistant runs no other workflow.")) };

/** The door to the world for a bench: as for a command, but nothing waits that only looks nice. */
export function benchHost(credentials: CredentialBook = noCredentials): Host {
  const host = createNodeHost({ credentials, policy, approve: true, workflows });
  return { ...host, sleep: (ms, signal) => (ms < 1_000 ? Promise.resolve() : host.sleep(ms, signal)) };
}

/** The scripted vendor: a server on this machine that speaks OpenAI's wire format and says what the task's script says. */
export const scriptedSeat: SeatFor = async ({ script }) => {
  const server = await startOpenaiServer();
  server.enqueue(...script.map(replyOf));
  const book: CredentialBook = {
    get: () => ({
      credential: { type: "openai-compatible", fields: { baseUrl: server.baseUrl, apiKey: server.key } },
      allowedHosts: [new URL(server.url).host],
    }),
    secrets: [],
  };
  const node = {
    type: "openai-compatible-model",
    config: { credential: "scripted", model: "scripted", inputPrice: 0, outputPrice: 0 },
  };
  return { seat: { node, host: benchHost(book) }, close: () => server.close() };
};

function replyOf(turn: ScriptTurn) {
  if ("say" in turn) return sayReply(turn.say);
  return sayReply("", { calls: turn.calls.map(({ name, input }) => ({ name, arguments: JSON.stringify(input) })) });
}

/** A model of one's own: `model` is `<provider>:<model>`, such as `openai:gpt-5-mini`. */
export interface OwnModel {
  model: string;
  /** The file of credentials, as `npm run workflow` takes it. */
  credentials: string;
  /** Which of them; the provider's name when absent. */
  credential?: string | undefined;
}

/** The same tasks on a real model. Throws in words where the model or its credential is not known. */
export async function ownSeat({ model, credentials, credential }: OwnModel): Promise<SeatFor> {
  const [providerId = "", ...rest] = model.split(":");
  const provider = providers.find(({ id }) => id === providerId);
  const known = providers.map(({ id }) => id).join(", ");
  if (provider === undefined || rest.length === 0)
    throw new OptionsRefused(`--model is <provider>:<model>, such as openai:gpt-5-mini. Providers: ${known}.`);
  const book = await readCredentials(credentials, []);
  const id = credential ?? providerId;
  if (provider.credentialTypes.length > 0 && book.get(id) === undefined)
    throw new OptionsRefused(
      `The credential "${id}" is not in the credentials file. Name the one to use with --credential.`,
    );
  const node = { type: provider.nodeType, config: { credential: id, model: rest.join(":") } };
  return async () => ({ seat: { node, host: benchHost(book) }, close: () => Promise.resolve() });
}
