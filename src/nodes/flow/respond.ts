import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { type ConfigFinding, defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { answerHeaderProblem, isAnswerHeader } from "../../doors/http-answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { onErrorField } from "./error-field.ts";

const bodyTypes = ["input", "json", "text", "none"] as const;

function headerFindings(config: JsonObject): ConfigFinding[] {
  const headers = isJsonObject(config.headers) ? config.headers : {};
  return Object.entries(headers).flatMap(([name, value]): ConfigFinding[] => {
    const message = answerHeaderProblem(name, typeof value === "string" && !value.includes("{{") ? value : "");
    if (message !== undefined)
      return [{ field: "headers", severity: "error", message, hint: "Remove or correct this header." }];
    return isAnswerHeader(name) ? [] : [{ field: "headers", severity: "warning", ...leftOut(name) }];
  });
}

const leftOut = (name: string) => ({
  message: `The header ${name} is left out: an answer cannot set it.`,
  hint: "Use content-type, content-disposition, location, cache-control, etag, last-modified, retry-after or a name of your own that begins with x-.",
});

export const respond = defineNode({
  type: "respond",
  version: 1,
  role: "flow",
  title: "Respond",
  summary: "Answers the HTTP request that started the run.",
  keywords: ["response", "reply", "return", "webhook", "output", "json", "answer", "api response", "result"],
  section: "data",
  icon: "reply",
  config: z.object({
    status: field(z._default(z.int().check(z.minimum(200), z.maximum(599)), 200), {
      label: "Status",
      help: "200 for success; 400 and above tell the caller that something went wrong.",
      template: "value",
    }),
    headers: field(z._default(z.record(z.string(), z.string()), {}), {
      label: "Headers",
      help: "Content-type, content-disposition, location, cache-control, etag, last-modified, retry-after, and names of your own that begin with x-. Others are left out. The content type follows from the body unless it is set here.",
      template: "header",
    }),
    bodyType: field(z._default(z.enum(bodyTypes), "input"), {
      label: "Body",
      help: "What the caller gets.",
      optionTitles: { input: "The input as JSON", json: "JSON", text: "Text", none: "Nothing" },
    }),
    json: field(z._default(jsonValue(), {}), {
      label: "JSON",
      help: "The value to send. A text that is only {{…}} stays a number, a list or whatever it is.",
      control: "json",
      template: "value",
      visibleWhen: { field: "bodyType", in: ["json"] },
    }),
    text: field(z._default(z.string().check(z.maxLength(1_000_000)), ""), {
      label: "Text",
      help: "Sent as it is, as plain text unless a content-type header says otherwise.",
      control: "textarea",
      template: "text",
      visibleWhen: { field: "bodyType", in: ["text"] },
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Answer" }) },
  reach: nowhere,
  describe: ({ status, bodyType }) =>
    typeof status === "number" || typeof status === "string"
      ? `${String(status)} · ${bodyWords[String(bodyType)] ?? "the input"}`
      : "",
  outputKeys: () => ["status", "headers", "body"],
  check: headerFindings,
  /** The answer; what the caller gets is sent by the door that the request came by. */
  run({ config, json, node, emit }) {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(config.headers)) {
      const problem = answerHeaderProblem(name, value);
      if (problem !== undefined)
        throw new RunError({ code: "invalid_config", message: problem, hint: "Correct the headers of this node." });
      if (isAnswerHeader(name)) headers[name] = value;
      else emit({ type: "warning", nodeId: node.id, ...leftOut(name) });
    }
    const bodies: Record<(typeof bodyTypes)[number], Json> = {
      input: json,
      json: config.json,
      text: config.text,
      none: null,
    };
    return { status: config.status, headers, body: bodies[config.bodyType] };
  },
});

const bodyWords: Readonly<Record<string, string>> = { input: "the input", json: "JSON", text: "text", none: "no body" };
