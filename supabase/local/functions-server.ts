// Runs in Deno, started by functions-process.ts: serves every edge function of a folder in one process.
// Hosted Supabase gives each function a process and its own Deno.serve; here Deno.serve is caught while the
// function's index.ts is imported. As there, a function sees the path `/<name>/…`.

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
  readDir(path: URL): AsyncIterable<{ name: string; isDirectory: boolean }>;
  exit(code: number): never;
};

const serve = Deno.serve;
const handlers = new Map<string, Handler>();
const failures = new Set<string>();

const token = Deno.env.get("SWITCHYARD_FUNCTIONS_TOKEN");
Deno.env.delete("SWITCHYARD_FUNCTIONS_TOKEN");
const [folder] = Deno.args;
if (!token || !folder) throw new Error("functions-server.ts is started by functions-process.ts only.");

await loadFunctions(new URL(folder));
serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(`LISTENING ${port}`) }, answer);
await exitWithParent();

async function loadFunctions(directory: URL): Promise<void> {
  for await (const entry of Deno.readDir(directory)) {
    if (!entry.isDirectory || entry.name.startsWith("_") || entry.name.startsWith(".")) continue;
    try {
      Deno.serve = captureInto(entry.name);
      await import(new URL(`${entry.name}/index.ts`, directory).href);
      if (!handlers.has(entry.name)) throw new Error("it does not call Deno.serve");
    } catch (error) {
      failures.add(entry.name);
      console.error(`The edge function ${entry.name} cannot be loaded:`, error);
    }
  }
  Deno.serve = serve;
}

/** Deno.serve takes (handler), (options, handler) or ({ handler, … }). */
function captureInto(name: string): typeof Deno.serve {
  return (...given: unknown[]) => {
    const handler = given.map(handlerOf).find((candidate) => candidate !== undefined);
    if (!handler) throw new Error("Deno.serve was called without a handler");
    handlers.set(name, handler);
    return { addr: { port: 0 } };
  };
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
  const name = new URL(request.url).pathname.split("/")[1] ?? "";
  const handler = handlers.get(name);
  if (!handler) {
    return failures.has(name)
      ? failure(503, "internal", `The edge function ${name} could not be loaded; the terminal says why.`)
      : failure(404, "invalid_config", `There is no edge function ${name}.`);
  }
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

/** The parent holds our standard input open; when it ends, however it ended, so do we. */
async function exitWithParent(): Promise<void> {
  const reader = Deno.stdin.readable.getReader();
  while (!(await reader.read()).done);
  Deno.exit(0);
}
