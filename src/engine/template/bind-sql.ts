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

/**
 * A SQL template with its values taken out: `$1`, `$2` … in the text, the values beside it, never joined. A comment needs no
 * values: the database counts none in it.
 */
export function bindSql(
  template: Template,
  scope: TemplateScope,
  values?: JsonObject,
): { text: string; values: Json[] } {
  const bound: Json[] = [];
  let text = "";
  let code = "";
  let open = "";
  for (const part of template.parts) {
    if (part.kind === "text") {
      const read = readSql(part.text, open);
      open = read.open;
      code += read.code;
      text += part.text;
      continue;
    }
    if (isComment(open)) {
      text += "…";
      continue;
    }
    refuseQuoted(open, part.start);
    bound.push(evaluatePart(part, scope, { place: "sql", values }));
    text += `$${bound.length}`;
  }
  if (bound.length > 0) refuseNumbers(code);
  return { text, values: bound };
}

const isComment = (open: string): boolean => open === "--" || open.startsWith("/");

/** What opens something: a quote, a text with escapes (`E'`), one between tags (`$tag$`, not within a name), or a comment. */
const openings =
  /(?<![\w$\u0080-\uffff])[eE]'|'|"|--|\/\*|(?<![\w$\u0080-\uffff])\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/g;

/** What can end what is open, or belongs to it although it looks so; a doubled quote closes and opens again. */
function marksWithin(open: string): RegExp {
  if (open === "") return openings;
  if (open === "--") return /[\n\r]/g;
  if (isComment(open)) return /\/\*|\*\//g;
  if (open === "E'") return /\\[^]|''|'/g;
  return open === "'" ? /'/g : open === '"' ? /"/g : new RegExp(open.replaceAll("$", "\\$"), "g");
}

function openAfter(open: string, mark: string): string {
  if (open === "") return mark === "/*" ? "/" : mark === "e'" ? "E'" : mark;
  if (open.startsWith("/")) return mark === "/*" ? `${open}/` : open.slice(1);
  return open === "E'" && mark !== "'" ? open : "";
}

/**
 * What is open after a text: a quote (`'`, `"`, `E'` or a `$tag$`), a comment to the end of the line (`--`), or comments within
 * comments, with a `/` for each. And what of the text stands outside of comments and of what is between tags.
 */
function readSql(text: string, before: string): { open: string; code: string } {
  let open = before;
  let code = "";
  let at = 0;
  for (;;) {
    const marks = marksWithin(open);
    marks.lastIndex = at;
    const found = marks.exec(text);
    const isSkipped = isComment(open) || open.startsWith("$");
    if (!isSkipped) code += text.slice(at, found?.index);
    if (!found) return { open, code };
    const [mark] = found;
    open = openAfter(open, mark);
    // Two words do not become one where a comment was between them.
    if (!isSkipped && (isComment(open) || open.startsWith("$"))) code += " ";
    else if (!isSkipped) code += mark;
    at = found.index + mark.length;
  }
}

/** Within quotes `$1` would be those two characters. */
function refuseQuoted(quote: string, position: number): void {
  if (quote === "") return;
  throw new TemplateProblem(
    "value",
    position,
    quote === '"' ? "A name in SQL cannot be a value." : "The value is inside quotes.",
    quote === '"'
      ? "Write the name itself, or use structured conditions."
      : "Remove the quotes: name = {{json.name}}; for a part of a text: name like {{'%' + json.name + '%'}}.",
  );
}

/** Beside templates, which are numbered here, a number of the author's own would mean another value. */
function refuseNumbers(code: string): void {
  const found = /\$\d/.exec(code);
  if (!found) return;
  throw new TemplateProblem(
    "value",
    0,
    `The SQL holds both ${found[0]} and {{ … }}.`,
    "Use one of the two for its values; text with a dollar sign goes into braces: {{'$1'}}.",
  );
}
