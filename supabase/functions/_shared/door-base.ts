import { originHeader } from "./caller-address.ts";
import type { FunctionEnvironment } from "./function-environment.ts";

/** Under which address the caller of a door reaches all of them. */
export function doorBase(request: Request, { isBehindGateway, supabaseUrl }: FunctionEnvironment): string {
  const origin = isBehindGateway ? request.headers.get(originHeader) : null;
  return origin ?? `${supabaseUrl}/functions/v1/doors`;
}
