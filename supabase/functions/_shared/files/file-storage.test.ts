import { afterEach, expect, test, vi } from "vitest";
import type { FunctionEnvironment } from "../function-environment.ts";
import type { SupabaseClient } from "../supabase-client.ts";
import { createFileStorage } from "./file-storage.ts";

afterEach(() => vi.unstubAllGlobals());

const [deleted, missing, refused, broken, last] = Array.from(
  { length: 5 },
  (_, number) => `00000000-0000-4000-8000-00000000000${number}`,
);

test("S96 S105 bytes are forgotten only once they are gone, and those that stay come due again after all others", async () => {
  const answers = new Map<string | undefined, () => Response | Promise<Response>>([
    [deleted, () => Response.json({ message: "Successfully deleted" })],
    [missing, () => Response.json({ statusCode: "404", error: "not_found" }, { status: 400 })],
    [refused, () => Response.json({ statusCode: "400", error: "InvalidJWT" }, { status: 400 })],
    [broken, () => Promise.reject(new TypeError("fetch failed"))],
    [last, () => new Response(null, { status: 404 })],
  ]);
  vi.stubGlobal("fetch", async (address: string) => answers.get(address.split("/").at(-1))?.());
  const noted: Record<string, unknown[]> = {};
  const callAsService = async (name: string, values: { p_blob?: string }) => {
    if (name === "studio_due_blobs") return [...answers.keys()].map((blob) => ({ folder: deleted, blob }));
    (noted[name] ??= []).push(values.p_blob);
    return null;
  };
  await createFileStorage({
    environment: { supabaseUrl: "http://127.0.0.1", serviceRoleKey: "test-key-service" } as FunctionEnvironment,
    supabase: { callAsService } as unknown as SupabaseClient,
  }).sweep();
  expect(noted).toEqual({
    studio_forget_blob: [deleted, missing, last],
    studio_postpone_blob: [refused, broken],
  });
});
