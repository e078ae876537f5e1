import { z } from "zod/mini";
import "../../engine/config/english-issues.ts";
import { aiTypes } from "../../engine/template/ai-call.ts";
import { placeOf } from "./place-of.ts";
import { httpMethods } from "../http/http-methods.ts";

/**
 * A connector: what an HTTP service can do, as data. One JSON file per service in `presets/`; docs/add-a-connector.md explains
 * every field.
 */

const id = z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Use lowercase letters, digits and single hyphens."));
const line = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
const texts = z.record(z.string().check(z.minLength(1)), z.string());

const parameter = z.strictObject({
  /** What the model and the person call it. */
  name: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1–64 letters, digits, _ or -.")),
  /** How the service calls it, where that is something else, such as `customer[email]`. */
  key: z.optional(line(100)),
  in: z.enum(["path", "query", "header", "body"]),
  type: z._default(z.enum(aiTypes), "string"),
  required: z._default(z.boolean(), false),
  help: line(400),
  /** It says something and leads nowhere, such as a message's text: after text from outside, nobody is asked about it. */
  content: z._default(z.boolean(), false),
  /** Sent where nobody says otherwise. */
  default: z.optional(z.json()),
});

const paging = z.strictObject({
  kind: z.enum(["page", "offset", "cursor", "link"]),
  /** Parameter that carries the number or the cursor; not for links. */
  parameter: z.optional(line(100)),
  /** Path of the cursor or the address in the answer; absent for the Link header. */
  next: z.optional(line(200)),
  /** Path of the list in the answer; absent where the answer is the list. */
  items: z.optional(line(200)),
});

const operationSchema = z.strictObject({
  id,
  title: line(60),
  summary: line(300),
  method: z.enum(httpMethods),
  /** Added to the base URL; a parameter of the path stands in braces, `/users/{user}`. */
  path: z.string().check(z.regex(/^(\/[^\s?#]*)?$/, "Begin it with /; a query belongs in parameters.")),
  /** Another base URL than the connector's. */
  baseUrl: z.optional(z.string()),
  parameters: z._default(z.array(parameter), []),
  /** Sent with every call, besides the parameters; one whose name stands here in braces is sent only there. */
  query: z._default(texts, {}),
  headers: z._default(texts, {}),
  /**
   * The body, where it is more than its parameters side by side. In JSON a text `{name}` is the parameter's value; a text body
   * also knows `{line:name}` and `{base64:name}`. Members without a value are not sent.
   */
  body: z.optional(z.json()),
  bodyType: z._default(z.enum(["json", "form", "text"]), "json"),
  /** Whether it changes or sends something. */
  writes: z.boolean(),
  /**
   * A second time changes nothing more: the service ignores another request with the same `Idempotency-Key`, or what is set is set
   * already. It is repeated after a crash, where other operations that write ask first.
   */
  repeatable: z._default(z.boolean(), false),
  paging: z.optional(paging),
});

const credential = z.strictObject({
  type: z.enum(["http-basic", "http-header", "http-bearer", "http-api-key", "oauth2"]),
  /** What the service calls it: "Bot token". */
  title: line(60),
  /** Where one gets it, and which rights it needs. */
  help: line(600),
  /** What the form of a new credential is filled with; no secrets. */
  fields: z._default(z.record(z.string(), z.string()), {}),
  /** Whether the service answers without one. */
  optional: z._default(z.boolean(), false),
});

const connector = z
  .strictObject({
    id,
    title: line(40),
    summary: line(200),
    /** Name of an icon of the studio. */
    icon: z._default(line(40), "globe"),
    /** Other words that find it. */
    keywords: z._default(z.array(line(40)), []),
    /** Where the service documents what is written here. */
    documentation: z.url({ protocol: /^https$/ }),
    /** Without a slash at its end; what only the person knows stands in angle brackets: `https://<your-site>.example.com`. */
    baseUrl: z
      .string()
      .check(z.regex(/^https:\/\/[^\s?#]*[^\s?#/]$/, "Begin it with https:// and end it without a slash.")),
    credential: z.optional(credential),
    /** Sent with every call. */
    headers: z._default(texts, {}),
    /** Path of the error in answers of status 2xx, where the service tells errors so. */
    errorAt: z.optional(line(200)),
    operations: z.array(operationSchema).check(z.minLength(1)),
  })
  .check(
    z.superRefine(({ operations }, context) => {
      const known = new Set<string>();
      for (const [at, one] of operations.entries()) {
        const complain = (message: string) => context.addIssue({ code: "custom", path: ["operations", at], message });
        if (known.has(one.id)) complain(`Two operations are called ${one.id}.`);
        known.add(one.id);
        for (const problem of operationProblems(one)) complain(problem);
      }
    }),
  );

/** A service and what it can do. */
export type Connector = z.infer<typeof connector>;
export type Operation = Connector["operations"][number];
export type Parameter = Operation["parameters"][number];

const namesIn = (text: string) => [...text.matchAll(placeOf)].map(([, , name = ""]) => name);

/** Names in braces of a JSON body, where each is a whole text. */
function bodyNames(value: z.infer<ReturnType<typeof z.json>>): string[] {
  if (typeof value === "string") return namesIn(value).filter((name) => value === `{${name}}`);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(bodyNames);
}

/** What does not go together in one operation. */
function operationProblems(operation: z.infer<typeof operationSchema>): string[] {
  const { method, path, parameters, query, headers, body, bodyType, writes, paging: pages } = operation;
  const names = parameters.map(({ name }) => name);
  const inBody = parameters.filter((one) => one.in === "body");
  const rest = Object.values({ ...query, ...headers }).flatMap(namesIn);
  const inText =
    typeof body === "string" && bodyType === "text" ? namesIn(body) : body === undefined ? [] : bodyNames(body);
  const problems: string[] = [];
  for (const name of new Set(names)) {
    if (names.filter((one) => one === name).length > 1) problems.push(`Two parameters are called ${name}.`);
  }
  for (const name of [...namesIn(path), ...rest, ...inText]) {
    if (!names.includes(name)) problems.push(`{${name}} stands somewhere, but no parameter is called so.`);
  }
  for (const { name, in: place, required } of parameters) {
    if (place === "path" && !namesIn(path).includes(name))
      problems.push(`The parameter ${name} has no place in the path.`);
    if (place === "path" && !required)
      problems.push(`The parameter ${name} is part of the path, so it has to be required.`);
    if (place === "body" && body !== undefined && !inText.includes(name)) {
      problems.push(`The parameter ${name} has no place in the body.`);
    }
    if (bodyType === "text" && place === "body" && !required)
      problems.push(`A text body needs the parameter ${name}: make it required.`);
  }
  if ((method === "GET" || method === "HEAD") && (inBody.length > 0 || body !== undefined)) {
    problems.push(`A ${method} request cannot carry a body.`);
  }
  if (bodyType === "form" && body !== undefined) problems.push("A form is built from its parameters and has no body.");
  if (bodyType === "text" && typeof body !== "string")
    problems.push("With bodyType text, the body has to be a string.");
  if (pages && writes) problems.push("An operation that changes something cannot have pages.");
  if (pages && pages.kind !== "link" && pages.parameter === undefined)
    problems.push("This kind of paging needs a parameter.");
  if (pages?.kind === "cursor" && pages.next === undefined)
    problems.push('A cursor needs "next", its path in the answer.');
  return problems;
}

/** Reads a connector strictly. Throws an Error that names the file and everything that is wrong with it. */
export function readConnector(file: string, value: unknown): Connector {
  const parsed = connector.safeParse(value);
  if (parsed.success) return parsed.data;
  const said = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the file"}: ${message}`);
  throw new Error(`The connector ${file} cannot be read. ${said.join(" ")}`);
}
