// Loads the stack's TypeScript into this process.

// tsx passes every module that comes after it through its own thread, which for these large packages costs 70 MB and
// half a second; loaded before, they are Node's alone.
const packages = ["@hono/node-server", "hono", "undici", "zod"];

/** The module supabase/local/stack.ts. The dependencies must be installed. */
export async function loadStack() {
  for (const name of packages) await import(name);
  const { register } = await import("tsx/esm/api");
  register();
  return import("../supabase/local/stack.ts");
}
