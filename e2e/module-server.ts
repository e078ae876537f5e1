import { createServer, type PluginOption } from "vite";

export interface ModuleServer {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Serves the sources as modules for a browser, on a free port. Its packages are prepared under `name` alone: servers that share a
 * cache take packages from each other, and one that is found only when a page asks makes workers load anew. What a page or worker
 * imports is therefore found from `entries` first; `include` names packages that only a plugin's module imports.
 */
export async function startModuleServer(
  name: string,
  { entries, include = [], plugins = [] }: { entries: string[]; include?: string[]; plugins?: PluginOption[] },
): Promise<ModuleServer> {
  const server = await createServer({
    logLevel: "error",
    cacheDir: `node_modules/.vite/${name}`,
    server: { host: "127.0.0.1", port: 0, hmr: false },
    optimizeDeps: { entries, include },
    plugins,
  });
  await server.listen();
  const address = server.httpServer?.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no address.");
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
