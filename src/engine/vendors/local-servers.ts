import type { CompatibleServerId } from "./compatible-servers.ts";

/** The servers that a studio may look for on its own machine, and where they listen by default. Nothing else is tried. */
export const localServers = [
  { id: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { id: "lm-studio", baseUrl: "http://127.0.0.1:1234/v1" },
] as const satisfies readonly { id: CompatibleServerId; baseUrl: string }[];

/** Whether a host such as `localhost:1234` is one of them. */
export function isLocalServer(host: string | undefined): boolean {
  const named = host?.replace(/^localhost(?=:)/, "127.0.0.1");
  return localServers.some(({ baseUrl }) => new URL(baseUrl).host === named);
}

export type LocalServerId = (typeof localServers)[number]["id"];

export const localServerIds = localServers.map(({ id }) => id);
