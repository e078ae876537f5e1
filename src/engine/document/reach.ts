import type { z } from "zod/mini";
import { describeFields } from "../config/describe-fields.ts";
import { isVisible } from "../config/parse-config.ts";
import type { Json, JsonObject } from "../json.ts";

/** What a tool exposes an agent to: private data, untrusted content, or a way to send something out. */
export type Exposure = "private-data" | "untrusted-input" | "way-out";

/**
 * Something outside the run that a node uses. `Field` is the name of one of its settings. A function is given the stored
 * settings, templates unresolved.
 */
export type Reach<Field extends string = string> =
  /** A web server. Its address is in `url`; while that is empty, the model chooses one of `allowedHosts`. */
  | { to: "host"; url: Field; method?: Field; allowedHosts?: Field; credential?: Field }
  /** The server of a credential, or `url` if it is given. `does` describes it better, as the end of a sentence. */
  | { to: "server"; credential: Field; url?: Field; does?(config: JsonObject): string }
  | DatabaseReach<Field>
  /** Runs code in the sandbox, which has no network. */
  | { to: "code" }
  /**
   * A vendor's model, or the browser's; the address comes with the credential. `searches`: whether the vendor lets the
   * model read the web.
   */
  | { to: "model"; searches?(config: JsonObject): boolean }
  /** A vendor's embeddings; without a credential, those of the collection or none. */
  | { to: "embeddings"; credential: Field }
  /** The conversations that the studio keeps. */
  | { to: "conversations" }
  /** The documents that the studio keeps. */
  | { to: "knowledge" }
  /** Another saved workflow, whose nodes have reaches of their own. */
  | { to: "workflow" }
  /** The workflow that is open in the editor, and its runs; only in the assistant. */
  | { to: "studio" }
  /** Nothing by itself: the trigger's output comes from whoever may call the published workflow. */
  | { to: "callers" };

/** The database of a credential. */
interface DatabaseReach<Field extends string> {
  to: "database";
  credential: Field;
  /** What a run does there, as the end of a sentence: "reads rows of orders in a Postgres database". */
  does(config: JsonObject): string;
  /** Whether rows come back. */
  reads(config: JsonObject): boolean;
  /** Whether it may change rows or anything else there. */
  writes(config: JsonObject): boolean;
  /** Whether a model can write text into rows, which others read, without approval. */
  sends(config: JsonObject): boolean;
}

/** The reach of a node that uses nothing outside the run. Nodes that are connected to it declare their own. */
export const nowhere: readonly never[] = [];

/** The parts of a node type that tell what it reaches. */
interface Reaching {
  role: string;
  reach: readonly Reach[];
  config: z.ZodMiniObject;
}

const noExposure: readonly Exposure[] = [];

/**
 * What an agent is exposed to that uses the tool or the model, or follows the node. Memories add nothing of their own:
 * messages carry their marks with them.
 */
export function exposureOf(definition: Reaching, config: JsonObject): readonly Exposure[] {
  const { role, reach } = definition;
  if (reach.length === 0 || role === "memory") return noExposure;
  return [...new Set(reach.flatMap((one) => exposureTo(one, definition, config)))];
}

function exposureTo(reach: Reach, definition: Reaching, config: JsonObject): readonly Exposure[] {
  switch (reach.to) {
    case "host": {
      const sends = textOf(config, reach.url) === "" || aiFillsIn(definition, config);
      return [...privateData(config, reach.credential), "untrusted-input", ...(sends ? ["way-out" as const] : [])];
    }
    case "server":
      // What the server does is not known here.
      return [...privateData(config, reach.credential), "untrusted-input", "way-out"];
    case "database": {
      const sends = reach.sends(config) ? ["way-out" as const] : [];
      return reach.reads(config) ? ["private-data", "untrusted-input", ...sends] : sends;
    }
    case "knowledge":
    case "studio":
      return ["private-data", "untrusted-input"];
    case "workflow":
      // What the other workflow does is not known here.
      return ["untrusted-input", "way-out"];
    case "callers":
      return ["untrusted-input"];
    case "model":
      return reach.searches?.(config) === true ? ["untrusted-input"] : noExposure;
    case "code":
    case "embeddings":
    case "conversations":
      return noExposure;
  }
}

/** With a credential, a server may return private data. */
function privateData(config: JsonObject, credential: string | undefined): readonly Exposure[] {
  return credential !== undefined && textOf(config, credential) !== "" ? ["private-data"] : noExposure;
}

/** Whether a model fills in part of a visible setting. A fixed request cannot send anything out. */
function aiFillsIn(definition: Reaching, config: JsonObject): boolean {
  const fields = describeFields(definition.config);
  return fields.some(
    (field) =>
      field.ai && isVisible(field, fields, config) && /\bai\s*\(/.test(JSON.stringify(config[field.name] ?? "")),
  );
}

/**
 * What a run with this config would contact or execute, as the end of a sentence ("sends GET requests to
 * api.example.com"); undefined for nothing. Imported nodes with a description wait for a person's review. Models have
 * none, since only their credential tells where they are.
 */
export function outreachOf({ reach }: Pick<Reaching, "reach">, { config }: { config: JsonObject }): string | undefined {
  const told = reach.flatMap((one) => outreachTo(one, config) ?? []);
  return told.length === 0 ? undefined : told.join(" and ");
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
    case "embeddings":
      return textOf(config, reach.credential) === "" ? undefined : "connects to the server of its credential";
    case "model":
    case "conversations":
    case "knowledge":
    case "workflow":
    case "callers":
      return undefined;
  }
}

/** Whether a node contacts something outside or runs code, so that its start has to be stored first. */
export function leavesStudio({ reach }: Pick<Reaching, "reach">): boolean {
  return reach.some(({ to }) => to === "host" || to === "server" || to === "database" || to === "code");
}

/** Whether a node uses a server outside the studio, so that a replay needs a recording of it. */
export function leavesForServer({ reach }: Pick<Reaching, "reach">): boolean {
  return reach.some(({ to }) => to === "host" || to === "server" || to === "database");
}

/** Whether a node may change something outside the run; true if that cannot be known. */
export function mayWrite({ reach }: Pick<Reaching, "reach">, config: JsonObject): boolean {
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
      case "code":
      case "model":
      case "embeddings":
      case "conversations":
      case "knowledge":
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

function textOf(config: JsonObject, field: string): string {
  const value = config[field];
  return typeof value === "string" ? value.trim() : "";
}
