/** Makes a call, or passes it on to what makes it. */
export type Execute<Call, Result> = (call: Call) => Promise<Result>;

/** Stands around a call: it may change the call, answer in its place, make it again, or act on the result. */
export type Interceptor<Call, Result> = (call: Call, next: Execute<Call, Result>) => Promise<Result>;

/** `execute` with interceptors around it, the first one outermost. */
export function intercepted<Call, Result>(
  execute: Execute<Call, Result>,
  interceptors: readonly Interceptor<Call, Result>[],
): Execute<Call, Result> {
  return interceptors.reduceRight<Execute<Call, Result>>((next, around) => (call) => around(call, next), execute);
}
