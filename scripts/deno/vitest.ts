/**
 * Lets the engine's tests, which import `vitest`, run under `deno test`: the same `expect`, with describe, it and the
 * hooks laid over `Deno.test`. Only what pure tests need; nothing of Vitest's mocking.
 */
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

declare const Deno: {
  test(options: {
    name: string;
    ignore?: boolean;
    sanitizeOps: false;
    sanitizeResources: false;
    fn: () => Promise<void>;
  }): void;
};

type Body = () => void | Promise<void>;

interface Suite {
  name: string;
  before: Body[];
  after: Body[];
}

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

const suites: Suite[] = [];

const pollMs = 1_000;

/** Asks again until the matcher holds, or for a second, as Vitest's does. */
function poll(read: () => unknown): Record<string, (...expected: unknown[]) => Promise<void>> {
  async function hold(matcher: string, expected: readonly unknown[]): Promise<void> {
    for (const end = Date.now() + pollMs; ;) {
      try {
        const assertion = chai.expect(await read()) as unknown as Record<string, (...values: unknown[]) => void>;
        return assertion[matcher]?.(...expected);
      } catch (error) {
        if (Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }
  return new Proxy(
    {},
    {
      get:
        (_target, matcher) =>
        (...expected: unknown[]) =>
          hold(String(matcher), expected),
    },
  );
}

export const expect = Object.assign(chai.expect, { poll });

function suite(name: string, body: () => void): void {
  suites.push({ name, before: [], after: [] });
  body();
  suites.pop();
}

/** What is registered until `load` has ended belongs to a suite of this name. */
export async function inSuite(name: string, load: () => Promise<unknown>): Promise<void> {
  suites.push({ name, before: [], after: [] });
  await load();
  suites.pop();
}

function register(name: string, body: Body, ignore = false): void {
  const path = [...suites];
  Deno.test({
    name: [...path.map((suite) => suite.name), name].join(" › "),
    ignore,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      for (const suite of path) for (const hook of suite.before) await hook();
      try {
        await body();
      } finally {
        for (const suite of path.toReversed()) for (const hook of suite.after) await hook();
      }
    },
  });
}

/** `%s`, `%d`, `%i`, `%j` and `%o` take the next value; `$name` takes a property of an object case. */
function titleOf(template: string, values: readonly unknown[]): string {
  let next = 0;
  const filled = template.replace(/%[sdijo]/g, () => {
    const value = values[next++];
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  const first = values[0];
  if (typeof first !== "object" || first === null) return filled;
  const properties = new Map(Object.entries(first));
  return filled.replace(/\$(\w+)/g, (whole, key: string) =>
    properties.has(key) ? String(properties.get(key)) : whole,
  );
}

function eachOf<Result>(add: (name: string, body: () => Result) => void) {
  return (cases: readonly unknown[]) =>
    (template: string, body: (...values: unknown[]) => Result): void => {
      cases.forEach((entry, index) => {
        const values = Array.isArray(entry) ? entry : [entry];
        add(`${titleOf(template, values)} #${index + 1}`, () => body(...values));
      });
    };
}

export const describe = Object.assign(suite, { each: eachOf<void>(suite) });
export const it = Object.assign((name: string, body: Body) => register(name, body), {
  each: eachOf<void | Promise<void>>(register),
});
export const test = it;

function hooks(): Suite {
  const suite = suites.at(-1);
  if (suite) return suite;
  throw new Error("beforeEach and afterEach belong to a file or a describe.");
}

export function beforeEach(body: Body): void {
  hooks().before.push(body);
}

export function afterEach(body: Body): void {
  hooks().after.unshift(body);
}
