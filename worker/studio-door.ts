import type { StudioMessage, WorkerMessage } from "./messages.ts";
import { NoAnswer, type SqlDoor, StatementRefused } from "./sql-door.ts";

type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;
type Question = WithoutId<Extract<WorkerMessage, { id: number }>>;
type Answer = Extract<StudioMessage, { id: number }>;

const pollMs = 2_000;

/** The way to the studio that started this process: its database, and tokens for the owners of runs. */
export function openStudioDoor(): { door: SqlDoor; askToken(owner: string): Promise<string> } {
  const open = new Map<number, (answer: Answer) => void>();
  const listeners: (() => void)[] = [];
  let lastId = 0;

  process.on("message", (message: StudioMessage) => {
    if (message.kind === "wake") for (const listener of listeners) listener();
    else if ("id" in message) {
      open.get(message.id)?.(message);
      open.delete(message.id);
    }
  });

  function ask(question: Question): Promise<Answer> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      open.set(id, resolve);
      tellStudio({ ...question, id }, (error) => {
        if (open.delete(id)) reject(new NoAnswer(error.message));
      });
    });
  }

  return {
    door: {
      pollMs,
      onWake: (listener) => void listeners.push(listener),
      async ask(statement, parameters) {
        const answer = await ask({ kind: "ask", statement, parameters });
        if (answer.kind === "rows") return answer.rows;
        throw failureOf(answer);
      },
      close: () => Promise.resolve(),
    },
    async askToken(owner) {
      const answer = await ask({ kind: "token", owner });
      if (answer.kind === "token") return answer.token;
      throw failureOf(answer);
    },
  };
}

/** Sends a message to the studio, if it is still there. */
export function tellStudio(message: WorkerMessage, onFailure?: (error: Error) => void): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error) onFailure?.(error);
  });
}

function failureOf(answer: Answer): Error {
  if (answer.kind === "refused") return new StatementRefused(answer.message, answer.code);
  return new NoAnswer(answer.kind === "no-answer" ? answer.message : "The studio answered out of turn.");
}
