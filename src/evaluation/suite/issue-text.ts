import type { z } from "zod/mini";
import "../../engine/config/english-issues.ts";
import { pathText, unknownKeys } from "../../engine/config/unknown-keys.ts";

/** What is wrong with a value, one sentence for each issue; a field that there is not comes with the nearest one that there is. */
export function issueTexts(schema: z.core.$ZodType, value: unknown, issues: readonly z.core.$ZodIssue[]): string[] {
  const nearest = new Map(unknownKeys(schema, value).map((found) => [pathText(found.path), found.nearest]));
  return issues.map((issue) => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    const near = keys.map((key) =>
      nearest.get(pathText([...issue.path.filter((step) => typeof step !== "symbol"), key])),
    );
    const found = near.filter((name) => name !== undefined);
    return found.length === 0 ? issueText(issue) : `${issueText(issue)} Did you mean "${found.join('", "')}"?`;
  });
}

/** What is wrong with a field, with its path: `"defaultAssert[2].threshold": expected number, received string`. */
export function issueText({ path, message, ...issue }: z.core.$ZodIssue): string {
  const place = path.reduce<string>(
    (so, step) => (typeof step === "number" ? `${so}[${step}]` : so === "" ? String(step) : `${so}.${String(step)}`),
    "",
  );
  const said = issue.code === "unrecognized_keys" ? `the field "${issue.keys.join('", "')}" is not known` : message;
  const words = said.replace(/^Invalid input: /, "").replace(/\.$/, "");
  return place === "" ? `${words}.` : `"${place}": ${words}.`;
}
