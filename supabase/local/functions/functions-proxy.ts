import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import {
  type BodyRefusal,
  type BodyTerms,
  bodyRefusal,
  BodyRefused,
  receiveBody,
  receiveWhole,
} from "../../functions/_shared/receive-body.ts";
import { accessHeader, addressHeader, originHeader, partyHeader } from "../../functions/_shared/caller-address.ts";
import { problemForm } from "../../functions/_shared/door-paths.ts";
import { bodyProblem, type Problem, problems } from "../../functions/_shared/door-problem.ts";
import { respondProblem } from "../../functions/_shared/problem-forms.ts";
import type { EdgeFunctions } from "./edge-functions.ts";
import { FunctionDown } from "./function-process.ts";
import { isDoorPath } from "../http/origin-guard.ts";
import { streamedAnswer } from "../http/send-answer.ts";
import { functionsTokenHeader } from "../../../worker/functions-beside.ts";
import { functionUnavailable } from "../../../worker/function-unavailable.ts";
import { ownErrorHeader } from "../../../src/engine/studio-headers.ts";

// A model may think for minutes between two chunks; the functions have limits of their own.
const patient = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: 5_000 };

/** A body of this size is passed on in one piece. */
const smallBytes = 64 * 1024;

const prefix = "/functions/v1";

const notForwarded = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "expect",
  // Answers stay uncompressed between the two processes, so that each chunk goes out as it comes.
  "accept-encoding",
]);

/** Passes a request below /functions/v1 to its function's process, and its answer back, streaming both ways. */
export interface FunctionsProxy {
  /**
   * `address`: of who calls, for the function to count by; `party`: as whom it takes turns at the database. What the caller
   * says of itself is dropped.
   */
  forward(request: Request, terms: BodyTerms, caller: { address: string; party: string }): Promise<Response>;
  close(): Promise<void>;
}

/** When the caller goes away, the request to the function is aborted. `accessChanges` is told to the functions with each call. */
export function createFunctionsProxy(functions: EdgeFunctions, accessChanges: () => number): FunctionsProxy {
  // Large, and not needed before the first call: it is loaded while the database opens.
  const client = import("undici").then(({ Agent, request: send }) => ({ send, dispatcher: new Agent(patient) }));
  return {
    async forward(request, terms, { address, party }) {
      const { pathname: asked, search } = new URL(request.url);
      const pathname = isDoorPath(asked) ? `${prefix}/doors${asked}` : asked;
      // With letters percent-encoded the rest would not begin where it is cut.
      if (!pathname.startsWith(`${prefix}/`)) return unknownPath();
      const method = methods[request.method];
      if (!method) return unknownMethod();
      const name = pathname.slice(prefix.length + 1).split("/", 1)[0] ?? "";
      const called = functions.find(name);
      if (!called) return unknownFunction(name);
      const call = called.begin();
      let refused: BodyRefused | undefined;
      const body = async function* (): AsyncGenerator<Uint8Array> {
        try {
          yield* receiveBody(request, terms);
        } catch (error) {
          if (error instanceof BodyRefused) refused = error;
          throw error;
        }
      };
      const isSmall = Number(request.headers.get("content-length") ?? Number.NaN) <= smallBytes;
      try {
        const [{ origin, token }, { send, dispatcher }] = await Promise.all([call.address, client]);
        const answer = await send(`${origin}${pathname.slice(prefix.length)}${search}`, {
          method,
          headers: {
            ...forwardedHeaders(request.headers),
            [addressHeader]: address,
            [partyHeader]: party,
            [originHeader]: new URL(request.url).origin,
            [accessHeader]: String(accessChanges()),
            [functionsTokenHeader]: token,
          },
          body: request.body && (isSmall ? await receiveWhole(request, terms) : Readable.from(body())),
          signal: request.signal,
          dispatcher,
        });
        answer.body.once("close", call.end);
        // Until it is passed on, nobody listens.
        answer.body.on("error", () => undefined);
        const hasBody = ![204, 205, 304].includes(answer.statusCode) && request.method !== "HEAD";
        if (!hasBody) answer.body.resume();
        const init = { status: answer.statusCode, headers: responseHeaders(answer.headers) };
        return hasBody ? streamedAnswer(answer.body, init) : new Response(null, init);
      } catch (error) {
        call.end();
        if (error instanceof BodyRefused) refused = error;
        const door = name === "doors" ? pathname.slice(`${prefix}/doors`.length) : null;
        if (refused !== undefined) {
          const refusal = bodyRefusal(refused.problem, terms);
          return door === null ? refusedBody(refusal) : refusedAtDoor(bodyProblem(refusal), door, request);
        }
        if (request.signal.aborted) return new Response(null, { status: 499 });
        if (door === null) return functionUnavailable(name, error instanceof FunctionDown ? error : undefined);
        return refusedAtDoor({ ...problems.unavailable, retryAfter: secondsUntil(error) }, door, request);
      }
    },
    close: async () => (await client).dispatcher.destroy(),
  };
}

const methods: Record<string, Dispatcher.HttpMethod> = {
  GET: "GET",
  HEAD: "HEAD",
  POST: "POST",
  PUT: "PUT",
  PATCH: "PATCH",
  DELETE: "DELETE",
  OPTIONS: "OPTIONS",
};

function forwardedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !notForwarded.has(name)));
}

function responseHeaders(given: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || notForwarded.has(name)) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  return headers;
}

function unknownPath(): Response {
  const hint = `Write ${prefix}/ as it is, without percent signs.`;
  return refused(404, "There is no edge function at this address.", hint);
}

function unknownMethod(): Response {
  return refused(405, "The edge functions do not know this method.", `Use one of ${Object.keys(methods).join(", ")}.`);
}

function refused(status: number, message: string, hint: string): Response {
  const error = { code: "invalid_config", message, hint, retryable: false };
  return Response.json({ error }, { status, headers: { [ownErrorHeader]: "1" } });
}

function unknownFunction(name: string): Response {
  const hint = "Check the name; the functions are the folders of supabase/functions.";
  return refused(404, `There is no edge function ${name.slice(0, 100)}.`, hint);
}

function refusedBody({ status, retryAfter, ...error }: BodyRefusal): Response {
  const headers = {
    [ownErrorHeader]: "1",
    ...(retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` }),
  };
  return Response.json({ error }, { status, headers });
}

/** In the form of the door's own problems: callers do not know that a gateway stands in front. */
function refusedAtDoor(problem: Problem, path: string, { headers }: Request): Response {
  const response = respondProblem(problem, { form: problemForm(path), headers });
  response.headers.append("vary", "origin");
  return response;
}

const secondsUntil = (error: unknown): number => (error instanceof FunctionDown ? error.retryAfter : 1);
