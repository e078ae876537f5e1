import type { JsonObject, JsonSchema } from "../engine/json.ts";

/** What an OpenAPI document is made of. */
export interface DescribedWorkflow {
  slug: string;
  name: string;
  version: number | null;
  inputSchema: JsonSchema;
}

const problem = { $ref: "#/components/responses/Problem" };
const json = (schema: JsonObject): JsonObject => ({ "application/json": { schema } });
const runId: JsonObject = { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } };
const run = { $ref: "#/components/schemas/Run" };

/** The run API of one published workflow, as OpenAPI 3.1 describes it. */
export function openApiOf({ slug, name, version, inputSchema }: DescribedWorkflow): JsonObject {
  return {
    openapi: "3.1.0",
    info: { title: name, version: version === null ? "unpublished" : String(version) },
    // From where the document itself is: /api/run/<slug>/openapi.json below it.
    servers: [{ url: "../.." }],
    security: [{ key: [] }],
    paths: {
      [`/api/run/${slug}`]: {
        post: {
          operationId: "run",
          summary: `Run “${name}”`,
          parameters: [
            {
              name: "Idempotency-Key",
              in: "header",
              description: "The same key with the same input starts the same run.",
              schema: { type: "string", maxLength: 255 },
            },
            {
              name: "Prefer",
              in: "header",
              description: "respond-async answers at once, with the address of the run.",
              schema: { type: "string", enum: ["respond-async"] },
            },
          ],
          requestBody: {
            required: true,
            content: { ...json(inputSchema), "multipart/form-data": { schema: formSchema } },
          },
          responses: {
            "200": {
              description: "The run has completed. With Accept: text/event-stream, what happens as it happens.",
              content: { ...json(run), "text/event-stream": { schema: { type: "string" } } },
            },
            "202": {
              description: "The run goes on. Ask its address how it ended.",
              headers: { Location: { schema: { type: "string" } } },
              content: json(run),
            },
            "502": { description: "The run failed.", content: json(run) },
            default: problem,
          },
        },
      },
      "/api/runs/{id}": {
        get: {
          operationId: "getRun",
          summary: "How a run stands",
          parameters: [runId],
          responses: { "200": { description: "The run.", content: json(run) }, default: problem },
        },
      },
      "/api/runs/{id}/events": {
        get: {
          operationId: "getRunEvents",
          summary: "What happens in a run, as it happens",
          parameters: [runId, { name: "Last-Event-ID", in: "header", schema: { type: "integer" } }],
          responses: {
            "200": {
              description: "Server-sent events, until the run has ended.",
              content: { "text/event-stream": { schema: { type: "string" } } },
            },
            default: problem,
          },
        },
      },
      "/api/runs/{id}/cancel": {
        post: {
          operationId: "cancelRun",
          summary: "Cancel a run",
          parameters: [runId],
          responses: { "200": { description: "The run.", content: json(run) }, default: problem },
        },
      },
    },
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key from the studio's settings." },
      },
      schemas: { Run: runSchema, Problem: problemSchema },
      responses: {
        Problem: {
          description: "Why it was not done (RFC 9457).",
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
    },
  };
}

const formSchema: JsonObject = {
  type: "object",
  description: "The fields of the input, and files in them.",
  properties: {
    input: { description: "A JSON object that the other fields are added to." },
    files: { type: "array", items: { type: "string", format: "binary" } },
  },
  additionalProperties: true,
};

const runSchema: JsonObject = {
  type: "object",
  required: ["id", "workflow", "status"],
  properties: {
    id: { type: "string", format: "uuid" },
    workflow: { type: "string" },
    version: { type: ["integer", "null"] },
    status: { enum: ["queued", "running", "waiting", "completed", "failed", "cancelled"] },
    output: {
      description:
        "What the workflow gives; null until it has completed. A file in it has a url that lasts for an hour.",
    },
    error: {
      type: "object",
      properties: { code: { type: "string" }, message: { type: "string" }, hint: { type: "string" } },
    },
    usage: {
      type: "object",
      properties: { totalTokens: { type: ["integer", "null"] }, costUsd: { type: ["number", "null"] } },
    },
    url: { type: "string", description: "Where the run can be asked for." },
  },
};

const problemSchema: JsonObject = {
  type: "object",
  required: ["type", "title", "status", "code"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string" },
  },
};
