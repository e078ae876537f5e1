// Runs in Deno, started by function-process.ts: serves one edge function. As on hosted Supabase, where it has a process of
// its own too, the function sees the path `/<name>/…`; Deno.serve is caught while its index.ts is imported.

/** What a function gives to Deno.serve. */
export type Handler = (request: Request, info: unknown) => Response | Promise<Response>;

interface Listening {
  addr: { port: number };
}

declare const Deno: {
  serve: (
    options: { hostname: string; port: number; onListen: (address: { port: number }) => void },
    handler: Handler,
  ) => Listening;
  args: string[];
  env: { get(name: string): string | undefined; delete(name: string): void };
  stdin: { readable: ReadableStream<Uint8Array> };
  exit(code: number): never;
};

const serve = Deno.serve;
const token = Deno.env.get("SWITCHYARD_FUNCTIONS_TOKEN");
Deno.env.delete("SWITCHYARD_FUNCTIONS_TOKEN");
const [folder, name] = Deno.args;
if (!token || !folder || !name) throw new Error("functions-server.ts is started by function-process.ts only.");

const handler = await loadFunction(new URL(`${name}/index.ts`, folder));
serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(`LISTENING ${port}`) }, answer);
await answerParent();

async function loadFunction(source: URL): Promise<Handler | null> {
  let caught: Handler | undefined;
  // Deno.serve takes (handler), (options, handler) or ({ handler, … }).
  Deno.serve = (...given: unknown[]) => {
    caught = given.map(handlerOf).find((candidate) => candidate !== undefined);
    if (!caught) throw new Error("Deno.serve was called without a handler");
    return { addr: { port: 0 } };
  };
  try {
    await import(source.href);
    if (!caught) throw new Error("it does not call Deno.serve");
    return caught;
  } catch (error) {
    console.error(`The edge function ${name} cannot be loaded:`, error);
    return null;
  } finally {
    Deno.serve = serve;
  }
}

function handlerOf(given: unknown): Handler | undefined {
  if (typeof given === "function") return (request, info) => given(request, info);
  if (typeof given === "object" && given !== null && "handler" in given) return handlerOf(given.handler);
  return undefined;
}

async function answer(request: Request, info: unknown): Promise<Response> {
  // The port is open to every program of this machine; only the stack, which checks Host and Origin, may call.
  if (request.headers.get("x-switchyard-functions-token") !== token)
    return failure(403, "forbidden", "Not for direct use.");
  if (!handler)
    return failure(503, "internal", `The edge function ${name} could not be loaded; the terminal says why.`);
  const headers = new Headers(request.headers);
  headers.delete("x-switchyard-functions-token");
  try {
    return await handler(new Request(request, { headers }), info);
  } catch (error) {
    console.error(`The edge function ${name} failed:`, error instanceof Error ? error.message : error);
    return failure(500, "internal", `The edge function ${name} failed.`);
  }
}

function failure(status: number, code: string, message: string): Response {
  const hint = status === 503 || status === 500 ? "Restart Switchyard; if it happens again, look at the terminal." : "";
  return Response.json({ error: { code, message, hint, retryable: false } }, { status });
}

/**
 * The parent holds our standard input open and asks by it whether we still respond. When it ends, however it ended, so do
 * we.
 */
async function answerParent(): Promise<void> {
  const reader = Deno.stdin.readable.getReader();
  while (!(await reader.read()).done) console.log("PONG");
  Deno.exit(0);
}
