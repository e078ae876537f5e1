import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch } from "undici";
import { z } from "zod/mini";
import { type Attacker, behaviours } from "./behaviours.ts";

const signedUp = z.object({ access_token: z.string() });

/** Guests besiege a studio in random order until `signal`; gives how often each behaviour was tried. */
export async function besiege(siege: {
  url: string;
  key: string;
  guests: number;
  signal: AbortSignal;
  /** Called when all guests have signed in, and it begins. */
  onReady(): void;
}): Promise<Record<string, number>> {
  const tried: Record<string, number> = {};
  const attackers = await Promise.all(Array.from({ length: siege.guests }, (_guest, index) => enter(siege, index)));
  siege.onReady();
  await Promise.all(
    attackers.map(async (attacker) => {
      while (!siege.signal.aborted) {
        const [name, behave] = anyOf(Object.entries(behaviours));
        tried[name] = (tried[name] ?? 0) + 1;
        await behave(attacker).catch(() => undefined);
      }
      await attacker.agent.destroy();
    }),
  );
  return tried;
}

function anyOf<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error("There is nothing to pick from.");
  return value;
}

async function enter({ url, key, signal }: Parameters<typeof besiege>[0], index: number): Promise<Attacker> {
  // An address of its own, as three people would have; where the system has only one, they share it.
  const localAddress = process.platform === "linux" ? `127.0.0.${index + 2}` : undefined;
  const agent = new Agent({ connect: { localAddress }, connections: 64 });
  const email = `${randomUUID()}@example.test`;
  const account = { email, password: `test-password-${randomUUID()}` };
  for (;;) {
    const response = await fetch(`${url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: key, "content-type": "application/json" },
      body: JSON.stringify(account),
      dispatcher: agent,
      signal,
    }).catch(() => null);
    signal.throwIfAborted();
    const session = signedUp.safeParse(await response?.json().catch(() => null));
    if (session.success) return { url, key, token: session.data.access_token, email, agent, signal };
    // The database may have been killed just now.
    await sleep(500);
  }
}
