import type { Json } from "../json.ts";

/** Origins that a tool's interface may reach, such as `https://api.example.com`, sorted. */
export interface AppHosts {
  /** For requests and sockets. */
  connect: readonly string[];
  /** For scripts, styles, pictures, fonts and media. */
  resource: readonly string[];
}

/** A tool's interface: a document that is shown in a frame which can reach nothing but what a person has accepted. */
export interface ToolApp {
  /** What the server calls it: `ui://…`. */
  uri: string;
  /** Stands for the server and the credential that its tool was called with: what it asks for goes nowhere else. */
  server: string;
  /** SHA-256 of the document, in hex. */
  sha256: string;
  /** The document; absent where an earlier event of the run has the one with this hash. */
  html?: string;
  /** What a person has accepted. */
  hosts: AppHosts;
  /** What it asks for besides, and does not get. */
  refusedHosts: readonly string[];
}

/** A tool's interface as a run shows it. */
export interface ShownApp {
  app: ToolApp;
  /** The document; absent where the run's log does not have it. */
  html: string | undefined;
  runId: string;
  /** The agent that called the tool, and the tool's node. */
  nodeId: string;
  toolNodeId: string;
  toolName: string;
  /** The arguments of the call. */
  input: Json;
  /** The result as the server gave it. */
  output: Json;
}
