/** What a test of a credential says to the person who asked for it. */
export interface TestResult {
  ok: boolean;
  message: string;
  hint?: string;
}
