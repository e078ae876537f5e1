/** What a test of a credential says to the person who asked for it. */
export interface TestResult {
  ok: boolean;
  message: string;
  hint?: string;
  /** The field of the credential that is to blame, where that is known. */
  field?: "apiKey" | "baseUrl";
}
