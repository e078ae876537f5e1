/** Makes a call, or passes it on to what makes it. */
export type Execute<Call, Result> = (call: Call) => Promise<Result>;

/** Stands around a call: it may change the call, answer in its place, make it again, or act on the result. */
export type Interceptor<Call, Result> = (call: Call, next: Execute<Call, Result>) => Promise<Result>;

/** `execute` with interceptors around it, the first one outermost; those that have nothing to do here are undefined. */
export function intercepted<Call, Result>(
  execute: Execute<Call, Result>,
  interceptors: readonly (Interceptor<Call, Result> | undefined)[],
): Execute<Call, Result> {
  return interceptors.reduceRight<Execute<Call, Result>>(
    (next, around) => (around ? (call) => around(call, next) : next),
    execute,
  );
}
