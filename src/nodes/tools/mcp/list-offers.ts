import { z } from "zod/mini";
import { jsonProblem } from "../../../engine/document/json-problem.ts";
import { hasTemplate } from "../../../engine/template/split-template.ts";
import { longestUri } from "./pin-limits.ts";

/** Something that a server lets clients read. */
export interface McpResource {
  uri: string;
  name: string;
  description: string;
  mimeType: string;
}

/** Addresses with parts in braces to be filled in, as in `file:///{path}`. */
export interface McpResourceTemplate {
  uriTemplate: string;
  name: string;
  description: string;
}

/** A text that a server makes from arguments. */
export interface McpPrompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}

/** What a server has besides tools. */
export interface McpOffers {
  resources: McpResource[];
  templates: McpResourceTemplate[];
  prompts: McpPrompt[];
}

const mostOffers = 1_000;
const mostPages = 50;

/** What becomes part of a document as a key, or stands beside templates there, may neither break it nor be one. */
const safeName = z.string().check(
  z.minLength(1),
  z.maxLength(200),
  z.refine((name) => !hasTemplate(name) && jsonProblem({ [name]: "" }, { characters: 1_000, depth: 1 }) === undefined),
);

const named = { name: z._default(z.string(), ""), description: z._default(z.string(), "") };

const listedResource = z.looseObject({
  ...named,
  uri: z.string().check(z.minLength(1), z.maxLength(longestUri)),
  title: z.optional(z.string()),
  mimeType: z._default(z.string(), ""),
});

const listedTemplate = z.looseObject({
  ...named,
  uriTemplate: z.string().check(z.minLength(1), z.maxLength(longestUri)),
  title: z.optional(z.string()),
});

const listedPrompt = z.looseObject({
  name: safeName,
  title: z._default(z.string(), ""),
  description: z._default(z.string(), ""),
  arguments: z._default(
    z
      .array(
        z.looseObject({
          name: safeName,
          description: z._default(z.string(), ""),
          required: z._default(z.boolean(), false),
        }),
      )
      .check(z.maxLength(50)),
    [],
  ),
});

interface Page {
  [key: string]: unknown;
  nextCursor?: string | undefined;
}

type ListPage = (params: { cursor?: string }, options: { signal: AbortSignal; timeout: number }) => Promise<Page>;

/** What lists need of the protocol's client. */
interface ListingClient {
  listResources: ListPage;
  listResourceTemplates: ListPage;
  listPrompts: ListPage;
}

/** All pages of a list, up to a number of entries; those of another form are left out. */
async function listAll<Entry>(
  ask: (params: { cursor?: string }) => Promise<Page>,
  key: string,
  form: z.ZodMiniType<Entry>,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && entries.length < mostOffers; page += 1) {
    const listed = await ask(cursor === undefined ? {} : { cursor });
    const raw = listed[key];
    for (const one of Array.isArray(raw) ? raw : []) {
      const known = form.safeParse(one);
      if (known.success) entries.push(known.data);
    }
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return entries.slice(0, mostOffers);
}

/** JSON-RPC's number for a request that the other side does not know. */
const methodNotFound = -32_601;

function emptyIfUnknown(error: unknown): [] {
  if (error instanceof Error && "code" in error && error.code === methodNotFound) return [];
  throw error;
}

/** Lists a server's resources, their templates and its prompts, as far as it says that it has any. */
export async function listOffers(
  client: ListingClient,
  has: { resources: boolean; prompts: boolean },
  options: { signal: AbortSignal; timeout: number },
): Promise<McpOffers> {
  const [resources, templates, prompts] = await Promise.all([
    has.resources ? listAll((params) => client.listResources(params, options), "resources", listedResource) : [],
    has.resources
      ? // Servers without templates need not know the question.
        listAll((params) => client.listResourceTemplates(params, options), "resourceTemplates", listedTemplate).catch(
          emptyIfUnknown,
        )
      : [],
    has.prompts ? listAll((params) => client.listPrompts(params, options), "prompts", listedPrompt) : [],
  ]);
  return {
    resources: unique(resources, "uri").map(({ uri, name, title, description, mimeType }) => ({
      uri,
      name: title ?? name,
      description,
      mimeType,
    })),
    templates: unique(templates, "uriTemplate").map(({ uriTemplate, name, title, description }) => ({
      uriTemplate,
      name: title ?? name,
      description,
    })),
    prompts: unique(prompts, "name").map(({ name, title, description, arguments: asked }) => ({
      name,
      title,
      description,
      arguments: asked.map((argument) => ({
        name: argument.name,
        description: argument.description,
        required: argument.required,
      })),
    })),
  };
}

/** Of two entries with one key the first counts. */
function unique<Key extends string, Entry extends Record<Key, string>>(entries: readonly Entry[], key: Key): Entry[] {
  return [...new Map(entries.toReversed().map((entry) => [entry[key], entry])).values()].toReversed();
}
