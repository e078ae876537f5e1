import type { ProblemForm } from "./problem-forms.ts";

/** What is known of an address of a door before anything is read. */
export interface DoorPath {
  methods: readonly DoorMethod[];
  /**
   * What opens it: an API key, an open door of this kind at the publication that the path names as `:slug`, a link to a shared
   * run, of which `:slug` is the secret, or a link to a file, of which `:link` is the proof.
   */
  opens: "key" | "hook" | "chat" | "share" | "link";
  /** A visitor's token is needed too. */
  forVisitors?: true;
  /** Files may be in its body. */
  takesFile?: true;
  /** Calls a minute from one network. */
  perMinute: number;
  form: ProblemForm;
}

export type DoorMethod = "GET" | "POST" | "PUT" | "DELETE";

const usual = 300;
const withKey = { opens: "key", perMinute: usual, form: "document" } as const;
const openAi = { opens: "key", perMinute: usual, form: "completions" } as const;
const hook = { methods: ["GET", "POST"], opens: "hook", form: "document", takesFile: true } as const;
const chat = { opens: "chat", form: "document" } as const;
const visit = { opens: "chat", forVisitors: true, perMinute: usual, form: "document" } as const;

/**
 * All addresses of doors, by the path of their routes; `:name` takes one segment. The gateway refuses by this list what needs
 * no look at the database, so a route without its line here does not compile.
 */
const paths = {
  "/api/run/:slug": { methods: ["POST"], ...withKey, takesFile: true },
  "/api/run/:slug/openapi.json": { methods: ["GET"], ...withKey },
  "/api/files/:link": { methods: ["GET"], opens: "link", perMinute: usual, form: "document" },
  "/api/runs/:id": { methods: ["GET"], ...withKey },
  "/api/runs/:id/events": { methods: ["GET"], ...withKey },
  "/api/runs/:id/cancel": { methods: ["POST"], ...withKey },
  "/api/runs/:id/decide": { methods: ["POST"], ...withKey },
  "/api/knowledge/:collection/documents": { methods: ["GET", "POST"], ...withKey, perMinute: 1_200, takesFile: true },
  "/api/knowledge/:collection/documents/:name": { methods: ["GET", "DELETE"], ...withKey, perMinute: 1_200 },
  "/v1/models": { methods: ["GET"], ...openAi },
  "/v1/models/:model": { methods: ["GET"], ...openAi },
  "/v1/chat/completions": { methods: ["POST"], ...openAi },
  "/v1/responses": { methods: ["POST"], ...openAi },
  "/v1/:other": { methods: ["POST"], ...openAi },
  "/v1/:other/:kind": { methods: ["POST"], ...openAi },
  "/mcp": { methods: ["POST"], ...withKey, form: "mcp" },
  "/mcp/:slug": { methods: ["POST"], ...withKey, form: "mcp" },
  "/a2a/:slug/.well-known/agent-card.json": { methods: ["GET"], ...withKey },
  "/a2a/:slug": { methods: ["POST"], ...withKey, form: "rpc" },
  "/hooks/:slug": { ...hook, perMinute: usual },
  "/hooks/:slug/test": { ...hook, perMinute: 60 },
  "/c-api/:slug/page": { methods: ["GET"], ...chat, perMinute: usual },
  "/c-api/:slug/challenge": { methods: ["GET"], ...chat, perMinute: 30 },
  "/c-api/:slug/session": { methods: ["POST"], ...chat, perMinute: 30 },
  "/c-api/:slug/resume": { methods: ["POST"], ...chat, perMinute: 60 },
  "/c-api/:slug/leave": { methods: ["POST"], ...visit },
  "/c-api/:slug/threads": { methods: ["GET"], ...visit },
  "/c-api/:slug/threads/:id": { methods: ["GET", "DELETE"], ...visit },
  "/c-api/:slug/files": { methods: ["POST"], ...visit, perMinute: 60 },
  "/c-api/:slug/messages": { methods: ["POST"], ...visit },
  "/c-api/:slug/runs/:id/events": { methods: ["GET"], ...visit },
  "/c-api/:slug/runs/:id/stop": { methods: ["POST"], ...visit },
  "/c-api/:slug/runs/:id/feedback": { methods: ["POST"], ...visit },
  "/s-api/:slug": { methods: ["GET"], opens: "share", perMinute: 120, form: "document" },
} as const satisfies Record<string, DoorPath>;

/** The path of a door's route. */
export type DoorPattern = keyof typeof paths;

export const doorPaths: Readonly<Record<DoorPattern, DoorPath>> = paths;

const patterns = Object.keys(paths) as DoorPattern[];

/** The address of a door that a path of the gateway is, with what stands in it; null where it is none. */
export function findDoorPath(path: string): { pattern: DoorPattern; params: Record<string, string> } | null {
  for (const pattern of patterns) {
    const params = match(pattern, path);
    if (params !== null) return { pattern, params };
  }
  return null;
}

/** How problems of a call are written, whatever its method; everything under `/v1` is for OpenAI's clients. */
export function problemForm(path: string): ProblemForm {
  const found = findDoorPath(path);
  if (found !== null) return doorPaths[found.pattern].form;
  return /^\/v1(?:\/|$)/.test(path) ? "completions" : "document";
}

/** Whether there is a route for a method. */
export function takes({ methods }: DoorPath, method: string): boolean {
  return methods.some((one) => one === method);
}

/** What counts as one address's calls: those of one route, and all that lead nowhere. */
export function addressLimit(pattern: DoorPattern | undefined): number {
  return pattern === undefined ? usual : doorPaths[pattern].perMinute;
}

function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? "";
    if (part.startsWith(":")) {
      const text = decoded(segment);
      if (text === null || text === "") return null;
      params[part.slice(1)] = text;
    } else if (part !== segment) return null;
  }
  return params;
}

function decoded(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment);
    // What no database stores is no name of anything.
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

type SentHeaders = Pick<Headers, "get">;

/** The API key that a call brings; undefined where it brings none, or what cannot be one. */
export function apiKeyIn(headers: SentHeaders): string | undefined {
  return /^Bearer (sy_[A-Za-z0-9_-]{43})$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/** The token of a visitor's session; undefined where a call brings none, or what cannot be one. */
export function visitorTokenIn(headers: SentHeaders): string | undefined {
  return /^Bearer (cs_[A-Za-z0-9_-]{43})$/.exec(headers.get("authorization") ?? "")?.[1];
}
