const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$_\u200c\u200d]*$/u;

const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof var void while with yield args"
  ).split(" "),
);

/** The names that can be variables of a strict function, each once; any other is reached as `args["its name"]`. */
export function parameterNames(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => identifier.test(name) && !reserved.has(name));
}
