import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { addressesIn } from "./addresses.ts";
import { namesSomebody } from "./argument-names.ts";
import { leavesOf, membersOf } from "./argument-values.ts";
import type { ConfirmedValues } from "./confirmed-values.ts";
import { leadsSomewhere } from "./destinations.ts";
import type { Argument, ValueOrigins } from "./value-origins.ts";
import { isOwn, type JudgedTool, type JudgedValue, type Verdict } from "./verdict.ts";

/** Whose values may be in a call. `caller`: a door's caller, in the place of the person. */
export interface JudgedBy {
  origins: ValueOrigins;
  caller: ValueOrigins;
  /** What a person has confirmed of what came from outside. */
  confirmed: ConfirmedValues;
}

/** How a call of a tool with these arguments is judged. */
export function judgeInput(
  { origins, caller, confirmed }: JudgedBy,
  { name: tool, acts, content = [], callerArguments = [], parameters }: JudgedTool,
  input: JsonObject,
): Verdict {
  const values: JudgedValue[] = [];
  const because: JudgedValue[] = [];
  const isDestructionWanted =
    origins.isDestructionWanted(tool) || (callerArguments.length > 0 && caller.isDestructionWanted(tool));
  // Nothing shows that anybody wanted it who may.
  if (acts && (Object.keys(input).length === 0 || !isDestructionWanted))
    because.push({ path: [], value: tool, origin: "unknown" });
  const known = membersOf(parameters);
  for (const [name, given] of Object.entries(input)) {
    if (!Object.hasOwn(propertiesOf(parameters), name)) {
      const judged: JudgedValue = { path: [name], value: name, origin: origins.ofText(name), isName: true };
      values.push(judged);
      if (acts && !isOwn(judged.origin)) because.push(judged);
    }
    const isContent = content.includes(name);
    for (const { path, value, isName } of leavesOf(given, [name], known)) {
      const flag = path.findLast((step) => typeof step === "string") ?? name;
      const argument = { tool, name, flag, input, parameters };
      const isConfirmed = isName !== true && confirmed.has(tool, path, value);
      const origin = isConfirmed ? "person" : origins.of(value, argument);
      const mayCallerFill = callerArguments.includes(name);
      const isFilled = !isOwn(origin) && mayCallerFill && caller.of(value, argument) === "person";
      const judged: JudgedValue = { path, value, origin: isFilled ? "caller" : origin, ...(isName ? { isName } : {}) };
      values.push(judged);
      if (isFilled || isOwn(judged.origin)) continue;
      if (isContent) {
        if (!acts || typeof value !== "string") continue;
        const strange = strangeAddresses(origins, path, value);
        const mayStand = ({ value: address }: JudgedValue) =>
          confirmed.has(tool, path, address) || (mayCallerFill && caller.ofText(String(address)) === "person");
        because.push(...strange.filter((each) => !mayStand(each)));
      } else if (acts || path.some((step) => typeof step === "string" && leadsSomewhere(step, value))) {
        because.push(judged);
      }
    }
  }
  if (acts) because.push(...strangeDefaults(origins, { tool, parameters }, input));
  return { asks: because.length > 0, because, values };
}

/** Whom a call is for where an argument is left out, as far as its schema says. */
function strangeDefaults(
  origins: ValueOrigins,
  { tool, parameters }: Pick<Argument, "tool" | "parameters">,
  input: JsonObject,
): JudgedValue[] {
  return Object.entries(propertiesOf(parameters)).flatMap(([name, property]) => {
    if (Object.hasOwn(input, name) || !namesSomebody(name) || !isJsonObject(property)) return [];
    return leavesOf(property["default"] ?? null, [name], new Set())
      .filter(({ value }) => typeof value === "string" && value !== "")
      .map(({ path, value }) => ({ path, value, origin: origins.of(value, { tool, name, input, parameters }) }))
      .filter(({ origin }) => !isOwn(origin));
  });
}

function strangeAddresses(origins: ValueOrigins, path: (string | number)[], text: string): JudgedValue[] {
  const found = addressesIn(text);
  return found
    .filter((address) => !found.some((other) => other !== address && other.includes(address)))
    .map((value) => ({ path, value, origin: origins.ofText(value) }))
    .filter(({ origin }) => !isOwn(origin));
}

function propertiesOf(schema: JsonObject): Readonly<Record<string, Json>> {
  const { properties } = schema;
  return isJsonObject(properties) ? properties : {};
}
