import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

/** A built page with nothing but React Flow, on loopback: `?nodes=500&view=fit` or `&view=one`. */
export async function serveBareFlow(): Promise<{ url: string; close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), "switchyard-bare-flow-"));
  await build({
    root: fileURLToPath(new URL("bare-page", import.meta.url)),
    configFile: false,
    logLevel: "error",
    build: { outDir: directory, emptyOutDir: true, target: "es2023", chunkSizeWarningLimit: 1_000 },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    try {
      const file = readFileSync(join(directory, pathname === "/" ? "index.html" : pathname));
      response.writeHead(200, { "content-type": contentTypes[extname(pathname) || ".html"] });
      response.end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
