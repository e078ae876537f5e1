import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";

// supabase-js asks for a WebSocket, which Node 20 lacks, although the stack has no Realtime to connect to.
class UnusedWebSocket extends EventTarget {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  readonly readyState = 3;
  readonly protocol = "";
  readonly url: string;
  onopen = null;
  onmessage = null;
  onclose = null;
  onerror = null;

  constructor(address: string | URL) {
    super();
    this.url = String(address);
  }

  close(): void {}

  send(): void {
    throw new Error("The embedded stack has no Realtime.");
  }
}

/** A supabase-js client that keeps its session to itself. */
export function createTestClient(stack: { url: string; key: string }): SupabaseClient {
  return createClient(stack.url, stack.key, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: randomUUID() },
    realtime: { transport: UnusedWebSocket },
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
