import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Where the functions are, and what their processes may see. */
export interface FunctionPlaces {
  projectRoot: string;
  /** Holds one folder per function, and `deno.json`. */
  folder: string;
  /** Deno's own cache. */
  cache: string;
  /** May not be read, where there is one. */
  dataRoot: string | undefined;
  /** All that the functions see of an environment. */
  environment: Record<string, string>;
}

// Certificates that an operator has given to Deno or Node are worth as much to the functions.
const passedOn = ["DENO_CERT", "DENO_TLS_CA_STORE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];

/** Deno's arguments for the process of one function: it may reach the network and read the project, nothing else. */
export function denoArguments(name: string, places: FunctionPlaces): string[] {
  const readable = ["supabase", "src", "node_modules", "package.json"].map((entry) => join(places.projectRoot, entry));
  return [
    "run",
    "--no-prompt",
    "--no-check",
    "--no-lock",
    "--cached-only",
    "--node-modules-dir=manual",
    // request.signal fires when the caller goes away, not also after every answer.
    "--unstable-no-legacy-abort",
    `--config=${join(places.folder, "deno.json")}`,
    "--allow-net",
    // All of an environment that we compose ourselves.
    "--allow-env",
    `--allow-read=${[...readable, places.folder].join(",")}`,
    ...(places.dataRoot === undefined ? [] : [`--deny-read=${places.dataRoot}`]),
    "--v8-flags=--max-old-space-size=256",
    fileURLToPath(new URL("functions-server.ts", import.meta.url)),
    `${pathToFileURL(places.folder).href}/`,
    name,
  ];
}

/** What a function's process sees of an environment: what it is given, and nothing of ours. */
export function denoEnvironment(places: FunctionPlaces, token: string): Record<string, string> {
  const inherited = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    ...places.environment,
    DENO_DIR: places.cache,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
    SWITCHYARD_FUNCTIONS_TOKEN: token,
  };
}
