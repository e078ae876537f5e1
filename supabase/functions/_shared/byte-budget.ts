/** What is full: the part of one owner, or the whole. */
export type BudgetRefusal = "owner" | "all";

/** What one call holds of a budget. */
export interface ByteShare {
  /** Takes more for as long as the call lasts, or says what is full; then nothing was taken. */
  take(bytes: number): BudgetRefusal | null;
  /** Gives everything back. May be called more than once. */
  giveBack(): void;
}

/** Bytes that may be in memory at once, by owner and in all. */
export interface ByteBudget {
  open(owner: string): ByteShare;
  /** How many are taken now. */
  taken(): number;
}

/** Counts what calls hold in this process. */
export function createByteBudget(limits: { perOwner: number; total: number }): ByteBudget {
  const byOwner = new Map<string, number>();
  let total = 0;
  return {
    taken: () => total,
    open(owner) {
      let held = 0;
      return {
        take(bytes) {
          const own = byOwner.get(owner) ?? 0;
          if (own + bytes > limits.perOwner) return "owner";
          if (total + bytes > limits.total) return "all";
          held += bytes;
          total += bytes;
          byOwner.set(owner, own + bytes);
          return null;
        },
        giveBack() {
          const left = (byOwner.get(owner) ?? 0) - held;
          total -= held;
          held = 0;
          if (left > 0) byOwner.set(owner, left);
          else byOwner.delete(owner);
        },
      };
    },
  };
}
