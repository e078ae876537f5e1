/** As the server asks. */
export const shortestPassword = 8;

/** What is wrong with an e-mail address, before anything is sent. */
export function emailProblem(email: string): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(email) ? undefined : "Enter an e-mail address, such as you@example.com.";
}

/** What is wrong with a password that is being chosen. */
export function newPasswordProblem(password: string): string | undefined {
  return password.length < shortestPassword ? `Use at least ${shortestPassword} characters.` : undefined;
}
