import { z } from "zod/mini";
import { type LocalServerId, localServers } from "../../../src/engine/vendors/local-servers.ts";
import { targetPolicy } from "../_shared/endpoint.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import type { FunctionEnvironment } from "../_shared/function-environment.ts";
import { guardedFetch } from "../_shared/guarded-fetch.ts";
import { parseJson } from "../_shared/json-scan.ts";
import type { ResolveHost } from "../_shared/resolve-host.ts";
import { type AskServer, localEmbeddingModels } from "./local-embedding-models.ts";

interface Place {
  id: LocalServerId;
  baseUrl: string;
}

/** A model server of this machine. */
interface LocalServer extends Place {
  /** Names, as the server lists them. */
  models: string[];
  /** Those of them that make vectors, the likeliest first. */
  embeddingModels: string[];
}

/** A server of this machine answers at once or is not there. */
const timeoutMs = 2_000;
const maxBytes = 256 * 1024;
const mostModels = 200;

const listing = z.object({ data: z.array(z.object({ id: z.string().check(z.minLength(1), z.maxLength(200)) })) });

/** Which model servers answer on this machine. Asks none in a studio that others reach: this machine is not theirs (S70). */
export async function findLocalServers(
  environment: FunctionEnvironment,
  options: { resolve?: ResolveHost | undefined; signal?: AbortSignal },
  places: readonly Place[] = localServers,
): Promise<Outcome<{ servers: LocalServer[] }>> {
  if (!environment.isLocal) {
    return failure(
      "blocked_address",
      "This studio can be reached by others, so the services of its machine may not be called.",
      "Choose OpenAI-compatible and give the address of your server.",
    );
  }
  const policy = { ...targetPolicy(environment), allowLoopback: true, followRedirects: false };
  const ask: AskServer = async (request) => {
    const answer = await guardedFetch(request, { ...policy, ...options, timeoutMs, maxBytes });
    return answer.ok && answer.value.status === 200 ? jsonIn(answer.value.body) : undefined;
  };
  const found = await Promise.all(
    places.map(async (place): Promise<LocalServer[]> => {
      const listed = listing.safeParse(await ask({ url: `${place.baseUrl}/models` }));
      // Another service at the same port.
      if (!listed.success) return [];
      const models = listed.data.data.slice(0, mostModels).map(({ id }) => id);
      const { origin } = new URL(place.baseUrl);
      return [{ ...place, models, embeddingModels: await localEmbeddingModels({ id: place.id, origin, models }, ask) }];
    }),
  );
  return success({ servers: found.flat() });
}

function jsonIn(body: Uint8Array<ArrayBuffer>): unknown {
  try {
    return parseJson(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
