import type { Json, JsonObject } from "../json.ts";
import { evaluatePart, type Template } from "./resolve-template.ts";
import type { TemplateScope } from "./scope.ts";
import { TemplateProblem } from "./template-problem.ts";

/**
 * A text in a SQL place: `{ sql, parameters }` with every inserted value taken out and bound. What the model gives as a
 * whole, and data that is a list or an object (conditions, not SQL), stand as they are. Throws a TemplateProblem.
 */
export function resolveSql(template: Template, scope: TemplateScope, values?: JsonObject): Json {
  if (template.single) {
    const value = evaluatePart(template.single, scope, { place: "sql", values });
    if (template.single.expression.wholeAi || (typeof value === "object" && value !== null)) return value;
  }
  const { text, values: parameters } = bindSql(template, scope, values);
  return { sql: text, parameters };
}

/** A SQL template with its values taken out: `$1`, `$2` … in the text, the values beside it, never joined. */
export function bindSql(
  template: Template,
  scope: TemplateScope,
  values?: JsonObject,
): { text: string; values: Json[] } {
  const bound: Json[] = [];
  let text = "";
  let quote = "";
  for (const part of template.parts) {
    if (part.kind === "text") {
      quote = quoteAfter(part.text, quote);
      text += part.text;
      continue;
    }
    refuseQuoted(quote, part.start);
    bound.push(evaluatePart(part, scope, { place: "sql", values }));
    text += `$${bound.length}`;
  }
  if (bound.length > 0) refuseNumbers(template);
  return { text, values: bound };
}

/** The quote that is open after a text, or nothing. A doubled quote closes and opens again. */
function quoteAfter(text: string, open: string): string {
  for (const character of text) {
    if (open === character) open = "";
    else if (open === "" && (character === "'" || character === '"')) open = character;
  }
  return open;
}

/** Within quotes `$1` would be those two characters. */
function refuseQuoted(quote: string, position: number): void {
  if (quote === "") return;
  throw new TemplateProblem(
    "value",
    position,
    quote === "'" ? "The value is inside quotes." : "A name in SQL cannot be a value.",
    quote === "'"
      ? "Remove the quotes: name = {{json.name}}; for a part of a text: name like {{'%' + json.name + '%'}}."
      : "Write the name itself, or use structured conditions.",
  );
}

/** Beside templates, which are numbered here, a number of the author's own would mean another value. */
function refuseNumbers({ parts }: Template): void {
  for (const part of parts) {
    const found = part.kind === "text" ? /\$\d/.exec(part.text) : null;
    if (!found) continue;
    throw new TemplateProblem(
      "value",
      0,
      `The SQL holds both ${found[0]} and {{ … }}.`,
      "Use one of the two for its values; text with a dollar sign goes into braces: {{'$1'}}.",
    );
  }
}
