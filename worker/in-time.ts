import { NoAnswer } from "./sql-door.ts";

/** The database's answer; rejects with NoAnswer where it does not come within `ms`. */
export async function inTime<Result>(answer: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer("The database does not answer.")), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
