const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

/** Why a request with this method cannot be sent; undefined where it can. Another method would do something else. */
export function methodProblem(method: string): string | undefined {
  return methods.includes(method) ? undefined : `The method ${method} is not possible here.`;
}
