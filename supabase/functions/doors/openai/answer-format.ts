import { z } from "zod/mini";
import { isHarmless } from "../../../../src/engine/json-schema/bounded-check.ts";
import { schemaCheck } from "../../../../src/engine/json-schema/schema-check.ts";
import { type JsonSchema, parseJson } from "../../../../src/engine/json.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import type { AnswerNews } from "../../_shared/follow-answer.ts";

const schema = z.record(z.string(), z.json()) as unknown as z.ZodMiniType<JsonSchema>;

/** `response_format` of Chat Completions. */
export const chatFormat = z.union([
  z.object({ type: z.enum(["text", "json_object"]) }),
  z.pipe(
    z.object({ type: z.literal("json_schema"), json_schema: z.object({ schema }) }),
    z.transform(({ type, json_schema }) => ({ type, schema: json_schema.schema })),
  ),
]);

/** `text.format` of Responses. */
export const responseFormat = z.union([
  z.object({ type: z.enum(["text", "json_object"]) }),
  z.object({ type: z.literal("json_schema"), schema }),
]);

/** The form in which a client wants the answer; undefined for text. */
export type AnswerFormat = z.infer<typeof responseFormat> | null | undefined;

/** What the workflow is told of the form. Throws a DoorProblem where it is to keep to a schema and its answer is no JSON. */
export function formatInstruction(format: AnswerFormat, answersJson: boolean): string {
  if (!format || !("schema" in format)) return "";
  if (!answersJson) {
    throw new DoorProblem(
      problems.badRequest(
        "This workflow answers with text, so it cannot keep to a JSON format. Leave the format out, or set the output of its last agent to JSON.",
      ),
    );
  }
  return `\n\nThe answer must be JSON that fits this JSON Schema:\n\n${JSON.stringify(format.schema)}`;
}

/** The same news, with the text kept back until it is known to fit; an answer that does not is a failed run. */
export async function* fitting(
  news: AsyncGenerator<AnswerNews>,
  format: AnswerFormat,
): AsyncGenerator<AnswerNews, void> {
  if (!format || !("schema" in format)) {
    yield* news;
    return;
  }
  const texts: AnswerNews[] = [];
  for await (const one of news) {
    if (one.kind === "text") texts.push(one);
    else if (one.kind !== "end") yield one;
    else {
      const reason = one.run.status === "completed" ? misfit(one.text, format.schema) : undefined;
      if (reason === undefined) yield* texts;
      yield reason === undefined ? one : { ...one, run: { ...one.run, status: "failed", error: misfitError(reason) } };
    }
  }
}

function misfit(text: string, by: JsonSchema): string | undefined {
  const value = parseJson(text);
  if (value === undefined) return "It is no JSON.";
  // What could take long is not checked: the workflow was told the schema.
  if (!isHarmless({ schema: by, value })) return undefined;
  const verdict = schemaCheck(by)(value);
  return verdict.ok ? undefined : verdict.reason;
}

function misfitError(reason: string) {
  return {
    code: "model_error" as const,
    message: `The workflow's answer does not fit the schema of the request. ${reason}`,
    hint: "Ask for the fields that its agent's own output schema has.",
    retryable: false,
  };
}
