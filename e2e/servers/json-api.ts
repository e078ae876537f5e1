import { pause, sendJson, startLoopbackServer, type LoopbackServer } from "./loopback-server.ts";

const weather: Record<string, { temperature: number; condition: string }> = {
  berlin: { temperature: 14, condition: "rain" },
  lisbon: { temperature: 24, condition: "sunny" },
  oslo: { temperature: 3, condition: "snow" },
};

/**
 * A small JSON API for HTTP tools: `/weather?city=`, `/echo` (what was sent), `/status/<code>`, `/slow?ms=`,
 * `/held/<name>` (the first request gets no answer, any later one gets it at once), `/redirect?to=`, `/text`, `/image`,
 * `/large?bytes=`,
 * `/kept/<name>` (the text that was last posted there).
 */
export function startJsonApi(options: { port?: number } = {}): Promise<LoopbackServer> {
  const held = new Set<string>();
  const kept = new Map<string, string>();
  return startLoopbackServer(async (request, response) => {
    const url = new URL(request.path, "http://127.0.0.1");
    const [, route, value] = url.pathname.split("/");
    switch (route) {
      case "weather": {
        const city = url.searchParams.get("city") ?? "";
        const found = weather[city.toLowerCase()];
        return found
          ? sendJson(response, 200, { city, ...found })
          : sendJson(response, 404, { error: `No weather for "${city}".`, known: Object.keys(weather) });
      }
      case "echo":
        return sendJson(response, 200, {
          method: request.method,
          path: request.path,
          headers: request.headers,
          body: request.body ?? request.text,
        });
      case "status":
        return sendJson(response, statusOf(value), { status: statusOf(value) });
      case "slow":
        await pause(response, Number(url.searchParams.get("ms") ?? "1000"));
        return sendJson(response, 200, { slow: true });
      case "kept": {
        if (request.method === "POST") kept.set(value ?? "", request.text);
        const text = kept.get(value ?? "");
        if (text === undefined) return sendJson(response, 404, { error: "Nothing is kept there." });
        response.writeHead(200, { "content-type": "application/json" });
        response.end(text);
        return;
      }
      case "held":
        if (held.has(request.path)) return sendJson(response, 200, { held: false });
        held.add(request.path);
        return new Promise((resolve) => response.once("close", () => resolve()));
      case "redirect":
        response.writeHead(302, { location: url.searchParams.get("to") ?? "/weather?city=Oslo" });
        response.end();
        return;
      case "text":
        response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
        response.end("plain text, grüße, 你好");
        return;
      case "image":
        response.writeHead(200, { "content-type": "image/png" });
        response.end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
        return;
      case "large":
        response.writeHead(200, { "content-type": "text/plain" });
        response.end("x".repeat(Number(url.searchParams.get("bytes") ?? "1000000")));
        return;
      default:
        return sendJson(response, 404, { error: "Nothing here." });
    }
  }, options.port);
}

function statusOf(value: string | undefined): number {
  const status = Number(value);
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 400;
}
