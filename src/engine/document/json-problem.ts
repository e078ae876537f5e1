/** Bounds of a JSON value: characters of all keys and texts together, and how deep it nests. */
interface JsonLimits {
  characters: number;
  depth: number;
}

/** Keys that reach an object's prototype in careless code; no document needs them. */
const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Why a value from outside cannot be taken as JSON, or undefined when it can: too deep, too large, cyclic, a number
 * that JSON lacks, a class instance, or a key that reaches prototypes, at any depth. Never throws, and stops at the
 * first problem.
 */
export function jsonProblem(value: unknown, limits: JsonLimits): string | undefined {
  let characters = 0;
  const above = new Set<object>();

  function check(part: unknown, depth: number): string | undefined {
    if (depth > limits.depth) return `The data nests deeper than ${limits.depth} levels, or contains itself.`;
    switch (typeof part) {
      case "string":
        characters += part.length;
        return sizeProblem();
      case "number":
        characters += 8;
        return Number.isFinite(part) ? sizeProblem() : `The data contains ${String(part)}, which JSON cannot hold.`;
      case "boolean":
        characters += 5;
        return sizeProblem();
      case "object":
        return part === null ? undefined : checkObject(part, depth);
      default:
        return `The data contains a value of type ${typeof part}, which JSON cannot hold.`;
    }
  }

  function checkObject(part: object, depth: number): string | undefined {
    if (above.has(part)) return "The data contains itself.";
    if (!isPlain(part)) {
      return "The data contains an object that is not plain JSON.";
    }
    above.add(part);
    for (const [key, inner] of Object.entries(part)) {
      if (!Array.isArray(part) && forbiddenKeys.has(key)) return `The key "${key}" is not allowed.`;
      characters += key.length + 4;
      const problem = inner === undefined ? undefined : check(inner, depth + 1);
      if (problem !== undefined) return problem;
    }
    above.delete(part);
    return undefined;
  }

  function sizeProblem(): string | undefined {
    return characters > limits.characters
      ? `The data is larger than ${Math.round(limits.characters / 1_000_000)} million characters.`
      : undefined;
  }

  return check(value, 0);
}

/** Lists, and objects whose prototype is the top one (of whichever realm) or none. */
function isPlain(part: object): boolean {
  if (Array.isArray(part)) return true;
  const prototype: unknown = Object.getPrototypeOf(part);
  return prototype === null || (typeof prototype === "object" && Object.getPrototypeOf(prototype) === null);
}
