import { z } from "zod/mini";
import type { ChoreName } from "./chores.ts";
import { NoAnswer, type SqlDoor, StatementRefused, tookTooLong } from "./sql-door.ts";

/** Owners that one question names. */
const ownersAtOnce = 100;
/** How long an owner is left out after a failure, also where that could not be stored. */
const asideMs = 5_000;
/** How long every chore leaves out an owner after a statement of his took too long. */
const tooLongMs = 60_000;

const dueOwners = z.array(z.object({ owner: z.string(), failing: z.boolean() }));

type DueOwner = z.infer<typeof dueOwners>[number];

const besides: ReadonlySet<ChoreName> = new Set(["notices", "traces", "uploads", "sources", "claims"]);

/** Does a chore for one owner, for a moment; true when something of it is left that can be done at once. */
export type ServeOwner = (owner: string) => Promise<boolean>;

interface RoundOptions {
  door: Pick<SqlDoor, "ask">;
  /** Says what goes wrong; `kind` names trouble that is the same. */
  tell(kind: string, line: string): void;
  isStopped(): boolean;
}

export interface ChoreRounds {
  /**
   * Serves every owner for whom the chore is due, each apart from the others: one that fails is set aside, the reason is stored
   * for him, and the next is served. Goes on while owners have something left, all of them in turn. Never rejects; while a
   * chore is under way it is not begun again.
   */
  run(name: ChoreName, chore: { doing: string; atOnce: number; serve: ServeOwner }): Promise<void>;
}

export function createChoreRounds({ door, tell, isStopped }: RoundOptions): ChoreRounds {
  const underWay = new Set<ChoreName>();
  /** Until when an owner is left out, by chore and owner, or by owner alone. */
  const aside = new Map<string, number>();
  /** Owners for whom a chore is under way: the others leave them out meanwhile, so that one statement at a time can go wrong. */
  const served = new Set<string>();

  /** Not what waits for servers of others; and claims come after one that failed, whose owner must be found. */
  const isAlone = (name: ChoreName) => !besides.has(name);

  function isAside(key: string): boolean {
    const until = aside.get(key) ?? 0;
    if (until <= Date.now()) aside.delete(key);
    return until > Date.now();
  }

  async function* due(name: ChoreName): AsyncGenerator<DueOwner[]> {
    for (let after: string | null = null; ;) {
      const page: DueOwner[] = dueOwners.parse(await door.ask("dueOwners", [name, after, ownersAtOnce]));
      yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < ownersAtOnce) return;
      after = last.owner;
    }
  }

  /** One turn for each owner, those last for whom it failed before. Whether somebody has something left. */
  async function goRound(name: ChoreName, chore: Parameters<ChoreRounds["run"]>[1]): Promise<boolean> {
    const failing: DueOwner[] = [];
    let left = false;
    const serveAll = async (owners: DueOwner[]) => {
      const line = owners.values();
      const serveNext = async () => {
        for (const owner of line) {
          if (isStopped()) return;
          if (await serveOne(name, chore, owner)) left = true;
        }
      };
      await Promise.all(Array.from({ length: chore.atOnce }, serveNext));
    };
    for await (const page of due(name)) {
      await serveAll(page.filter((one) => !one.failing));
      failing.push(...page.filter((one) => one.failing));
    }
    await serveAll(failing);
    return left;
  }

  async function serveOne(
    name: ChoreName,
    { doing, serve }: Parameters<ChoreRounds["run"]>[1],
    { owner, failing }: DueOwner,
  ): Promise<boolean> {
    const key = `${name} ${owner}`;
    if (isAside(key) || (isAside(owner) && name !== "claims")) return false;
    if (isAlone(name) && served.has(owner)) return false;
    if (isAlone(name)) served.add(owner);
    try {
      const left = await serve(owner);
      if (failing && !left) await door.ask("endChore", [name, owner]);
      return left;
    } catch (error) {
      if (isStopped()) return false;
      aside.set(key, Date.now() + asideMs);
      if (tookTooLong(error)) aside.set(owner, Date.now() + tooLongMs);
      const message = error instanceof Error ? error.message : String(error);
      tell(
        name,
        `The worker could not ${doing} of the account ${owner}: ${message.replace(/\.$/, "")}. The others are served.`,
      );
      // Nobody's trouble but the database's or the functions'.
      if (!(error instanceof NoAnswer)) await note(name, owner, error, message);
      return false;
    } finally {
      if (isAlone(name)) served.delete(owner);
    }
  }

  async function note(name: ChoreName, owner: string, error: unknown, message: string): Promise<void> {
    const code = error instanceof StatementRefused ? error.code : null;
    await door.ask("noteChore", [name, owner, code, message]).catch((failure: unknown) => {
      tell(`${name} noted`, `The worker could not store why: ${String(failure)}`);
    });
  }

  return {
    async run(name, chore) {
      if (underWay.has(name)) return;
      underWay.add(name);
      try {
        while (!isStopped() && (await goRound(name, chore)));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        tell(name, `The worker could not ${chore.doing}: ${message}`);
      } finally {
        underWay.delete(name);
      }
    },
  };
}
