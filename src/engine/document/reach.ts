import type { JsonObject } from "../json.ts";

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
  /** A vendor's model that writes down recordings. */
  | { to: "transcription"; credential: Field }
  /** The conversations that the studio keeps. */
  | { to: "conversations" }
  /** The documents that the studio keeps. `does`: how it changes them, as the end of a sentence; absent where it only reads. */
  | { to: "knowledge"; does?: string }
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

/** The text that a config has in a field, trimmed; empty where it has none. */
export function textOf(config: JsonObject, field: string): string {
  const value = config[field];
  return typeof value === "string" ? value.trim() : "";
}
