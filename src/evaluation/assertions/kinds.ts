import type { AssertionKind } from "./assertion-kind.ts";
import { codeKinds } from "./code-kinds.ts";
import { expectedKinds } from "./expected-kinds.ts";
import { limitKinds } from "./limit-kinds.ts";
import { modelKinds } from "./model-kinds.ts";
import { textKinds } from "./text-kinds.ts";
import { trajectoryKinds } from "./trajectory-kinds.ts";

/** Every type of assertion by its name. */
const kinds: Readonly<Record<string, AssertionKind>> = {
  ...expectedKinds,
  ...textKinds,
  ...limitKinds,
  ...trajectoryKinds,
  ...codeKinds,
  ...modelKinds,
};

/** The names, without those that begin with `not-`. */
export const assertionNames: readonly string[] = Object.keys(kinds);

/** The type that a name stands for, and whether it is turned round. `trajectory:` before a name may be left out. */
export function assertionKindOf(type: string): { kind: AssertionKind; name: string; negated: boolean } | undefined {
  const negated = type.startsWith("not-");
  const name = (negated ? type.slice("not-".length) : type).replace(/^trajectory:/, "");
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return kind && { kind, name, negated };
}
