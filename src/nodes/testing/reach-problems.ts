import { describeFields, type FieldDescription } from "../../engine/config/describe-fields.ts";
import { defaultConfig, isBlank } from "../../engine/config/field-values.ts";
import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import { mayWrite } from "../../engine/document/outreach.ts";
import type { Reach } from "../../engine/document/reach.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { givenFile, type Use } from "./recording-host.ts";
import { useNode } from "./use-node.ts";

const message = { message: "Hi", sessionId: "s" };
const address = "https://api.example.com/orders";

/** What a field that has to be filled in is given. */
function filling({ name, control, template }: FieldDescription): Json {
  if (control === "credential") return "credential-of-the-node";
  if (control === "collection") return "handbook";
  if (control === "workflow") return "other";
  if (control === "mcp-tools") return { search: "pinned" };
  return template === "url" || name === "url" ? address : "true";
}

/** Settings with which a node can do its work, then the same with each choice made otherwise and each of these fields left empty. */
function settingsOf(definition: AnyNodeDefinition): JsonObject[] {
  const fields = describeFields(definition.config);
  const base = defaultConfig(definition.config);
  const empties: string[] = [];
  for (const field of fields) {
    const named = field.control === "credential" || field.name === "url";
    const needed = (field.required && isBlank(base[field.name])) || field.control === "mcp-tools";
    if (needed || named) base[field.name] = filling(field);
    if (named && !field.required) empties.push(field.name);
  }
  const others = fields.flatMap(({ name, control, options = [] }) => {
    const choices = control === "switch" ? [true, false] : options;
    return choices.filter((choice) => choice !== base[name]).map((choice) => ({ ...base, [name]: choice }));
  });
  return [base, ...others, ...empties.map((name) => ({ ...base, [name]: "" }))];
}

function hostOf(url: unknown): string {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host : "";
}

/** Whether a declared reach covers what was used, with the address and the credential of the settings. */
function covers(reach: Reach, use: Use, config: JsonObject): boolean {
  const signedBy = (field: string) => (use.credential ?? "") === (config[field] ?? "");
  switch (reach.to) {
    case "host":
      return (
        use.name === "execute-http" &&
        (isBlank(config[reach.url]) || hostOf(use.url) === hostOf(config[reach.url])) &&
        (use.credential === undefined || (reach.credential !== undefined && signedBy(reach.credential)))
      );
    case "server":
      if (use.through === "mcp")
        return signedBy(reach.credential) && reach.url !== undefined && use.url === config[reach.url];
      return (
        use.through === "function" &&
        use.name !== "execute-http" &&
        use.name !== "sql-tool" &&
        signedBy(reach.credential)
      );
    case "database":
      return use.name === "sql-tool" && signedBy(reach.credential);
    case "code":
      return use.through === "sandbox";
    case "model":
      return use.through === "model" && (use.credential ?? "") === (config["credential"] ?? "");
    case "transcription":
      return use.through === "model" && signedBy(reach.credential);
    case "embeddings":
      return use.through === "model" && (isBlank(config[reach.credential]) || signedBy(reach.credential));
    case "conversations":
    case "knowledge":
    case "workflow":
    case "callers":
    case "studio":
      return use.through === reach.to;
  }
}

/** Where what a node does and what it declares differ, in words. `during` watches each run. */
export async function reachProblems(
  definition: AnyNodeDefinition,
  during: <Value>(uses: Use[], run: () => Promise<Value>) => Promise<Value> = (_uses, run) => run(),
): Promise<string[]> {
  const { type, role, reach } = definition;
  const problems = new Set<string>();
  const missing = new Set(reach);
  // Notes and frames do not run; a placeholder and a stop only fail.
  let used =
    (role === "flow" && Object.keys(definition.outputs).length === 0) || type === "placeholder" || type === "stop";
  let mayChange = false;
  for (const config of settingsOf(definition)) {
    mayChange ||= mayWrite(definition, config);
    for (const input of role === "flow" ? [message, [1], { attachment: givenFile }] : [message]) {
      const outside: Use[] = [];
      const trial = await during(outside, () => useNode(definition, config, input));
      used ||= trial.used;
      for (const use of [...trial.uses, ...outside]) {
        const covering = reach.filter((one) => covers(one, use, config));
        for (const one of covering) missing.delete(one);
        if (covering.length === 0) problems.add(`${type} does not declare ${JSON.stringify(use)}`);
      }
    }
  }
  for (const { to } of missing) problems.add(`${type} declares "${to}" and never went there`);
  // What a memory writes has a name, under which it is there once.
  const asks = role === "memory" || describeFields(definition.config).some(({ name }) => name === "afterCrash");
  if (mayChange && !asks) problems.add(`${type} may change something outside and has no setting "afterCrash"`);
  if (!used) problems.add(`${type} could not be tried`);
  const declared = new Set(reach.flatMap((one) => ("credential" in one ? [one.credential] : [])));
  for (const { name, control } of describeFields(definition.config)) {
    if (control !== "credential" || role === "model" || declared.has(name)) continue;
    problems.add(`${type} has the credential "${name}" and does not declare where it goes`);
  }
  return [...problems];
}
