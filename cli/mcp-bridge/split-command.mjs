/**
 * A command line's own options, which stand first, and the command that follows them with all that is its own.
 * @param {readonly string[]} argv
 */
export function splitCommand(argv) {
  const start = argv.findIndex((argument, index) => !argument.startsWith("-") && argv[index - 1] !== "--port");
  const end = start === -1 ? argv.length : start;
  return { options: argv.slice(0, end), command: argv.slice(end) };
}
