/** How much one user may do with one function. Counted in Postgres, so that it holds across instances. */
export interface RateLimit {
  bucket: string;
  perMinute: number;
  /** Most calls that may be open at once. */
  concurrent: number;
  /** Seconds after which a call that never ended is forgotten. */
  slotSeconds: number;
}

/**
 * What runs on workers may do, counted apart from what their owner does in the browser, so that neither takes the other's. It
 * is more, since many runs go on at once; publications have limits of their own.
 */
export function ofWorkers(limit: RateLimit): RateLimit {
  const { bucket, perMinute, concurrent } = limit;
  return { ...limit, bucket: `${bucket} worker`, perMinute: perMinute * 10, concurrent: concurrent * 5 };
}
