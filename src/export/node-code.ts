import type { NodeRecord } from "../engine/document/workflow-document.ts";
import { isJsonObject, type Json } from "../engine/json.ts";
import { configOf, type ExportWork, placeOf } from "./exported-node.ts";
import { requestCode } from "./request-code.ts";
import { textCode, textsCode, valueCode } from "./template-code.ts";
import { typedJavaScript } from "./typed-javascript.ts";

/** Types whose outputs are several ports, of which one is taken. */
export const branching: ReadonlySet<string> = new Set(["if", "switch", "approval"]);

/**
 * The body of a flow node's function, in which `json` is its input and `scope` the run; undefined where the node has no
 * counterpart. A branching node gives an object with the port that it takes.
 */
export function flowNodeBody(work: ExportWork, node: NodeRecord): string | undefined {
  const config = configOf(work, node);
  const place = placeOf(work, node);
  const { file } = work;
  switch (node.type) {
    case "if":
      return `  const condition: Json = ${valueCode(config.condition ?? "", place)};
  return String(condition) === "true" ? { true: json } : { false: json };`;
    case "switch": {
      const cases = Array.isArray(config.cases) ? config.cases : [];
      const listed = cases.map((one, index) => `    [${valueCode(one, place)}, "case${index + 1}"],`).join("\n");
      return `  const value = ${file.helper("text")}(${valueCode(config.value ?? "", place)}).trim();
  const cases: [Json, string][] = [\n${listed}\n  ];
  const found = cases.find(([one]) => ${file.helper("text")}(one).trim() === value);
  return { [found?.[1] ?? "default"]: json };`;
    }
    case "approval":
      return `  const message = ${textCode(String(config.message ?? ""), place)};
  const approved = (await scope.options.approve?.({ tool: ${JSON.stringify(node.title)}, args: { message } })) ?? false;
  const input = typeof json === "object" && json !== null && !Array.isArray(json) ? json : { value: json };
  return { [approved ? "approved" : "declined"]: { ...input, approval: { approved } } };`;
    case "set-fields": {
      const fields = isJsonObject(config.fields) ? valueCode(config.fields, place) : "{}";
      const from = config.from === null || config.from === undefined ? "" : `...${valueCode(config.from, place)}, `;
      return `  return { ${config.keepInput === false ? "" : "...json, "}${from}...${fields} };`;
    }
    case "code": {
      const inputs = isJsonObject(config.inputs) ? config.inputs : {};
      file.note("Its code runs in the program itself, not in a sandbox.", node.title);
      const names = Object.keys(inputs).join(", ");
      return `  const { ${names} }: Json = ${valueCode(inputs, place)};\n${typedJavaScript(typeof config.code === "string" ? config.code : "")}`;
    }
    case "http-request":
      return `  return await ${requestCode(config, place)};`;
    case "stop":
      return `  throw new Error(${textCode(String(config.message ?? ""), place)});`;
    case "wait":
      return `  ${waitCode(config.mode, config, place)}\n  return json;`;
    case "respond": {
      const bodies: Record<string, string> = {
        input: "json",
        json: valueCode((config.json ?? {}) as Json, place),
        text: textCode(String(config.text ?? ""), place),
        none: "null",
      };
      const headers = isJsonObject(config.headers) ? textsCode(config.headers, place) : "{}";
      return `  return { status: ${valueCode(config.status ?? 200, place)}, headers: ${headers}, body: ${bodies[String(config.bodyType)] ?? "json"} };`;
    }
    default:
      return undefined;
  }
}

const unitMs: Readonly<Record<string, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

function waitCode(mode: unknown, config: Record<string, Json>, place: ReturnType<typeof placeOf>): string {
  const ms =
    mode === "until"
      ? `Math.max(0, Date.parse(${textCode(String(config.until ?? ""), place)}) - Date.now())`
      : String(Number(config.amount ?? 0) * (unitMs[String(config.unit)] ?? 1_000));
  return `await new Promise((resolve) => setTimeout(resolve, ${ms}));`;
}
