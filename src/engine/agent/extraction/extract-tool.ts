import type { Json, JsonObject } from "../../json.ts";
import { visibleName } from "../../text/visible-name.ts";
import type { AskedForm, Tool, ToolCallContext, ToolResult } from "../../tool/tool.ts";
import { hasForeignLetters, readShortValue, SourceText } from "../../trust/extraction/short-value.ts";
import { type ConfirmedValue, confirmedValueSchema } from "../../trust/provenance/confirmed-values.ts";
import { firstChars } from "../../well-formed.ts";
import type { Execution } from "../execution.ts";
import {
  argumentSchema,
  type AskedValue,
  choicesOf,
  extractionParameters,
  readAsked,
  toolsThatAsk,
} from "./asked-values.ts";
import { findSource, type Source } from "./find-source.ts";
import { readValues } from "./read-values.ts";

export const extractToolName = "extract_values";

/** Characters of a text that a model is given, some 25,000 tokens. */
const maxSourceChars = 100_000;

/** A value that stands in the text, with the sentence around it. */
type FoundValue = ConfirmedValue &
  Pick<AskedValue, "type"> & { field: string; sentence: string | undefined; choices: readonly string[] };

/**
 * The tool by which an agent has values read out of a result of its tools: by a request that has no tools and sees nothing else, into
 * short types, and confirmed by a person. Undefined where none of the agent's tools asks for where a value came from.
 */
export function extractTool(execution: Execution): Tool | undefined {
  const asking = toolsThatAsk(execution.run.tools.flatMap(({ value }) => value.tools));
  if (asking.length === 0) return undefined;
  return {
    name: extractToolName,
    description:
      "Reads short values (an address, an account, an amount, a date, a name) out of the result of a tool, and has the user confirm them. Use it before you call a tool with values that a mail, a page or a file gave and the user did not: calls with confirmed values are made without another question. Ask for all values at once.",
    parameters: extractionParameters(asking),
    // The request has the agent's time, and a person has his own.
    timeoutMs: Infinity,
    readOnly: true,
    untrusted: true,
    confirmed: confirmedIn,
    execute: (input, context) => extract(execution, asking, input, context),
  };
}

async function extract(
  execution: Execution,
  tools: readonly Tool[],
  input: JsonObject,
  context: ToolCallContext,
): Promise<ToolResult> {
  const asked = readAsked(input, tools);
  if (!asked.ok) return failed(asked.reason);
  const found = findSource(execution.progress.toolCalls, asked.from);
  if (!found.ok) return failed(found.reason);
  const { source } = found;
  if (JSON.stringify(source.value).length > maxSourceChars)
    return failed(`The result has more than ${maxSourceChars} characters. Read a smaller part of it.`);

  const toRead = asked.values.map((value) => {
    const schema = argumentSchema(tools, value.tool, value.argument) ?? {};
    const { description } = schema;
    return { ...value, choices: choicesOf(schema), description: typeof description === "string" ? description : "" };
  });
  const written = await readValues(execution, context.callId, source, toRead);
  const text = new SourceText(source.value);
  const values: FoundValue[] = [];
  const missing: Json[] = [];
  for (const [index, { tool, argument, type, choices }] of toRead.entries()) {
    const read = readShortValue(written[index] ?? "", type, text, choices);
    if (read.ok) {
      const sentence = text.sentenceWith((written[index] ?? "").trim());
      values.push({ field: fieldName(index), tool, argument, type, value: read.value, sentence, choices });
    } else missing.push({ tool, argument, reason: read.reason });
  }
  if (values.length === 0) return failed("None of the values could be read.", missing);

  const answer = await context.ask(formOf(source, values), { key: "values", signal: context.signal });
  if (answer.action !== "accept")
    return failed("The values were not confirmed. Calls with them need the user's approval.");
  // By the arguments of the call: the answer may be to what was read in an earlier attempt of the run.
  const confirmed = asked.values.flatMap(({ tool, argument }, index): ConfirmedValue[] => {
    const value = answer.content[fieldName(index)];
    const isGiven = (typeof value === "string" && value.trim() !== "") || typeof value === "number";
    return isGiven ? [{ tool, argument, value }] : [];
  });
  return { ok: true, output: { confirmed, missing } };
}

/** The values of a result that a person has confirmed, also as the log has them. */
function confirmedIn(output: Json): ConfirmedValue[] {
  const listed =
    typeof output === "object" && output !== null && "confirmed" in output ? output["confirmed"] : undefined;
  return Array.isArray(listed) ? listed.flatMap((each) => confirmedValueSchema.safeParse(each).data ?? []) : [];
}

const fieldName = (index: number) => `value_${index + 1}`;

/** What a person is asked: each value in a field of its own, for what it is, and the sentence it stands in. */
function formOf({ title }: Source, values: readonly FoundValue[]): AskedForm {
  const properties = values.map((found): [string, Json] => {
    const { field, tool, argument, value, choices, type } = found;
    const isChoice = type === "choice";
    return [
      field,
      {
        ...(isChoice ? { enum: [...choices] } : {}),
        type: typeof value === "number" ? "number" : "string",
        title: `${visibleName(argument)} of ${tool}`,
        description: descriptionOf(found),
        default: value,
      },
    ];
  });
  return {
    message: `May these values from ${title} be used in this run? Correct what is wrong, and clear what may not be used.`,
    schema: { type: "object", properties: Object.fromEntries(properties) },
    confirms: true,
  };
}

function descriptionOf({ sentence, value, type }: FoundValue): string {
  const other = type === "choice" ? "The model chose it." : "It stands there in another form.";
  const read = sentence === undefined ? other : `“${firstChars(visibleName(sentence), 300)}”`;
  return hasForeignLetters(value) ? `${read} Not in Latin letters.` : read;
}

function failed(message: string, details?: Json): ToolResult {
  return { ok: false, error: { message, ...(details === undefined ? {} : { details }) } };
}
