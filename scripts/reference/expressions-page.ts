import type { TemplatePlace } from "../../src/engine/config/field.ts";
import { aiTypes } from "../../src/engine/template/ai-call.ts";
import { dateFunctions } from "../../src/engine/template/functions/date-functions.ts";
import type { FunctionTable } from "../../src/engine/template/functions/function-table.ts";
import { lazyFunctions } from "../../src/engine/template/functions/index.ts";
import { listFunctions } from "../../src/engine/template/functions/list-functions.ts";
import { numberFunctions } from "../../src/engine/template/functions/number-functions.ts";
import { textFunctions } from "../../src/engine/template/functions/text-functions.ts";
import { templateLimits } from "../../src/engine/template/split-template.ts";
import { code, plain, table } from "./markdown.ts";

const places: Record<TemplatePlace, string> = {
  text: "as text; a list or an object becomes JSON",
  url: "percent-encoded, so that it stays within its part of the address",
  header: "as text; a line break or another control character is an error",
  json: "as JSON, within quotes escaped as part of the text",
  sql: "as a bound parameter, never as part of the statement",
  value: "as text; a setting that is one expression alone keeps the value's type",
};

const groups: readonly (readonly [string, FunctionTable])[] = [
  ["Text", textFunctions],
  ["Lists and objects", listFunctions],
  ["Numbers", numberFunctions],
  ["Dates and times", dateFunctions],
];

/** The variables, functions and limits of templates. */
export function expressionsPage(): string {
  return [
    "# Expressions",
    `Settings that take a template may hold ${code("{{ … }}")} with an expression in [CEL](https://cel.dev) (Common Expression Language). Values are inserted once: what they contain is never evaluated again. A missing path or a wrong expression is an error that names the node, the setting, the position and the nearest existing name.`,
    "## Variables",
    table(
      ["Name", "What it is"],
      [
        [code("json"), "the input of this node; for a model, a memory or a tool, the input of the agent it serves"],
        [
          code("nodes.<name>"),
          'the output of a node before this one; the name is its title in lower case, with `_` between words. Names in other scripts stand in brackets: `nodes["查询"]`; the title itself can stand there too',
        ],
        [code("<name>"), "the same, shorter"],
        [code("vars"), "the workflow's variables, under **Settings and variables**"],
        [code("workflow"), "`id` and `name` of the workflow"],
        [code("run"), "`id` of the run and its `depth`: 0, or how many workflows deep"],
        [code("now"), "the time, as a timestamp"],
      ],
    ),
    `A path that may be missing is written with a question mark: ${code('json.?name.orValue("nobody")')}, or ${code('coalesce(json.?name, "nobody")')}.`,
    "## What the model fills in",
    `In settings of tools, ${code('{{ai("city", "Name of a city", "string")}}')} leaves a part to the model. It becomes a parameter of the tool: name, description, type (${aiTypes.map(code).join(", ")}) and, as a fourth argument, a default. The editor writes it for you: **Let the model fill this** beside the field.`,
    "## Where a value goes",
    table(
      ["Place", "How it is inserted"],
      Object.entries(places).map(([place, how]) => [place, how]),
    ),
    "## Functions",
    `Besides what CEL has (${["size", "string", "int", "double", "has", "timestamp", "duration", "all", "exists", "filter", "map"].map(code).join(", ")} and the methods of text):`,
    ...groups.flatMap(([title, functions]) => [
      `### ${title}`,
      list(Object.values(functions).map(({ detail }) => detail)),
    ]),
    "### Missing values",
    list(Object.values(lazyFunctions)),
    "## Limits",
    `A template has at most ${templateLimits.text.toLocaleString("en")} characters and ${templateLimits.expressions} expressions of at most ${templateLimits.expression.toLocaleString("en")} characters each. An expression that runs for too long or makes too much data is stopped with an error.`,
  ].join("\n\n");
}

/** `name(arguments) → what it gives`. */
function list(details: readonly string[]): string {
  return table(
    ["Written as", "Gives"],
    details.map((detail) => {
      const [call = "", gives = ""] = detail.split(" → ");
      return [code(call), plain(gives)];
    }),
  );
}
