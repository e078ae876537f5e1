import { once } from "node:events";
import { WebSocketServer } from "ws";
import { z } from "zod/mini";

/** A message of Phoenix channels, version 2: reference of the join, its own, topic, event and payload. */
const message = z.tuple([z.nullable(z.string()), z.nullable(z.string()), z.string(), z.string(), z.unknown()]);
const join = z.object({
  access_token: z.optional(z.string()),
  config: z.object({ private: z.optional(z.boolean()) }),
});

/** A server on loopback that speaks as much of Realtime's protocol as supabase-js uses for broadcasts. */
export interface RealtimeServer {
  url: string;
  /** Channels that are joined, by topic. */
  joined(): string[];
  joins: { topic: string; isPrivate: boolean; token: string | undefined }[];
  /** Sends a broadcast to whoever has joined the topic. */
  tell(topic: string, event: string): void;
  /** Drops all connections. */
  drop(): void;
  stop(): Promise<void>;
}

/** `admits` says of a topic and an access token whether the channel may be joined. */
export async function startRealtimeServer(
  admits: (topic: string, token: string | undefined) => boolean,
): Promise<RealtimeServer> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  const joins: RealtimeServer["joins"] = [];
  const channels = new Map<string, (event: string) => void>();
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      const [joinRef, ref, topic, event, payload] = message.parse(JSON.parse(String(data)));
      const reply = (status: string, response = {}) =>
        socket.send(JSON.stringify([joinRef, ref, topic, "phx_reply", { status, response }]));
      if (event === "phx_join") {
        const asked = join.parse(payload);
        const name = topic.replace(/^realtime:/, "");
        joins.push({ topic: name, isPrivate: asked.config.private === true, token: asked.access_token });
        if (!admits(name, asked.access_token)) return reply("error", { reason: "Unauthorized" });
        channels.set(name, (told) => {
          const broadcast = { type: "broadcast", event: told, payload: {} };
          socket.send(JSON.stringify([joinRef, null, topic, "broadcast", broadcast]));
        });
        return reply("ok", { postgres_changes: [] });
      }
      if (event === "phx_leave") channels.delete(topic.replace(/^realtime:/, ""));
      reply("ok");
    });
    socket.on("close", () => channels.clear());
  });
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    joined: () => [...channels.keys()],
    joins,
    tell: (topic, event) => channels.get(topic)?.(event),
    drop: () => {
      for (const socket of server.clients) socket.terminate();
    },
    async stop() {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
