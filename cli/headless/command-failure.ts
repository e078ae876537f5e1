/** Why the command cannot go on: what happened, what to do, and the exit code (1 failed, 2 not understood). */
export class CommandFailure extends Error {
  readonly hint: string;
  readonly exitCode: 1 | 2;
  constructor(message: string, hint: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = "CommandFailure";
    this.hint = hint;
    this.exitCode = exitCode;
  }
}
