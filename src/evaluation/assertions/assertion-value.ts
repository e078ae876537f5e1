import { isJsonObject, type Json } from "../../engine/json.ts";
import { compileTemplate, resolveTemplate } from "../../engine/template/resolve-template.ts";
import type { TemplateScope } from "../../engine/template/scope.ts";
import { hasTemplate } from "../../engine/template/split-template.ts";

/** Whether there is a template anywhere in a value. */
export function holdsTemplates(value: Json): boolean {
  if (typeof value === "string") return hasTemplate(value);
  if (Array.isArray(value)) return value.some(holdsTemplates);
  return isJsonObject(value) && Object.values(value).some(holdsTemplates);
}

/** A value with its templates resolved, at any depth. Throws a TemplateProblem. */
export function resolvedValue(value: Json, scope: TemplateScope): Json {
  if (typeof value === "string") {
    return hasTemplate(value) ? resolveTemplate(compileTemplate(value), scope, { place: "value" }) : value;
  }
  if (Array.isArray(value)) return value.map((inner) => resolvedValue(inner, scope));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolvedValue(inner, scope)]));
}
