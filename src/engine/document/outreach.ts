import { visibleName } from "../text/visible-name.ts";
import type { Json, JsonObject } from "../json.ts";
import { type AfterCrash, afterCrashIn } from "./after-crash.ts";
import { type Reach, textOf } from "./reach.ts";

/** The part of a node type that tells what it reaches. */
interface Reaching {
  reach: readonly Reach[];
}

/**
 * What a run with this config would contact or execute, as the end of a sentence ("sends GET requests to
 * api.example.com"); undefined for nothing. Imported nodes with a description wait for a person's review. Models have
 * none, since only their credential tells where they are.
 */
export function outreachOf({ reach }: Reaching, { config }: { config: JsonObject }): string | undefined {
  const told = reach.flatMap((one) => outreachTo(one, config) ?? []);
  return told.length === 0 ? undefined : visibleName(told.join(" and "));
}

function outreachTo(reach: Reach, config: JsonObject): string | undefined {
  switch (reach.to) {
    case "host":
      return requestWords(reach, config);
    case "server":
      return reach.does?.(config) ?? "connects to the server of its credential";
    case "database":
      return reach.does(config);
    case "code":
      return "runs its code in the sandbox";
    case "studio":
      return "reads the open workflow and its runs, and proposes changes";
    case "transcription":
      return "sends recordings to the server of its credential";
    case "embeddings":
      return textOf(config, reach.credential) === "" ? undefined : "connects to the server of its credential";
    case "knowledge":
      return reach.does;
    case "model":
    case "conversations":
    case "workflow":
    case "callers":
      return undefined;
  }
}

/** Whether a node contacts something outside, changes documents or runs code, so that its start has to be stored first. */
export function leavesStudio({ reach }: Reaching): boolean {
  return reach.some((one) => isServer(one) || one.to === "code" || (one.to === "knowledge" && one.does !== undefined));
}

/** Whether a node uses a server or documents, which may answer otherwise next time, so that a replay needs a recording of it. */
export function leavesForServer({ reach }: Reaching): boolean {
  return reach.some((one) => isServer(one) || one.to === "knowledge");
}

function isServer({ to }: Reach): boolean {
  return to === "host" || to === "server" || to === "database" || to === "transcription";
}

/** Whether a node may change something outside the run; true if that cannot be known. */
export function mayWrite({ reach }: Reaching, config: JsonObject): boolean {
  return reach.some((one) => {
    switch (one.to) {
      case "host": {
        // Without an address in the settings the model chooses the method, too.
        if (one.allowedHosts !== undefined && textOf(config, one.url) === "") return true;
        const method = one.method === undefined ? "" : textOf(config, one.method);
        return !/^(?:|GET|HEAD|OPTIONS)$/i.test(method);
      }
      case "server":
        return true;
      case "database":
        return one.writes(config);
      case "knowledge":
        return one.does !== undefined;
      case "code":
      case "model":
      case "embeddings":
      case "transcription":
      case "conversations":
      // What it proposes is accepted by a person.
      case "studio":
      // The nodes of another workflow have reaches of their own.
      case "workflow":
      case "callers":
        return false;
      default:
        return one satisfies never;
    }
  });
}

/** What becomes of a step that a crash interrupted; undefined for one that changes nothing, which may be done again. */
export function afterCrashOf(definition: Reaching, config: JsonObject): AfterCrash | undefined {
  return mayWrite(definition, config) ? afterCrashIn(config) : undefined;
}

/** Where requests go: "sends GET requests to api.example.com". */
function requestWords(reach: Extract<Reach, { to: "host" }>, config: JsonObject): string {
  const address = textOf(config, reach.url);
  if (address === "") {
    const hosts = listOf(reach.allowedHosts === undefined ? undefined : config[reach.allowedHosts]);
    return `sends requests that the model decides to ${hosts === "" ? "any public host" : hosts}`;
  }
  const method = reach.method === undefined ? "" : textOf(config, reach.method);
  return `sends ${method || "GET"} requests to ${address.replace(/^https?:\/\//i, "")}`;
}

function listOf(value: Json | undefined): string {
  return Array.isArray(value) ? value.map(String).join(", ") : "";
}
