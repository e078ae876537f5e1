import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { answerWith, createSiteFiles } from "../../supabase/local/http/site-files.ts";

/** A build of the site on an address of its own, by the same server code as the studio's; everything else comes from the studio. */
export async function serveBuild(
  directory: string,
  studioUrl: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const html = await (await fetch(studioUrl)).text();
  const config = /id="switchyard-config"[^>]*>([^<]+)</.exec(html)?.[1];
  if (config === undefined) throw new Error("The studio's page names no Supabase.");
  const files = createSiteFiles(directory, JSON.parse(config));

  async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(asked.url ?? "/", studioUrl).pathname;
    if (/^\/(rest|auth|functions|studio)\//.test(path)) return passOn(asked, response);
    const file = (path === "/" ? null : await files.load(path)) ?? (await files.load("/index.html"));
    if (!file) throw new Error(`${directory} holds no build.`);
    const { status, headers, body } = await answerWith(file, {
      acceptEncoding: asked.headers["accept-encoding"] ?? null,
      ifNoneMatch: asked.headers["if-none-match"] ?? null,
    });
    response.writeHead(status, headers).end(body);
  }

  function passOn(asked: IncomingMessage, response: ServerResponse): void {
    const headers = { ...asked.headers, host: new URL(studioUrl).host, origin: studioUrl };
    const sent = request(new URL(asked.url ?? "/", studioUrl), { method: asked.method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    sent.on("error", () => response.destroy());
    asked.pipe(sent);
  }

  const server = createServer((asked, response) => {
    answer(asked, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
