type LimitRead = { ok: true; limit: number | null } | { ok: false; problem: string };

/** A limit as it was typed: a whole number from 1 on, or nothing for none. */
export function readLimit(text: string, most: number): LimitRead {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: true, limit: null };
  const limit = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : 0;
  if (limit >= 1 && limit <= most) return { ok: true, limit };
  return { ok: false, problem: `Enter a whole number from 1 to ${most.toLocaleString("en")}, or leave it empty.` };
}
