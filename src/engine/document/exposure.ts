import type { z } from "zod/mini";
import { describeFields } from "../config/describe-fields.ts";
import { isVisible } from "../config/field-values.ts";
import type { JsonObject } from "../json.ts";
import { type Reach, textOf } from "./reach.ts";

/** What a tool exposes an agent to: private data, untrusted content, or a way to send something out. */
export type Exposure = "private-data" | "untrusted-input" | "way-out";

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
      const sends = textOf(config, reach.url) === "" || isFilledIn(definition, config);
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
      return reach.does === undefined ? ["private-data", "untrusted-input"] : noExposure;
    case "studio":
      return ["private-data", "untrusted-input"];
    case "workflow":
      // What the other workflow does is not known here.
      return ["untrusted-input", "way-out"];
    // Whoever speaks in a recording may have been told what to say.
    case "transcription":
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

/**
 * Whether part of a visible setting comes from elsewhere: of a tool from the model, of a step of the flow from the steps before it. A
 * fixed request cannot send anything out.
 */
function isFilledIn(definition: Reaching, config: JsonObject): boolean {
  const fields = describeFields(definition.config);
  const isStep = definition.role === "flow";
  const filled = isStep ? /\{\{/ : /\bai\s*\(/;
  return fields.some(
    (field) =>
      (isStep ? field.template !== undefined : field.ai) &&
      isVisible(field, fields, config) &&
      filled.test(JSON.stringify(config[field.name] ?? "")),
  );
}
