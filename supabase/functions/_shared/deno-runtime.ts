import { type DoorRoute, serveDoor } from "./door.ts";
import { logSealingFailure, sealUnsealed, type SecretStore } from "./door-secrets.ts";
import { createFunctionContext, type FunctionContext, serveEndpoint, type Endpoint } from "./endpoint.ts";
import { dropBody } from "./receive-body.ts";
import { environmentNames, readEnvironment } from "./function-environment.ts";

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Promise<Response>): unknown;
};

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

/**
 * Serves an endpoint on Deno: the embedded installation's or Supabase's. Throws when a variable is missing. Before anybody asks it
 * begins to seal what is stored unsealed in `seals`.
 */
export function serveOnDeno(endpoint: Endpoint, seals?: SecretStore): void {
  const context = readContext();
  Deno.serve(withBodyRead(serveEndpoint(endpoint, context)));
  sealAtStart(context, seals);
}

/** Serves doors on Deno, as `serveOnDeno` does an endpoint. */
export function serveDoorOnDeno(routes: readonly DoorRoute[], seals?: SecretStore): void {
  const context = readContext();
  Deno.serve(withBodyRead(serveDoor(routes, context)));
  sealAtStart(context, seals);
}

function sealAtStart(context: FunctionContext, store: SecretStore | undefined): void {
  if (store !== undefined) context.background(sealUnsealed(context, store).catch(logSealingFailure));
}

/** Reads what a handler left unread of a body before its answer goes out: Deno closes the connection with the answer. */
function withBodyRead(handle: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await handle(request);
    await dropBody(request);
    return response;
  };
}

function readContext(): FunctionContext {
  const environment = readEnvironment(Object.fromEntries(environmentNames.map((name) => [name, readVariable(name)])));
  return createFunctionContext(environment, keepAlive);
}

/** A runtime may grant only some of the names; one that it does not grant is not set. */
function readVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return undefined;
  }
}

/** Supabase's runtime may stop a function once it has answered; this asks it to wait. */
function keepAlive(work: Promise<unknown>): void {
  if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(work);
}
