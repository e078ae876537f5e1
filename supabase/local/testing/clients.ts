import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { NoWebSocket } from "../../../src/state/shared/storage/no-web-socket.ts";

/** A supabase-js client that keeps its session to itself. */
export function createTestClient(stack: { url: string; key: string }): SupabaseClient {
  return createClient(stack.url, stack.key, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: randomUUID() },
    realtime: { transport: NoWebSocket },
  });
}

export interface SignedIn {
  client: SupabaseClient;
  userId: string;
  accessToken: string;
  email: string;
  password: string;
}

/** A new user, signed in. */
export async function signUp(stack: { url: string; key: string }): Promise<SignedIn> {
  const client = createTestClient(stack);
  const email = `${randomUUID()}@example.test`;
  const password = `test-password-${randomUUID()}`;
  const { data, error } = await client.auth.signUp({ email, password });
  if (error) throw error;
  if (!data.user || !data.session) throw new Error("Sign-up gave no session.");
  return { client, userId: data.user.id, accessToken: data.session.access_token, email, password };
}
