import { looksSecret } from "../../../engine/document/typed-secrets.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";

/** What a person has filled in, by the variable's name. */
export type AskedValues = Readonly<Record<string, string>>;

/** Variables whose values whoever shared the workflow has kept: they are there and empty. */
export function askedVariables({ vars }: WorkflowDocument): string[] {
  return Object.entries(vars ?? {}).flatMap(([name, value]) => (value === "" ? [name] : []));
}

/** Whether a value is better kept in a credential: variables are part of every export. */
export function isSecretValue(name: string, value: string | undefined): boolean {
  return value !== undefined && value.trim() !== "" && looksSecret(name, value);
}

/** The workflow with the values that were filled in; secrets are left out. */
export function withAskedValues(document: WorkflowDocument, values: AskedValues): WorkflowDocument {
  const filled = askedVariables(document).flatMap((name) => {
    const value = values[name]?.trim() ?? "";
    return value === "" || isSecretValue(name, value) ? [] : [[name, value] as const];
  });
  return filled.length === 0 ? document : { ...document, vars: { ...document.vars, ...Object.fromEntries(filled) } };
}
