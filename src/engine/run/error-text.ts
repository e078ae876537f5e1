/** A failure in one line: what happened, and what to do. Messages of others, such as of code, may end without a full stop. */
export function errorText({ message, hint }: { message: string; hint: string }): string {
  if (hint === "") return message;
  const ended = /[.!?…:]["'”’)\]]*\s*$/u.test(message);
  return `${message.trimEnd()}${ended ? "" : "."} ${hint}`;
}
