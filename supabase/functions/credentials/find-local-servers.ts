import { z } from "zod/mini";
import { type LocalServerId, localServers } from "../../../src/engine/vendors/local-servers.ts";
import { targetPolicy } from "../_shared/endpoint.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import type { FunctionEnvironment } from "../_shared/function-environment.ts";
import { guardedFetch } from "../_shared/guarded-fetch.ts";
import { parseJson } from "../_shared/json-scan.ts";
import type { ResolveHost } from "../_shared/resolve-host.ts";

interface Place {
  id: LocalServerId;
  baseUrl: string;
}

/** A model server of this machine. */
interface LocalServer extends Place {
  /** Names, as the server lists them. */
  models: string[];
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
  const found = await Promise.all(
    places.map(async (place): Promise<LocalServer[]> => {
      const request = { url: `${place.baseUrl}/models`, headers: {} };
      const answer = await guardedFetch(request, { ...policy, ...options, timeoutMs, maxBytes });
      if (!answer.ok || answer.value.status !== 200) return [];
      const models = modelsIn(new TextDecoder().decode(answer.value.body));
      return models === null ? [] : [{ ...place, models }];
    }),
  );
  return success({ servers: found.flat() });
}

/** Null when the answer is no list of models, as of another service at the same port. */
function modelsIn(text: string): string[] | null {
  try {
    const parsed = listing.safeParse(parseJson(text));
    return parsed.success ? parsed.data.data.slice(0, mostModels).map(({ id }) => id) : null;
  } catch {
    return null;
  }
}
