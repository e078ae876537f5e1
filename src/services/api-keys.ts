/** What a program with a key may take; absent means no limit. */
export interface ApiKeyLimits {
  /** Pages of these origins may use the key; others, and all while there are none, may not. Programs send no origin. */
  origins?: string[];
  /** Requests in a minute. */
  perMinute?: number;
  /** Runs at the same time. */
  concurrent?: number;
  /** US dollars of a day and of a month (UTC). */
  dayUsd?: number;
  monthUsd?: number;
}

/** What is chosen for a key when it is made; it never changes. */
export interface ApiKeyDraft {
  name: string;
  /** `run:<slug>`, `run:*`, `runs:read`, `approve`, `knowledge` */
  scopes: string[];
  limits: ApiKeyLimits;
  /** ISO 8601; null when it does not expire. */
  expiresAt: string | null;
}

/** A key as the list shows it: the key itself was shown once, when it was made. */
export interface ApiKey extends ApiKeyDraft {
  id: string;
  /** How it begins. */
  prefix: string;
  /** ISO 8601, as below. */
  createdAt: string;
  /** Null when it never was. */
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** US dollars, with what calls under way may cost at most. */
  spent: { dayUsd: number; monthUsd: number };
  /** How many of its runs are kept. */
  runs: number;
}

export interface ApiKeyService {
  /** The newest first. */
  list(): Promise<ApiKey[]>;
  /** Gives the key itself, for the only time. */
  make(draft: ApiKeyDraft): Promise<string>;
  /** Ends a key at once and for ever. */
  revoke(id: string): Promise<void>;
  /** The addresses of what is published, which keys may be made for. */
  slugs(): Promise<string[]>;
}
